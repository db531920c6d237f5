import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { expect, test } from 'vitest'
import { sql } from './core/statement.ts'
import { car, jpeg } from './ingest/testing.ts'
import { addLocation, createStationKey } from './locations/queries.ts'
import { retainedHeapBytes } from './testing/heap.ts'
import { type Server, startServer, withDatabase } from './testing/server.ts'
import { testStation } from './testing/test-api.ts'

/*
 * Equal rounds of rush-hour traffic on one server: its memory must not grow. For longer: SOAK_MINUTES=10 npx vitest run
 * api/src/soak.test.ts
 */

const MINUTES = Number(process.env.SOAK_MINUTES ?? 0)
const ROUNDS = 6
/** Minimum turns per round; with SOAK_MINUTES until its share of the time has passed. */
const TURNS = 5
/** Expensive requests once per so many turns, as a user may request one report per second. */
const DEAR_EVERY = 50
/** Rounds in which code is compiled and caches are filled. */
const WARM_UP = 2
const STATIONS = [7, 8, 9]
const OPERATORS = 3
/** Checks per list request: most requests of operators are checks. */
const CHECKS = 20
/** A vehicle without a checkpoint time is live for 10 minutes; these are sent so late that they expire at once. */
const LATE_MS = 596_000
/** Normal variation between rounds; leaked requests or responses soon exceed it. */
const MAX_GROWTH = 1_500_000
/** Normal variation of sockets between server, database and clients. */
const MAX_FILES = 10

type ResourceUsage = { bytes: number; files: number; resident: number; requests: number }

test('soak: leaks no memory, connections or files', async () => {
  // Each station and operator has its own address, as behind a proxy.
  const server = await startServer({ TRUST_PROXY: 'true' }, ['--inspect=127.0.0.1:0'])
  const traffic = await trafficOn(server)
  const held: ResourceUsage[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const end = Date.now() + (MINUTES * 60_000) / ROUNDS
    let requests = 0
    for (let turn = 0; turn < TURNS || Date.now() < end; turn++) requests += await traffic.turn(turn % DEAR_EVERY === 0)
    held.push({ bytes: await retainedHeapBytes(server.log()), requests, ...(await figuresOf(server)) })
  }
  if (MINUTES > 0) console.table(held)

  const steady = held.slice(WARM_UP)
  const half = Math.floor(steady.length / 2)
  const least = (of: ResourceUsage[], what: keyof ResourceUsage) => Math.min(...of.map((one) => one[what]))
  const grown = (what: keyof ResourceUsage) => least(steady.slice(half), what) - least(steady.slice(0, half), what)
  const story = JSON.stringify(held)
  expect(grown('bytes'), `memory grows: ${story}`).toBeLessThan(MAX_GROWTH)
  expect(grown('files'), `sockets or files are left open: ${story}`).toBeLessThan(MAX_FILES)
  await expectIdle(server)
}, 3_600_000)

/** All database connections are released: none is active, waiting or idle in a transaction. */
const expectIdle = (server: Server) =>
  withDatabase(server, (db) =>
    expect
      .poll(async () => {
        const busy = await db.query<{ state: string; query: string }>(sql`
          select state, query from pg_stat_activity
          where backend_type = 'client backend' and pid <> pg_backend_pid() and state <> 'idle'`)
        return [...busy]
      })
      .toEqual([]),
  )

async function figuresOf({ url }: Server) {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  const figure = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(metrics)?.[1] ?? Number.NaN)
  return { files: figure('process_open_fds'), resident: figure('process_resident_memory_bytes') }
}

type CallInput = { method?: string; body?: string | Buffer; type?: string; signal?: AbortSignal }

