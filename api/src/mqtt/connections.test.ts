import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect as connectTcp, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls, createServer as createTlsServer } from 'node:tls'
import * as stations from '@rogatka/contract/locations-upkeep.ts'
import { measurementsTopic } from '@rogatka/contract/mqtt.ts'
import { seededRandom } from '@rogatka/domain/core/random.ts'
import type { IClientOptions } from 'mqtt'
import { generate, type Packet, parser } from 'mqtt-packet'
import { Registry } from 'prom-client'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../core/free-port.ts'
import { sql } from '../core/statement.ts'
import { car } from '../ingest/testing.ts'
import { selfSigned } from '../testing/self-signed.ts'
import { eventually, type TestApi } from '../testing/test-api.ts'
import { watchCertificate } from './certificate.ts'
import { runMqtt } from './server.ts'
import { closed, connectStation, mqttApi, publishVehicles } from './testing.ts'

/** A client that sends bytes as they are; `received` are the packets of the server. */
async function connectRaw(port: number, ...packets: (Packet | Buffer)[]) {
  const socket = connectTcp(port, '127.0.0.1')
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  const received: Packet[] = []
  const packetParser = parser().on('packet', (packet) => received.push(packet))
  socket.on('data', (bytes) => packetParser.parse(bytes as Buffer))
  const write = (...sent: (Packet | Buffer)[]) =>
    socket.write(Buffer.concat(sent.map((packet) => (Buffer.isBuffer(packet) ? packet : generate(packet)))))
  if (packets.length > 0) write(...packets)
  return { socket, received, write }
}

const hello = (password: string, rest: object = {}): Packet => ({
  cmd: 'connect',
  clientId: 'raw',
  username: '7',
  password: Buffer.from(password),
  ...rest,
})

const message = (messageId: number, payload: string | Buffer): Packet => ({
  cmd: 'publish',
  topic: measurementsTopic(7),
  payload,
  qos: 1,
  messageId,
  dup: false,
  retain: false,
})

const countStored = async ({ db }: TestApi) =>
  (await db.query<{ count: number }>(sql`select count(*)::int as count from vehicle`))[0]?.count

const isClosed = (socket: Socket) => expect.poll(() => socket.destroyed).toBe(true)

test('acknowledges in the order of the messages, though a refused one is ready first', async () => {
  const api = await mqttApi()
  const { token = '' } = await api.station()
  const batch = (from: number) => JSON.stringify(Array.from({ length: 200 }, (_, index) => car(from + index)))
  // Sent before the server has answered, as the protocol permits.
  const sent = [message(1, batch(1)), message(2, '{'), message(3, batch(201)), message(4, batch(1)), message(5, '{')]
  const { received } = await connectRaw(api.mqttPort, hello(token), ...sent)
  await eventually(() => expect(received).toHaveLength(6))
  expect(received.map(({ cmd, messageId }) => `${cmd} ${messageId ?? ''}`.trim())).toEqual([
    'connack',
    ...[1, 2, 3, 4, 5].map((id) => `puback ${id}`),
  ])
  expect(await countStored(api)).toBe(400)
})

test('a key that is revoked or ends, and a station that is closed, end the connections of others in every process', async () => {
  const one = await mqttApi()
  const two = await mqttApi({}, one)
  const admin = await one.as('UsersAdmin')
  await one.station()
  const key = async (validUntil: string | null) =>
    (await admin.call(stations.addStationKey, { params: { id: 7 }, body: { validUntil } })).body
  const [revoked, kept, ending] = [await key(null), await key(null), await key('2026-10-20')]
  const clients = await Promise.all(
    [revoked.secret, kept.secret, ending.secret].flatMap((secret) => [
      connectStation(one.mqttUrl, secret),
      connectStation(two.mqttUrl, secret),
    ]),
  )
  const connected = () => clients.map((client) => (client.connected ? 1 : 0)).join('')
  expect(connected()).toBe('111111')
  const body = { reason: 'x' }
  await admin.call(stations.revokeStationKey, { params: { id: 7, keyId: revoked.key.id }, body })
  await eventually(() => expect(connected()).toBe('001111'))

  // It ended at midnight in Warsaw; the next message shows it.
  one.clock.now = new Date('2026-10-20T22:00:00Z')
  const ofEnded = clients[4] as (typeof clients)[number]
  ofEnded.publish(measurementsTopic(7), JSON.stringify([car(1)]), { qos: 1 })
  await closed(ofEnded)
  expect(await countStored(one)).toBe(0)

  await one.db.execute(sql`update location set closed_at = now() where id = 7`)
  await one.db.execute(sql`select pg_notify('station_key_changed', '')`)
  await eventually(() => expect(connected()).toBe('000000'))
})

