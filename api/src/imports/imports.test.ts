import { search } from '@rogatka/contract/archive.ts'
import * as endpoints from '@rogatka/contract/imports.ts'
import { quarantine } from '@rogatka/contract/ingest.ts'
import { addPlate } from '@rogatka/contract/wanted.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { sealPassages } from '../evidence/passages.ts'
import { verifyPassages } from '../evidence/verify-passages.ts'
import { car, errorCodes, send } from '../ingest/testing.ts'
import { type TestApi, testApi, testStation } from '../testing/test-api.ts'
import { verifyRollUp } from '../vehicle/verify.ts'
import { detailOf, reasonsOf, runImport, startRun, tryAgain, tryFile, uploadFile, vehicleCount } from './testing.ts'

const HEADINGS = 'ZST;JJJJMMTT;HHMMSS;FS;SPEED;LENTH;CS;GW_TOT;AX;AWT01;AWT02;AWT03;AWT04;AWT05;W1_2;W2_3;W3_4;W4_5'
/** The worked example of a derived sequence, at station 12. */
const EXAMPLE = '12;20261020;101524;1;84;1642;10;39330;5;6970;10780;7180;7200;7200;374;562;131;131'
const CAR = '12;20261020;101530;2;90;430;3;1480;2;820;660;;;;271;;;'
const file = (...rows: string[]) => `${[HEADINGS, ...rows].join('\r\n')}\r\n`

/** A portal with station 12 at noon of the day of the examples, and a user who may import. */
async function portal() {
  const api = await testApi()
  api.clock.now = new Date('2026-10-20T12:00:00Z')
  await api.station({ ...testStation, id: 12, shortName: 'S8 Raczki' })
  return { api, user: await api.as('Exchange', 'ArchiveMeasurements') }
}

async function lastAudit({ db }: TestApi) {
  const [entry] = await db.query(sql`
    select a.action, a.subject, a.before, a.after, u.username as user
    from audit a left join app_user u on u.id = a.user_id order by a.id desc limit 1`)
  return entry
}

test('tries a file without writing, then imports it as vehicles of a station, and a second time adds nothing', async () => {
  const { api, user } = await portal()
  const tried = await tryFile(api, user, file(EXAMPLE, CAR, EXAMPLE), 'ZST_2026.csv')
  expect(tried).toMatchObject({
    state: 'checked',
    fileName: 'ZST_2026.csv',
    recognised: { known: 18, total: 18 },
    options: { format: 'csv', timeZone: 'Europe/Zurich', accuracy: 'none', encoding: 'utf-8' },
    createdBy: user.username,
    hasRefusedFile: false,
    trial: {
      ...{ rows: 3, new: 3, duplicates: 0, refused: 0, reasons: [], ambiguousTimes: 0, grossSum: 80_140, grossOnly: 0 },
      lanes: [
        { station: '12', lane: '1', locationId: 12, laneNumber: 1, new: 2, heavy: 2, refused: 0 },
        { station: '12', lane: '2', locationId: 12, laneNumber: 2, new: 1, heavy: 0, refused: 0 },
      ],
      classes: [
        { ctg8p1: 7, vehicles: 1 },
        { ctg8p1: 9, vehicles: 2 },
      ],
      days: [{ day: '2026-10-20', vehicles: 3, figuresOnly: 0 }],
      first: '2026-10-20T08:15:24.000Z',
      last: '2026-10-20T08:15:30.000Z',
    },
  })
  expect(await vehicleCount(api)).toBe(0)

  const done = await runImport(api, user, tried.id)
  expect(done).toMatchObject({ state: 'done', written: 3, duplicates: 0, refused: 0, hasFile: false, error: null })
  const rows = await api.db.query<{ sequence: number }>(sql`
    select id - 12::bigint * 1099511627776 as sequence from vehicle order by created_at, id`)
  expect(rows.map(({ sequence }) => sequence)).toContain(892597829209)
  const range = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z', locations: '12' }
  const found = (await user.call(search, { query: { ...range, laneNumbers: '1', withAxles: true } as never })).body
  expect(found.content[0]).toMatchObject({
    createdAt: '2026-10-20T08:15:24.000Z',
    ...{ speed: 84, vehLength: 1642, ctg8p1: 9, totalLoad: 39_330, numberOfAxles: 5, overloadTL: null },
  })
  expect((await verifyRollUp(api.db)).differences).toEqual([])

  const again = await tryFile(api, user, file(EXAMPLE, CAR, EXAMPLE))
  expect(again.trial).toMatchObject({ rows: 3, new: 0, duplicates: 3, first: null, grossSum: 0 })
  expect(await runImport(api, user, again.id)).toMatchObject({ state: 'done', written: 0, duplicates: 3 })
  expect(await vehicleCount(api)).toBe(3)
  const actions = await api.db.query<{ action: string }>(sql`select action from audit order by id limit 3`)
  expect(actions.map(({ action }) => action)).toEqual(['import-uploaded', 'import-started', 'import-finished'])
})

