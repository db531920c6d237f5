import type { TicketStatus } from '@rogatka/contract/tickets.ts'
import { isLive } from '@rogatka/domain/current/live.ts'
import { vehicleKey } from '../../core/passage.ts'
import { CONTACT, WANTED_PLATE } from './base.ts'
import type { ReportedTicket } from './clients.ts'
import type { History } from './history.ts'
import { real } from './real.ts'
import type { SentItems } from './stations.ts'

/** What is compared at the end of a history. */
export type Observations = { sent: SentItems; viewers: { seen: Set<number> }[]; reported: ReportedTicket[] }

/** The heartbeat of a LISTEN connection and its timeout, 20 s, and some time to notice it. */
const MAX_SILENT_MS = 30_000

type StoredVehicle = {
  id: number
  locationId: number
  createdAt: Date
  checkpointTime: Date | null
  receivedAt: Date
  plate: string
}

const storedVehicles = ({ base }: History) =>
  base.backends.ask<StoredVehicle>(`
    select id, location_id as "locationId", created_at as "createdAt", checkpoint_time as "checkpointTime",
           received_at as "receivedAt", plate_lpr as plate
    from vehicle order by id`)

const liveVehicles = async (history: History) => {
  const now = new real.Date(history.world.nowMs())
  // Margin: a window removes vehicles every few seconds.
  const later = new real.Date(history.world.nowMs() + 10_000)
  return (await storedVehicles(history)).filter(
    (vehicle) => isLive(vehicle, vehicle.receivedAt, now) && isLive(vehicle, vehicle.receivedAt, later),
  )
}

/** A LISTEN connection that no longer hears anything is replaced: its process would show old vehicles, and lead for long. */
export function checkSilence({ world, connections }: History): void {
  for (const { owner, silentSince } of connections.silentListeners())
    if (world.nowMs() - silentSince > MAX_SILENT_MS)
      world.violate(`${owner.name} keeps a LISTEN connection that no longer answers`)
}

/** What is still under way; empty: the history has come to rest. */
export async function unsettled(history: History, { viewers }: Observations): Promise<string[]> {
  const { base, connections, living, scenario } = history
  const reasons: string[] = []
  const portals = living()
  if (portals.some((portal) => !portal.isReady() || portal.live.isDisconnected())) return ['a live window is not ready']
  for (const { owner } of connections.silentListeners()) reasons.push(`a connection of ${owner.name} is silent`)
  for (const vehicle of await liveVehicles(history)) {
    for (const { owner, live } of portals)
      if (!live.current()?.has(vehicle))
        reasons.push(`vehicle ${vehicleKey(vehicle)} is not in the window of ${owner.name}`)
    if (!viewers.every(({ seen }) => seen.has(vehicle.id)))
      reasons.push(`vehicle ${vehicle.id} was not shown to a viewer`)
  }
  const [row] = await base.backends.ask<Record<'unsent' | 'tickets', number>>(`
    select (select count(*)::int from outbox where sent_at is null) as unsent,
           (select count(*)::int from ticket t left join ticket_service s on s.ticket_id = t.id
            where s.pushed_version is distinct from t.version or s.service_id is null or s.remote_status is distinct from t.status) as tickets`)
  if (row?.unsent) reasons.push(`${row.unsent} messages are not sent`)
  if (scenario.features.tickets && row?.tickets) reasons.push(`${row.tickets} tickets are not those of the service`)
  if (scenario.features.signs) reasons.push(...(await unsettledSigns(history)))
  return reasons
}

type SignRow = { id: number; shown: string | null; error: string | null; variant: number | null }

const signRows = ({ base }: History) =>
  base.backends.ask<SignRow>(`
    select s.id, t.shown, t.error, s.enabled_variant as variant
    from vms_sign s left join vms_status t on t.sign_id = s.id order by s.id`)

async function unsettledSigns(history: History): Promise<string[]> {
  const commands = await history.base.backends.ask<{ signId: number; isDone: boolean }>(`
    select sign_id as "signId", done_at is not null as "isDone" from vms_command where done_at is null or is_unsettled`)
  // What a late request has left on a sign is neither what was requested last nor what was before: this stays unsettled.
  const running = commands.filter(({ signId, isDone }) => !isDone || !history.signs.hadLateRequest(signId))
  return [
    ...(running.length > 0 ? [`${running.length} commands of signs have not ended`] : []),
    ...(await signRows(history)).flatMap(({ id, shown, error }) =>
      error === null && shown === history.signs.shownBy(id) ? [] : [`sign ${id} shows what the portal does not know`],
    ),
  ]
}

