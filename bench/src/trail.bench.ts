import { join } from 'node:path'
import { connect } from '@rogatka/api/core/database.ts'
import { attachEmbedded } from '@rogatka/api/core/embedded.ts'
import { addLocation, createStationKey } from '@rogatka/api/locations/queries.ts'
import * as archive from '@rogatka/contract/archive.ts'
import { check } from '@rogatka/contract/current.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { post } from '@rogatka/contract/ingest.ts'
import { login } from '@rogatka/contract/session.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { ADMIN, startPortal } from '@rogatka/e2e/portal.ts'
import { isQuick, type Measurement, type Table } from './bench.ts'
import { median } from './compare.ts'
import { getRequest, openConnection, postRequest } from './http-connection.ts'
import { benchStation, trafficFrom } from './traffic.ts'

/** Of each kind, to each portal in turn. */
const REQUESTS = isQuick ? 200 : 1_000
const WARM_UP = 50
const VEHICLES = 5_000
const BATCH_SIZE = 500
/** Another checkout of the repository: that before a change. */
const { BENCH_BEFORE } = process.env

const KINDS = { check: 'poll of the live list', archive: 'page of the archive', detail: 'detail' } as const
type Kind = keyof typeof KINDS

export const bench: Measurement = {
  summary: `The cost of the access trail: ${REQUESTS.toLocaleString('en')} requests of each kind, one at a time over one connection, to this portal and, with BENCH_BEFORE, to that of another checkout in turn, request by request. Each portal has ${VEHICLES.toLocaleString('en')} vehicles. Left out: TLS, a proxy, several requests at the same time, vehicles that arrive meanwhile, and images`,
  goal: 'pages and details within 1.05 of a portal without the trail, polls of the live list unchanged',
  async measure() {
    const checkouts = [...(BENCH_BEFORE ? [['before', BENCH_BEFORE] as const] : []), ['now', undefined] as const]
    const subjects: ({ name: string } & Awaited<ReturnType<typeof prepare>>)[] = []
    for (const [name, checkout] of checkouts) subjects.push({ name, ...(await prepare(checkout)) })
    try {
      const tables: Table[] = []
      for (const kind of Object.keys(KINDS) as Kind[]) {
        const times = new Map<string, number[]>(subjects.map(({ name }) => [name, []]))
        for (let request = -WARM_UP; request < REQUESTS; request++)
          // In another order each time.
          for (const at of subjects.keys()) {
            const { name, send } = subjects[(at + request + WARM_UP) % subjects.length] as (typeof subjects)[number]
            const startedAt = performance.now()
            await send(kind)
            if (request >= 0) times.get(name)?.push(performance.now() - startedAt)
          }
        tables.push(tableOf(kind, times))
      }
      return tables
    } finally {
      for (const { stop } of subjects) await stop()
    }
  },
}

function tableOf(kind: Kind, times: ReadonlyMap<string, readonly number[]>): Table {
  const at = (all: readonly number[], share: number) =>
    all.toSorted((a, b) => a - b)[Math.floor(all.length * share)] ?? 0
  const [base = []] = times.values()
  const columns = [0.1, 0.25, 0.5].map((share) => (all: readonly number[]) => at(all, share))
  return {
    head: [KINDS[kind], '10 %, ms', '25 %, ms', 'median, ms', 'ratio of 10 %', 'of 25 %', 'of the medians'],
    rows: [...times].map(([name, all]) => [
      name,
      ...columns.map((column) => column(all).toFixed(2)),
      ...columns.map((column) => (column(all) / column(base)).toFixed(2)),
    ]),
    notes: [
      `mean of the middle half: ${[...times.values()].map((all) => middleMean(all).toFixed(2)).join(' and ')} ms`,
    ],
  }
}

/** Without the slowest and the quickest quarter. */
function middleMean(all: readonly number[]): number {
  const middle = all.toSorted((a, b) => a - b).slice(Math.floor(all.length / 4), Math.ceil((all.length * 3) / 4))
  return middle.length > 0 ? middle.reduce((sum, ms) => sum + ms, 0) / middle.length : median(all)
}

/** A portal with a station, vehicles and a session of its administrator; `send` waits for the response to a request. */
async function prepare(checkout?: string) {
  const limits = { REQUESTS_PER_MINUTE: '1000000', ADDRESS_REQUESTS_PER_MINUTE: '100000000' }
  const portal = await startPortal({ DEMO: 'false', ...limits }, { checkout })
  const { url } = await attachEmbedded(join(portal.dataDir, 'postgres'))
  const db = connect(url, 2)
  await addLocation(db, benchStation(1, 'S8 1'))
  const key = await createStationKey(db, 1, new Date())
  await db.end()
  const begin = Date.now() - DAY_MS
  const traffic = trafficFrom(1, (sequence) => begin + sequence * 200)
  const connection = await openConnection(Number(new URL(portal.url).port))
  const receive = async (request: Buffer): Promise<string> => {
    const response = await connection.send(request)
    if (!response.startsWith('HTTP/1.1 200')) throw new Error(response)
    return response.slice(response.indexOf('\r\n\r\n') + 4)
  }
  for (let sent = 0; sent < VEHICLES; sent += BATCH_SIZE)
    await receive(postRequest(API_BASE + post.path, traffic(BATCH_SIZE), { authorization: `Bearer ${key}` }))
  const { token } = JSON.parse(await receive(postRequest(API_BASE + login.path, ADMIN)))
  const get = (path: string) => getRequest(API_BASE + path, { authorization: `Bearer ${token}` })
  const range = { dateTimeStart: new Date(begin).toISOString(), dateTimeEnd: new Date(begin + DAY_MS).toISOString() }
  const list = get(`${archive.search.path}?${new URLSearchParams({ ...range, locations: '1' })}`)
  const { content } = JSON.parse(await receive(list)) as { content: { id: number; createdAt: string }[] }
  let sent = 0
  const requests: Record<Kind, () => Buffer> = {
    archive: () => list,
    detail: () => {
      const { id, createdAt } = content[sent++ % content.length] as (typeof content)[number]
      return get(
        `${archive.detail.path.replace(':id', String(id))}?${new URLSearchParams({ locationId: '1', createdAt })}`,
      )
    },
    check: () => get(`${check.path}?locations=1&lastId=1`),
  }
  return {
    send: (kind: Kind) => receive(requests[kind]()),
    stop: async () => {
      connection.close()
      await portal.stop()
    },
  }
}
