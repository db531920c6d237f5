import { setTimeout as sleep } from 'node:timers/promises'
import type { AlarmScheduler } from '@rogatka/api/alarms/leader.ts'
import { type App, createApp } from '@rogatka/api/app.ts'
import { readConfig } from '@rogatka/api/config.ts'
import type { Pool } from '@rogatka/api/core/database.ts'
import { daysBetween } from '@rogatka/api/core/partitions.ts'
import { sql } from '@rogatka/api/core/statement.ts'
import { addLocation, createStationKey } from '@rogatka/api/locations/queries.ts'
import { ensureVehiclePartitions } from '@rogatka/api/vehicle/maintenance.ts'
import * as alarms from '@rogatka/contract/alarms.ts'
import { API_BASE, type Endpoint } from '@rogatka/contract/endpoint.ts'
import { post, vehicleId, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import { add as addInspection } from '@rogatka/contract/inspections.ts'
import { list as listStations, type WireLocation } from '@rogatka/contract/locations.ts'
import { BLACK } from '@rogatka/contract/options.ts'
import { addPlate, latestHits } from '@rogatka/contract/wanted.ts'
import { openHits } from '@rogatka/contract/wanted-hits.ts'
import { HOUR_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { detectionsBetween, type RecurringVehicle, type SimulatedStation } from '@rogatka/simulator/detection.ts'
import { measure } from '@rogatka/simulator/measure.ts'
import { arrivalsOf, volumeOf } from '@rogatka/simulator/traffic.ts'
import { dayOf, hourOf, instantOf } from '@rogatka/simulator/warsaw.ts'
import { signIn } from './sign-in.ts'
import { benchStation } from './traffic.ts'

/*
 * A day of simulated traffic that stations post and the alarms evaluate, by a clock that is moved in steps: as in a replay ten
 * times as fast, but without waiting.
 */

/** How much faster than the day the replay would be if it waited; the alarms are evaluated once a second of it. */
export const SPEED = 10
export const STEP_MS = 1_000 * SPEED

/** Vehicles on the black list, and every how many vehicles of their kind one of them passes. */
const LISTED: readonly RecurringVehicle[] = [
  { plate: 'WPR 8K47M', nationality: 'PL', kind: 'van', every: 900 },
  { plate: 'PO 7XA93', nationality: 'PL', kind: 'articulated', every: 900 },
  { plate: 'LZA 482', nationality: 'LT', kind: 'articulated', every: 1_200 },
  { plate: 'BI 552JK', nationality: 'PL', kind: 'lorry', every: 900 },
  { plate: 'WGM 4K281', nationality: 'PL', kind: 'car', every: 4_000 },
]

/** Speed limits of the two kinds of roads, km/h. */
const EXPRESSWAY = { speedLimit: 120, speedLimitHeavy: 80 }
const NATIONAL = { speedLimit: 90, speedLimitHeavy: 70 }
/** From this excess on a speed is a violation, as cameras tolerate some, km/h. */
const TOLERANCE = 7

/** What fails: a station or its lane does not send, or no plate is read, from one hour of the day to another. */
const FAULTS: readonly { station: number; lane?: number; noPlates?: boolean; from: number; to: number }[] = [
  { station: 3, from: 5.2, to: 6.1 },
  { station: 5, lane: 1, from: 9, to: 12 },
  { station: 6, noPlates: true, from: 9, to: 11 },
  { station: 8, from: 15, to: 16 },
]

export type ReplayOptions = {
  db: Pool
  url: string
  /** A third of them at expressways. */
  stations: number
  /** Share of the vehicles that the simulator generates for them. */
  traffic: number
  from: Date
  to: Date
  /** How much more often listed vehicles pass. */
  listedFactor?: number
  /** Makes one of so many vehicles drive the wrong way, besides those of the simulator. */
  wrongWayEvery?: number
  /** Time between two evaluations by the clock that is moved. */
  stepMs?: number
  /** Moves the clock by real time, ten times as fast. */
  isReal?: boolean
}

/** What a vehicle that needs an alarm was, for the comparison: its id, and when it passed. */
type PostedVehicle = { id: number; createdAt: string }

export type Replay = {
  vehicles: number
  /** Those with a violation, as stored. */
  violating: number
  wrongWay: PostedVehicle[]
  listed: PostedVehicle[]
  /** Alarms of the history, and hits of the black list, which count as alarms. */
  raised: { kind: string; priority: string; subject: number | null; createdAt: string | null; raisedAt: string }[]
  /** Vehicles that an operator was shown in time, by the list of alarms and that of open hits. */
  shown: { wrongWay: Set<number>; listed: Set<number> }
  /** High alarms that made no sound. */
  silentHigh: number
  seconds: number
}

/** Replays traffic through the API, with one operator for all stations, before each of which vehicles are inspected. */
export async function replay(options: ReplayOptions): Promise<Replay> {
  const { db, url, from, to, isReal = false, stepMs = STEP_MS } = options
  let now = from
  const replay = createReplayScheduler()
  const config = {
    ...readConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent', REQUESTS_PER_MINUTE: '1000000' }),
    demo: false,
  }
  await ensureVehiclePartitions(db, daysBetween(from, to), 'month')
  // What is measured are alarms, no times.
  await db.execute(sql`
    do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$`)
  const keys = await addStations(db, options)
  const app = await createApp(config, db, { now: () => now, ...(!isReal && { alarmScheduler: replay.scheduler }) })
  try {
    await app.listen()
    const operator = await createOperator(app, db, () => now)
    const sites = await prepare(operator, options)
    // Beyond the last vehicle that is compared, whose countdown ends before.
    const end = new Date(to.getTime() + 10 * MINUTE_MS)
    const traffic = postsOf(sites, options, end)
    const seen = { wrongWay: new Set<number>(), listed: new Set<number>(), silentHigh: new Set<number>() }
    const begin = performance.now()
    const work = async (at: Date) => {
      await Promise.all([...traffic.until(at)].map(([id, vehicles]) => postVehicles(app, keys.get(id) ?? '', vehicles)))
      await runDueJobs(app, now, at)
      now = at
      if (!isReal) await replay.run((at.getTime() - from.getTime()) / SPEED)
      await watch(operator, seen)
    }
    while (now < end) {
      if (isReal) await sleep(50)
      const next = isReal ? from.getTime() + (performance.now() - begin) * SPEED : now.getTime() + stepMs
      await work(new Date(Math.min(next, end.getTime())))
    }
    const [counts] = await db.query<{ vehicles: number; violating: number }>(sql`
      select count(*)::int as vehicles, (count(*) filter (where violations <> 0))::int as violating
      from vehicle where created_at < ${to}::timestamptz`)
    return {
      vehicles: counts?.vehicles ?? 0,
      violating: counts?.violating ?? 0,
      wrongWay: traffic.wrongWay,
      listed: traffic.listed,
      raised: await raisedIn(operator, from, end),
      shown: seen,
      silentHigh: seen.silentHigh.size,
      seconds: (performance.now() - begin) / 1_000,
    }
  } finally {
    await app.close()
  }
}

/** The leader of the alarms works when the replay tells it, and measures time as if the replay took as long. */
function createReplayScheduler(): { scheduler: AlarmScheduler; run: (elapsedMs: number) => Promise<void> } {
  let work: (() => Promise<void>) | undefined
  let elapsedMs = 0
  return {
    scheduler: {
      repeat: (next) => {
        work = next
        return () => {
          work = undefined
        }
      },
      elapsedMs: () => elapsedMs,
    },
    run: async (to) => {
      elapsedMs = to
      // It leads shortly after the start.
      while (!work) await sleep(20)
      await work()
    },
  }
}

/** Adds stations with what they usually register by hour, so that it is known when a lane is silent; returns their keys. */
async function addStations(db: Pool, { stations, traffic, from }: ReplayOptions): Promise<Map<number, string>> {
  const keys = new Map<number, string>()
  const usual: { station: number; lane: number; slot: number; vehicles: number }[] = []
  const yesterday = dayOf(from) - 1
  for (let id = 1; id <= stations; id++) {
    const isExpressway = id % 3 === 0
    const roadNumber = isExpressway ? `S${1 + Math.floor(id / 10)}` : `DK${1 + Math.floor(id / 10)}`
    const station = benchStation(id, `${roadNumber} ${id}`)
    const { speedLimit, speedLimitHeavy } = isExpressway ? EXPRESSWAY : NATIONAL
    const limits = { speedLimit: speedLimit + TOLERANCE, speedLimitHeavy: speedLimitHeavy + TOLERANCE }
    await addLocation(db, { ...station, roadNumber, ...limits })
    keys.set(id, await createStationKey(db, id, from))
    const arrivals = arrivalsOf({ id, roadNumber, lanes: lanesOf(station.lanes) }, yesterday)
    const hours = Map.groupBy(arrivals, ({ at, laneNumber }) => `${laneNumber} ${Math.floor(hourOf(new Date(at)))}`)
    for (const [key, { length }] of hours) {
      const [lane = 0, slot = 0] = key.split(' ').map(Number)
      usual.push({ station: id, lane, slot, vehicles: length * traffic })
    }
  }
  const column = (name: keyof (typeof usual)[number]) => usual.map((row) => row[name])
  await db.execute(sql`
    insert into usual_traffic (location_id, lane_number, slot, vehicles)
    select * from unnest(${column('station')}::int[], ${column('lane')}::int[], ${column('slot')}::int[], ${column('vehicles')}::float8[])`)
  return keys
}

const lanesOf = (lanes: readonly { laneNumber: number }[]) =>
  lanes.map(({ laneNumber }) => ({ laneNumber, accuracyClass: { name: 'B+(7)' as const } }))

type Call = <T>(
  endpoint: Endpoint,
  options?: { query?: Record<string, string>; body?: unknown; key?: string },
) => Promise<T>

/** An operator with all rights, who signs in again before the session ends. */
async function createOperator(app: App, db: Pool, now: () => Date): Promise<Call> {
  let token = await signIn(db, now())
  let signedInAt = now()
  return async <T>(
    { method, path }: Endpoint,
    { query = {}, body, key }: { query?: Record<string, string>; body?: unknown; key?: string } = {},
  ): Promise<T> => {
    if (now().getTime() - signedInAt.getTime() > 6 * HOUR_MS) {
      signedInAt = now()
      token = await signIn(db, signedInAt)
    }
    const { statusCode, body: text } = await app.api.http.inject({
      method,
      url: `${API_BASE}${path}?${new URLSearchParams(query)}`,
      headers: { authorization: `Bearer ${token}`, ...(key && { 'idempotency-key': key }) },
      ...(body !== undefined && { payload: body as object }),
    })
    if (statusCode >= 400) throw new Error(`${method} ${path}: ${statusCode} ${text}`)
    return JSON.parse(text) as T
  }
}

/** Fills the black list, and opens an inspection at each station. */
async function prepare(operator: Call, { traffic, listedFactor = 1 }: ReplayOptions): Promise<SimulatedStation[]> {
  for (const { plate } of LISTED)
    await operator(addPlate, { body: { plateLpr: plate, typeOfList: BLACK, description: 'replay' } })
  const sites: SimulatedStation[] = []
  for (const location of await operator<WireLocation[]>(listStations)) {
    const body = { locationId: location.id, vehicleId: null, createdAt: null, state: 'takenOver', selection: 'random' }
    await operator(addInspection, { body, key: `station-${location.id}` })
    const isExpressway = volumeOf(location) > volumeOf({ roadNumber: 'DK1' })
    sites.push({
      location: { ...location, lastVehicleTime: null, closedAt: null },
      recurring: LISTED.map((vehicle) => ({ ...vehicle, every: Math.ceil(vehicle.every / listedFactor) })),
      ...(isExpressway ? EXPRESSWAY : NATIONAL),
      calibratedAt: [],
      traffic,
    })
  }
  return sites
}

/** What the stations post, by time, and which vehicles of it need an alarm. */
function postsOf(sites: readonly SimulatedStation[], { from, to, wrongWayEvery }: ReplayOptions, end: Date) {
  const [wrongWay, listed]: [PostedVehicle[], PostedVehicle[]] = [[], []]
  const plates = new Set(LISTED.map(({ plate }) => plate.replaceAll(' ', '')))
  const sources = sites.map((site) => {
    const detections = detectionsBetween(site, from, end)
    return { site, detections, next: detections.next() }
  })
  /** The vehicles of each station until a time. */
  function* until(at: Date): Generator<[number, WireMeasurement[]]> {
    for (const source of sources) {
      const vehicles: WireMeasurement[] = []
      for (; !source.next.done && source.next.value.at <= at; source.next = source.detections.next()) {
        const vehicle = withFault(measure(source.next.value, source.site), source.site.location.id)
        const isWrongWay = wrongWayEvery !== undefined && source.next.value.sequence % wrongWayEvery === 0
        if (vehicle) vehicles.push(isWrongWay ? { ...vehicle, wrongDirection: true } : vehicle)
      }
      const { id } = source.site.location
      for (const { sequence, createdAt, wrongDirection, plateLpr } of vehicles) {
        const posted = { id: vehicleId(id, sequence), createdAt: String(createdAt) }
        if (new Date(posted.createdAt) >= to) continue
        if (wrongDirection) wrongWay.push(posted)
        if (plateLpr && plates.has(plateLpr.replaceAll(' ', ''))) listed.push(posted)
      }
      if (vehicles.length > 0) yield [id, vehicles]
    }
  }
  return { until, wrongWay, listed }
}

/** The vehicle as a faulty station sends it; null: it does not. */
function withFault(vehicle: WireMeasurement, station: number): WireMeasurement | null {
  const hour = hourOf(new Date(vehicle.createdAt))
  const fault = FAULTS.find((it) => it.station === station && hour >= it.from && hour < it.to)
  if (!fault) return vehicle
  if (fault.noPlates) return { ...vehicle, plateLpr: null, nationality: null }
  return fault.lane !== undefined && fault.lane !== vehicle.laneNumber ? vehicle : null
}

async function postVehicles(app: App, key: string, vehicles: readonly WireMeasurement[]): Promise<void> {
  const { statusCode, body } = await app.api.http.inject({
    method: 'POST',
    url: API_BASE + post.path,
    headers: { authorization: `Bearer ${key}` },
    payload: vehicles as object,
  })
  const { rejected } = JSON.parse(body) as { rejected?: unknown[] }
  if (statusCode >= 400 || rejected?.length !== 0) throw new Error(`Posting refused: ${statusCode} ${body}`)
}

/** Checks of stations, which jobs do every minute and every quarter of an hour. */
async function runDueJobs(app: App, from: Date, to: Date): Promise<void> {
  const isDue = (minutes: number) =>
    Math.floor(from.getTime() / (minutes * MINUTE_MS)) < Math.floor(to.getTime() / (minutes * MINUTE_MS))
  const run = (name: string) => app.jobs.recurring.find((job) => job.name === name)?.work()
  if (isDue(1)) await run('watch-silence')
  if (isDue(15)) await run('watch-quality')
}

type Observations = Replay['shown'] & { silentHigh: Set<number> }

/** What the operator is shown now. */
async function watch(operator: Call, seen: Observations): Promise<void> {
  const { content } = await operator<{ content: alarms.WireAlarm[] }>(alarms.list)
  for (const { id, kind, priority, isSilent, vehicle } of content) {
    if (kind === 'wrong-way' && vehicle) seen.wrongWay.add(vehicle.id)
    if (priority === 'high' && isSilent) seen.silentHigh.add(id)
  }
  const hits = await operator<{ content: { id: number }[] }>(openHits)
  for (const { id } of hits.content) seen.listed.add(id)
}

const PAGE = 100

/** All alarms of the history, and all hits. */
async function raisedIn(operator: Call, from: Date, to: Date): Promise<Replay['raised']> {
  const pages = async <T>(endpoint: Endpoint, query: Record<string, string> = {}) => {
    const rows: T[] = []
    for (let page = 1; ; page++) {
      const found = await operator<{ content: T[]; totalCount: number }>(endpoint, {
        query: { ...query, page: `${page}`, limit: `${PAGE}` },
      })
      rows.push(...found.content)
      if (rows.length >= found.totalCount || found.content.length === 0) return rows
    }
  }
  const range = { dateTimeStart: from.toISOString(), dateTimeEnd: to.toISOString() }
  const history = await pages<alarms.WireAlarm>(alarms.history, range)
  const hits = await pages<{ id: number; createdAt: string }>(latestHits)
  return [
    ...history.map(({ kind, priority, vehicle, raisedAt }) => ({
      kind,
      priority,
      subject: vehicle?.id ?? null,
      createdAt: vehicle?.createdAt ?? null,
      raisedAt,
    })),
    ...hits.map(({ id: subject, createdAt }) => ({
      kind: 'black-list',
      priority: 'high',
      subject,
      createdAt,
      raisedAt: createdAt,
    })),
  ]
}

export type Rates = { median: number; worst: number; over: number; mean: number }

/** New alarms of an operator in the windows of ten minutes of a replay. */
export function ratesOf({ raised }: Pick<Replay, 'raised'>, from: Date, to: Date): Rates {
  const length = 10 * MINUTE_MS
  const windows = Array.from({ length: Math.ceil((to.getTime() - from.getTime()) / length) }, () => 0)
  for (const { raisedAt } of raised) {
    const at = Math.floor((Date.parse(raisedAt) - from.getTime()) / length)
    if (windows[at] !== undefined) windows[at]++
  }
  const sum = windows.reduce((total, count) => total + count, 0)
  const sorted = windows.toSorted((a, b) => a - b)
  return {
    median: sorted[Math.floor(sorted.length / 2)] ?? 0,
    worst: sorted.at(-1) ?? 0,
    over: windows.filter((count) => count > 10).length,
    mean: sum / windows.length,
  }
}

/** The vehicles of the generator without an alarm or hit, or that the operator was not shown. */
export function missingOf({ wrongWay, listed, raised, shown }: Replay): number[] {
  const subjectsOf = (kind: string) => new Set(raised.filter((it) => it.kind === kind).map(({ subject }) => subject))
  const [alarmed, hit] = [subjectsOf('wrong-way'), subjectsOf('black-list')]
  return [
    ...wrongWay.filter(({ id }) => !alarmed.has(id) || !shown.wrongWay.has(id)),
    ...listed.filter(({ id }) => !hit.has(id) || !shown.listed.has(id)),
  ].map(({ id }) => id)
}

/** The start of a day in Poland. */
export const midnightBefore = (at: Date): Date => new Date(instantOf(dayOf(at), 0))