test('a client that connects again ends its former connection, but not those of other clients and stations', async () => {
  const api = await mqttApi()
  const { token } = await api.station()
  const former = await connectStation(api.mqttUrl, token, { clientId: 'a' })
  const other = await connectStation(api.mqttUrl, token, { clientId: 'b' })
  const next = await connectStation(api.mqttUrl, token, { clientId: 'a', clean: false })
  await closed(former)
  await publishVehicles(next, [car(1)])
  await publishVehicles(other, [car(2)])
  expect(await countStored(api)).toBe(2)
  // A station that connects ever again with new names keeps the last twenty.
  const many = await Promise.all(
    Array.from({ length: 25 }, (_, index) => connectStation(api.mqttUrl, token, { clientId: `c${index}` })),
  )
  await eventually(() => expect([other, next, ...many].filter(({ connected }) => connected)).toHaveLength(20))
})

test('messages over the limit of a key are not acknowledged, and guesses of keys count for their address', async () => {
  const api = await mqttApi({ requestsPerMinute: 60 })
  const { token } = await api.station()
  const client = await connectStation(api.mqttUrl, token)
  const ended = closed(client)
  let acknowledged = 0
  for (let sequence = 1; sequence <= 80; sequence++)
    publishVehicles(client, [car(sequence)]).then(
      () => (acknowledged += 1),
      () => {},
    )
  await ended
  expect(acknowledged).toBe(60)
  const attempt = (key: string | undefined) =>
    connectStation(api.mqttUrl, key).then(
      () => 0,
      ({ code }: { code: number }) => code,
    )
  // That of the key is used up, and the first attempt counted for the address.
  expect(await attempt(token)).toBe(3)
  const codes: number[] = []
  for (let time = 0; time < 80; time++) codes.push(await attempt(`wrong ${time}`))
  // As by HTTP: after 60 calls of the address, 6 keys that are not known are looked up.
  expect(codes.filter((code) => code === 4)).toHaveLength(65)
  expect(codes.at(-1)).toBe(3)
})

test('ends a connection without CONNECT, with a slow packet or a silent client, and logs no error', async () => {
  const api = await mqttApi({ logLevel: 'info' })
  const { token = '' } = await api.station()
  const port = await freePort()
  const receivers = { measurements: () => Promise.reject(new Error('x')), image: () => Promise.reject(new Error('x')) }
  const { stop } = await runMqtt(api.app.api, {
    mqtt: { host: '127.0.0.1', port, certificate: null },
    receivers,
    registry: new Registry(),
    timeouts: { connectMs: 300, packetMs: 600 },
  })
  onTestFinished(stop)
  const silent = await connectRaw(port)
  const slow = await connectRaw(port)
  const dripping = setInterval(() => slow.socket.write(Buffer.from([0x10])), 20)
  onTestFinished(() => clearInterval(dripping))
  const partial = await connectRaw(port, hello(token), generate(message(1, 'abc')).subarray(0, 20))
  const unheard = await connectRaw(port, hello(token, { clientId: 'u', keepalive: 1 }))
  const pinging = await connectRaw(port, hello(token, { clientId: 'p', keepalive: 1 }))
  const pings = setInterval(() => pinging.write({ cmd: 'pingreq' }), 300)
  onTestFinished(() => clearInterval(pings))
  for (const { socket } of [silent, slow, partial, unheard]) await isClosed(socket)
  expect(api.logged.join('')).not.toContain('"level":50')
  expect(unheard.received[0]).toMatchObject({ cmd: 'connack', returnCode: 0 })
  expect(pinging.socket.destroyed).toBe(false)
  expect(pinging.received.some(({ cmd }) => cmd === 'pingresp')).toBe(true)
})

test('malformed and out-of-order packets end only their connection', async () => {
  const api = await mqttApi({ logLevel: 'info' })
  const { token = '' } = await api.station()
  const client = await connectStation(api.mqttUrl, token)
  const random = seededRandom(17)
  const known = generate(hello(token))
  const refused = [
    generate(message(1, '[]')),
    generate({ cmd: 'pingreq' }),
    Buffer.concat([known, known]),
    Buffer.concat([known, Buffer.from([0x50, 2, 0, 1])]),
    Buffer.concat([known, Buffer.from([0xf0, 0])]),
    Buffer.from([0x10, 0xff, 0xff, 0xff, 0xff, 0x01]),
    // 9 MB and 5 KB before the sender is known.
    Buffer.from([0x10, 0x80, 0x80, 0xa4, 0x04, 0, 4]),
    Buffer.from([0x10, 0x80, 0x28, 0, 4]),
    // A topic that is longer than its packet.
    Buffer.concat([known, Buffer.from([0x32, 4, 0xff, 0xff, 0x61, 0x61])]),
    Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
  ]
  for (const bytes of refused) await isClosed((await connectRaw(api.mqttPort, bytes)).socket)
  for (let time = 0; time < 300; time++) {
    const bytes = randomBytes(1 + random.below(200))
    const { socket } = await connectRaw(api.mqttPort, ...(time % 2 ? [known, bytes] : [bytes]))
    socket.end()
  }
  const version6 = Buffer.from(known)
  version6[8] = 6
  const { received, socket } = await connectRaw(api.mqttPort, version6)
  await isClosed(socket)
  expect(received).toMatchObject([{ cmd: 'connack', returnCode: 1 }])
  await publishVehicles(client, [car(1)])
  expect(await countStored(api)).toBe(1)
  expect(api.logged.join('')).not.toContain('"level":50')
  await eventually(async () => {
    const { body } = await api.app.api.http.inject('/metrics')
    expect(body).toMatch(/^rogatka_mqtt_connections 1$/m)
  })
})

