import { image } from '@rogatka/contract/current.ts'
import { quarantine, vehicleId } from '@rogatka/contract/ingest.ts'
import { measurementsTopic } from '@rogatka/contract/mqtt.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, jpeg, send } from '../ingest/testing.ts'
import { eventually, type TestApi, testStation } from '../testing/test-api.ts'
import { closed, connectStation, mqttApi, publishImage, publishVehicles, subscribeAnswers } from './testing.ts'

const storedIn = async ({ db }: TestApi) =>
  (
    await db.query<{ sequence: number }>(sql`select (id % 1099511627776)::int as sequence from vehicle order by id`)
  ).map(({ sequence }) => sequence)
const metricsOf = async (api: TestApi) => (await api.app.api.http.inject('/metrics')).body
const messagesIn = async (api: TestApi) =>
  Object.fromEntries(
    Array.from(
      (await metricsOf(api)).matchAll(/^rogatka_mqtt_messages_total\{result="(\w+)"\} (\d+)$/gm),
      ([, result, count]) => [result, Number(count)],
    ),
  )

test('stores measurements and images as HTTP does, and answers before each acknowledgement', async () => {
  const api = await mqttApi()
  const station = await api.station()
  const viewer = await api.as('CurrentMeasurements')
  const client = await connectStation(api.mqttUrl, station.token)
  expect(await metricsOf(api)).toMatch(/^rogatka_mqtt_connections 1$/m)
  const answers = await subscribeAnswers(client)
  const topic = measurementsTopic(7)

  await publishVehicles(client, [car(1), car(2, { laneNumber: 9 })])
  const ofLines = measurementsTopic(7, 'batch 2')
  await client.publishAsync(ofLines, `${JSON.stringify(car(1))}\n{"sequence":`, { qos: 1 })
  await publishImage(client, car(1), 'front', await jpeg())
  await eventually(() => expect(answers).toHaveLength(3))
  expect(answers).toMatchObject([
    {
      topic,
      accepted: 1,
      duplicates: 0,
      rejected: [{ index: 1, errors: [{ path: 'laneNumber', code: 'unknown-lane' }] }],
    },
    { topic: ofLines, accepted: 0, duplicates: 1, rejected: [{ index: 1, errors: [{ code: 'invalid-value' }] }] },
    { topic: `rogatka/v1/7/images/1/${Date.parse(car(1).createdAt)}/front` },
  ])
  expect(await storedIn(api)).toEqual([1])
  const shown = { params: { id: vehicleId(7, 1), number: 1 }, query: { locationId: 7 } }
  await eventually(async () =>
    expect(await viewer.call(image, shown)).toMatchObject({ status: 200, bytes: await jpeg() }),
  )
  const admin = await api.as('UsersAdmin')
  expect((await admin.call(quarantine)).body.totalCount).toBe(2)
  // The same vehicle by HTTP is known.
  expect((await send(station, [car(1)])).body.duplicates).toBe(1)
  expect(await messagesIn(api)).toEqual({ accepted: 3, refused: 0, failed: 0, forbidden: 0 })
  await client.endAsync()
  await eventually(async () => expect(await metricsOf(api)).toMatch(/^rogatka_mqtt_connections 0$/m))
})

test('acknowledges a message that can never be stored, with the reason', async () => {
  const api = await mqttApi()
  const { token } = await api.station()
  const client = await connectStation(api.mqttUrl, token)
  const answers = await subscribeAnswers(client)
  const publish = (rest: string, bytes: Buffer) => client.publishAsync(`rogatka/v1/7/images/${rest}`, bytes, { qos: 1 })
  const at = Date.parse(car(1).createdAt)

  await client.publishAsync(measurementsTopic(7), '{"a":', { qos: 1 })
  await client.publishAsync(measurementsTopic(7), '', { qos: 1 })
  await publishVehicles(client, Array(1_001).fill(car(1)))
  await client.publishAsync(measurementsTopic(7), Buffer.alloc(9 * 2 ** 20, 0x20), { qos: 1 })
  await publish(`1/${at}/front`, Buffer.from('no image'))
  await publish(`1/${at}/front`, Buffer.alloc(3 * 2 ** 20))
  await publish(`1/${at - 400 * 86_400_000}/front`, await jpeg())
  await publish(`0/${at}/front`, await jpeg())
  await publish(`1/${at}/top`, await jpeg())
  await publish('1/yesterday/front', await jpeg())
  await client.publishAsync('rogatka/v1/7/status', 'on', { qos: 1 })
  for (const reference of ['a/b', '', 'x'.repeat(65)])
    await client.publishAsync(measurementsTopic(7, reference), JSON.stringify([car(1)]), { qos: 1 })
  await eventually(() => expect(answers).toHaveLength(14))
  const codes = (answers as { errors?: { path: string | null; code: string }[] }[]).map(({ errors }) =>
    errors?.map(({ path, code }) => `${path}: ${code}`).join(),
  )
  expect(codes).toEqual([
    'null: not-a-measurement-list',
    undefined,
    'null: too-many-vehicles',
    'null: too-large',
    'null: not-a-jpeg',
    'null: too-large',
    'createdAt: measurement-too-old',
    'sequence: value-too-small',
    'type: unknown-option',
    'createdAt: invalid-date',
    ...Array(4).fill('null: not-found'),
  ])
  expect(answers[1]).toMatchObject({ accepted: 0, duplicates: 0, rejected: [] })
  expect(await messagesIn(api)).toEqual({ accepted: 1, refused: 13, failed: 0, forbidden: 0 })
  expect(client.connected).toBe(true)
})

