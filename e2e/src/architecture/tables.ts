import { closeOf, withoutComments } from './sql.ts'

/** A part of the server: a feature or `core`. */
type Access = { owner: string; readers?: string[] }

/** The owner of each table, which alone writes it, and the other parts that may read it. */
export const tableAccess: Record<string, Access> = {
  access_purpose: { owner: 'core' },
  access_trail: { owner: 'core', readers: ['evidence', 'trail'] },
  access_trail_key: { owner: 'core' },
  access_visit: { owner: 'core', readers: ['evidence', 'trail'] },
  access_visit_end: { owner: 'core', readers: ['evidence', 'trail'] },
  activity: { owner: 'core', readers: ['activity', 'trail'] },
  alarm: { owner: 'alarms' },
  app_user: {
    owner: 'users',
    readers: [
      'activity',
      'alarms',
      'core',
      'imports',
      'inspections',
      'reports',
      'roles',
      'tickets',
      'views',
      'vms',
      'wanted',
    ],
  },
  archive_progress: { owner: 'archive' },
  arrival: { owner: 'archive', readers: ['statistics'] },
  audit: { owner: 'core', readers: ['activity', 'alarms', 'evidence', 'inspections', 'tickets'] },
  authenticator: { owner: 'users', readers: ['core'] },
  authenticator_setup: { owner: 'users' },
  axle_day: { owner: 'statistics' },
  axle_month: { owner: 'statistics' },
  axle_total_day: { owner: 'statistics' },
  axle_total_month: { owner: 'statistics' },
  calibration_finish: { owner: 'calibration' },
  calibration_reference: { owner: 'calibration' },
  datex_state: { owner: 'datex' },
  device: { owner: 'devices' },
  distribution_mark: { owner: 'statistics' },
  evidence_anchor: { owner: 'evidence' },
  evidence_check: { owner: 'evidence' },
  exchange_system: { owner: 'systems' },
  figure_day: { owner: 'statistics' },
  figure_hour: { owner: 'statistics' },
  figure_vehicle: { owner: 'ingest' },
  headway_day: { owner: 'statistics' },
  headway_month: { owner: 'statistics' },
  hour_day: { owner: 'statistics' },
  hour_month: { owner: 'statistics' },
  image_address_key: { owner: 'vehicle' },
  import: { owner: 'imports' },
  import_mapping: { owner: 'imports' },
  inspection: { owner: 'inspections', readers: ['offenders'] },
  inspection_day_month: { owner: 'inspections' },
  inspection_difference_month: { owner: 'inspections' },
  inspection_figure: { owner: 'inspections' },
  inspection_image: { owner: 'inspections' },
  inspection_mark: { owner: 'inspections' },
  inspection_month: { owner: 'inspections' },
  inspection_number: { owner: 'inspections' },
  inspection_photo: { owner: 'inspections' },
  lane: { owner: 'locations' },
  lane_certificate: { owner: 'certificates' },
  lane_purpose: { owner: 'certificates' },
  legal_limits: { owner: 'locations' },
  live_process: { owner: 'core' },
  live_visit: { owner: 'core', readers: ['activity'] },
  load_day: { owner: 'statistics' },
  load_month: { owner: 'statistics' },
  location: {
    owner: 'locations',
    readers: [
      'activity',
      'alarms',
      'certificates',
      'core',
      'evidence',
      'inspections',
      'tickets',
      'vehicle',
      'vms',
      'wanted',
    ],
  },
  location_activity: { owner: 'ingest', readers: ['current', 'locations', 'tickets'] },
  log_backfill: { owner: 'core' },
  log_seal: { owner: 'evidence', readers: ['core'] },
  log_unsealed: { owner: 'core' },
  login_failure: { owner: 'session' },
  offender: { owner: 'offenders' },
  offender_carrier_mark: { owner: 'offenders' },
  offender_day: { owner: 'offenders' },
  offender_location: { owner: 'offenders' },
  offender_mark: { owner: 'offenders' },
  offender_progress: { owner: 'offenders' },
  organization: { owner: 'tickets' },
  outbox: { owner: 'core', readers: ['activity', 'tickets', 'users', 'wanted'] },
  passage_seal: { owner: 'evidence' },
  passage_sealing: { owner: 'evidence' },
  passkey: { owner: 'users', readers: ['core'] },
  passkey_challenge: { owner: 'session' },
  plate: { owner: 'archive' },
  plate_search: { owner: 'core' },
  plate_search_key: { owner: 'core' },
  profile_day: { owner: 'statistics' },
  provider_request: { owner: 'session' },
  purpose_refusal: { owner: 'core', readers: ['trail'] },
  quarantine: { owner: 'ingest', readers: ['tickets'] },
  quarter_mark: { owner: 'overview' },
  quarter_progress: { owner: 'overview' },
  recovery_code: { owner: 'users' },
  report_link: { owner: 'reports' },
  reset_token: { owner: 'users' },
  role: { owner: 'roles', readers: ['core', 'users', 'wanted'] },
  saved_view: { owner: 'views' },
  saved_view_place: { owner: 'views' },
  session: { owner: 'core', readers: ['session'] },
  sign_in_pending: { owner: 'core' },
  speed_day: { owner: 'statistics' },
  speed_month: { owner: 'statistics' },
  speed_total_day: { owner: 'statistics' },
  speed_total_month: { owner: 'statistics' },
  spelling: { owner: 'offenders' },
  spelling_plate: { owner: 'offenders' },
  spelling_queue: { owner: 'offenders' },
  spelling_split: { owner: 'offenders' },
  stamp_request: { owner: 'evidence' },
  start_view: { owner: 'views' },
  static_scale: { owner: 'certificates' },
  static_scale_certificate: { owner: 'certificates' },
  station_check: { owner: 'tickets' },
  station_closure: { owner: 'locations' },
  station_failure: { owner: 'tickets' },
  station_key: { owner: 'locations' },
  station_quality_hour: { owner: 'tickets' },
  station_watch: { owner: 'tickets' },
  station_watch_gap: { owner: 'tickets' },
  tag: { owner: 'vehicle', readers: ['archive'] },
  ticket: { owner: 'tickets' },
  ticket_account: { owner: 'tickets' },
  ticket_attachment: { owner: 'tickets' },
  ticket_lease: { owner: 'tickets' },
  ticket_service: { owner: 'tickets' },
  ticket_service_file: { owner: 'tickets' },
  ticket_service_progress: { owner: 'tickets' },
  traffic_day: { owner: 'statistics', readers: ['locations'] },
  traffic_hour: { owner: 'statistics', readers: ['archive', 'imports', 'locations', 'tickets', 'vehicle'] },
  traffic_mark: { owner: 'statistics', readers: ['locations'] },
  traffic_month: { owner: 'statistics', readers: ['locations'] },
  traffic_quarter: { owner: 'overview' },
  user_identity: { owner: 'users', readers: ['core', 'roles'] },
  user_role: { owner: 'roles', readers: ['core', 'users', 'wanted'] },
  usual_traffic: { owner: 'tickets' },
  vehicle: {
    owner: 'ingest',
    readers: [
      'archive',
      'calibration',
      'current',
      'evidence',
      'offenders',
      'overview',
      'statistics',
      'tickets',
      'vehicle',
      'wanted',
    ],
  },
  vehicle_day: { owner: 'archive' },
  vehicle_detail: {
    owner: 'ingest',
    readers: ['archive', 'calibration', 'evidence', 'offenders', 'statistics', 'vehicle'],
  },
  vehicle_image: { owner: 'vehicle', readers: ['evidence', 'tickets'] },
  vms_command: { owner: 'vms' },
  vms_content: { owner: 'vms' },
  vms_group: { owner: 'vms' },
  vms_plate: { owner: 'vms' },
  vms_sign: { owner: 'vms', readers: ['activity'] },
  vms_sign_content: { owner: 'vms' },
  vms_simulated: { owner: 'vms' },
  vms_status: { owner: 'vms' },
  vms_variant: { owner: 'vms' },
  wanted_contact: { owner: 'wanted' },
  wanted_hit: { owner: 'wanted' },
  wanted_plate: { owner: 'wanted' },
  wanted_response: { owner: 'wanted' },
  wanted_step: { owner: 'wanted' },
  webhook: { owner: 'webhooks', readers: ['core'] },
  webhook_delivery: { owner: 'webhooks' },
  webhook_event: { owner: 'core', readers: ['webhooks'] },
}

