import { randomBytes } from 'node:crypto'
import { audit } from '@rogatka/contract/activity.ts'
import { addScale } from '@rogatka/contract/certificates.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { trail } from '@rogatka/contract/trail.ts'
import { addPlate } from '@rogatka/contract/wanted.ts'
import {
  addWebhook,
  changeWebhook,
  deliveries,
  listWebhooks,
  pauseWebhook,
  readWebhook,
  removeWebhook,
  replayWebhook,
  resumeWebhook,
  rotateSecret,
  testWebhook,
  type WireNewWebhook,
} from '@rogatka/contract/webhooks.ts'
import { expect, onTestFinished, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { runJob } from '../inspections/testing.ts'
import { type Client, eventually, type TestApi, testApi, testStation } from '../testing/test-api.ts'
import { trailOf } from '../testing/trail.ts'
import { recordEndingCertificates } from './certificates.ts'
import { deleteOldEvents } from './maintenance.ts'
import { webhooks } from './queries.ts'
import { rotateWebhookSecrets, secretsOf } from './secrets.ts'
import { isSigned, type ReceivedMessage, startReceiver } from './testing.ts'
import { lorry, MANAGER_RIGHTS, portalWith, subscribe } from './testing-portal.ts'

const manager = (api: TestApi) => api.as(...MANAGER_RIGHTS)

/** Moves the clock, at which the leader looks for what is due. */
async function pass(api: TestApi, seconds: number): Promise<void> {
  api.clock.now = new Date(api.clock.now.getTime() + seconds * 1_000)
  await api.db.execute(sql`select pg_notify('webhook', '')`)
}

/** Sequences of the stations' vehicles, as received. */
const sequencesOf = (received: readonly ReceivedMessage[]) =>
  received.map(({ json }) => Number(json.data.vehicleId) % 2 ** 40)

const DAY = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z' }

test('sends overloaded vehicles by filter, signed, with plates only where subscribed so', async () => {
  const { api, by, receiver, subscription } = await portalWith()
  const station = await api.station()
  const other = await api.station({ ...testStation, id: 8, shortName: 'S8 Inna' })
  // Before anybody is subscribed nothing is stored.
  await send(station, [lorry(1)])
  const [none] = await api.db.query<{ count: number }>(sql`select count(*)::int as count from webhook_event`)
  expect(none?.count).toBe(0)

  const plain = await subscribe(by, { ...subscription, locationIds: [7], ctg8p1: [3], minExcess: 10 })
  // What no subscription wants by its filters is not stored.
  await send(station, [lorry(7, 13_400), { ...lorry(8), ctg8p1: 8 }])
  await send(other, [lorry(9)])
  expect((await api.db.query(sql`select from webhook_event`)).length).toBe(0)
  const full = await subscribe(by, { ...subscription, name: 'KAS', plates: true })
  expect(plain.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  await send(station, [lorry(2), lorry(3, 13_400), car(4), { ...lorry(5), ctg8p1: 8 }])
  await send(other, [lorry(6)])
  await eventually(() => expect(receiver.received).toHaveLength(5))
  const ofPlain = receiver.received.filter((message) => isSigned(message, plain.secret))
  const ofFull = receiver.received.filter((message) => isSigned(message, full.secret))
  expect(sequencesOf(ofPlain)).toEqual([2])
  expect(sequencesOf(ofFull).sort()).toEqual([2, 3, 5, 6])
  const [message] = ofPlain
  expect(message?.json).toEqual({
    type: 'vehicle.overloaded',
    timestamp: api.clock.now.toISOString(),
    data: {
      locationId: 7,
      vehicleId: vehicleId(7, 2),
      createdAt: lorry(2).createdAt,
      laneNumber: 1,
      ctg8p1: 3,
      totalLoad: 22_000,
      limitTotalLoad: 18_000,
      overloadSA: expect.any(Number),
      overloadMA: 0,
      overloadTL: expect.any(Number),
    },
  })
  expect(message?.timestamp).toBe(api.clock.now.getTime() / 1_000)
  const sameEvent = ofFull.find(({ json }) => json.data.vehicleId === vehicleId(7, 2))
  expect(sameEvent?.id).toBe(message?.id)
  expect(sameEvent?.json.data).toMatchObject({ plateLpr: 'WX10002', nationality: 'PL' })

  await eventually(async () => {
    const list = (await by.call(listWebhooks)).body
    expect(list.map(({ name, state, pending, failed }) => [name, state, pending, failed])).toEqual([
      ['GITD', 'active', 0, 0],
      ['KAS', 'active', 0, 0],
    ])
  })
  // What a subscription with plates is sent is in the access trail, in one line as long as its events follow each other.
  const lines = (await trailOf(api)).filter(({ kind }) => kind === 'webhook')
  expect(lines).toMatchObject([{ userId: null, isVisit: true, criteria: { webhookId: full.id } }])
  const close = () => api.app.jobs.recurring.find(({ name }) => name === 'close-access-visits')?.work()
  await close()
  api.clock.now = new Date(api.clock.now.getTime() + 120_000)
  await close()
  const [end] = await api.db.query<{ shown: number }>(sql`
    select cardinality(shown) as shown from access_visit_end where id = ${lines[0]?.id ?? 0}::bigint`)
  expect(end?.shown).toBe(4)
  const reader = await api.as('PlateAccess')
  const { content } = (await reader.call(trail, { query: { ...DAY, kinds: 'webhook' } })).body
  expect(content).toMatchObject([{ webhook: { id: full.id, name: 'KAS' }, user: null, shown: 4 }])

  const [delivery] = (await by.call(deliveries, { params: { id: plain.id } })).body
  expect(delivery).toMatchObject({ eventId: message?.id, state: 'done', attempts: 1, lastStatus: 204, lastError: null })
})

test('sends black-list hits, and refuses subscriptions to what the caller may not read', async () => {
  const { api, by, receiver, subscription } = await portalWith()
  const station = await api.station()
  await by.call(addPlate, { body: { plateLpr: 'WX10002', typeOfList: 0, description: 'Skradziony' } })
  await subscribe(by, { ...subscription, events: ['wanted.hit'] })
  await send(station, [car(1), car(2)])
  await eventually(() => expect(receiver.received).toHaveLength(1))
  expect(receiver.received[0]?.json.data).toEqual({
    locationId: 7,
    vehicleId: vehicleId(7, 2),
    createdAt: car(2).createdAt,
    laneNumber: 1,
    wantedIds: [1],
  })
  const code = async (caller: Client, values: Partial<WireNewWebhook>) => {
    const { status, errors } = await caller.call(addWebhook, { body: { ...subscription, name: 'x', ...values } })
    return status === 200 ? null : `${errors[0]?.path}: ${errors[0]?.code}`
  }
  const narrow = await api.as('Exchange', 'ArchiveMeasurements')
  expect(await code(narrow, { events: ['wanted.hit'] })).toBe('events: right-not-held')
  const masked = await api.as('Exchange', 'ArchiveMeasurements', 'Anonymization')
  expect(await code(masked, { plates: true })).toBe('plates: anonymization-stays')
  for (const url of ['http://x.example/', 'https://user:password@x.example/', 'file:///etc/passwd', 'x'])
    expect(await code(by, { url })).toBe('url: webhook-address-not-https')
  expect(await code(by, { locationIds: [99] })).toBe('locationIds: location-not-found')
  expect(await code(by, { name: 'GITD' })).toBe('name: webhook-name-taken')
  const { id } = (await by.call(listWebhooks)).body[0] ?? { id: 0 }
  expect((await narrow.call(readWebhook, { params: { id } })).body.manageable).toBe(false)
  for (const endpoint of [pauseWebhook, deliveries])
    expect((await narrow.call(endpoint, { params: { id } })).errors[0]?.code).toBe('right-not-held')
  // A token that a receiver wants in its address is read by those only who may change it.
  const url = `${receiver.url}?token=geheim`
  await by.call(changeWebhook, { params: { id }, body: { ...subscription, events: ['wanted.hit'], url } })
  expect((await by.call(readWebhook, { params: { id } })).body.url).toBe(url)
  expect((await narrow.call(readWebhook, { params: { id } })).body.url).toBe(receiver.url)
  const [changed] = await api.db.query(sql`select before || after as entry from audit where action = 'webhook-changed'`)
  expect(changed).toMatchObject({ entry: { address: receiver.url } })
  // Those of before show no hits, either.
  await by.call(changeWebhook, { params: { id }, body: subscription })
  expect((await by.call(deliveries, { params: { id } })).body).toMatchObject([{ type: 'wanted.hit', locationId: 7 }])
  expect(await narrow.call(deliveries, { params: { id } })).toMatchObject({ status: 200, body: [] })
  expect((await narrow.call(removeWebhook, { params: { id } })).status).toBe(204)
  expect((await narrow.call(readWebhook, { params: { id } })).errors[0]?.code).toBe('webhook-not-found')
  await subscribe(by, subscription)
  await eventually(async () =>
    expect(
      await api.db.query(sql`select from webhook where id = ${id} union all select from webhook_delivery`),
    ).toEqual([]),
  )
})

test('an event of a restored database has another id than the one that receivers know by the same number', async () => {
  const { api, by, receiver, subscription } = await portalWith()
  const station = await api.station()
  const { id } = await subscribe(by, subscription)
  await send(station, [lorry(1)])
  await eventually(() => expect(receiver.received).toHaveLength(1))
  // As a backup from before the event.
  await api.db.execute(sql`delete from webhook_event`)
  await api.db.execute(sql`alter table webhook_event alter column id restart with 1`)
  await pass(api, 60)
  await send(station, [lorry(2)])
  await eventually(() => expect(receiver.received).toHaveLength(2))
  const [before, after] = receiver.received
  expect(before?.id).toBe('evt_000000000001_1792483200000')
  expect(after?.id).toBe('evt_000000000001_1792483260000')
  expect((await by.call(deliveries, { params: { id } })).body[0]?.eventId).toBe(after?.id)
  // Receivers know those of before the upgrade by their numbers alone.
  await eventually(async () => expect((await by.call(readWebhook, { params: { id } })).body.pending).toBe(0))
  await api.db.execute(sql`update webhook_event set has_time_in_id = false`)
  await pass(api, 1)
  const body = { from: DAY.dateTimeStart }
  expect((await by.call(replayWebhook, { params: { id }, body })).body).toEqual({ events: 1 })
  await eventually(() => expect(receiver.received).toHaveLength(3))
  expect(receiver.received[2]?.id).toBe('evt_000000000001')
})

test('delivers every event with the same id in the order of its station, also after failures of the receiver', async () => {
  const failing = new Map<string, number>()
  const { api, by, receiver, subscription } = await portalWith((message) => {
    const before = failing.get(message.id) ?? 0
    failing.set(message.id, before + 1)
    // The first event of each station fails in turn by an error, a redirect inside, and a broken connection.
    const number = Number(message.json.data.vehicleId) % 2 ** 40
    if (number !== 1 || before >= 3) return 200
    return ([500, { redirect: 'https://127.0.0.1:1/' }, 'close'] as const)[before] ?? 200
  })
  const stations = [await api.station(), await api.station({ ...testStation, id: 8, shortName: 'S8 Inna' })]
  const { id, secret } = await subscribe(by, subscription)
  for (const station of stations) await send(station, [lorry(1), lorry(2), lorry(3)])
  // Searches for due deliveries while others are recorded.
  const waking = setInterval(() => void api.db.execute(sql`select pg_notify('webhook', '')`).catch(() => {}), 2)
  onTestFinished(() => clearInterval(waking))
  const summary = async () => (await by.call(readWebhook, { params: { id } })).body
  const attempts = (count: number) => eventually(() => expect(receiver.received).toHaveLength(count))
  await attempts(2)
  await eventually(async () => expect(await summary()).toMatchObject({ lastError: 'status', lastStatus: 500 }))
  expect((await summary()).pending).toBe(6)
  for (const [seconds, count] of [
    [5, 4],
    [60, 6],
    [300, 12],
  ] as const) {
    await eventually(async () => {
      const list = (await by.call(deliveries, { params: { id } })).body
      expect(list.filter(({ attempts }) => attempts === (count === 12 ? 3 : count / 2 - 1))).toHaveLength(2)
    })
    api.clock.now = new Date(api.clock.now.getTime() + seconds * 1_000)
    await attempts(count)
  }
  await eventually(async () => expect((await summary()).pending).toBe(0))
  for (const location of [7, 8]) {
    const own = receiver.received.filter(({ json }) => json.data.locationId === location)
    expect(sequencesOf(own)).toEqual([1, 1, 1, 1, 2, 3])
    expect(new Set(own.map((message) => message.id)).size).toBe(3)
  }
  for (const message of receiver.received) expect(isSigned(message, secret)).toBe(true)
})

test('a receiver that is slow or away neither delays ingest nor other receivers, and is stopped without losing events', async () => {
  const healthy = await startReceiver()
  let isDown = true
  const { api, by, receiver, subscription } = await portalWith(() => (isDown ? 'silent' : 200))
  await by.call(addWebhook, { body: { ...subscription, name: 'Wolny' } })
  const station = await api.station()
  // Its certificate is not among the authorities: every attempt fails at once.
  const { id } = await subscribe(by, { ...subscription, url: healthy.url })
  expect((await send(station, [lorry(1), lorry(2)])).body.accepted).toBe(2)
  for (const [index, seconds] of [5, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400].entries()) {
    await eventually(async () => {
      const [first] = await api.db.query<{ attempts: number }>(sql`
        select attempts from webhook_delivery where webhook_id = ${id} order by position`)
      expect(first?.attempts).toBe(index + 1)
    })
    await pass(api, seconds)
  }
  const later = await manager(api)
  const state = async () => (await later.call(readWebhook, { params: { id } })).body
  await eventually(async () => expect(await state()).toMatchObject({ state: 'stopped', pending: 2, failed: 0 }))
  expect((await state()).lastError).toBe('certificate')
  const [stop] = await api.db.query(sql`
    select user_id as "userId", subject from audit where action = 'webhook-paused'`)
  expect(stop).toEqual({ userId: null, subject: 'GITD' })
  expect(healthy.received).toEqual([])

  isDown = false
  await later.call(changeWebhook, { params: { id }, body: { ...subscription, url: receiver.url } })
  const before = receiver.received.length
  await later.call(resumeWebhook, { params: { id } })
  await eventually(async () => expect(await state()).toMatchObject({ state: 'active', pending: 0 }))
  expect(sequencesOf(receiver.received.slice(before)).slice(-2)).toEqual([1, 2])
})

test('a receiver that is gone ends its subscription; pause, test, replay and rotation are audited', async () => {
  let status = 204
  const { api, by, receiver, subscription } = await portalWith(() => status)
  const station = await api.station()
  const { id, secret } = await subscribe(by, subscription)
  await api.db.execute(sql`update app_user set email = 'it@example.org' where id = ${by.userId}`)
  const params = { id }
  let caller: Client = by
  const state = async () => (await caller.call(readWebhook, { params })).body
  await by.call(testWebhook, { params })
  await eventually(() => expect(receiver.received.map(({ json }) => json.type)).toEqual(['webhook.test']))

  expect((await by.call(pauseWebhook, { params })).body.state).toBe('paused')
  await send(station, [lorry(1)])
  await eventually(async () => expect((await state()).pending).toBe(1))
  const { body: renewed } = await by.call(rotateSecret, { params })
  expect(renewed.webhook.previousSecretUntil).toBe('2026-10-21T08:00:00.000Z')
  await by.call(resumeWebhook, { params })
  await eventually(() => expect(receiver.received).toHaveLength(2))
  for (const valid of [secret, renewed.secret])
    expect(isSigned(receiver.received[1] as ReceivedMessage, valid)).toBe(true)

  api.clock.now = new Date('2026-10-21T08:00:01Z')
  // The first session has ended.
  const later = await manager(api)
  caller = later
  const from = '2026-10-20T00:00:00Z'
  expect((await later.call(replayWebhook, { params, body: { from, until: from } })).errors[0]?.code).toBe(
    'start-after-end',
  )
  expect((await later.call(replayWebhook, { params, body: { from } })).body).toEqual({ events: 1 })
  await eventually(() => expect(receiver.received).toHaveLength(3))
  expect(receiver.received[2]?.id).toBe(receiver.received[1]?.id)
  expect(receiver.received.map((it) => isSigned(it, secret))).toEqual([true, true, false])
  expect(isSigned(receiver.received[2] as ReceivedMessage, renewed.secret)).toBe(true)

  status = 410
  await send(station, [{ ...lorry(2), createdAt: '2026-10-21T08:00:00.000Z' }, lorry(3)])
  await eventually(async () => expect(await state()).toMatchObject({ state: 'ended', pending: 2, failed: 0 }))
  const auditor = await api.as('UserManagement')
  const log = (await auditor.call(audit, { query: { ...DAY, dateTimeEnd: '2026-10-22T00:00:00Z', limit: 20 } })).body
  expect(log.content.map(({ action }) => action)).toEqual([
    'webhook-ended',
    'webhook-replayed',
    'webhook-resumed',
    'webhook-secret-renewed',
    'webhook-paused',
    'webhook-tested',
    'webhook-added',
  ])
  expect(JSON.stringify(log)).not.toContain(secret.slice(6))
  // What waits is kept for the receiver's return; what happens until then is not stored.
  const stored = () => api.db.query(sql`select from webhook_event`)
  const before = await stored()
  await send(station, [lorry(4)])
  expect(await stored()).toHaveLength(before.length)
  status = 204
  await later.call(resumeWebhook, { params })
  await eventually(async () => expect(await state()).toMatchObject({ state: 'active', pending: 0, failed: 0 }))
  // A message that it has ended is obsolete.
  expect(await api.db.query(sql`select kind, recipient from outbox`)).toEqual([
    { kind: 'webhook-inactive', recipient: 'it@example.org' },
  ])
  await api.runJobs()
  expect(api.sent).toEqual([])
  await later.call(pauseWebhook, { params })
  await later.call(replayWebhook, { params, body: { from } })
  await deleteOldEvents(api.db, new Date('2026-11-30T08:00:00Z'), 730)
  const [deleted] = await api.db.query(sql`select subject, after from audit where action = 'webhook-events-deleted'`)
  expect(deleted).toEqual({ subject: 'GITD', after: { totalCount: 1 } })
  expect((await (await manager(api)).call(deliveries, { params })).body).toEqual([])
})

test('reaches nothing internal by default, stores secrets only encrypted, and makes none without a key for them', async () => {
  const { api, by, receiver, subscription, allowed } = await portalWith(undefined, { webhookAllow: [] })
  const station = await api.station()
  const refusal = (url: string) => by.call(addWebhook, { body: { ...subscription, url } }).then(({ errors }) => errors)
  for (const host of ['127.0.0.1', '[::1]', '10.1.2.3', '[::ffff:10.1.2.3]', '0x7f.1', 'localhost', 'a.localhost.'])
    expect(await refusal(`https://${host}/`)).toMatchObject([{ path: 'url', code: 'webhook-address-refused' }])
  const { id, secret } = await subscribe(by, { ...subscription, url: 'https://receiver.invalid/' })
  const changed = await by.call(changeWebhook, { params: { id }, body: subscription })
  expect([changed.status, changed.errors[0]?.code]).toEqual([422, 'webhook-address-refused'])
  // An address that was allowed when it was saved.
  await api.db.execute(sql`update webhook set url = ${subscription.url}`)
  await send(station, [lorry(1)])
  await eventually(async () =>
    expect((await by.call(readWebhook, { params: { id } })).body.lastError).toBe('address-refused'),
  )
  expect(receiver.received).toEqual([])
  const [row] = await api.db.query<{ text: string }>(sql`select row_to_json(w)::text as text from webhook w`)
  const bytes = Buffer.from(secret.slice(6), 'base64')
  for (const form of [secret.slice(6), bytes.toString('hex')]) expect(row?.text).not.toContain(form)
  const without = await testApi({ ...allowed, secretKey: null }, api)
  const { errors } = await without.client(by.token).call(addWebhook, { body: { ...subscription, name: 'x' } })
  expect(errors[0]?.code).toBe('webhook-secrets-cannot-be-kept')
})

test('stops a receiver that worked before without giving up what is sent again, and tests it outside the order', async () => {
  let isDown = false
  const { api, by, receiver, subscription } = await portalWith(({ path }) => (isDown && path === '/events' ? 503 : 204))
  const station = await api.station()
  const { id } = await subscribe(by, subscription)
  const params = { id }
  await api.db.execute(sql`update app_user set email = 'it@example.org' where id = ${by.userId}`)
  let caller: Client = by
  const state = async () => (await caller.call(readWebhook, { params })).body
  const delivered = (count: number) => eventually(() => expect(receiver.received).toHaveLength(count))
  await send(station, [lorry(1)])
  await delivered(1)
  await pass(api, 1)
  const until = api.clock.now.toISOString()
  await send(station, [lorry(2)])
  await delivered(2)
  await eventually(async () => expect((await state()).pending).toBe(0))
  isDown = true
  // Only the first: the second one was delivered since.
  await by.call(replayWebhook, { params, body: { from: DAY.dateTimeStart, until } })
  for (const [index, seconds] of [5, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400].entries()) {
    await eventually(async () => {
      const [first] = await api.db.query(sql`select attempts, state from webhook_delivery order by position`)
      expect(first).toEqual({ attempts: index + 1, state: 'pending' })
    })
    await pass(api, seconds)
  }
  caller = await manager(api)
  await eventually(async () => expect(await state()).toMatchObject({ state: 'stopped', pending: 1, failed: 0 }))
  await api.runJobs()
  expect(api.sent).toMatchObject([{ to: 'it@example.org', subject: 'Rogatka: webhook GITD nie jest już wysyłany' }])
  expect(api.sent[0]?.text).toMatch(/^Przez dwie doby .*\/webhooks$/s)

  await caller.call(resumeWebhook, { params })
  await delivered(12)
  await eventually(async () => expect((await state()).lastStatus).toBe(503))
  // Behind one that fails, and once: the clock stands still.
  await caller.call(testWebhook, { params })
  await delivered(13)
  expect(receiver.received[12]?.json.type).toBe('webhook.test')
  await eventually(async () => {
    const [latest] = (await caller.call(deliveries, { params })).body
    expect(latest).toMatchObject({ type: 'webhook.test', state: 'failed', attempts: 1, nextAt: null })
  })
  expect(await state()).toMatchObject({ state: 'active', pending: 1, failed: 0 })
  // A corrected address is tried at once.
  await caller.call(changeWebhook, { params, body: { ...subscription, url: `${receiver.url}/new` } })
  await eventually(async () => expect((await state()).pending).toBe(0))
  expect(sequencesOf(receiver.received.slice(-1))).toEqual([1])
})

test('a late 410 of a former address does not end a subscription, nor does a replay hold up others', async () => {
  const gate = Promise.withResolvers<void>()
  const { api, by, receiver, subscription } = await portalWith(async ({ path }) => {
    if (path !== '/events') return 204
    await gate.promise
    return 410
  })
  const station = await api.station()
  const { id } = await subscribe(by, subscription)
  const params = { id }
  await send(station, [lorry(1)])
  await eventually(() => expect(receiver.received).toHaveLength(1))
  const url = `${receiver.url}/new`
  await by.call(changeWebhook, { params, body: { ...subscription, url } })
  gate.resolve()
  const state = async () => (await by.call(readWebhook, { params })).body
  await eventually(async () => expect(await state()).toMatchObject({ state: 'active', pending: 0, failed: 0 }))
  expect(receiver.received.map(({ path }) => path)).toEqual(['/events', '/events/new'])

  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const locking = api.db.transaction(async (db) => {
    await db.query(sql`select from webhook_delivery for update`)
    locked.resolve()
    await release.promise
  })
  await locked.promise
  await pass(api, 1)
  const replaying = by.call(replayWebhook, { params, body: { from: DAY.dateTimeStart } })
  await eventually(async () => {
    const [waiting] = await api.db.query(sql`
      select from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into webhook_delivery%'`)
    expect(waiting).toBeDefined()
  })
  const { id: other } = await subscribe(by, { ...subscription, name: 'KAS', url })
  await by.call(pauseWebhook, { params })
  await by.call(resumeWebhook, { params: { id: other } })
  await send(station, [lorry(2)])
  await eventually(() => expect(sequencesOf(receiver.received)).toContain(2))
  release.resolve()
  await locking
  expect((await replaying).body).toEqual({ events: 1 })
})

test('faults of the portal are not counted as failures of the receiver, and are retried with a delay', async () => {
  const { api, by, receiver, subscription, allowed } = await portalWith()
  const station = await api.station()
  // The leader has another key than the process that stores the secret.
  const other = await testApi({ ...allowed, secretKey: randomBytes(32) }, api)
  const { id } = await subscribe(other.client(by.token), { ...subscription, name: 'Inny klucz' })
  const params = { id }
  const { id: healthy, secret } = await subscribe(by, subscription)
  const state = async () => (await by.call(readWebhook, { params })).body
  await send(station, [lorry(1)])
  await eventually(() => expect(receiver.received).toHaveLength(1))
  expect(await state()).toMatchObject({ state: 'unreadable', pending: 1, failed: 0, lastError: null })
  expect((await by.call(deliveries, { params })).body).toMatchObject([{ state: 'pending', attempts: 0 }])
  await by.call(rotateSecret, { params })
  await eventually(async () => expect(await state()).toMatchObject({ state: 'active', pending: 0 }))

  // An outcome that cannot be stored.
  await api.db.execute(sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'tablespace full'; end $$`)
  await api.db.execute(sql`create trigger refuse before update on webhook_delivery for each row
    when (old.webhook_id <> 2) execute function refuse()`)
  expect(healthy).toBe(2)
  await send(
    station,
    Array.from({ length: 20 }, (_, index) => lorry(index + 2)),
  )
  const ofHealthy = () => receiver.received.filter((message) => isSigned(message, secret))
  await eventually(() => expect(ofHealthy()).toHaveLength(21))
  expect(receiver.received.length - ofHealthy().length).toBeLessThan(10)
  await api.db.execute(sql`drop trigger refuse on webhook_delivery`)
  await eventually(async () => expect((await state()).pending).toBe(0))
})

test('a key that is renewed after a secret re-encrypts the previous secret, which signs until its end', async () => {
  const { api, by, receiver, subscription, allowed } = await portalWith()
  const { id, secret } = await subscribe(by, { ...subscription, url: receiver.url })
  // The portal was given the next key, and the webhook a new secret, before the others were renewed.
  const next = randomBytes(32)
  const restarted = (await testApi({ ...allowed, secretKey: next }, api)).client(by.token)
  const { body: renewed } = await restarted.call(rotateSecret, { params: { id } })
  // With a wrong key the previous secret is kept.
  expect(await rotateWebhookSecrets(api.db, next, next)).toEqual({ renewed: 0, unreadable: 1 })
  expect(await rotateWebhookSecrets(api.db, allowed.secretKey, next)).toEqual({ renewed: 1, unreadable: 0 })
  const [row] = await webhooks(api.db)
  expect(row && secretsOf(next, row, api.clock.now)).toEqual([renewed.secret, secret])
  expect(await rotateWebhookSecrets(api.db, allowed.secretKey, next)).toEqual({ renewed: 0, unreadable: 0 })
})

test('sends a level of warning of a certificate once, and replays no events of before their retention', async () => {
  const { api, receiver, subscription } = await portalWith()
  const by = await api.as('Exchange', 'ScaleCertificates')
  const { id } = await subscribe(by, { ...subscription, events: ['certificate.ending'] })
  const certificate = {
    certificate: 'OUM/17/2026',
    authority: 'OUM',
    validFrom: '2026-01-01',
    validUntil: '2026-11-30',
  }
  await by.call(addScale, { body: { ...certificate, name: 'Waga', accuracyPercent: 0.5, kind: 'platform' } })
  await Promise.all(Array.from({ length: 5 }, () => recordEndingCertificates(api.db, api.clock.now)))
  await eventually(() => expect(receiver.received).toHaveLength(1))
  expect(receiver.received[0]?.json.data).toEqual({
    laneNumber: null,
    scale: 'Waga',
    lastDay: '2026-11-30',
    level: expect.anything(),
  })
  expect(await api.db.query(sql`select from webhook_event`)).toHaveLength(1)
  await api.db.execute(sql`update webhook_event set created_at = created_at - interval '31 days'`)
  const from = '2026-01-01T00:00:00Z'
  expect((await by.call(replayWebhook, { params: { id }, body: { from } })).body).toEqual({ events: 0 })
})

test('a receiver that does not answer gets one request at a time until it answers again', async () => {
  const gate = Promise.withResolvers<void>()
  const opened: number[] = []
  const { api, by, receiver, subscription } = await portalWith(async ({ path, json }) => {
    if (path !== '/events') return 204
    opened.push(Number(json.data.locationId))
    if (opened.length <= 3) return 'close'
    await gate.promise
    return 204
  })
  const { id } = await subscribe(by, subscription)
  await subscribe(by, { ...subscription, name: 'KAS', url: `${receiver.url}/healthy` })
  const healthy = () => receiver.received.filter(({ path }) => path !== '/events').length
  const stations = [await api.station()]
  for (const number of [8, 9]) stations.push(await api.station({ ...testStation, id: number, shortName: `S${number}` }))
  for (const station of stations) await send(station, [lorry(1)])
  await eventually(async () => {
    const list = (await by.call(deliveries, { params: { id } })).body
    expect(list.map(({ attempts, lastError }) => [attempts, lastError])).toEqual(Array(3).fill([1, 'closed']))
  })
  await pass(api, 5)
  await eventually(() => expect(opened).toHaveLength(4))
  for (const station of stations) await send(station, [lorry(2)])
  await eventually(() => expect(healthy()).toBe(6))
  expect(opened).toHaveLength(4)
  gate.resolve()
  await eventually(() => expect(opened).toHaveLength(9))
  expect(opened.slice(0, 3).toSorted()).toEqual([7, 8, 9])
})

test('mails managers once if the oldest event waits over 15 minutes, and clears the mark on delivery', async () => {
  let status = 503
  const { api, by, receiver, subscription } = await portalWith(() => status)
  await api.db.execute(sql`update app_user set email = 'exchange@example.org' where id = ${by.userId}`)
  const station = await api.station()
  const { id } = await subscribe(by, subscription)
  // Sessions end sooner than events are late.
  const manager = () => api.as(...MANAGER_RIGHTS)
  const since = async () => (await (await manager()).call(readWebhook, { params: { id } })).body.pendingSince
  const watch = async () => {
    await runJob(api, 'watch-webhooks')
    await api.runJobs()
    return api.sent.filter(({ subject }) => subject.includes('czekają zbyt długo')).length
  }
  expect(await since()).toBe(null)
  await send(station, [lorry(1)])
  await eventually(async () => expect(await since()).toBe('2026-10-20T08:00:00.000Z'))
  await pass(api, 15 * 60)
  expect(await watch()).toBe(0)
  await pass(api, 1)
  expect(await watch()).toBe(1)
  expect(api.sent.at(-1)?.text).toContain('od 20.10.2026 10:00:00')
  await pass(api, 60)
  expect(await watch()).toBe(1)
  status = 204
  await pass(api, 10 * 60)
  await eventually(async () => expect(await since()).toBe(null))
  expect(await watch()).toBe(1)
  // Sent again it is as old, but has not waited.
  status = 503
  await eventually(() => expect(receiver.received.length).toBeGreaterThan(1))
  await (await manager()).call(replayWebhook, { params: { id }, body: { from: '2026-10-20T00:00:00Z' } })
  expect(await watch()).toBe(1)
  await pass(api, 15 * 60 + 1)
  expect(await watch()).toBe(2)
  // What is paused waits on purpose.
  await (await manager()).call(pauseWebhook, { params: { id } })
  await watch()
  expect(await api.db.query(sql`select from webhook where late_since is not null`)).toEqual([])
})

test('keeps deliveries that were made for a week, the latest 50 for longer, and all that wait', async () => {
  const { api, by, subscription } = await portalWith()
  const { id } = await subscribe(by, subscription)
  await by.call(pauseWebhook, { params: { id } })
  await api.db.execute(sql`
    insert into webhook_event (created_at, type, location_id, data)
    select ${api.clock.now}::timestamptz, 'vehicle.overloaded', n, '{}' from generate_series(1, 70) n`)
  const count = async (state: string) =>
    (await api.db.query(sql`select from webhook_delivery where state = ${state}`)).length
  await eventually(async () => expect(await count('pending')).toBe(70))
  await api.db.execute(sql`
    update webhook_delivery set state = 'done', last_at = ${api.clock.now}::timestamptz where location_id > 2`)
  await deleteOldEvents(api.db, new Date(api.clock.now.getTime() + 6 * 86_400_000), 1_095)
  expect(await count('done')).toBe(68)
  await deleteOldEvents(api.db, new Date(api.clock.now.getTime() + 8 * 86_400_000), 1_095)
  expect([await count('done'), await count('pending')]).toEqual([50, 2])
  expect((await by.call(deliveries, { params: { id } })).body).toHaveLength(50)
  // Their events are there, so they can be sent again.
  const range = { from: '2026-10-20T00:00:00Z', until: '2026-10-21T00:00:00Z' }
  expect((await by.call(replayWebhook, { params: { id }, body: range })).body).toEqual({ events: 70 })
})
