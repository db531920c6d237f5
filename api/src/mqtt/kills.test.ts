import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { locationOf } from '@rogatka/contract/ingest.ts'
import { answer, answersTopic, measurementsTopic } from '@rogatka/contract/mqtt.ts'
import { seededRandom } from '@rogatka/domain/core/random.ts'
import { connect, type MqttClient } from 'mqtt'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../core/free-port.ts'
import { sql } from '../core/statement.ts'
import { car } from '../ingest/testing.ts'
import { addLocation, createStationKey } from '../locations/queries.ts'
import { type Server, startServer, withDatabase } from '../testing/server.ts'
import { testStation } from '../testing/test-api.ts'

/*
 * Kills the portal, and a broker of the authority before it, at random moments while stations send by MQTT: what was
 * acknowledged must be stored once. With a real broker and more kills:
 * MOSQUITTO=/usr/sbin/mosquitto MQTT_KILLS=50 npx vitest run api/src/mqtt/kills.test.ts
 */
const KILLS = Number(process.env.MQTT_KILLS ?? 2)
const SEED = Number(process.env.MQTT_SEED ?? 5)
const { MOSQUITTO } = process.env
const STATIONS = [7, 8]
const BATCH = 5
/** Messages of a station that are not acknowledged. */
const IN_FLIGHT = 8
/** A batch without an answer is repeated after this time. */
const ANSWER_MS = 3_000
const TIMEOUT_MS = 1_800_000

/** Starts the portal, with two stations. */
async function startPortal() {
  const mqttPort = await freePort()
  const server = await startServer({ MQTT_PORT: String(mqttPort) })
  const keys = await withDatabase(server, async (db) => {
    for (const id of STATIONS) await addLocation(db, { ...testStation, id, shortName: `S8 ${id}` })
    return new Map(
      await Promise.all(STATIONS.map(async (id) => [id, await createStationKey(db, id, new Date())] as const)),
    )
  })
  return { server, mqttPort, keys }
}

/** Publishes a batch until it is acknowledged. */
type Publish = (client: MqttClient, locationId: number, payload: string) => Promise<void>

/** A station: sends batches until `over` aborts, then until all are acknowledged. */
async function sendUntil(
  over: AbortSignal,
  publish: Publish,
  client: MqttClient,
  locationId: number,
  acknowledged: Set<string>,
) {
  let sequence = 1
  const send = async () => {
    while (!over.aborted) {
      const createdAt = new Date().toISOString()
      const batch = Array.from({ length: BATCH }, () => car(sequence++, { createdAt }))
      await publish(client, locationId, JSON.stringify(batch))
      for (const vehicle of batch) acknowledged.add(`${locationId} ${vehicle.sequence} ${createdAt}`)
      await pause(10)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, send))
}

/** Whether a message was acknowledged. MQTT.js gives up what is published while it repeats others and the connection ends. */
const isAcknowledged = (client: MqttClient, topic: string, payload: string): Promise<boolean> =>
  client.publishAsync(topic, payload, { qos: 1 }).then(
    () => true,
    () => false,
  )

const publishUntilAcknowledged: Publish = async (client, locationId, payload) => {
  while (!(await isAcknowledged(client, measurementsTopic(locationId), payload))) await pause(50)
}

/** As a station behind a broker, which acknowledges for itself: repeats a batch until the portal has answered it. */
function publishUntilAnswered(): { publish: Publish; repeated: () => number } {
  const waiting = new Map<string, () => void>()
  const subscribed = new Set<MqttClient>()
  let batches = 0
  let attempts = 0
  return {
    repeated: () => attempts - batches,
    publish: async (client, locationId, payload) => {
      if (!subscribed.has(client)) {
        subscribed.add(client)
        client.on('message', (_topic, bytes) => waiting.get(answer.parse(JSON.parse(bytes.toString())).topic)?.())
        // Again after each connection: a broker that was killed may have kept the session without its subscription.
        const subscribe = () => void client.subscribe(answersTopic(locationId))
        client.on('connect', subscribe)
        if (client.connected) subscribe()
      }
      const topic = measurementsTopic(locationId, `batch ${++batches}`)
      let isAnswered = false
      const answered = new Promise<void>((resolve) => {
        waiting.set(topic, () => {
          isAnswered = true
          resolve()
        })
      })
      while (!isAnswered) {
        attempts += 1
        await isAcknowledged(client, topic, payload)
        await Promise.race([answered, pause(ANSWER_MS)])
      }
      waiting.delete(topic)
    },
  }
}

/** A client that connects again until the test ends, and repeats what was not acknowledged. */
function connectAgain(port: number, id: number, password: string): MqttClient {
  const client = connect(`mqtt://127.0.0.1:${port}`, {
    username: String(id),
    password,
    clientId: `station ${id}`,
    clean: false,
    reconnectPeriod: 100,
    reconnectOnConnackError: true,
  })
  client.on('error', () => {})
  onTestFinished(() => void client.end(true))
  return client
}

/** All vehicles that the portal has stored; each must be there once. */
const storedIn = (server: Server) =>
  withDatabase(server, async (db) => {
    const rows = await db.query<{ id: number; at: Date }>(sql`select id, created_at as at from vehicle`)
    return rows.map(({ id, at }) => `${locationOf(id)} ${id % 2 ** 40} ${at.toISOString()}`)
  })