test('refuses bad rows by reason with their lines, and puts them into quarantine', async () => {
  const { api, user } = await portal()
  const tooOld = EXAMPLE.replace('20261020', '19791231')
  const content = file(
    EXAMPLE,
    EXAMPLE.replace(';1;84;', ';9;84;'),
    CAR.replace(';90;', ';999;'),
    EXAMPLE.replace('101524', '246107'),
    'a;b',
    tooOld,
    '',
    EXAMPLE.replace('39330', '21950'),
    EXAMPLE.replace('20261020;101524', '20261020;135959'),
    EXAMPLE.replace('20261020;101524', '20261020;150000'),
    CAR.replace(';90;', ';\0;'),
    `${CAR};${'x'.repeat(1_000_000)}`,
  )
  const tried = await tryFile(api, user, content)
  expect(tried.trial).toMatchObject({ rows: 11, new: 1, duplicates: 0, refused: 10 })
  expect(tried.trial?.reasons.map(({ code, firstLine, example }) => [code, firstLine, example])).toEqual([
    ['lane-not-assigned', 3, '12 · 9'],
    ['value-too-large', 4, '999'],
    ['invalid-date', 5, '20261020 246107'],
    ['wrong-column-count', 6, '2 / 18'],
    ['measurement-too-old', 7, '1979-12-31T09:15:24.000Z'],
    ['gross-differs', 9, '21950, 39330'],
    ['vehicle-still-live', 10, '2026-10-20T11:59:59.000Z'],
    ['measurement-in-the-future', 11, '2026-10-20T13:00:00.000Z'],
    ['unreadable-characters', 12, null],
    ['line-too-long', 13, null],
  ])
  expect(tried.trial?.reasons.find(({ code }) => code === 'value-too-large')?.path).toBe('speed')
  expect(tried.trial?.reasons[0]?.text).toMatch(/./)
  const report = await user.call(endpoints.refusedFile, { params: { id: tried.id } })
  const lines = report.bytes.toString().split('\r\n')
  expect(lines.slice(0, 3)).toEqual([
    '\ufeffline;code;field;value;row',
    `3;lane-not-assigned;laneNumber;12 · 9;"${EXAMPLE.replace(';1;84;', ';9;84;')}"`,
    `4;value-too-large;speed;999;"${CAR.replace(';90;', ';999;')}"`,
  ])
  expect(lines).toHaveLength(12)
  expect(await lastAudit(api)).toMatchObject({
    ...{ action: 'import-refused-downloaded', subject: 'file.csv', after: { importId: tried.id, refusedRows: 10 } },
  })
  expect(await runImport(api, user, tried.id)).toMatchObject({ state: 'done', written: 1, refused: 10 })

  const admin = await api.as('UsersAdmin')
  const { content: quarantined } = (await admin.call(quarantine, { query: { limit: 100 } })).body
  const speed = quarantined.find(({ errors }) => errors[0]?.path === 'speed')
  expect(speed).toMatchObject({
    locationId: 12,
    measurement: { import: tried.id, line: 4, row: CAR.replace(';90;', ';999;') },
  })
  expect(errorCodes(speed?.errors ?? [])).toEqual(['speed: value-too-large'])
  expect(quarantined).toHaveLength(7)
})