/** Compares the outside world with the database at the end of a history. */
export async function checkEnd(history: History, observed: Observations): Promise<void> {
  await checkVehicles(history, observed.sent)
  await checkImages(history, observed.sent)
  await checkMessages(history)
  checkWindows(history)
  if (history.scenario.features.signs) await checkSigns(history)
  if (history.scenario.features.tickets) await checkTickets(history, observed.reported)
}

/** Acknowledged means stored once and counted once; nothing else is stored. */
async function checkVehicles(history: History, { vehicles }: SentItems) {
  const { world, base } = history
  const stored = await storedVehicles(history)
  const counts = Map.groupBy(stored, ({ id }) => id)
  for (const { id, createdAt, plate, isAcknowledged } of vehicles.values()) {
    const rows = counts.get(id) ?? []
    if (isAcknowledged && rows.length !== 1)
      world.violate(`vehicle ${id} was acknowledged and is stored ${rows.length} times`)
    for (const row of rows)
      if (row.createdAt.toISOString() !== createdAt || row.plate !== plate)
        world.violate(`vehicle ${id} is stored as ${row.plate} of ${row.createdAt.toISOString()}`)
  }
  for (const { id } of stored) if (!vehicles.has(id)) world.violate(`vehicle ${id} was never sent`)
  const differences = await base.backends.ask<{ location: number; hour: Date; counted: number; stored: number }>(`
    select coalesce(c.location_id, v.location_id) as location, coalesce(c.hour, v.hour) as hour,
           coalesce(c.vehicles, 0)::int as counted, coalesce(v.vehicles, 0)::int as stored
    from (select location_id, hour, sum(vehicles) as vehicles from traffic_hour group by 1, 2) c
    full join (select location_id, date_trunc('hour', created_at) as hour, count(*) as vehicles from vehicle group by 1, 2) v
      on v.location_id = c.location_id and v.hour = c.hour
    where c.vehicles is distinct from v.vehicles`)
  for (const { location, counted, stored } of differences)
    world.violate(`station ${location}: ${counted} vehicles counted, ${stored} stored`)
  const details = await base.backends.ask(`
    select from vehicle v full join vehicle_detail d using (location_id, created_at, id) where v.id is null or d.id is null`)
  if (details.length > 0) world.violate(`${details.length} vehicles lack their details, or details their vehicle`)
}

/** An acknowledged image has its row and its file, and no row lacks its file. */
async function checkImages({ world, base, disk }: History, { images }: SentItems) {
  const rows = await base.backends.ask<{ id: number; sha256: string }>(
    `select id, encode(sha256, 'hex') as sha256 from vehicle_image`,
  )
  for (const image of images)
    if (image.isAcknowledged && !rows.some(({ id, sha256 }) => id === image.id && sha256 === image.sha256))
      world.violate(`image of vehicle ${image.id} was acknowledged and has no row`)
  for (const { id, sha256 } of rows) {
    const image = images.find((it) => it.id === id && it.sha256 === sha256)
    if (!image || !disk.has(image.path)) world.violate(`image of vehicle ${id} has a row without its file`)
  }
}

/** Each wanted vehicle has one hit, and its owner one message, accepted by the mail server under one key. */
async function checkMessages(history: History) {
  const { world, base, mail } = history
  const wanted = (await storedVehicles(history)).filter(({ plate }) => plate === WANTED_PLATE)
  const hits = await base.backends.ask<{ id: number }>('select vehicle_id as id from wanted_hit')
  const messages = await base.backends.ask<{ id: number; once: string; createdAt: Date; sentAt: Date | null }>(
    `select id, once, created_at as "createdAt", sent_at as "sentAt" from outbox where kind = 'wanted-mail'`,
  )
  const keyOf = ({ id, createdAt }: (typeof messages)[number]) => `rogatka-${id}-${createdAt.getTime()}`
  for (const vehicle of wanted) {
    const found = hits.filter(({ id }) => id === vehicle.id)
    if (found.length !== 1) world.violate(`wanted vehicle ${vehicle.id} has ${found.length} hits`)
    const own = messages.filter(({ once }) => once.endsWith(` ${vehicleKey(vehicle)}`))
    if (own.length !== 1) world.violate(`wanted vehicle ${vehicle.id} has ${own.length} messages`)
    for (const message of own) {
      const sent = mail.accepted.filter(({ key }) => key === keyOf(message))
      if (message.sentAt && sent.length === 0) world.violate(`message ${message.id} is recorded as sent and was not`)
      if (sent.some(({ to }) => to !== CONTACT)) world.violate(`message ${message.id} was sent to another`)
    }
  }
  const known = new Set(messages.map(keyOf))
  for (const { key } of mail.accepted) if (!known.has(key)) world.violate(`mail ${key} is of no message`)
  if (messages.length !== wanted.length)
    world.violate(`${messages.length} messages for ${wanted.length} wanted vehicles`)
}