test('nothing is read from a client that does not read its answers, until it does', async () => {
  const api = await mqttApi({ requestsPerMinute: 1_000_000 })
  const { token = '' } = await api.station()
  const { socket, received, write } = await connectRaw(api.mqttPort, hello(token))
  write({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: 'rogatka/v1/7/answers', qos: 0 }] })
  await eventually(() => expect(received).toHaveLength(2))
  socket.pause()
  // Their answers name the topic, and fill the buffers of both sockets.
  const messages = 5_000
  const topic = `rogatka/v1/7/${'x'.repeat(3_000)}`
  for (let id = 1; id <= messages; id++) write({ ...message(id, ''), topic } as Packet)
  const processed = async () => {
    const { body } = await api.app.api.http.inject('/metrics')
    return Number(/^rogatka_mqtt_messages_total\{result="refused"\} (\d+)$/m.exec(body)?.[1])
  }
  let before = 0
  await eventually(async () => {
    const now = await processed()
    const isStill = now > 0 && now === before
    before = now
    expect(isStill).toBe(true)
  })
  expect(before).toBeLessThan(messages)
  const other = await connectStation(api.mqttUrl, token)
  await publishVehicles(other, [car(1)])
  socket.resume()
  await eventually(() => expect(received.at(-1)).toMatchObject({ cmd: 'puback', messageId: messages }))
  const ids = received.flatMap(({ cmd, messageId }) => (cmd === 'puback' ? [messageId] : []))
  expect(ids).toEqual(Array.from({ length: messages }, (_, index) => index + 1))
})

test('a message is received byte by byte', async () => {
  const api = await mqttApi()
  const { token = '' } = await api.station()
  const { socket, received } = await connectRaw(api.mqttPort, hello(token))
  for (const byte of generate(message(9, JSON.stringify([car(2)])))) socket.write(Buffer.from([byte]))
  await eventually(() => expect(received.at(-1)).toMatchObject({ cmd: 'puback', messageId: 9 }))
  expect(await countStored(api)).toBe(1)
})

test('uses a renewed TLS certificate without a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rogatka-mqtt-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  const install = async ({ cert, key }: ReturnType<typeof selfSigned>) => {
    await writeFile(files.key, key)
    await writeFile(files.cert, cert)
  }
  const [first, second] = [selfSigned(), selfSigned()]
  await install(first)
  const port = await freePort()
  const api = await mqttApi({ mqtt: { host: '127.0.0.1', port, certificate: files } })
  const { token } = await api.station()
  const url = `mqtts://127.0.0.1:${port}`
  const client = await connectStation(url, token, { ca: first.cert })
  await publishVehicles(client, [car(1)])
  const attempt = (options: IClientOptions, to = url) =>
    connectStation(to, token, options).then(
      () => 'accepted',
      (error: { code: string }) => error.code,
    )
  expect(await attempt({ ca: second.cert })).not.toBe('accepted')
  const old = connectTls({ port, host: '127.0.0.1', ca: first.cert, maxVersion: 'TLSv1.1', minVersion: 'TLSv1' })
  const [refusal] = (await once(old, 'error')) as [NodeJS.ErrnoException]
  expect(refusal.code).toMatch(/^ERR_SSL/)
  // Without TLS nothing is understood.
  const { socket } = await connectRaw(port, hello(token ?? ''))
  await isClosed(socket)

  const server = createTlsServer({ cert: first.cert, key: first.key }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const lines: string[] = []
  const log = { info: () => lines.push('renewed'), error: () => lines.push('failed') } as never
  const stop = watchCertificate(server, files, log, 20)
  onTestFinished(() => {
    stop()
    server.close()
  })
  await eventually(async () => {
    await writeFile(files.cert, second.cert)
    expect(lines).toContain('failed')
  })
  await install(second)
  await eventually(() => expect(lines.at(-1)).toBe('renewed'))
  const renewed = connectTls({ ...(server.address() as { port: number }), host: '127.0.0.1', ca: second.cert })
  await once(renewed, 'secureConnect')
  renewed.destroy()
})

test('a stop acknowledges the messages received before it', async () => {
  const api = await mqttApi()
  const { token = '' } = await api.station()
  const raw = await connectRaw(api.mqttPort, hello(token))
  await eventually(() => expect(raw.received).toHaveLength(1))
  const batches = Array.from({ length: 8 }, (_, index) =>
    message(index + 1, JSON.stringify(Array.from({ length: 100 }, (_, at) => car(index * 100 + at + 1)))),
  )
  raw.write(...batches)
  await eventually(() => expect(raw.received.length).toBeGreaterThan(1))
  await api.app.close()
  await isClosed(raw.socket)
  const acknowledged = raw.received.filter(({ cmd }) => cmd === 'puback').map(({ messageId }) => messageId)
  expect(acknowledged).toEqual(acknowledged.map((_, index) => index + 1))
})