test('a lane is assigned by hand, and overloads are evaluated with its accuracy class only if selected', async () => {
  const { api, user } = await portal()
  await api.station({ ...testStation, id: 13, shortName: 'S8 Inna' })
  const heavy = EXAMPLE.replace('39330', '59330').replace('10780', '30000').replace('6970', '7750')
  const tried = await tryFile(api, user, file(heavy.replace('12;', 'A 408;')))
  expect(reasonsOf(tried)).toEqual(['1 lane-not-assigned'])
  expect(tried.trial?.lanes).toMatchObject([{ station: 'A 408', lane: '1', locationId: null, refused: 1 }])
  const assignments = [{ station: 'A 408', lane: '1', locationId: 13, laneNumber: 1 }]
  await tryAgain(api, user, tried.id, { assignments, accuracy: 'lane' })
  const again = await detailOf(user, tried.id)
  expect(again.trial).toMatchObject({ new: 1, refused: 0, lanes: [{ locationId: 13, laneNumber: 1, new: 1 }] })
  const params = { id: tried.id }
  const seen = { revision: tried.revision }
  expect((await user.call(endpoints.run, { params, query: seen })).errors[0]?.code).toBe('changed-meanwhile')
  const change = await user.call(endpoints.changeOptions, { params, query: seen, body: tried.options })
  expect([change.status, change.errors[0]?.code]).toEqual([409, 'changed-meanwhile'])
  const as = (text: string) => ({ importId: tried.id, assignments: [text], accuracy: 'lane' })
  expect(await lastAudit(api)).toMatchObject({
    ...{ action: 'import-options-changed', user: user.username },
    ...{ before: { accuracy: 'none', assignments: [] }, after: as('A 408 · 1 → 13 · 1') },
  })
  await startRun(user, tried.id)
  expect(await lastAudit(api)).toMatchObject({ action: 'import-started', after: as('A 408 · 1 → 13 · 1') })
  await api.runJobs()
  const [stored] = await api.db.query(sql`select location_id, violations & 1 as overload, overload_tl from vehicle`)
  // 59,330 kg less 7 % of 40,000 kg.
  expect(stored).toMatchObject({ location_id: 13, overload: 1 })
  expect((await tryAgain(api, user, tried.id, {})).errors[0]?.code).toBe('import-state-not-allowed')
})

test('JSON lines are measurements of stations: what is stored is a duplicate, other content is refused', async () => {
  const { api, user } = await portal()
  const station = await api.station()
  const at = '2026-10-20T08:00:00.000Z'
  const own = (sequence: number, change = {}) => car(sequence, { createdAt: at, ...change })
  await send(station, [own(1), own(2)])
  const line = (vehicle: object) => JSON.stringify({ locationId: 7, ...vehicle })
  const rows = [
    ...[own(1), own(2, { speed: 91 }), own(3), own(3), own(3, { speed: 92 }), own(4, { sequence: undefined })].map(
      line,
    ),
    ...['{"locationId":7', line(own(5, { laneNumber: 3 })), line(own(6, { axles: Array(25).fill({}) }))],
    `{"locationId":7,"x":${'['.repeat(100)}${']'.repeat(100)}}`,
    // What PostgreSQL cannot store, and a character cut in half.
    line(own(7)).replace('"locationId":7', '"locationId":"\\u0000"'),
    line(own(8, { createdAt: '\ud800' })),
    line(own(9, { createdAt: `${'x'.repeat(59)}😀` })),
  ]
  const tried = await tryFile(api, user, rows.join('\n'), 'own.jsonl')
  expect(tried.options).toMatchObject({ format: 'jsonl', accuracy: 'lane' })
  expect(tried.trial).toMatchObject({ rows: 13, new: 2, duplicates: 2, refused: 9 })
  expect(reasonsOf(tried)?.sort()).toEqual([
    '1 too-many-axles',
    '2 invalid-date',
    '2 invalid-value',
    '2 lane-not-assigned',
    '2 sequence-reused',
  ])
  expect(await runImport(api, user, tried.id)).toMatchObject({ written: 2, duplicates: 2, refused: 9 })
  expect(await vehicleCount(api)).toBe(4)
})

