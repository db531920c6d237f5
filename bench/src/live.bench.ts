import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connect } from '@rogatka/api/core/database.ts'
import { attachEmbedded } from '@rogatka/api/core/embedded.ts'
import { addLocation, createStationKey } from '@rogatka/api/locations/queries.ts'
import { check } from '@rogatka/contract/current.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { post } from '@rogatka/contract/ingest.ts'
import { type Portal, startPortal } from '@rogatka/e2e/portal.ts'
import { startBare } from './bare-process.ts'
import { isQuick, isRequested, type Measurement, type Table } from './bench.ts'
import { median } from './compare.ts'
import { getRequest, type HttpConnection, openConnection } from './http-connection.ts'
import { compareStations, MANY_STATIONS, STATION_PARTS, STATION_SESSIONS } from './operator-stations.ts'
import { type BenchPortal, measureOperators, OPERATOR_PARTS, OPERATOR_SESSIONS } from './operators.ts'
import { signIn } from './sign-in.ts'
import { benchStation, trafficFrom } from './traffic.ts'

const OPERATORS = 3_000
const STATIONS = 10
/** Each station sends ten vehicles every second: a hundred in all. */
const VEHICLES_PER_BATCH = 10
const BATCH_INTERVAL_MS = 1_000
const SECONDS = isQuick ? 10 : 60
/** Connections that send the next request as soon as they receive a response. */
const CONNECTIONS = 64
const ROUNDS = isQuick ? 2 : 5
const ROUND_MS = isQuick ? 2_000 : 5_000
/** Of whole operators. */
const WATCHED_STATIONS = 5
const SATURATION = 'saturation'
const CHECKS = `${OPERATORS.toLocaleString('en')} operators`

export const bench: Measurement = {
  summary: `The live list: ${OPERATORS.toLocaleString('en')} signed-in operators poll for news every second while 100 vehicles per second arrive; and the polls per second that one process handles, against a bare Fastify route that returns a constant; and whole operators of five stations with ten vehicles per second, each posted alone and followed by two images, on two server processes: streams alone, the opening of all within a second, by stream (every event, the thumbnail of every vehicle) and by poll (check every second, list, thumbnails, counters every five seconds), after the opening; and operators of ${WATCHED_STATIONS} against ones of ${MANY_STATIONS} stations with the same vehicles per second of all stations together. Clients run on the same machine. Browsers, TLS, a proxy and signs are left out`,
  goal: 'at least 0.4 of the bare route, 0.7 of one with the same headers; 99 % within 50 ms. Whole operators: 1,000 by stream with events within 200 ms and thumbnails within 500 ms at 99 %; 600 by poll within 500 ms; the last list of an opening of 300 within 3 s; 10,000 streams alone within 100 ms, with 25 % of a core and 16 kB each; nobody refused; of 40 stations at most twice the time of 5',
  measure: async function* () {
    yield* await measureChecks([SATURATION, CHECKS].filter(isRequested))
    if (OPERATOR_PARTS.some(isRequested)) {
      const { portal, stop } = await openPortal(WATCHED_STATIONS, OPERATOR_SESSIONS)
      try {
        yield* measureOperators(portal)
      } finally {
        await stop()
      }
    }
    if (STATION_PARTS.some(isRequested)) yield* await compareStations(withPortal, WATCHED_STATIONS)
  },
}

async function measureChecks(parts: readonly string[]): Promise<Table[]> {
  if (parts.length === 0) return []
  const portal = await startPortal({ DEMO: 'false', TRUST_PROXY: 'true' })
  const [bare, withHeaders] = [await startBare(), await startBare('headers')]
  const { keys, tokens } = await prepareData(portal, STATIONS, OPERATORS)
  const traffic = await startTraffic(portal, keys)
  try {
    const operators = tokens.map((token, at) => operatorOf(token, at))
    const ports = { bare: bare.port, withHeaders: withHeaders.port, portal: portOf(portal) }
    const tables: Table[] = []
    if (parts.includes(SATURATION)) tables.push(await measureSaturation(ports, operators, traffic.lastId))
    if (parts.includes(CHECKS)) tables.push(await measurePolling(portOf(portal), operators, traffic.lastId))
    return tables
  } finally {
    await traffic.stop()
    bare.stop()
    withHeaders.stop()
    await portal.stop()
  }
}

/** A portal of two processes with so many stations and sessions, and the default limits of requests: the clients share one address. */
async function openPortal(stations: number, sessions: number) {
  const portal = await startPortal({ DEMO: 'false', WORKERS: '2' })
  const { keys, tokens } = await prepareData(portal, stations, sessions)
  const senders = keys.map((key, at) => ({ id: at + 1, key }))
  return { portal: { url: portal.url, port: portOf(portal), senders, tokens }, stop: portal.stop }
}

/** Measures with a portal of so many stations. */
async function withPortal<T>(stations: number, measure: (portal: BenchPortal) => Promise<T>): Promise<T> {
  const { portal, stop } = await openPortal(stations, STATION_SESSIONS)
  try {
    return await measure(portal)
  } finally {
    await stop()
  }
}

const portOf = ({ url }: Portal) => Number(new URL(url).port)

async function prepareData(portal: Portal, stations: number, sessions: number) {
  const { url } = await attachEmbedded(join(portal.dataDir, 'postgres'))
  const db = connect(url, 8)
  const ids = Array.from({ length: stations }, (_, index) => index + 1)
  for (const id of ids) await addLocation(db, benchStation(id, `S8 ${id}`))
  const keys = await Promise.all(ids.map((id) => createStationKey(db, id, new Date())))
  const tokens = await Promise.all(Array.from({ length: sessions }, () => signIn(db)))
  await db.end()
  return { keys, tokens }
}

