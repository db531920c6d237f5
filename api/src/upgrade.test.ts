import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import * as activity from '@rogatka/contract/activity.ts'
import * as archive from '@rogatka/contract/archive.ts'
import * as calibration from '@rogatka/contract/calibration.ts'
import type { StatName } from '@rogatka/contract/options.ts'
import * as preferences from '@rogatka/contract/preferences.ts'
import { readSelf } from '@rogatka/contract/preferences-self.ts'
import * as reports from '@rogatka/contract/reports.ts'
import * as roles from '@rogatka/contract/roles.ts'
import * as session from '@rogatka/contract/session.ts'
import { stat } from '@rogatka/contract/statistics.ts'
import * as tickets from '@rogatka/contract/tickets.ts'
import * as stationHealth from '@rogatka/contract/tickets-health.ts'
import * as users from '@rogatka/contract/users.ts'
import { imageTypes, violations } from '@rogatka/contract/vehicle.ts'
import * as vms from '@rogatka/contract/vms.ts'
import * as wanted from '@rogatka/contract/wanted.ts'
import { beforeAll, describe, expect, onTestFinished, inject as provided, test } from 'vitest'
import type { Config } from './config.ts'
import { connect } from './core/database.ts'
import { migrate } from './core/migrate.ts'
import { prepareTrailPartitions } from './core/trail-partitions.ts'
import { car, send } from './ingest/testing.ts'
import { unknownAuditCodes } from './testing/audit.ts'
import { isOnOneServer } from './testing/databases.ts'
import { dumpRows } from './testing/release-dump.ts'
import {
  changedRows,
  checksumUpTo,
  createDatabase,
  emptyColumns,
  insertRows,
  type OwnDatabase,
  RELEASES,
  type Row,
  type Rows,
  readRows,
  restoreFiles,
  restoreRelease,
  writeRelease,
} from './testing/releases.ts'
import { describeSchema } from './testing/schema.ts'
import { startService } from './testing/services.ts'
import { dropVehiclePartitions, TEMPLATE_TIME } from './testing/setup.ts'
import { eventually, PASSWORD, type TestApi, testApi } from './testing/test-api.ts'
import { createFakeZammad } from './tickets/testing-zammad.ts'
import { preparePartitions } from './vehicle/maintenance.ts'

/*
 * Databases of earlier releases, filled with what those wrote (testing/releases), upgraded to this version. Expected
 * values come from the tables of the release before the upgrade, or were written down with them.
 */

const MANAGE = fileURLToPath(new URL('./manage.ts', import.meta.url))

/** Half a minute after the last session of these databases; reset tokens and report links have not expired. */
const NOW = new Date('2026-09-30T10:00:30Z')
/** After all rows of these databases, before those of the test. */
const UPGRADED_AT = '2026-09-30T10:00:00.000Z'
const EVER = { dateTimeStart: '2025-01-01T00:00:00.000Z', dateTimeEnd: UPGRADED_AT }
const SUMMER = { dateTimeStart: '2026-05-31T22:00:00.000Z', dateTimeEnd: '2026-09-30T22:00:00.000Z' }
const MONTHS = ['2026-06', '2026-07', '2026-08', '2026-09']

/** Rights of the administrator role after 0071. */
const ADMINISTRATOR = [
  1, 2, 3, 4, 7, 8, 10, 11, 12, 13, 14, 15, 17, 19, 20, 22, 27, 33, 34, 38, 41, 42, 43, 44, 45, 46, 47,
]
const administratorRole = {
  removed: [{ id: 8 }],
  added: [{ id: 8, permissions: ADMINISTRATOR.map((number) => `ROLE_${number}`) }],
}