test('local times follow the clock changes of the zone', async () => {
  const { api } = await portal()
  api.clock.now = new Date('2026-11-02T12:00:00Z')
  const renewed = await api.as('Exchange')
  const at = (station: number, day: string, time: string) =>
    CAR.replace('12;20261020;101530', `${station};${day};${time}`)
  await api.station({ ...testStation, id: 13, shortName: 'S8 Inna' })
  const rows = [
    at(12, '20261025', '20000'),
    at(12, '20261025', '25000'),
    at(13, '20261025', '23000'),
    at(12, '20261025', '22000'),
    at(12, '20261025', '30000'),
    at(12, '20260329', '23000'),
  ]
  const tried = await tryFile(api, renewed, file(...rows))
  expect(tried.trial).toMatchObject({ new: 5, ambiguousTimes: 1 })
  expect(reasonsOf(tried)).toEqual(['1 time-does-not-exist'])
  await runImport(api, renewed, tried.id)
  const stored = await api.db.query<{ at: string }>(sql`
    select location_id || ' ' || to_char(created_at at time zone 'UTC', 'HH24:MI') as at from vehicle order by created_at`)
  expect(stored.map((row) => row.at)).toEqual(['12 00:00', '12 00:50', '12 01:20', '13 01:30', '12 02:00'])
})

test('W records of both layouts differ by milliseconds within their hour', async () => {
  const { api, user } = await portal()
  const w = 'W0000001211202610201009   0867080515366012323766018415829004315873004315873'
  const old = 'W00000012112610201009   039305070037108056072013072013072'
  const wRecords = await tryFile(api, user, [w, w.slice(0, 40), w, w.replace('W0000001211', 'W0000001251')].join('\n'))
  expect(wRecords.options.format).toBe('w2013')
  expect(reasonsOf(wRecords)).toEqual(['1 line-incomplete', '1 lane-not-assigned'])
  await runImport(api, user, wRecords.id)
  const times = async () =>
    (await api.db.query<{ at: Date }>(sql`select created_at as at from vehicle order by 1`)).map(({ at }) =>
      at.toISOString().slice(11),
    )
  expect(await times()).toEqual(['08:00:00.000Z', '08:00:00.001Z'])
  const older = await tryFile(api, user, `${old}\n`)
  expect(older).toMatchObject({ options: { format: 'w2001', wUnits: 'metric' }, trial: { new: 1, grossSum: 39_400 } })
  const us = await tryAgain(api, user, older.id, { wUnits: 'us' })
  expect(us.status).toBe(200)
  expect((await detailOf(user, older.id)).trial).toMatchObject({ new: 1, grossSum: 17_872, inFilledHours: 1 })
  // With a vehicle of an empty hour, and one more in the hour that was imported.
  const corrected = [w.replace('2026102010', '2026102009'), w, w, w].join('\n')
  expect((await tryFile(api, user, corrected)).trial).toMatchObject({ new: 2, duplicates: 2, inFilledHours: 1 })

  // Their records have the import and that their time is that of an hour.
  api.clock.now = new Date(api.clock.now.getTime() + 4 * 60_000)
  const kept = { vehiclesSince: new Date(0), imagesSince: new Date(0) }
  await expect
    .poll(async () => {
      await sealPassages(api.db, api.clock.now)
      return verifyPassages(api.db, { now: api.clock.now, from: null, kept, files: null })
    })
    .toMatchObject({ items: await vehicleCount(api), broken: null })
})

