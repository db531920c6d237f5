import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { connect } from '@rogatka/api/core/database.ts'
import { attachEmbedded } from '@rogatka/api/core/embedded.ts'
import { activeSpan, runIn } from '@rogatka/api/core/spans.ts'
import { addLocation, createStationKey } from '@rogatka/api/locations/queries.ts'
import { check } from '@rogatka/contract/current.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { post } from '@rogatka/contract/ingest.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { startPortal } from '@rogatka/e2e/portal.ts'
import { isQuick, type Measurement, type Table } from './bench.ts'
import { median } from './compare.ts'
import { getRequest, openConnection, postRequest } from './http-connection.ts'
import { signIn } from './sign-in.ts'
import { benchStation, trafficFrom } from './traffic.ts'

const ROUNDS = isQuick ? 2 : 4
/** In a round, of all connections together. */
const REQUESTS = { check: isQuick ? 1_000 : 2_000, post: isQuick ? 100 : 200 }
const CONNECTIONS = 8
/** Spans are sent within this time. */
const SENT_MS = 3_000
/** For what a portal takes without requests. */
const IDLE_MS = 3_000
const HOOK_CALLS = 10_000_000
/** Another checkout of the repository: that before a change. */
const { BENCH_BEFORE } = process.env
const BASELINE = 'off'
const ALL = 'all traces'
const NAMES = { check: 'poll of the live list', post: 'post of one vehicle' }

export const bench: Measurement = {
  summary: `The cost of traces: processor time of the server process for a poll of the live list and for a post of one vehicle, each in ${ROUNDS} rounds of ${REQUESTS.check.toLocaleString('en')} and ${REQUESTS.post} over ${CONNECTIONS} connections to portals without traces, with the default share and with all of them, in turn. The collector, in the process of the clients, counts the spans and throws them away. What a portal takes without requests is subtracted. Off adds one check for each span that all traces have: its time is measured apart, and compared with the fewest processor time of off in the same run. Left out: TLS, a proxy, a collector that is slow or fails, images, and other kinds of requests`,
  goal: 'without traces within 1 % of a portal that has none; 10 % of them within 1.1',
  async measure() {
    const [collector, ofAll] = [await startSink(), await startSink()]
    const on = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
    const variants: [name: string, env: Record<string, string>, checkout?: string][] = [
      [BASELINE, {}],
      ...(BENCH_BEFORE ? [['before', {}, BENCH_BEFORE] as [string, Record<string, string>, string]] : []),
      ['10 % of the traces', on],
      [ALL, { OTEL_EXPORTER_OTLP_ENDPOINT: ofAll.url, TRACES_PERCENT: '100' }],
    ]
    const subjects = await Promise.all(
      variants.map(async ([name, env, checkout]) => ({ name, ...(await prepare(env, checkout)) })),
    )
    try {
      const hooks = measureHooks()
      const [tables, added]: [Table[], string[][]] = [[], []]
      for (const kind of ['check', 'post'] as const) {
        const spansBefore = ofAll.spans()
        const times = new Map<string, number[]>(subjects.map(({ name }) => [name, []]))
        for (let round = 0; round <= ROUNDS; round++)
          // In another order each time, and the first round warms up.
          for (const at of subjects.keys()) {
            const { name, run } = subjects[(at + round) % subjects.length] as (typeof subjects)[number]
            const ms = await run(kind)
            if (round > 0) times.get(name)?.push(ms)
          }
        tables.push(tableOf(NAMES[kind], times))
        const spans = (ofAll.spans() - spansBefore) / (REQUESTS[kind] * (ROUNDS + 1))
        const ns = hooks.request + (spans - 1) * hooks.statement
        const share = (ns / (1e6 * Math.min(...(times.get(BASELINE) ?? [])))) * 100
        added.push([NAMES[kind], spans.toFixed(1), ns.toFixed(1), `${share.toFixed(4)} %`])
      }
      const head = ['off adds to', 'spans of it', 'processor, ns', 'share of the fewest']
      return [hooksTable(hooks), { head, rows: added }, ...tables]
    } finally {
      for (const { stop } of subjects) await stop()
      collector.stop()
      ofAll.stop()
    }
  },
}