/** Sending stations and polling operators: a turn is a bit of all concurrent traffic. */
async function trafficOn(server: Server) {
  let requests = 0
  let sequence = 0
  const ask = async (token: string, path: string, { type, ...given }: CallInput = {}) => {
    requests += 1
    const answer = await fetch(`${server.url}${API_BASE}${path}`, {
      ...(given as RequestInit),
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(type && { 'content-type': type }),
        'x-forwarded-for': `10.0.0.${1 + (requests % 200)}`,
      },
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const json = async <T = unknown>(...asked: Parameters<typeof ask>) => (await (await ask(...asked)).json()) as T
  const post = <T = unknown>(token: string, path: string, body: unknown) =>
    json<T>(token, path, { method: 'POST', body: JSON.stringify(body), type: 'application/json' })
  const signIn = async (): Promise<string> =>
    (await post<{ token: string }>('', '/login', { username: 'admin', password: 'Szlaban-2026-noc' })).token

  const keys = await withDatabase(server, async (db) => {
    for (const id of STATIONS) await addLocation(db, { ...testStation, id, shortName: `S8 ${id}` })
    return Promise.all(STATIONS.map((id) => createStationKey(db, id, new Date())))
  })
  const tokens = await Promise.all(Array.from({ length: OPERATORS }, signIn))
  const photo = await jpeg()
  const yesterday = new Date(Date.now() - 86_400_000)
  await post(
    keys[0] as string,
    '/measurements',
    passing(200, () => 1_000_000 + sequence++, yesterday),
  )
  const day = new URLSearchParams({
    dateTimeStart: new Date(yesterday.getTime() - 3_600_000).toISOString(),
    dateTimeEnd: new Date(yesterday.getTime() + 3_600_000).toISOString(),
    // The station of yesterday's vehicles.
    locations: String(STATIONS[0]),
  })

  const station = async (key: string, id: number) => {
    const batch = passing(10, () => ++sequence, new Date(Date.now() - LATE_MS), { speed: null })
    await post(key, '/measurements', batch)
    const [{ sequence: nth, createdAt }] = batch as [(typeof batch)[0]]
    const place = `/measurements/${nth}/images/front?createdAt=${createdAt}`
    await ask(key, place, { method: 'PUT', body: photo, type: 'image/jpeg' })
    return { id: vehicleId(id, nth), locationId: id, createdAt }
  }
  const operator = async (token: string) => {
    const { lastId } = await json<{ lastId: number | null }>(token, '/current-vehicles?withAxles=true')
    const news = `/current-vehicles/check${lastId ? `?lastId=${lastId}` : ''}`
    await Promise.all([
      ...Array.from({ length: CHECKS }, () => json(token, news)),
      json(token, '/current-vehicles/counters'),
      ask(token, '/ping'),
      json(token, `/arch-vehicles?${day}&page=1&limit=20`),
    ])
  }
  const reader = async (token: string) => {
    const { link } = await json<{ link: string }>(token, `/arch-vehicles/report?${day}&reportType=csv`)
    await (await ask(token, link)).text()
    const leaving = new AbortController()
    await ask(token, link, { signal: leaving.signal })
    leaving.abort()
    await json(token, `/statistics/stat-1?${day}&statResolutionUnit=hour&statResolutionValue=1`)
  }
  const visitor = async () => ask(await signIn(), '/login', { method: 'DELETE' })

  return {
    turn: async (dear: boolean) => {
      requests = 0
      const [passed] = await Promise.all([
        Promise.all(keys.map((key, at) => station(key, STATIONS[at] as number))),
        Promise.all(tokens.map(operator)),
        ...(dear ? [reader(tokens[0] as string), visitor()] : []),
      ])
      const [{ id, locationId, createdAt }] = passed as [(typeof passed)[0]]
      await json(
        tokens[0] as string,
        `/arch-vehicles/${id}?${new URLSearchParams({ locationId: `${locationId}`, createdAt })}`,
      )
      return requests
    },
  }
}

const passing = (count: number, next: () => number, at: Date, differing = {}) =>
  Array.from({ length: count }, () => car(next(), { createdAt: at.toISOString(), ...differing }))