test('imported vehicles raise no hit and leave the live list and the last times of stations alone', async () => {
  const { api, user } = await portal()
  const line = JSON.stringify({
    locationId: 12,
    ...car(1, { createdAt: '2026-10-20T08:00:00Z', plateLpr: 'WX 10001' }),
  })
  const owner = await api.as('BlackList')
  await owner.call(addPlate, { body: { plateLpr: 'WX 10001', typeOfList: 0, description: 'x' } })
  const tried = await tryFile(api, user, line)
  expect(await runImport(api, user, tried.id)).toMatchObject({ state: 'done', written: 1 })
  const [counts] = await api.db.query(sql`
    select (select count(*)::int from wanted_hit) as hits, (select count(*)::int from location_activity) as times`)
  expect(counts).toEqual({ hits: 0, times: 0 })
})

test('mappings are saved by name, used for an upload, and deleted', async () => {
  const { api, user } = await portal()
  const content = 'Czas,Pas,Masa\n2026-10-20 10:15:24,1,1480\n'
  const tried = await tryFile(api, user, content)
  expect(tried).toMatchObject({ state: 'checked', trial: null })
  expect(tried.error).toMatch(/./)
  expect(tried.columns[0]).toEqual({ column: 'Czas', samples: ['2026-10-20 10:15:24'] })
  expect((await startRun(user, tried.id)).errors[0]?.code).toBe('import-state-not-allowed')
  const columns = [
    { column: 'Czas', field: 'dateTime', unit: null, axle: null },
    { column: 'Pas', field: 'lane', unit: null, axle: null },
    { column: 'Masa', field: 'gross', unit: 'kg', axle: null },
  ] as const
  const assignments = [{ station: '', lane: '1', locationId: 12, laneNumber: 1 }]
  const options = { ...tried.options, columns: [...columns], assignments }
  const saved = await user.call(endpoints.saveMapping, { body: { name: 'Łowicz', options } })
  expect(saved.body).toMatchObject({ name: 'Łowicz', createdBy: user.username })
  const replaced = await user.call(endpoints.saveMapping, { body: { name: 'łowicz', options } })
  expect(replaced.body.id).toBe(saved.body.id)
  expect((await user.call(endpoints.mappings)).body).toHaveLength(1)

  const { id } = (await uploadFile(user, content, 'x.csv', saved.body.id)).body
  await api.runJobs()
  expect((await detailOf(user, id)).trial).toMatchObject({ new: 1, grossSum: 0, grossOnly: 1 })
  expect((await uploadFile(user, content, 'x.csv', 999)).errors[0]?.code).toBe('import-mapping-not-found')
  expect((await user.call(endpoints.removeMapping, { params: { id: saved.body.id } })).status).toBe(204)
  expect((await user.call(endpoints.removeMapping, { params: { id: saved.body.id } })).status).toBe(404)
  const zone = await user.call(endpoints.changeOptions, {
    params: { id },
    query: { revision: 1 },
    body: { ...options, timeZone: 'Mars/Base' },
  })
  expect(errorCodes(zone.errors)).toEqual(['timeZone: unknown-option'])
})

test('a user who may not see plates imports nothing and sees no import', async () => {
  const { api, user } = await portal()
  const { id } = await tryFile(api, user, file(EXAMPLE))
  const masked = await api.as('Exchange', 'Anonymization')
  for (const endpoint of [endpoints.detail, endpoints.refusedFile, endpoints.run, endpoints.cancel])
    expect((await masked.call(endpoint, { params: { id }, query: { revision: 1 } })).status).toBe(403)
  expect((await masked.call(endpoints.list)).status).toBe(403)
  expect((await uploadFile(masked, file(EXAMPLE))).status).toBe(403)
})
