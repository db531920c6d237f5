import { mkdir, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { measurementsTopic } from '@rogatka/contract/mqtt.ts'
import { generate } from 'mqtt-packet'
import { expect, onTestFinished, test } from 'vitest'
import { raw, sql } from '../core/statement.ts'
import { car, jpeg } from '../ingest/testing.ts'
import { eventually, type TestApi } from '../testing/test-api.ts'
import { closed, connectStation, mqttApi, publishImage, publishVehicles } from './testing.ts'

/** A client that connects again and repeats what was not acknowledged. */
const RECONNECTING = { reconnectPeriod: 50, reconnectOnConnackError: true, clean: false, clientId: 'station' }

/** With more: MQTT_MESSAGES=10000 npx vitest run api/src/mqtt/pressure.test.ts */
const messages = Number(process.env.MQTT_MESSAGES ?? 1_000)

const storedIn = async ({ db }: TestApi) =>
  (
    await db.query<{ sequence: number }>(sql`select (id % 1099511627776)::int as sequence from vehicle order by id`)
  ).map(({ sequence }) => sequence)

const resultsOf = async (api: TestApi) => {
  const { body } = await api.app.api.http.inject('/metrics')
  return Object.fromEntries(
    Array.from(body.matchAll(/^rogatka_mqtt_messages_total\{result="(\w+)"\} (\d+)$/gm), ([, result, count]) => [
      result,
      Number(count),
    ]),
  )
}

test('without a database nothing is acknowledged, and what its client repeats is stored once', async () => {
  const api = await mqttApi()
  const { token } = await api.station()
  const client = await connectStation(api.mqttUrl, token, RECONNECTING)
  await publishVehicles(client, [car(1)])
  const restore = await api.loseDatabase()
  const ended = closed(client)
  let isAcknowledged = false
  const published = publishVehicles(client, [car(2), car(3)]).then(() => {
    isAcknowledged = true
  })
  await ended
  const refusals: unknown[] = []
  client.on('error', (error) => refusals.push('code' in error && error.code))
  await eventually(() => expect(refusals).toContain(3))
  expect(isAcknowledged).toBe(false)
  await restore()
  await published
  expect(await storedIn(api)).toEqual([1, 2, 3])
})

test('a full disk ends the connection, and its client repeats until there is room', async () => {
  const api = await mqttApi({ databaseUrl: undefined, diskReserve: Number.MAX_SAFE_INTEGER })
  const { token } = await api.station()
  const { config } = api.app.api
  await mkdir(config.dataDir, { recursive: true })
  const client = await connectStation(api.mqttUrl, token, RECONNECTING)
  const published = publishVehicles(client, [car(1)])
  await eventually(async () => expect((await resultsOf(api)).failed).toBeGreaterThan(1))
  config.diskReserve = 0
  await published
  expect(await storedIn(api)).toEqual([1])
})

test('a store of images that cannot be written ends the connection, and the image is stored when it can', async () => {
  const api = await mqttApi()
  const { token } = await api.station()
  const { dataDir } = api.app.api.config
  const files = join(dataDir, 'files')
  await mkdir(dataDir, { recursive: true })
  await writeFile(files, '')
  const client = await connectStation(api.mqttUrl, token, RECONNECTING)
  const image = publishImage(client, car(1), 'front', await jpeg())
  await eventually(async () => expect((await resultsOf(api)).failed).toBeGreaterThan(0))
  await rm(files)
  await image
  expect(await api.db.query(sql`select 1 from vehicle_image`)).toHaveLength(1)
})

test('a database that hangs stops the reading, not the answers to pings, and nothing is lost', async () => {
  const api = await mqttApi()
  const { token = '' } = await api.station()
  const large = (id: number): Buffer =>
    generate({
      cmd: 'publish',
      topic: measurementsTopic(7),
      payload: `[${JSON.stringify(car(id))}${' '.repeat(6 * 2 ** 20)}]`,
      qos: 1,
      messageId: id,
      dup: false,
      retain: false,
    })
  const [small, big] = [await connectStation(api.mqttUrl, token), connect(api.mqttPort, '127.0.0.1')]
  onTestFinished(() => void big.destroy())
  big.resume()
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const lock = api.db.transaction(async (db) => {
    await db.execute(raw('lock table vehicle in access exclusive mode'))
    locked.resolve()
    await release.promise
  })
  await locked.promise

  const acknowledged: number[] = []
  const published = Array.from({ length: 40 }, (_, index) =>
    publishVehicles(small, [car(100 + index)]).then(() => acknowledged.push(index)),
  )
  const pinged = new Promise<void>((resolve) => {
    small.on('packetreceive', ({ cmd }) => cmd === 'pingresp' && resolve())
  })
  small.sendPing()
  await pinged
  big.write(generate({ cmd: 'connect', clientId: 'big', username: '7', password: Buffer.from(token) }))
  for (let id = 1; id <= 6; id++) big.write(large(id))
  let before = 0
  await eventually(() => {
    const isStill = before > 0 && before === big.writableLength
    before = big.writableLength
    expect(isStill).toBe(true)
  })
  // Of 36 MB the server has two messages, and the sockets of the system some MB.
  expect(big.writableLength).toBeGreaterThan(10 * 2 ** 20)
  expect(acknowledged).toEqual([])
  release.resolve()
  await lock
  await Promise.all(published)
  expect(acknowledged).toEqual(acknowledged.toSorted((a, b) => a - b))
  await eventually(async () => expect(await storedIn(api)).toHaveLength(46))
})

test('many messages of three clients are stored once each, and acknowledged', async () => {
  const api = await mqttApi({ requestsPerMinute: 1_000_000 })
  const { token } = await api.station()
  const clients = await Promise.all(['a', 'b', 'c'].map((clientId) => connectStation(api.mqttUrl, token, { clientId })))
  await Promise.all(
    Array.from({ length: messages }, (_, index) =>
      publishVehicles(clients[index % 3] as (typeof clients)[number], [car(index + 1)]),
    ),
  )
  expect(await storedIn(api)).toEqual(Array.from({ length: messages }, (_, index) => index + 1))
  expect(await resultsOf(api)).toMatchObject({ accepted: messages, failed: 0 })
})