/** A live window has each vehicle once, and no other. */
function checkWindows({ world, living }: History) {
  for (const { owner, live } of living()) {
    const keys = (live.current()?.entries() ?? []).map(({ vehicle }) => vehicleKey(vehicle))
    if (new Set(keys).size !== keys.length) world.violate(`the window of ${owner.name} has a vehicle twice`)
  }
}

type LastCommand = { signId: number; kind: string; variant: number | null; outcome: string | null }

/** A sign shows the last command, or it was reported why not. */
async function checkSigns(history: History) {
  const { world, base, signs } = history
  const contentOf = (variant: number | null) => (variant === null ? '' : (base.contents[variant - 1] as string))
  const last = await base.backends.ask<LastCommand>(`
    select distinct on (sign_id) sign_id as "signId", kind, variant, outcome
    from vms_command where user_id is not null order by sign_id, id desc`)
  for (const { id, variant } of await signRows(history)) {
    const shown = signs.shownBy(id)
    const command = last.find(({ signId }) => signId === id)
    // A request of an earlier command that arrives after the last one was executed: the screen says that it differs.
    const isOvertaken = signs.hadLateRequest(id)
    if (shown !== contentOf(variant) && !isOvertaken)
      world.violate(`sign ${id} shows ${JSON.stringify(shown)}, enabled is variant ${variant}`)
    if (!command) continue
    if (command.outcome === 'done' && variant !== command.variant)
      world.violate(`sign ${id}: variant ${command.variant} was done last, enabled is ${variant}`)
    if (command.outcome === 'superseded') world.violate(`sign ${id}: the last command was superseded`)
  }
}

const STATES: Record<TicketStatus, readonly string[]> = {
  open: ['new', 'open'],
  in_progress: ['open'],
  closed: ['closed'],
}

type TicketRow = {
  id: number
  title: string
  description: string
  status: TicketStatus
  marker: string
  serviceId: number
}

/** Each ticket is in the service once, in the same state, with its last text, and each change of its text was sent once. */
async function checkTickets({ world, base, tickets }: History, reported: readonly ReportedTicket[]) {
  const rows = await base.backends.ask<TicketRow>(
    `select t.id, t.title, t.description, t.status, s.marker, s.service_id as "serviceId"
     from ticket t join ticket_service s on s.ticket_id = t.id`,
  )
  for (const { id } of reported)
    if (!rows.some((row) => row.id === id)) world.violate(`ticket ${id} was confirmed and is lost`)
  for (const { id, title, description, status, marker, serviceId } of rows) {
    const remote = tickets.tickets.filter(({ title }) => title.includes(marker))
    if (remote.length !== 1) world.violate(`ticket ${id} is ${remote.length} times in the service`)
    const [one] = remote
    if (!one) continue
    if (one.id !== serviceId) world.violate(`ticket ${id} is linked to ${serviceId} instead of ${one.id}`)
    if (!STATES[status].includes(one.state)) world.violate(`ticket ${id} is ${status}, in the service ${one.state}`)
    const articles = tickets.articlesOf(one.id)
    if (!one.title.startsWith(`${title} [`)) world.violate(`ticket ${id} is called ${one.title} in the service`)
    if (!articles.at(-1)?.body.endsWith(`\n${description}`)) world.violate(`ticket ${id}: its last text was not sent`)
    const subjects = articles.map(({ subject }) => subject)
    if (new Set(subjects).size !== subjects.length) world.violate(`ticket ${id} has an article twice`)
  }
}
