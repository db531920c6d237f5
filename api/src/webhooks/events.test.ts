import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addScale } from '@rogatka/contract/certificates.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { post, vehicleId } from '@rogatka/contract/ingest.ts'
import * as inspections from '@rogatka/contract/inspections.ts'
import * as vms from '@rogatka/contract/vms.ts'
import { addPlate } from '@rogatka/contract/wanted.ts'
import { listWebhooks, type WebhookEventType, webhookEvents } from '@rogatka/contract/webhooks.ts'
import { expect, test, vi } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { open, runJob, SCALE } from '../inspections/testing.ts'
import { startProcess } from '../testing/start-process.ts'
import { eventually, testStation } from '../testing/test-api.ts'
import { testSigns } from '../vms/testing.ts'
import { isSigned } from './testing.ts'
import { lorry, MANAGER_RIGHTS, portalWith, subscribe } from './testing-portal.ts'

/** The names in the column `data` of the table of events in docs/webhooks.md, by event. */
async function documentedData(): Promise<Map<string, string[]>> {
  const page = await readFile(join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8')
  const rows = page.split('\n').filter((line) => /^\| `[a-z.]+` \|/.test(line))
  return new Map(
    rows.map((row) => {
      const [, type = '', , data = ''] = row.split('|').map((cell) => cell.trim())
      const names = [...data.replaceAll(/\([^)]*\)/g, '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
      return [type.replaceAll('`', ''), names]
    }),
  )
}

test('sends each of the six events by its cause, with the data that the documentation names', async () => {
  const { api, receiver, subscription } = await portalWith()
  const by = await api.as(
    ...MANAGER_RIGHTS,
    ...(['Inspections', 'InspectionReview', 'Vms', 'UsersAdmin', 'ScaleCertificates'] as const),
  )
  const { groupId, signIds } = await testSigns(api)
  const station = await api.station()
  const { secret } = await subscribe(by, { ...subscription, events: [...webhookEvents], plates: true })
  const arrived = (type: WebhookEventType) =>
    eventually(() => {
      const found = receiver.received.filter(({ json }) => json.type === type)
      expect(found, type).not.toHaveLength(0)
      return found
    })
  const locationId = testStation.id

  await send(station, [lorry(1)])
  const [overloaded] = await arrived('vehicle.overloaded')
  const passage = { locationId, vehicleId: vehicleId(locationId, 1), createdAt: lorry(1).createdAt }
  const plate = { plateLpr: 'WX10001', nationality: 'PL' }
  // 15,000 kg at 7 % tolerance, in tenths of a percent: 13,950 on 11,500, and 20,460 on 18,000.
  expect(overloaded?.json.data).toMatchObject({ ...passage, ...plate, ctg8p1: 3, totalLoad: 22_000, overloadMA: 0 })

  await by.call(addPlate, { body: { plateLpr: 'WX10002', typeOfList: 0, description: 'Skradziony' } })
  await send(station, [car(2)])
  const [hit] = await arrived('wanted.hit')
  expect(hit?.json.data).toMatchObject({ vehicleId: vehicleId(locationId, 2), plateLpr: 'WX10002', laneNumber: 1 })

  const { id, version } = await open(by, 1, { state: 'takenOver' })
  const refused = { params: { id }, body: { version, results: [9] } }
  const { status, body } = await by.call(inspections.close, refused as never)
  expect(status).toBe(200)
  const [closed] = await arrived('inspection.closed')
  expect(closed?.json.data).toEqual({ ...passage, ...plate, inspectionId: id, number: body.number, results: [9] })

  expect((await by.call(vms.enableVariant, { params: { groupId, variantId: 1 } })).status).toBe(200)
  const signs = await arrived('sign.changed')
  expect(signs[0]?.json.data).toMatchObject({ locationId, groupId, signId: expect.toBeOneOf([...signIds]) })

  await api.station({ ...testStation, id: 8, shortName: 'S8 Inna' })
  await api.db.execute(
    sql`update location set added_at = ${new Date('2026-10-19T08:01:00Z')}::timestamptz where id = 8`,
  )
  await runJob(api, 'watch-silence')
  api.clock.now = new Date(api.clock.now.getTime() + 60_000)
  await runJob(api, 'watch-silence')
  const [failing] = await arrived('station.health')
  expect(failing?.json.data).toEqual({ locationId: 8, laneNumber: null, check: 'station-silent', state: 'failing' })

  await by.call(addScale, { body: SCALE })
  await runJob(api, 'record-ending-certificates')
  const [ending] = await arrived('certificate.ending')
  expect(ending?.json.data).toMatchObject({ laneNumber: null, scale: SCALE.name, lastDay: SCALE.validUntil })

  const documented = await documentedData()
  const optional = ['locationId', 'plateLpr', 'nationality']
  for (const type of webhookEvents) {
    const [message] = await arrived(type)
    const names = Object.keys(message?.json.data ?? {}).filter((name) => !optional.includes(name))
    expect(names.sort(), type).toEqual(documented.get(type)?.toSorted())
    expect(message && isSigned(message, secret)).toBe(true)
  }
})

test('another process takes over from a killed leader without losing events, and repeats them unchanged', async () => {
  const stations = [7, 8, 9]
  const perStation = 12
  // Slow enough for the kill to be among the requests.
  const { api, by, receiver, subscription, allowed } = await portalWith(
    () => new Promise((resolve) => setTimeout(() => resolve(204), 20)),
  )
  const clients = new Map<number, string | undefined>()
  for (const id of stations) clients.set(id, (await api.station({ ...testStation, id, shortName: `S8 ${id}` })).token)
  const { secret } = await subscribe(by, subscription)
  await api.app.close()
  const environment = {
    DATABASE_URL: api.url,
    SECRET_KEY: allowed.secretKey.toString('hex'),
    WEBHOOK_ALLOW: allowed.webhookAllow.join(),
    WEBHOOK_CA: allowed.webhookCa,
  }
  // The first process leads, as it is alone.
  const leader = await startProcess(environment)
  const leading = () => api.db.query(sql`select from pg_locks where locktype = 'advisory'`)
  await eventually(async () => expect(await leading()).not.toHaveLength(0))
  const other = await startProcess(environment)

  for (const id of stations) {
    const vehicles = Array.from({ length: perStation }, (_, at) => lorry(at + 1))
    const answer = await fetch(other.address + API_BASE + post.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${clients.get(id)}`, 'content-type': 'application/json' },
      body: JSON.stringify(vehicles),
    })
    expect(answer.status).toBe(200)
  }
  await eventually(() => expect(receiver.received.length).toBeGreaterThan(5))
  process.kill(leader.pid, 'SIGKILL')
  const all = stations.length * perStation
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBeLessThan(all)
  // The lock of a killed process is free once the database has noticed.
  const allArrived = () => expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(all)
  await vi.waitFor(allArrived, { timeout: 90_000 })
  await eventually(async () => {
    const waiting = await api.db.query(sql`select from webhook_delivery where state <> 'done'`)
    expect(waiting).toHaveLength(0)
  })
  const bodies = Map.groupBy(receiver.received, ({ id }) => id)
  expect(bodies.values().every((same) => new Set(same.map(({ body }) => body)).size === 1)).toBe(true)
  // At most what was on its way at the kill.
  expect(receiver.received.length).toBeLessThanOrEqual(all + stations.length)
  for (const station of stations) {
    const ofStation = receiver.received.filter(({ json }) => json.data.locationId === station)
    const firsts = [...new Map(ofStation.map(({ id, json }) => [id, Number(json.data.vehicleId) % 2 ** 40])).values()]
    expect(firsts).toEqual(Array.from({ length: perStation }, (_, at) => at + 1))
    expect(ofStation.every((message) => isSigned(message, secret))).toBe(true)
  }
})

test('10,000 waiting events of a station hold up neither other stations nor other receivers', async () => {
  let isUnavailable = true
  const { api, by, receiver, subscription } = await portalWith(({ json, path }) =>
    isUnavailable && json.data.locationId === 7 && path === '/events' ? 503 : 204,
  )
  await api.station()
  const other = await api.station({ ...testStation, id: 8, shortName: 'S8 Inna' })
  const { id } = await subscribe(by, subscription)
  await subscribe(by, { ...subscription, name: 'KAS', url: `${receiver.url}/kas`, locationIds: [8] })
  await api.db.execute(sql`
    insert into webhook_event (created_at, type, location_id, data)
    select ${api.clock.now}::timestamptz, 'vehicle.overloaded', 7, jsonb_build_object('laneNumber', n)
    from generate_series(1, 10000) n`)
  const pending = async () => (await by.call(listWebhooks)).body.find((it) => it.id === id)?.pending
  await eventually(async () => expect(await pending()).toBe(10_000))
  await send(
    other,
    Array.from({ length: 10 }, (_, at) => lorry(at + 1)),
  )
  await eventually(() => {
    const ofOther = receiver.received.filter(({ json }) => json.data.locationId === 8)
    expect(ofOther.filter(({ path }) => path === '/events')).toHaveLength(10)
    expect(ofOther.filter(({ path }) => path === '/events/kas')).toHaveLength(10)
  })
  await eventually(async () => expect(await pending()).toBe(10_000))
  isUnavailable = false
  const before = receiver.received.length
  api.clock.now = new Date(api.clock.now.getTime() + 60_000)
  await eventually(() => expect(receiver.received.length).toBeGreaterThan(before + 20))
  const lanes = receiver.received
    .slice(before)
    .filter(({ json }) => json.data.locationId === 7)
    .map(({ json }) => json.data.laneNumber)
  expect(lanes).toEqual(lanes.map((_, at) => at + 1))
})