function tableOf(title: string, times: ReadonlyMap<string, readonly number[]>): Table {
  const base = times.get(BASELINE) ?? []
  return {
    head: [title, 'processor, ms', 'fewest', 'ratio, median of rounds', 'half of the rounds'],
    rows: [...times].map(([name, all]) => {
      const ratios = all.map((ms, round) => ms / (base[round] ?? Number.NaN)).toSorted((a, b) => a - b)
      const at = (share: number) => (ratios[Math.floor(ratios.length * share)] ?? Number.NaN).toFixed(2)
      const halves = name === BASELINE ? '' : `${at(0.25)} to ${at(0.75)}`
      return [name, median(all).toFixed(3), Math.min(...all).toFixed(3), median(ratios).toFixed(2), halves]
    }),
  }
}

type Hooks = { statement: number; request: number }

/** What each request and each statement do while there are no traces, in the quickest of some rounds; in ns. */
function measureHooks(): Hooks {
  const work = () => undefined
  const nanoseconds = (hook: () => void) => {
    const start = process.cpuUsage()
    for (let call = 0; call < HOOK_CALLS; call++) hook()
    const { user, system } = process.cpuUsage(start)
    return ((user + system) * 1_000) / HOOK_CALLS
  }
  const fewest = (hook: () => void) => Math.min(...Array.from({ length: 5 }, () => nanoseconds(hook)))
  return { statement: fewest(() => void activeSpan()), request: fewest(() => runIn(undefined, work)) }
}

const hooksTable = ({ statement, request }: Hooks): Table => ({
  head: ['added without traces to', 'processor, ns'],
  rows: [
    ['a statement', statement.toFixed(1)],
    ['a request', request.toFixed(1)],
  ],
})

/** A collector that counts spans and forgets them. */
async function startSink() {
  let spans = 0
  const server = createServer(async (request, response) => {
    spans += (await text(request)).split('"startTimeUnixNano"').length - 1
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, spans: () => spans, stop: () => server.close() }
}

/** A portal with a station and a user; `run` returns the processor time of a request in ms. */
async function prepare(env: Record<string, string>, checkout?: string) {
  const limits = { REQUESTS_PER_MINUTE: '1000000', ADDRESS_REQUESTS_PER_MINUTE: '100000000' }
  const portal = await startPortal({ DEMO: 'false', ...limits, ...env }, { checkout })
  const { url } = await attachEmbedded(join(portal.dataDir, 'postgres'))
  const db = connect(url, 2)
  await addLocation(db, benchStation(1, 'S8 1'))
  const [key, token] = [await createStationKey(db, 1, new Date()), await signIn(db)]
  await db.end()
  const begin = Date.now() - DAY_MS
  const traffic = trafficFrom(1, (sequence) => begin + sequence * 200)
  const poll = getRequest(`${API_BASE}${check.path}?locations=1&lastId=1`, { authorization: `Bearer ${token}` })
  const requests = {
    check: () => poll,
    post: () => postRequest(API_BASE + post.path, traffic(1), { authorization: `Bearer ${key}` }),
  }
  const port = Number(new URL(portal.url).port)
  const cpuMs = async () => {
    const metrics = await (await fetch(`${portal.url}/metrics`)).text()
    return 1_000 * Number(/^process_cpu_seconds_total ([\d.]+)/m.exec(metrics)?.[1])
  }
  const idleFrom = await cpuMs()
  await pause(IDLE_MS)
  const idle = ((await cpuMs()) - idleFrom) / IDLE_MS
  return {
    run: async (kind: 'check' | 'post') => {
      const [request, count] = [requests[kind], REQUESTS[kind]]
      // For each round, as the portal closes those that are idle for long.
      const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(port)))
      const before = await cpuMs()
      const startedAt = performance.now()
      await Promise.all(
        connections.map(async (connection) => {
          for (let sent = 0; sent < count / CONNECTIONS; sent++) {
            const response = await connection.send(request())
            if (!response.startsWith('HTTP/1.1 200')) throw new Error(response)
          }
        }),
      )
      for (const { close } of connections) close()
      await pause(SENT_MS)
      return ((await cpuMs()) - before - idle * (performance.now() - startedAt)) / count
    },
    stop: () => portal.stop(),
  }
}