/** The tables that exist after running the migrations in this order. */
export function tablesAfter(migrations: readonly string[]): string[] {
  const tables = new Set<string>()
  const statement =
    /\b(?:create (?:unlogged )?table (?:if not exists )?(\w+)|drop table (?:if exists )?(\w+)|alter table (\w+) rename to (\w+))/gi
  for (const sql of migrations) {
    for (const [text, created, dropped, from, to] of withoutComments(sql).matchAll(statement)) {
      // A partition belongs to its table.
      const isPartition = created && /^\s*partition of\b/i.test(sql.slice(sql.indexOf(text) + text.length))
      if (created && !isPartition) tables.add(created)
      if (dropped) tables.delete(dropped)
      if (from && to && tables.delete(from)) tables.add(to)
    }
  }
  return [...tables].toSorted()
}

const WRITE = /\b(?:insert into|update|delete from|merge into|truncate)\s+(?:only\s+)?(\w+)/gi
const READ = /(?<!delete\s)\b(?:from|join|using)\s+(?:only\s+)?(\w+)/gi
/** Begins a list of tables; `is distinct from` and the table of a deletion begin none. */
const LIST = /(?<!delete\s|distinct\s)\b(?:from|using)\s+(?=[\w($])/gi
/** Ends a list of tables at the outermost level: a clause, a bracket, or the end of the SQL. */
const END =
  /(?<!\w)(?:where|group|order|limit|offset|fetch|union|except|intersect|having|window|returning|set|for|when)\b|[)`;}]/iy
const NEXT = /,\s*(?:only\s+)?(\w+)/y

/** The tables after the commas of the list that begins at an index. */
function listedAfter(text: string, begin: number): string[] {
  const found: string[] = []
  for (let at = begin; at < text.length; at++) {
    END.lastIndex = at
    if (END.test(text)) break
    NEXT.lastIndex = at
    const table = NEXT.exec(text)?.[1]
    if (table) found.push(table)
    if (text[at] === "'") at = text.indexOf("'", at + 1)
    else if (text[at] === '(') at = closeOf(text, at)
    else if (text.startsWith('${', at)) at = closeOf(text, at + 1)
    if (at < 0) break
  }
  return found
}

const known = (names: readonly string[], tables: readonly string[]) => [
  ...new Set(names.filter((table) => tables.includes(table))),
]
const firstsOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, table = '']) => table)

/** Why the SQL in a file of a part violates the access to tables; empty if it does not. */
export function tableViolations(part: string, file: string, access = tableAccess): string[] {
  const text = withoutComments(file)
  const tables = Object.keys(access)
  const listed = [...text.matchAll(LIST)].flatMap(({ 0: { length }, index }) => listedAfter(text, index + length))
  const writes = known(firstsOf(text, WRITE), tables).filter((table) => access[table]?.owner !== part)
  const reads = known([...firstsOf(text, READ), ...listed], tables).filter(
    (table) => access[table]?.owner !== part && !access[table]?.readers?.includes(part),
  )
  return [
    ...writes.map((table) => `writes ${table}, which ${access[table]?.owner} owns`),
    ...reads.map((table) => `reads ${table} and is not among its readers`),
  ]
}