test('refuses connections without the key of their station, and logs no key', async () => {
  const api = await mqttApi({ logLevel: 'info' })
  const [{ token = '' }, other] = [await api.station(), await api.station({ ...testStation, id: 8, shortName: 'S8 B' })]
  const attempt = (key: string | undefined, username = '7', options = {}) =>
    connectStation(api.mqttUrl, key, { username, ...options }).then(
      () => 'accepted',
      ({ code }: { code?: number }) => code,
    )
  expect(await attempt('wrong')).toBe(4)
  expect(await attempt(other.token)).toBe(4)
  expect(await attempt(token, '8')).toBe(4)
  expect(await attempt(token, '07')).toBe(4)
  expect(await attempt(token, token)).toBe(4)
  expect(await attempt('')).toBe(4)
  expect(await attempt(token, '7', { will: { topic: 'rogatka/v1/7/x', payload: 'x', qos: 1, retain: false } })).toBe(5)
  expect(await attempt('wrong', '7', { protocolVersion: 5 })).toBe(0x86)
  expect(await attempt(token)).toBe('accepted')
  const lines = api.logged.join('')
  expect(lines).toContain('"code":"wrong-station-key"')
  expect(lines).not.toContain(token)
  expect(lines).not.toContain(other.token)
})

test.each([
  ['the topic of another station', measurementsTopic(8), { qos: 1 }],
  ['another topic', 'a/b', { qos: 1 }],
  ['QoS 0', measurementsTopic(7), { qos: 0 }],
  ['QoS 2', measurementsTopic(7), { qos: 2 }],
  ['a retained message', measurementsTopic(7), { qos: 1, retain: true }],
] as const)('a message ends its connection and is not stored if it has %s', async (_what, topic, options) => {
  const api = await mqttApi()
  const { token } = await api.station()
  await api.station({ ...testStation, id: 8, shortName: 'S8 B' })
  const client = await connectStation(api.mqttUrl, token)
  client.publish(topic, JSON.stringify([car(1)]), options)
  await closed(client)
  expect(await storedIn(api)).toEqual([])
  expect(await messagesIn(api)).toEqual({ accepted: 0, refused: 0, failed: 0, forbidden: 1 })
})

test('a client receives only the answers to its own connection', async () => {
  const api = await mqttApi()
  const { token } = await api.station()
  const [one, two] = [await connectStation(api.mqttUrl, token), await connectStation(api.mqttUrl, token)]
  const [ofOne, ofTwo] = [await subscribeAnswers(one), await subscribeAnswers(two)]
  const heard: string[] = []
  two.on('message', (topic) => heard.push(topic))
  for (const topic of ['#', 'rogatka/v1/+/measurements', 'rogatka/v1/8/answers', '$SYS/#'])
    await expect(two.subscribeAsync(topic, { qos: 1 })).rejects.toThrow()
  await publishVehicles(one, [car(1)])
  await eventually(() => expect(ofOne).toHaveLength(1))
  await one.unsubscribeAsync('rogatka/v1/7/answers')
  await publishVehicles(one, [car(2)])
  await publishVehicles(two, [car(3)])
  await eventually(() => expect(ofTwo).toHaveLength(1))
  expect([ofOne.length, heard.length]).toEqual([1, 1])
})

test('a client of MQTT 5 learns limits and reasons', async () => {
  const api = await mqttApi()
  const { token } = await api.station()
  const client = await connectStation(api.mqttUrl, token, { protocolVersion: 5, clientId: '' })
  client.on('message', (_topic, payload, { properties }) =>
    answers.push([JSON.parse(payload.toString()).accepted, properties?.correlationData?.toString()]),
  )
  const answers: unknown[] = []
  await client.subscribeAsync('rogatka/v1/7/answers')
  const correlationData = Buffer.from('batch 1')
  const sent = { qos: 1, properties: { correlationData } } as const
  await client.publishAsync(measurementsTopic(7), JSON.stringify([car(1)]), sent)
  await eventually(() => expect(answers).toEqual([[1, 'batch 1']]))
  const refused = client.publishAsync(measurementsTopic(7), '{', { qos: 1 })
  await expect(refused).rejects.toMatchObject({ code: 0x99 })
  const reason = new Promise((resolve) => client.once('disconnect', ({ reasonCode }) => resolve(reasonCode)))
  client.publish(measurementsTopic(8), JSON.stringify([car(1)]), { qos: 1 })
  expect(await reason).toBe(0x87)
})