/** Tables since 0.2.0, and columns since then without a value. */
const NEW_TABLES = [
  'access_purpose',
  'access_trail',
  'access_trail_key',
  'access_visit',
  'access_visit_end',
  'alarm',
  'archive_progress.deleted_before',
  'authenticator',
  'authenticator_setup',
  'axle_day',
  'axle_month',
  'axle_total_day',
  'axle_total_month',
  'calibration_finish.correct_reason',
  'calibration_finish.corrected_at',
  'calibration_finish.corrected_by',
  'calibration_finish.corrected_from',
  'datex_state',
  'device',
  'evidence_anchor',
  'evidence_check',
  'exchange_system',
  'figure_day',
  'figure_hour',
  'figure_vehicle',
  'headway_day',
  'headway_month',
  'hour_day',
  'hour_month',
  'image_address_key',
  'import',
  'import_mapping',
  'inspection',
  'inspection_day_month',
  'inspection_difference_month',
  'inspection_figure',
  'inspection_image',
  'inspection_mark',
  'inspection_month',
  'inspection_number',
  'inspection_photo',
  'lane_certificate',
  'lane_purpose',
  'live_process',
  'live_visit',
  'load_day',
  'load_month',
  'location.chainage_ascends',
  'location.closed_at',
  'location.latitude',
  'location.longitude',
  'location.silent_after',
  'log_seal',
  'log_unsealed',
  'offender',
  'offender_carrier_mark',
  'offender_day',
  'offender_location',
  'offender_mark',
  'offender_progress.counted_until',
  'passage_seal',
  'passage_sealing',
  'passkey',
  'passkey_challenge',
  'plate_search',
  'plate_search_key',
  'profile_day',
  'provider_request',
  'purpose_refusal',
  'quarter_mark',
  'recovery_code',
  'role.required_factor',
  'saved_view',
  'saved_view_place',
  'session.factor',
  'session.id_token',
  'session.provider',
  'session.verified_at',
  'sign_in_pending',
  'speed_day',
  'speed_month',
  'speed_total_day',
  'speed_total_month',
  'spelling',
  'spelling_plate',
  'spelling_queue',
  'spelling_split',
  'stamp_request',
  'start_view',
  'static_scale',
  'static_scale_certificate',
  'station_closure',
  'station_key.created_by',
  'station_key.last_used_at',
  'station_key.revoke_reason',
  'station_key.revoked_at',
  'station_key.revoked_by',
  'station_key.valid_until',
  'station_quality_hour',
  'station_watch.checked_at',
  'station_watch.contract_percent',
  'station_watch.measured_until',
  'station_watch.watched_since',
  'station_watch_gap',
  'traffic_quarter',
  'user_identity',
  'vehicle.hour_only',
  'vehicle.import_id',
  'vehicle_detail.evidence',
  'wanted_hit.false_reason',
  'wanted_response',
  'wanted_step',
  'webhook',
  'webhook_delivery',
  'webhook_event',
]

/** Rows that migrations add, remove or change, and columns that they add and leave without a value. */
const MIGRATED: Record<string, { changed: Record<string, { removed: object[]; added: object[] }>; empty: string[] }> = {
  '0.1.0': {
    changed: {
      role: administratorRole,
      // 0054
      reset_token: { removed: [{ user_id: 101 }], added: [] },
      // 0065: speed 0 becomes unmeasured, 3 km/h counts as 5. Hours without vehicles keep their figures.
      traffic_hour: {
        removed: [
          { hour: '2026-08-31T21:00:00+00:00', speed_range: 1, speeds: 1, speed_min: 0, slowness_sum: 1000000 },
          { hour: '2026-09-14T06:00:00+00:00', speed_range: 1, speeds: 1, speed_min: 3, slowness_sum: 333333 },
        ],
        added: [
          { hour: '2026-08-31T21:00:00+00:00', speed_range: 0, speeds: 0, speed_min: null, slowness_sum: 0 },
          { hour: '2026-09-14T06:00:00+00:00', speed_range: 1, speeds: 1, speed_min: 3, slowness_sum: 200000 },
        ],
      },
      traffic_mark: {
        removed: [],
        added: ['2026-06-10', '2026-08-31', '2026-09-14'].map((day) => ({ location_id: 12, day })),
      },
    },
    empty: [
      ...NEW_TABLES,
      'activity.variant',
      'app_user.organization',
      'calibration_finish.revoke_reason',
      'calibration_finish.revoked_at',
      'calibration_finish.revoked_by',
      'reset_token',
      'ticket.context',
      'ticket.sign',
      'ticket_account.token_attempted_at',
      'ticket_attachment.attempted_at',
      'ticket_attachment.refused_at',
      'ticket_attachment.sent_at',
      'ticket_lease',
      'ticket_service.article_attempted_at',
      'ticket_service.remote_owner_name',
      'ticket_service.sent_handle_by',
      'ticket_service_file',
      'vehicle_detail.digest',
      'vms_command.begun_at',
      'wanted_hit.entry_plate',
    ].sort(),
  },
  '0.2.0': { changed: { role: administratorRole }, empty: NEW_TABLES },
}

const instant = (value: string | null): string | null => value && new Date(value).toISOString()
const sha256 = (bytes: Buffer): string => `\\x${createHash('sha256').update(bytes).digest('hex')}`
const newestFirst = (rows: Row[], column: string): Row[] =>
  rows.toSorted((a, b) => b[column].localeCompare(a[column]) || b.id - a.id)
const monthOf = (time: string): string =>
  new Date(time).toLocaleDateString('sv', { timeZone: 'Europe/Warsaw' }).slice(0, 7)

const manage = ({ url }: OwnDatabase, settings: Record<string, string>, ...words: string[]) =>
  new Promise<{ code: number; lines: string[] }>((resolve) => {
    const env = { ...process.env, DATABASE_URL: url, LOG_LEVEL: 'silent', ...settings }
    execFile(process.execPath, [MANAGE, ...words], { env }, (error, stdout) =>
      resolve({ code: error ? Number(error.code) : 0, lines: stdout.trim().split('\n') }),
    )
  })

async function runJob(api: TestApi, name: string): Promise<void> {
  const job = api.app.jobs.recurring.find((one) => one.name === name)
  if (!job) throw new Error(`Job ${name} not found`)
  await job.work()
}