/** Lets stations send while `kill` is called again and again; between two kills something is acknowledged. */
async function sendWhileKilling(
  clients: Map<number, MqttClient>,
  publish: Publish,
  kill: (time: number) => Promise<void>,
) {
  const chance = seededRandom(SEED)
  const acknowledged = new Set<string>()
  const over = new AbortController()
  const sending = [...clients].map(([id, client]) => sendUntil(over.signal, publish, client, id, acknowledged))
  for (let time = 0; time < KILLS; time++) {
    const before = acknowledged.size
    await expect.poll(() => acknowledged.size, { timeout: 300_000 }).toBeGreaterThan(before)
    await pause(chance.below(500))
    await kill(time)
    if (process.env.MQTT_KILLS) console.log(`kill ${time + 1}: ${acknowledged.size} vehicles`)
  }
  over.abort()
  await Promise.all(sending)
  return acknowledged
}

test(
  'the portal stores what it acknowledged exactly once, however often it is killed',
  async () => {
    const { server, mqttPort, keys } = await startPortal()
    const clients = new Map([...keys].map(([id, key]) => [id, connectAgain(mqttPort, id, key)]))
    const acknowledged = await sendWhileKilling(clients, publishUntilAcknowledged, () => server.crash())
    const stored = await storedIn(server)
    expect(stored.length).toBe(new Set(stored).size)
    expect(stored.toSorted()).toEqual([...acknowledged].sort())
    const verified = await server.manage('verify')
    expect(verified.code, verified.output).toBe(0)
    if (process.env.MQTT_KILLS) console.log(`${KILLS} kills of the portal: ${stored.length} vehicles, each once`)
  },
  TIMEOUT_MS,
)

/** Starts Mosquitto with the bridges of docs/mqtt.md and returns how to kill it. It keeps its queue on disk. */
async function startMosquitto(portalPort: number, keys: ReadonlyMap<number, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'rogatka-mosquitto-'))
  const port = await freePort()
  const bridges = [...keys].map(
    ([id, key]) => `
connection station-${id}
address 127.0.0.1:${portalPort}
remote_username ${id}
remote_password ${key}
remote_clientid bridge-${id}
topic measurements/# out 1 rogatka/v1/${id}/ rogatka/v1/${id}/
topic images/# out 1 rogatka/v1/${id}/ rogatka/v1/${id}/
topic answers in 0 rogatka/v1/${id}/ rogatka/v1/${id}/
cleansession false
notifications false
bridge_attempt_unsubscribe false
bridge_outgoing_retain false
restart_timeout 1
`,
  )
  const configuration = `
listener ${port} 127.0.0.1
user ${userInfo().username}
allow_anonymous true
persistence true
persistence_location ${folder}/
autosave_interval 1
max_queued_messages 0
${bridges.join('')}`
  const file = join(folder, 'mosquitto.conf')
  await writeFile(file, configuration)
  let output = ''
  const start = () => {
    const broker = spawn(MOSQUITTO as string, ['-c', file])
    for (const stream of [broker.stdout, broker.stderr]) stream.on('data', (data) => (output += data))
    return broker
  }
  let broker: ChildProcess = start()
  const stop = async () => {
    if (broker.exitCode !== null || broker.signalCode !== null)
      throw new Error(`Mosquitto ended: ${output.slice(-2_000)}`)
    broker.kill('SIGKILL')
    await once(broker, 'exit')
  }
  onTestFinished(async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  })
  return {
    port,
    crash: async () => {
      await stop()
      broker = start()
    },
  }
}

test(
  'what the portal answered through a broker is stored exactly once, when broker and portal are killed in turn',
  async () => {
    if (!MOSQUITTO) return void console.log('MOSQUITTO is not set: not tested with a bridge')
    const { server, mqttPort, keys } = await startPortal()
    const broker = await startMosquitto(mqttPort, keys)
    const clients = new Map([...keys.keys()].map((id) => [id, connectAgain(broker.port, id, '')]))
    const { publish, repeated } = publishUntilAnswered()
    const acknowledged = await sendWhileKilling(clients, publish, async (time) => {
      await (time % 2 === 0 ? broker : server).crash()
    })
    const stored = await storedIn(server)
    expect(stored.length).toBe(new Set(stored).size)
    expect(stored.toSorted()).toEqual([...acknowledged].sort())
    console.log(
      `${KILLS} kills of broker and portal in turn: ${stored.length} vehicles, each once; ${repeated()} repetitions`,
    )
  },
  TIMEOUT_MS,
)

test(
  'what a broker acknowledged arrives exactly once, when the portal behind it is killed',
  async () => {
    if (!MOSQUITTO) return
    const { server, mqttPort, keys } = await startPortal()
    const broker = await startMosquitto(mqttPort, keys)
    const clients = new Map([...keys.keys()].map((id) => [id, connectAgain(broker.port, id, '')]))
    const acknowledged = await sendWhileKilling(clients, publishUntilAcknowledged, () => server.crash())
    const countMissing = async () => acknowledged.difference(new Set(await storedIn(server))).size
    // The broker may have queued many: as long as any is missing, the next ones arrive.
    for (let missing = await countMissing(); missing > 0; missing = await countMissing())
      await expect.poll(countMissing, { timeout: 120_000, interval: 500 }).toBeLessThan(missing)
    const stored = await storedIn(server)
    expect(stored.toSorted()).toEqual([...acknowledged].sort())
    console.log(`${KILLS} kills of the portal behind a broker: ${stored.length} vehicles, each once`)
  },
  TIMEOUT_MS,
)
