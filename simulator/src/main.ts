import { constants, setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { location } from '@rogatka/contract/locations.ts'
import { type BackfillStation, backfill } from './backfill.ts'
import type { RecurringVehicle, SimulatedStation } from './detection.ts'
import { untilReady } from './http.ts'
import { logLine } from './log.ts'
import { createOutbox, defaultTiming } from './outbox.ts'
import { createSemaphore } from './queue.ts'
import { trafficRandom } from './random.ts'
import { type ResumePoint, runStation } from './station.ts'

/** What the parent writes as one line of JSON. */
type ParentMessage = {
  url: string
  backfillDays: number
  stations: {
    key: string
    location: unknown
    speedLimit: number | null
    speedLimitHeavy: number | null
    calibratedAt: string[]
    backfill: boolean
  }[]
  /** Who comes by again and again under a known plate. */
  regulars?: RecurringVehicle[]
}

/** What the parent may write in later lines: a lane falls silent, or is heard again. */
type LaneMessage = { location: number; lane: number; silent: boolean }

/** The lanes of which nothing is delivered, by location. */
const silentLanes = new Map<number, Set<number>>()

const silentAt = (location: number): Set<number> => {
  const known = silentLanes.get(location) ?? new Set()
  silentLanes.set(location, known)
  return known
}

const handleMessage = (line: string): void => {
  const { location, lane, silent } = JSON.parse(line) as LaneMessage
  if (silent) silentAt(location).add(lane)
  else silentAt(location).delete(lane)
  logLine(silent ? 'a lane falls silent' : 'a lane is heard again', { location, lane })
}

const MINUTE = 60_000

/** So much of the past is delivered in any case: what was still on its way when the station stopped comes again. */
const RECENT_MS = 10 * MINUTE
const KEPT_MS = 24 * 60 * MINUTE

/** A station that was away delivers what it has kept since its last vehicle, of the last day, with pictures of what is new. */
const resumePointOf = (site: SimulatedStation, backfill: boolean, now: Date): ResumePoint => {
  const recent = new Date(now.getTime() - RECENT_MS)
  const last = site.location.lastVehicleTime
  if (backfill || last === null) return { from: recent, picturesSince: recent }
  const from = Math.min(recent.getTime(), Math.max(last.getTime(), now.getTime() - KEPT_MS))
  return { from: new Date(from), picturesSince: last }
}

const simulatedStationOf = (
  { location: wire, speedLimit, speedLimitHeavy, calibratedAt }: ParentMessage['stations'][number],
  regulars: readonly RecurringVehicle[],
): SimulatedStation => ({
  location: location.parse(wire),
  regulars,
  speedLimit,
  speedLimitHeavy,
  calibratedAt: calibratedAt.map((at) => new Date(at)),
})

const run = async (line: string, signal: AbortSignal): Promise<void> => {
  const order = JSON.parse(line) as ParentMessage
  const url = new URL(order.url).origin
  const stations = order.stations.map((station) => ({
    ...station,
    site: simulatedStationOf(station, order.regulars ?? []),
  }))
  logLine('the simulator waits for the server', { stations: stations.length })
  await untilReady(url, signal)
  if (signal.aborted) return
  const now = new Date()
  const turn = createSemaphore(1)
  const tellers: BackfillStation[] = []
  const lives = stations.map(async ({ site, key, backfill }) => {
    const { id, shortName } = site.location
    const server = { url, key, signal }
    // What chance does to the line need not repeat itself.
    const random = trafficRandom(`line:${id}:${now.getTime()}`)
    const desk = { station: shortName, server, ndjson: id % 2 === 1, log: logLine, random, tempo: defaultTiming, turn }
    const outbox = createOutbox(desk)
    const beginning = resumePointOf(site, backfill, now)
    if (backfill) tellers.push({ site, desk, outbox, until: beginning.from })
    await Promise.all([outbox.run(), runStation(site, outbox, beginning, random, signal, silentAt(id))])
  })
  logLine('stations are on', { stations: stations.length, history: tellers.length })
  await Promise.all([...lives, backfill(tellers, order.backfillDays)])
}

// Painting pictures takes a lot of a small machine, where the portal comes first.
setPriority(constants.priority.PRIORITY_LOW)

const stop = new AbortController()
const exit = () => {
  stop.abort()
  process.exit(0)
}
process.on('SIGTERM', exit)
process.on('SIGINT', exit)
// The reader of our lines is the parent: gone, there is nobody to work for.
process.stdout.on('error', exit)

const lines = createInterface({ input: process.stdin })
lines.on('close', exit)
let hasMessage = false
lines.on('line', (line) => {
  if (hasMessage) return handleMessage(line)
  hasMessage = true
  run(line, stop.signal).catch((error) => {
    logLine('the simulator fails', { error: error instanceof Error ? error.message : String(error) })
    process.exit(1)
  })
})