test.each(RELEASES)('migrations up to $version are unchanged', async ({ last, checksum }) => {
  expect(await checksumUpTo(last)).toBe(checksum)
})

describe.each(RELEASES)('an upgrade from $version', (release) => {
  const { version } = release
  let upgraded: OwnDatabase
  let before: Rows
  let after: Rows
  /** Rows of a table before the upgrade. */
  const rowsOf = (table: string): Row[] => before[table] ?? []

  beforeAll(async () => {
    upgraded = await restoreRelease(release)
    const db = connect(upgraded.url, 1)
    before = await readRows(db)
    await migrate(upgraded.url)
    after = await readRows(db)
    await db.end()
    return upgraded.drop
  })

  const clone = async (): Promise<OwnDatabase> => {
    const database = await createDatabase(upgraded.name)
    onTestFinished(database.drop)
    return database
  }

  /** A server of this version on a copy of the upgraded database. */
  async function start(settings: Partial<Config> = {}) {
    const database = await clone()
    const own = { dataDir: await restoreFiles(release), secretKey: Buffer.alloc(32, 7) }
    const api = await testApi({ ...own, ...settings }, { name: database.name, clock: { now: NOW } })
    const { token } = (await api.anyone.call(session.login, { body: { username: 'admin', password: PASSWORD } })).body
    return { api, database, admin: api.client(token), anna: api.client('session-of-anna') }
  }

  test('starts from rows in every column', () => {
    expect(emptyColumns(before)).toEqual(release.unwritten)
  })

  test('keeps all rows and values, and fills new columns', () => {
    const { changed, empty } = MIGRATED[version] ?? { changed: {}, empty: release.unwritten }
    expect(changedRows(before, after)).toEqual(
      Object.fromEntries(
        Object.entries(changed).map(([table, { removed, added }]) => [
          table,
          {
            removed: removed.map((row) => expect.objectContaining(row)),
            added: added.map((row) => expect.objectContaining(row)),
          },
        ]),
      ),
    )
    expect(emptyColumns(after).toSorted()).toEqual(empty)
  })

  test.runIf(isOnOneServer)('has the schema of a new database', async () => {
    const [database, created] = [await clone(), await createDatabase(provided('template'))]
    onTestFinished(created.drop)
    const schemas = []
    for (const { url } of [database, created]) {
      const db = connect(url, 1)
      await preparePartitions(db, NOW, 'month')
      await prepareTrailPartitions(db, NOW)
      schemas.push(await describeSchema(db))
      await db.end()
    }
    expect(schemas[0]).toEqual(schemas[1])
  })

  test.runIf(isOnOneServer && release === RELEASES.at(-1))(
    'restores a dump of the upgraded rows, those of the next release',
    async () => {
      const [database, created] = [await clone(), await createDatabase(provided('template'))]
      onTestFinished(created.drop)
      const [from, to] = [connect(database.url, 1), connect(created.url, 1)]
      const seeded = Object.entries(await readRows(to)).filter(([, rows]) => rows.length > 0)
      const tables = seeded.map(([table]) => table)
      const dump = await dumpRows(from, tables)
      await dropVehiclePartitions(to)
      await insertRows(created, dump)
      expect(withoutTransactions(await readRows(to))).toEqual(withoutTransactions(after))
      // Those that the template has.
      await prepareTrailPartitions(from, TEMPLATE_TIME)
      expect(await describeSchema(to)).toEqual(await describeSchema(from))
      for (const db of [from, to]) await db.end()
      const { WRITE_RELEASE } = process.env
      if (WRITE_RELEASE) await writeRelease(WRITE_RELEASE, dump, release)
    },
  )

  test('verifies without differences once the roll-ups are derived', async () => {
    const { api, database } = await start()
    await runJob(api, 'derive-traffic')
    await runJob(api, 'derive-distributions')
    await runJob(api, 'bring-archive-up-to-date')
    await runJob(api, 'derive-offenders')
    await runJob(api, 'derive-quarters')
    const hours = rowsOf('traffic_hour').filter(({ hour }) => hour > '2026-08')
    const { code, lines } = await manage(database, {}, 'verify')
    expect(lines).toEqual([
      `${rowsOf('vehicle').length} vehicles in ${hours.length} rows of the roll-up: 0 differ`,
      expect.stringMatching(/^roll-up by day, over \d months: 0 rows differ$/),
      expect.stringMatching(/^roll-up by month, over \d months: 0 rows differ$/),
      '0 days of stations are counted wrongly for the archive',
      '0 partitions have other vehicles than a search of the archive counts',
      '0 figures of inspections differ',
      'repeat offenders: 0 days, the sums of 0 and the carriers of 0 vehicles differ, 0 plates belong to another vehicle than they are joined to, 0 vehicles were not read',
      'traffic by quarters of an hour: 0 rows differ',
      expect.stringMatching(/^distributions of [1-9]\d* days: 0 rows differ$/),
    ])
    expect(code).toBe(0)
  })

  test('shows all vehicles with axles, outline, tags and images', async () => {
    const { anna } = await start()
    const query = { ...SUMMER, locations: '12,45' }
    const found = (await anna.call(archive.search, { query: { ...query, page: 1, limit: 100 } })).body
    expect(found.totalCount).toBe(rowsOf('vehicle').length)
    expect(found.content).toMatchObject(newestFirst(rowsOf('vehicle'), 'created_at').map(shownVehicle))
    const tagged = (await anna.call(archive.search, { query: { ...query, taggedOnly: 'true' } })).body
    expect(tagged.totalCount).toBe(rowsOf('tag').length)

    for (const { id, created_at, location_id } of rowsOf('vehicle')) {
      const passage = { params: { id }, query: { locationId: location_id, createdAt: created_at } }
      const isOfPassage = (row: Row) => (row.vehicle_id ?? row.id) === id && row.created_at === created_at
      const [detail] = rowsOf('vehicle_detail').filter(isOfPassage)
      const images = rowsOf('vehicle_image').filter(isOfPassage)
      expect((await anna.call(archive.detail, passage)).body).toMatchObject({
        axles: axlesOf(detail?.axles ?? []),
        shapeSamples: detail?.shape && shapeOf(detail.shape),
        euro: detail?.euro ?? null,
        tags: rowsOf('tag')
          .filter(isOfPassage)
          .map(({ id, data, description }) => ({ id, data, description })),
        images: images.map(({ type }, index) => ({ number: index + 1, type: imageTypes[type - 1] })),
      })
      for (const [index, { sha256: hash }] of images.entries()) {
        const params = { id, number: index + 1 }
        expect(sha256((await anna.call(archive.image, { ...passage, params })).bytes)).toBe(hash)
      }
    }
  })

  const shownVehicle = (row: Row) => {
    const lane = rowsOf('vehicle_detail').find(({ id, created_at }) => id === row.id && created_at === row.created_at)
    const [place] = rowsOf('location').filter(({ id }) => id === row.location_id)
    const tenths = (overload: number | null) => overload && overload / 10
    return {
      id: row.id,
      createdAt: instant(row.created_at),
      checkpointTime: instant(row.checkpoint_time),
      plateVmsReadablePointAt: instant(row.vms_readable_at),
      location: { id: row.location_id, shortName: place?.short_name, chainage: place?.chainage },
      lane: { laneNumber: row.lane_number, accuracyClass: lane?.accuracy_class && { name: lane.accuracy_class } },
      plateLpr: row.plate_lpr,
      nationality: row.nationality,
      speed: row.speed,
      speedLimit: row.speed_limit,
      totalLoad: row.total_load,
      limitTotalLoad: row.limit_total_load,
      overloadSA: tenths(row.overload_sa),
      overloadMA: tenths(row.overload_ma),
      overloadTL: tenths(row.overload_tl),
      vehLength: row.veh_length,
      vehHeight: row.veh_height,
      numberOfAxles: row.number_of_axles,
      ...Object.fromEntries(violations.map((name, bit) => [name, ((row.violations >> bit) & 1) === 1])),
    }
  }

  test('shows the statistics of all vehicles, also of expired ones', async () => {
    const { api, admin } = await start()
    const months = { ...SUMMER, statResolutionUnit: 'month', statResolutionValue: 1, addGraph: false } as const
    const check = async (statName: StatName, series: (vehicles: Row[], expired: Row[]) => number | null) => {
      const shown = (await admin.call(stat, { query: { ...months, locations: '12,45', statName } })).body
      const expected = rowsOf('location').map(({ id }) =>
        MONTHS.map((month) => {
          const vehicles = rowsOf('vehicle').filter(
            ({ location_id, created_at }) => location_id === id && monthOf(created_at) === month,
          )
          const hours = rowsOf('traffic_hour').filter(({ location_id, hour }) => location_id === id && hour < '2026-07')
          return series(vehicles, month === '2026-06' ? hours : [])
        }),
      )
      expect(shown.map(({ periods }) => periods.map(({ summary }) => summary))).toEqual(expected)
    }
    const sum = (rows: Row[], column: string) => rows.reduce((total, row) => total + row[column], 0)
    const checkAll = async () => {
      await check('traffic', (vehicles, expired) => vehicles.length + sum(expired, 'vehicles'))
      await check('avgSpeed', (vehicles, expired) => {
        const measured = vehicles.filter(({ speed }) => speed > 0)
        const count = measured.length + sum(expired, 'speeds')
        return count === 0 ? null : Math.round((10 * (sum(measured, 'speed') + sum(expired, 'speed_sum'))) / count) / 10
      })
      await check('maxTotalLoad', (vehicles, expired) => {
        const loads = [...vehicles.map((row) => row.total_load), ...expired.map(({ load_max }) => load_max)]
        const weighed = loads.filter((load) => load !== null)
        return weighed.length === 0 ? null : Math.max(...weighed)
      })
    }
    await checkAll()
    await runJob(api, 'derive-traffic')
    await checkAll()
  })

  test('shows calibrations, references and revocations', async () => {
    const { admin } = await start()
    const shown = (await admin.call(calibration.finishDates, { query: { locations: '12,45' } })).body
    expect(shown).toHaveLength(rowsOf('calibration_finish').length)
    for (const row of rowsOf('calibration_finish')) {
      const { finished_at, location_id, lane_number, revoked_at } = row
      const [reference] = rowsOf('calibration_reference').filter(
        (one) => one.finished_at === finished_at && one.lane_number === lane_number,
      )
      expect(shown).toContainEqual({
        location: { id: location_id, shortName: 'S8 Radzymin' },
        lane: { id: 100 * location_id + lane_number, laneNumber: lane_number },
        finishedAt: instant(finished_at),
        version: 1,
        enteredAt: instant(row.entered_at),
        enteredBy: row.username,
        inForce: finished_at === '2026-09-14T05:00:00+00:00',
        reference: reference
          ? { firstAxleAvg: reference.load_sum / reference.vehicles, counter: reference.vehicles }
          : null,
        collected: expect.any(Number),
        corrected: null,
        revoked: revoked_at ? { at: instant(revoked_at), by: row.revoked_by, reason: row.revoke_reason } : null,
      })
    }
  })

  test('shows wanted lists, hits and contacts', async () => {
    const { anna } = await start()
    const entries = (await anna.call(wanted.plates)).body.content
    expect(entries).toMatchObject(
      newestFirst(rowsOf('wanted_plate'), 'created_at').map((row) => ({
        id: row.id,
        plateLpr: row.plate,
        typeOfList: row.type_of_list,
        description: row.description,
        userId: row.user_id,
        allowMisread: row.allow_misread,
        createdAt: instant(row.created_at),
        expiresAt: instant(row.expires_at),
        hits: rowsOf('wanted_hit').filter((hit) => hit.wanted_id === row.id && hit.false_at === null).length,
        version: row.version ?? 1,
      })),
    )
    for (const { id } of entries) {
      const hits = rowsOf('wanted_hit').filter(({ wanted_id }) => wanted_id === id)
      expect((await anna.call(wanted.hits, { params: { id } })).body.content).toMatchObject(
        newestFirst(hits, 'created_at').map((row) => ({
          id: row.vehicle_id,
          createdAt: instant(row.created_at),
          location: { id: row.location_id },
          laneNumber: row.lane_number,
          plateLpr: row.plate_lpr,
          entryPlate: row.entry_plate ?? null,
          nationality: row.nationality,
          falseHit: row.false_at !== null,
        })),
      )
    }
    expect((await anna.call(wanted.contacts)).body.content).toMatchObject(
      newestFirst(rowsOf('wanted_contact'), 'created_at').map((row) => ({
        id: row.id,
        contact: row.contact,
        typeOfContact: row.type_of_contact,
        description: row.description,
        quietHours: row.quiet_from === null ? null : { from: '22:00', to: '06:00' },
        lastMessage: {
          createdAt: instant(lastMessageTo(row)?.created_at),
          sentAt: instant(lastMessageTo(row)?.sent_at),
        },
      })),
    )
    await anna.call(wanted.changePlate, {
      params: { id: 1 },
      body: { plateLpr: 'WPR8K47M', description: 'Odnaleziony', version: entries.find(({ id }) => id === 1)?.version },
    })
    expect((await anna.call(wanted.plate, { params: { id: 1 } })).body.description).toBe('Odnaleziony')
  })

  const lastMessageTo = ({ id }: Row): Row | undefined =>
    rowsOf('outbox')
      .filter(({ details }) => details.contactId === id)
      .toSorted((a, b) => b.id - a.id)[0]

  test('shows signs with their contents and the enabled variant, and ends the plate that a sign shows', async () => {
    const { admin, anna } = await start()
    const contents = rowsOf('vms_content').map(({ id, description, pictogram, lines }) => ({
      id,
      description,
      pictogram,
      lines,
    }))
    expect((await anna.call(vms.contents)).body).toMatchObject(contents)
    // The pending command to sign 3, which cannot be reached, and the plate on sign 2, whose time has passed.
    const expected = {
      group: { id: 1, description: 'Preselekcja', location: { id: 12 } },
      variants: rowsOf('vms_variant').map(({ variant, description }) => ({ variant, description })),
      selectedVariant: 1,
      enabledVariant: 1,
      vms: rowsOf('vms_sign').map((row) => ({
        id: row.id,
        number: row.number,
        vms: { roadNumber: row.road_number, chainage: row.chainage, ip: row.host },
        showsPlates: row.shows_plates,
        contentVariants: rowsOf('vms_sign_content')
          .filter(({ sign_id }) => sign_id === row.id)
          .map(({ variant, content_id }) => ({ variant, content: { id: content_id } })),
        enabled: row.enabled_at
          ? { variant: row.enabled_variant, by: { username: 'anna' }, since: instant(row.enabled_at) }
          : null,
        vmsStatus: { available: row.driver === 'simulated' },
      })),
    }
    await eventually(async () => {
      const [shown] = (await anna.call(vms.groups)).body
      expect(shown?.vms.map(({ busy, plate }) => [busy, plate])).toEqual(rowsOf('vms_sign').map(() => [false, null]))
      // Whether a sign is available is known once its driver was asked.
      expect(shown).toMatchObject(expected)
      expect(shown?.vms.map(({ shows }) => shows?.text ?? null)).toEqual(['KONTROLA', 'ZJAZD\nNA WAGE', null])
    })
    await eventually(async () => {
      const ended = (await admin.call(activity.vmsLogs, { query: EVER })).body.content.filter(
        ({ logoutAt }) => logoutAt,
      )
      expect(ended).toMatchObject([{ vms: { id: 2 }, variant: null, user: { username: 'anna' } }])
    })
  })

  test('shows failure reports with their files and histories, and station health', async () => {
    const { admin, anna } = await start()
    const found = (await anna.call(tickets.find, { query: { limit: 100 } })).body
    expect(found.totalCount).toBe(rowsOf('ticket').length)
    for (const row of rowsOf('ticket')) {
      const [service] = rowsOf('ticket_service').filter(({ ticket_id }) => ticket_id === row.id)
      const files = rowsOf('ticket_attachment').filter(({ ticket_id }) => ticket_id === row.id)
      expect(found.content.find(({ id }) => id === row.id)).toMatchObject({
        number: `${row.number}/${row.year}`,
        title: row.title,
        description: row.description,
        status: row.status,
        handleBy: row.handle_by,
        created_at: instant(row.created_at),
        close_at: instant(row.closed_at),
        userId: row.user_id,
        ...(row.reporter_name && { reporterName: row.reporter_name }),
        reporterEmail: row.reporter_email,
        organization_id: row.organization_id,
        location: row.location_id && { id: row.location_id },
        laneNumber: row.lane_number,
        healthKind: row.health_kind,
        sign: row.sign ?? null,
        context: row.context ?? null,
        attachments: files.map(({ number, name, type, size }) => ({ number, name, type, size })),
        serviceNumber: service?.service_number,
        serviceOwner: service?.remote_owner_name ?? null,
        version: row.version,
      })
      for (const { number, name, sha256: hash } of files.filter(({ type }) => type === 'image/jpeg')) {
        const { bytes, headers } = await anna.call(tickets.attachment, { params: { id: row.id }, query: { number } })
        expect([sha256(bytes), headers['content-disposition']]).toEqual([
          hash,
          expect.stringContaining(encodeURIComponent(name)),
        ])
      }
      const history = (await anna.call(tickets.history, { params: { id: row.id } })).body
      expect(history.map(({ at }) => at)).toEqual(auditOf(row).map(({ at }) => instant(at)))
    }
    const health = (await admin.call(stationHealth.health)).body
    const shown = health.flatMap(({ location, checks }) =>
      checks.map(({ kind, laneNumber, state, checkedAt, since, ticketId }) => {
        return [location.id, kind, laneNumber ?? 0, state, checkedAt, since, ticketId]
      }),
    )
    const expected = rowsOf('station_check').map(({ location_id, kind, lane_number, state, checked_at }) => {
      const failure = rowsOf('station_failure').find(
        (one) => one.kind === kind && one.lane_number === lane_number && one.ended_at === null,
      )
      const { begun_at = null, ticket_id = null } = failure ?? {}
      return [location_id, kind, lane_number, state, instant(checked_at), instant(begun_at), ticket_id]
    })
    expect(shown.map(String).toSorted()).toEqual(expected.map(String).toSorted())
  })

  /** Entries of a ticket. 0.1.0 stored no ticket with them: those without its id are of the only one of the number. */
  const auditOf = ({ id, number, year }: Row): Row[] =>
    rowsOf('audit')
      .filter(({ action, subject, before, after, ticket_id }) => {
        if (!action.startsWith('ticket-')) return false
        if (ticket_id !== undefined) return ticket_id === id
        return (after?.id ?? before?.id ?? (subject === `${number}/${year}` ? id : null)) === id
      })
      .toSorted((a, b) => a.at.localeCompare(b.at))

  test('shows users, roles, activity, audit log and messages', async () => {
    const { api, admin } = await start()
    const shownUsers = (await admin.call(users.list, { query: { limit: 100 } })).body.content
    const accounts = rowsOf('app_user').filter(({ deleted_at }) => deleted_at === null)
    const rolesOf = (account: Row) => rowsOf('user_role').filter(({ user_id }) => user_id === account.id)
    expect(shownUsers.toSorted((a, b) => a.id - b.id)).toMatchObject(
      accounts.map((row) => ({
        username: row.username,
        firstName: row.first_name,
        lastName: row.last_name,
        email: row.email,
        phoneNumber: row.phone_number,
        description: row.description,
        company: row.company,
        organization: row.organization,
        enabled: row.enabled,
        sendUserLogsToServer: row.send_user_logs_to_server,
        ticket: row.ticket,
        passwordUpdatedAt: instant(row.password_updated_at),
        version: row.version,
        roles: rolesOf(row)
          .toSorted((a, b) => a.place - b.place)
          .map(({ role_id }) => ({ id: role_id })),
      })),
    )
    const shownRoles = (await admin.call(roles.list)).body as roles.Role[]
    expect(shownRoles.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(rowsOf('role').map(({ id }) => id))
    for (const { id, name, users: holders, permissions } of shownRoles) {
      const [row] = rowsOf('role').filter((one) => one.id === id)
      const those = accounts.filter((account) => rolesOf(account).some(({ role_id }) => role_id === id))
      expect([name, holders, permissions.map((one) => one.name).toSorted()]).toEqual([
        row?.name,
        those.length,
        id === 8 ? ADMINISTRATOR.map((number) => `ROLE_${number}`).toSorted() : row?.permissions.toSorted(),
      ])
    }

    const query = { ...EVER, limit: 100 }
    const activities = (await admin.call(activity.list, { query })).body
    expect(activities.totalCount).toBe(rowsOf('activity').length)
    expect(activities.content.toSorted((a, b) => a.id - b.id)).toMatchObject(
      rowsOf('activity').map((row) => ({
        id: row.id,
        eventType: row.event_type,
        user: { id: row.user_id },
        location: row.location_id && { id: row.location_id },
        vms: row.vms_id && { id: row.vms_id },
        variant: row.variant ?? null,
        loginAt: instant(row.login_at),
        ip: row.ip,
      })),
    )
    const audit = (await admin.call(activity.audit, { query })).body
    expect(audit.content.toSorted((a, b) => a.id - b.id)).toEqual(
      rowsOf('audit').map(({ id, at, user_id, ip, action, subject, before, after }) => ({
        id,
        at: instant(at),
        user: user_id && { id: user_id, username: expect.any(String) },
        ip,
        action,
        subject,
        before,
        after,
      })),
    )
    expect(await unknownAuditCodes(api.db)).toEqual([])
    const messages = (await admin.call(activity.outbox, { query: { limit: 100 } })).body.content
    expect(messages.toSorted((a, b) => a.id - b.id)).toEqual(
      rowsOf('outbox').map((row) => ({
        id: row.id,
        createdAt: instant(row.created_at),
        kind: row.kind,
        recipient: row.recipient,
        language: row.language,
        sentAt: instant(row.sent_at),
        attempts: row.attempts,
        lastError: row.last_error,
      })),
    )
  })

  test('accepts sessions, station keys, report links and reset tokens', async () => {
    const { api, anna } = await start()
    const piotr = api.client('session-of-piotr')
    const own = (await anna.call(preferences.ownSessions)).body
    expect(own).toHaveLength(rowsOf('session').filter(({ user_id }) => user_id === 101).length)
    expect(own.filter(({ current }) => current)).toMatchObject([{ createdAt: '2026-09-30T09:59:00.000Z' }])
    expect((await piotr.call(readSelf)).body).toMatchObject({
      username: 'Piotr',
      mustChangePassword: true,
      checkpointAdditionalTime: 600,
    })

    const csv = (await anna.call(reports.file, { params: { token: 'report-of-anna' } })).bytes.toString()
    const plates = rowsOf('vehicle').map(({ plate_lpr }) => plate_lpr)
    const fast = rowsOf('vehicle').filter(({ speed, created_at }) => speed >= 100 && monthOf(created_at) === '2026-09')
    expect(plates.filter((plate) => plate && csv.includes(plate)).toSorted()).toEqual(
      fast.map(({ plate_lpr }) => plate_lpr).toSorted(),
    )

    const radzymin = api.client('key-of-station-12')
    const isOld = car(8, { createdAt: '2026-09-30T09:58:50Z', plateLpr: 'PO7XA93' })
    const isNew = car(9, { createdAt: '2026-09-30T10:00:20Z', plateLpr: 'WPR8K47M' })
    expect((await send(radzymin, [isOld, isNew])).body).toEqual({ accepted: 1, duplicates: 1, rejected: [] })
    expect((await anna.call(wanted.hits, { params: { id: 1 } })).body.totalCount).toBe(3)
    await runJob(api, 'bring-archive-up-to-date')
    const query = { ...SUMMER, locations: '12,45', limit: 100 }
    expect((await anna.call(archive.search, { query })).body.totalCount).toBe(rowsOf('vehicle').length + 1)

    const password = 'Nowe-haslo-2026'
    const reset = { email: 'anna@example.org', password, token: 'reset-of-anna' }
    const { status, errors } = await api.anyone.call(session.setPassword, { body: reset })
    // The tokens of 0.1.0 had no address: 0054 deletes them, and users request others.
    if (version === '0.1.0') return expect(errors).toMatchObject([{ code: 'reset-token-invalid' }])
    expect(status).toBe(204)
    expect((await api.anyone.call(session.login, { body: { username: 'anna', password } })).status).toBe(200)
    expect((await anna.call(session.ping)).status).toBe(401)
  })

  test('delivers waiting mails and text messages once', async () => {
    const gateway = await startService()
    const { api, admin } = await start({ smsWebhookUrl: `http://${gateway.address}/sms` })
    await api.runJobs()
    expect(api.sent.map(({ to }) => to)).toEqual(['anna@example.org'])
    const token = /^[\w-]{43}$/m.exec(api.sent[0]?.text ?? '')?.[0] ?? ''
    const body = { email: 'anna@example.org', password: 'Nowe-haslo-2026', token }
    expect((await api.anyone.call(session.setPassword, { body })).status).toBe(204)

    for (let round = 0; round < 2; round++) {
      await runJob(api, 'deliver-unsent')
      await api.runJobs()
    }
    expect(api.sent).toHaveLength(1)
    // Messages of more than three days ago are settled without being sent.
    expect(gateway.requests.map(({ body }) => JSON.parse(body))).toEqual([
      { id: expect.any(String), to: '+48600100200', text: expect.stringContaining('PO 7XA93') },
      { id: expect.any(String), to: '+48600100200', text: expect.stringContaining('WPR 8K47M') },
    ])
    const messages = (await admin.call(activity.outbox, { query: { limit: 100 } })).body.content
    expect(messages.filter(({ sentAt }) => sentAt === null).map(({ kind }) => kind)).toEqual(['ticket-push'])
  })

  test('decrypts the secrets of the ticket service and sends the waiting report with them', async () => {
    const zammad = await createFakeZammad({ now: NOW })
    zammad.users.push({ id: 50, login: 'anna', email: 'anna@example.org', password: '-', roles: [], group_ids: {} })
    zammad.tokens.set('service-token-of-anna', 50)
    // Those that the service has: 500 and 501.
    const [, portal] = zammad.users
    const sent = rowsOf('ticket_service').filter(({ service_id }) => service_id !== null)
    for (const { ticket_id, marker } of sent) {
      const [{ title, description } = {}] = rowsOf('ticket').filter(({ id }) => id === ticket_id)
      const article = { body: description, type: 'note', internal: false }
      const ticket = { title: `${title} [WIM-${marker}]`, group: 'Users', customer_id: 2, state: 'open', article }
      if (portal) zammad.addTicket(ticket, portal)
    }
    const organization = 'Zarząd Dróg Testowych'
    const { api, admin, anna, database } = await start({ zammad: zammad.settings, organization })
    const [account] = rowsOf('ticket_account').filter(({ user_id }) => user_id === 101)
    const expiresAt = instant(account?.expires_at)
    expect((await anna.call(tickets.readToken)).body).toMatchObject({ stored: true, expiresAt })
    for (let round = 0; round < 2; round++) {
      await runJob(api, 'sync-tickets')
      await runJob(api, 'deliver-unsent')
      await api.runJobs()
    }
    // In the name of the owner of the token. Those that the service has are not created again.
    const unsent = rowsOf('ticket').filter(({ id }) => !sent.some(({ ticket_id }) => ticket_id === id))
    const titles = unsent.filter(({ user_id }) => user_id === 101).map(({ title }) => title)
    expect(zammad.tickets.filter(({ by }) => by === 'anna').map(({ title }) => title.split(' [')[0])).toEqual(titles)
    expect(zammad.tickets.filter(({ title }) => /^(Kamera|Szafa)/.test(title))).toHaveLength(sent.length)
    const messages = (await admin.call(activity.outbox, { query: { limit: 100 } })).body.content
    const waiting = messages.filter(({ kind, sentAt }) => kind === 'ticket-push' && sentAt === null)
    // A message that failed for three days is given up; the report has another one.
    expect(waiting).toMatchObject([{ recipient: '3/2026', attempts: 2, lastError: 'connect ECONNREFUSED' }])

    const renewed = await manage(
      database,
      { SECRET_KEY: '07'.repeat(32), NEW_SECRET_KEY: '08'.repeat(32) },
      'secret-key',
      'renew',
    )
    expect(renewed).toEqual({ code: 0, lines: ['2 secrets encrypted with the new key; neither key decrypts 0'] })
  })
})

/** Ids of transactions differ by database: whether the archive has counted an arrival stays. */
const withoutTransactions = ({ archive_progress, arrival, ...rows }: Rows): Rows => {
  const through = archive_progress?.[0]?.through
  return { ...rows, arrival: (arrival ?? []).map((row) => ({ ...row, written_by: row.written_by < through })) }
}

/** Six numbers for each axle. */
const axlesOf = (numbers: number[]) =>
  Array.from({ length: numbers.length / 6 }, (_, axle) => {
    const [type, leftWeight, rightWeight, gap, limit, overload = 0] = numbers.slice(6 * axle)
    return { type, leftWeight, rightWeight, gap, limitTotalLoad: limit || null, overload: overload / 10 }
  })

/** Two bytes for each height, cm. */
function shapeOf(hex: string): number[] {
  const bytes = Buffer.from(hex.slice(2), 'hex')
  return Array.from({ length: bytes.length / 2 }, (_, sample) => bytes.readInt16LE(2 * sample))
}
