import { once } from 'node:events'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Config } from '../config.ts'
import type { Api } from '../core/route.ts'
import { rootSpan } from '../core/spans.ts'
import { sharedPort } from '../core/workers.ts'
import type { Receivers } from '../ingest/public-api.ts'
import { authenticate, type Sender } from './authenticate.ts'
import { readCertificate, watchCertificate } from './certificate.ts'
import { type Connection, serveConnection } from './connection.ts'
import { type Message, type Outcome, receive } from './receive.ts'

/** Open sockets of a process. */
const MAX_SOCKETS = 10_000
/** Connections of a station; one more ends the oldest. */
const MAX_STATION_CONNECTIONS = 20
/** From the start of a connection to the end of its TLS handshake, and from there to its CONNECT. */
const CONNECT_MS = 10_000
/** From the first byte of a packet to its last. */
const PACKET_MS = 60_000
/** A client that has vanished is noticed by TCP. */
const TCP_KEEP_ALIVE_MS = 60_000
/** Keys of open connections are checked at this interval, as their last day may have passed. */
const KEY_CHECK_MS = 30_000

type Options = {
  mqtt: NonNullable<Config['mqtt']>
  receivers: Receivers
  registry: Registry
  timeouts?: { connectMs: number; packetMs: number }
}

/** Takes measurements and images of stations by MQTT until stopped. @throws Error if the port or a file is unavailable */
export async function runMqtt(
  api: Api,
  { mqtt, receivers, registry, timeouts }: Options,
): Promise<{ stop: () => Promise<void> }> {
  const { stationKeys, now } = api
  const { log, knownTokens, callLimits } = api.http
  const connections = createConnections()
  const open = new Set<Socket>()
  const countMessage = createMetrics(registry, connections.count)

  const receiveFrom = async ({ locationId, key }: Sender, ip: string, message: Message): Promise<Outcome> => {
    const outcome = await rootSpan('mqtt publish', {}, async (): Promise<Outcome> => {
      if (callLimits(ip, key) !== null) return { kind: 'failed', code: 'too-many-requests', error: undefined }
      try {
        const station = await stationKeys.find(key, now())
        if (station?.locationId !== locationId) return { kind: 'failed', code: 'wrong-station-key', error: undefined }
      } catch (error) {
        return { kind: 'failed', code: 'unavailable', error }
      }
      return receive(receivers, locationId, message, now())
    })
    countMessage(outcome.kind)
    if (outcome.kind === 'failed') {
      const { code, error } = outcome
      if (code === 'internal-error') log.error({ err: error, locationId }, 'mqtt: not stored')
      else log.warn({ ip, locationId, code, cause: (error as Error | undefined)?.message }, 'mqtt: not stored')
    }
    return outcome
  }

  /** Ends the connections whose key has ended; those whose key cannot be read stay. */
  const checkKeys = async () => {
    for (const connection of connections.all()) {
      const { key, locationId } = connection.sender
      const station = await stationKeys.check(key, now()).catch(() => ({ locationId }))
      if (station?.locationId === locationId) continue
      log.info({ locationId, code: 'wrong-station-key' }, 'mqtt: connection ended')
      connection.end('administrative')
    }
  }
  const stopWatchingKeys = stationKeys.onChange(() => void checkKeys())
  const keyTimer = setInterval(() => void checkKeys(), KEY_CHECK_MS).unref()

  const accept = (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    void serveConnection(socket, {
      authenticate: (packet, ip) => authenticate({ stationKeys, now, knownTokens, callLimits }, packet, ip),
      register: connections.add,
      receive: receiveFrom,
      onForbidden: () => countMessage('forbidden'),
      log,
      timeouts: timeouts ?? { connectMs: CONNECT_MS, packetMs: PACKET_MS },
    })
  }
  const tcp = { noDelay: true, keepAlive: true, keepAliveInitialDelay: TCP_KEEP_ALIVE_MS }
  const server: Server = mqtt.certificate
    ? createTlsServer({
        ...tcp,
        ...(await readCertificate(mqtt.certificate)),
        minVersion: 'TLSv1.2',
        handshakeTimeout: timeouts?.connectMs ?? CONNECT_MS,
      }).on('secureConnection', accept)
    : createTcpServer(tcp, accept)
  server.maxConnections = MAX_SOCKETS
  const stopWatchingFiles = mqtt.certificate ? watchCertificate(server as TlsServer, mqtt.certificate, log) : () => {}
  server.listen({ host: mqtt.host, port: mqtt.port, ...sharedPort() })
  await once(server, 'listening')
  log.info({ host: mqtt.host, port: mqtt.port, tls: mqtt.certificate !== null }, 'mqtt: listening')

  return {
    stop: async () => {
      clearInterval(keyTimer)
      stopWatchingKeys()
      stopWatchingFiles()
      server.close()
      await Promise.all(connections.all().map((connection) => connection.finish()))
      for (const socket of open) socket.destroySoon()
    },
  }
}

/** The open connections. A client that connects again ends its former connection; client ids are those of a station. */
function createConnections() {
  const byStation = new Map<number, Map<string, Connection>>()
  let count = 0
  return {
    count: () => count,
    all: () => [...byStation.values()].flatMap((ofStation) => [...ofStation.values()]),
    /** Returns a function that removes it. */
    add: (connection: Connection) => {
      const { locationId, clientId } = connection.sender
      const ofStation = byStation.get(locationId) ?? new Map<string, Connection>()
      byStation.set(locationId, ofStation)
      ofStation.get(clientId)?.end('takenOver')
      // Set again, so that the order is that of connecting.
      ofStation.delete(clientId)
      ofStation.set(clientId, connection)
      count += 1
      const [oldest] = ofStation
      if (oldest && ofStation.size > MAX_STATION_CONNECTIONS) {
        oldest[1].end('administrative')
        // Removed at once, so that a further connection ends the next oldest.
        ofStation.delete(oldest[0])
      }
      return () => {
        count -= 1
        if (ofStation.get(clientId) === connection) ofStation.delete(clientId)
      }
    },
  }
}

type Result = Outcome['kind'] | 'forbidden'

/** Registers the metrics; returns a function that counts a message. */
function createMetrics(registry: Registry, connections: () => number): (result: Result) => void {
  new Gauge({
    name: 'rogatka_mqtt_connections',
    help: 'Open MQTT connections whose station is known',
    registers: [registry],
    collect() {
      this.set(connections())
    },
  })
  const counter = new Counter({
    name: 'rogatka_mqtt_messages_total',
    help: 'MQTT messages by result: accepted and refused ones were acknowledged, failed ones are repeated, forbidden ones ended their connection',
    labelNames: ['result'],
    registers: [registry],
  })
  for (const result of ['accepted', 'refused', 'failed', 'forbidden'] satisfies Result[]) counter.inc({ result }, 0)
  return (result) => counter.inc({ result })
}