/** Starts sending of vehicles; `lastId` returns the id that an up-to-date client would have. */
async function startTraffic({ url }: Portal, keys: readonly string[]) {
  const stopController = new AbortController()
  const stations = keys.map((key, at) => ({ key, traffic: trafficFrom(at + 1, () => Date.now()) }))
  let last = 0
  const send = async () => {
    while (!stopController.signal.aborted) {
      const turn = pause(BATCH_INTERVAL_MS)
      await Promise.all(
        stations.map(({ key, traffic }, at) =>
          pause((at / STATIONS) * BATCH_INTERVAL_MS)
            .then(() =>
              fetch(url + API_BASE + post.path, {
                method: 'POST',
                headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
                body: JSON.stringify(traffic(VEHICLES_PER_BATCH)),
              }),
            )
            .then(async (response) => {
              if (!response.ok) throw new Error(await response.text())
              await response.arrayBuffer()
            }),
        ),
      )
      last += VEHICLES_PER_BATCH
      await turn
    }
  }
  const sending = send()
  await pause(3_000)
  // A vehicle's id is station id · 2^40 + sequence number; this one is recent on station 1.
  return {
    lastId: () => 2 ** 40 + Math.max(1, last - 2 * VEHICLES_PER_BATCH),
    stop: () => {
      stopController.abort()
      return sending
    },
  }
}

/** The request of an operator: three stations each, for every third operator only overloaded lorries. */
function operatorOf(token: string, at: number): (lastId: number) => Buffer {
  const stations = [0, 3, 6].map((step) => 1 + ((at + step) % STATIONS))
  const narrow = at % 3 === 0 ? '&ctg8p1=9&overload=true' : ''
  const address = `10.${at >> 8}.${at & 255}.1`
  return (lastId) =>
    getRequest(`${API_BASE}${check.path}?locations=${stations}${narrow}&lastId=${lastId}`, {
      authorization: `Bearer ${token}`,
      'x-forwarded-for': address,
    })
}

type BuildRequest = (lastId: number) => Buffer

async function measureSaturation(
  ports: { bare: number; withHeaders: number; portal: number },
  operators: readonly BuildRequest[],
  lastId: () => number,
): Promise<Table> {
  const request = (index: number) => (operators[index % CONNECTIONS] as BuildRequest)(lastId())
  const speeds = { bare: [] as number[], withHeaders: [] as number[], portal: [] as number[] }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of ['bare', 'withHeaders', 'portal'] as const) {
      const speed = await responsesPerSecond(ports[name], request)
      // The first round warms up.
      if (round > 0) speeds[name].push(speed)
    }
  }
  const [bare, withHeaders, portal] = [median(speeds.bare), median(speeds.withHeaders), median(speeds.portal)]
  return {
    head: ['saturation of one process', 'responses/s', 'ratio', 'ratio with headers'],
    rows: [
      ['a bare Fastify route', bare.toFixed(0), '1.00', (bare / withHeaders).toFixed(2)],
      ['the same with the headers of the portal', withHeaders.toFixed(0), (withHeaders / bare).toFixed(2), '1.00'],
      [
        `\`${check.path}\`, 100 vehicles/s arriving`,
        portal.toFixed(0),
        (portal / bare).toFixed(2),
        (portal / withHeaders).toFixed(2),
      ],
    ],
  }
}

async function responsesPerSecond(port: number, request: (index: number) => Buffer): Promise<number> {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(port)))
  const end = performance.now() + ROUND_MS
  let responses = 0
  keepBusy(end)
  await Promise.all(
    connections.map(async (connection) => {
      while (performance.now() < end) {
        const response = await connection.send(request(responses))
        if (!response.startsWith('HTTP/1.1 200')) throw new Error(response)
        responses += 1
      }
      connection.close()
    }),
  )
  return (responses / ROUND_MS) * 1000
}

/**
 * Keeps the event loop of the client busy until `end`: waking a sleeping client costs CPU time of the server, which would
 * distort the ratio.
 */
function keepBusy(end: number) {
  if (performance.now() < end) setImmediate(() => keepBusy(end))
}

async function measurePolling(port: number, operators: readonly BuildRequest[], lastId: () => number): Promise<Table> {
  const connections: HttpConnection[] = []
  for (const _ of operators) connections.push(await openConnection(port))
  const waits: number[] = []
  let news = 0
  let refused = 0
  const start = performance.now()
  await Promise.all(
    connections.map(async (connection, at) => {
      const request = operators[at] as BuildRequest
      // Spreads the operators over the second.
      await pause((at / OPERATORS) * 1_000)
      for (let second = 0; second < SECONDS; second++) {
        const next = start + (at / OPERATORS) * 1_000 + (second + 1) * 1_000
        const sentAt = performance.now()
        const response = await connection.send(request(lastId()))
        waits.push(performance.now() - sentAt)
        if (!response.startsWith('HTTP/1.1 200')) refused += 1
        if (response.endsWith('true}')) news += 1
        await pause(Math.max(0, next - performance.now()))
      }
      connection.close()
    }),
  )
  const seconds = (performance.now() - start) / 1_000
  const sorted = waits.sort((a, b) => a - b)
  const within = (part: number) => `${(sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(1)} ms`
  return {
    head: ['operators', 'responses/s', 'median', '95 %', '99 %', 'slowest', 'refused'],
    rows: [
      [
        OPERATORS.toLocaleString('en'),
        (waits.length / seconds).toFixed(0),
        within(0.5),
        within(0.95),
        within(0.99),
        `${(sorted.at(-1) ?? 0).toFixed(0)} ms`,
        String(refused),
      ],
    ],
    notes: [`${((news / waits.length) * 100).toFixed(0)} % of the responses announced news`],
  }
}
