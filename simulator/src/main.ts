import { constants, setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import type { Scale } from '@rogatka/contract/certificates.ts'
import { location } from '@rogatka/contract/locations.ts'
import { DAY_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import type { PastInspection } from '@rogatka/domain/inspections/pastInspection.ts'
import { type BackfillStation, backfill } from './backfill.ts'
import type { RecurringVehicle, SimulatedStation } from './detection.ts'
import { pause, untilReady } from './http.ts'
import { logLine } from './log.ts'
import type { OfficerAccount } from './officers/client.ts'
import { pastInspections } from './officers/history.ts'
import { runOfficers } from './officers/live.ts'
import { createOutbox, defaultTiming } from './outbox.ts'
import { createSemaphore } from './queue.ts'
import { trafficRandom } from './random.ts'
import { type ResumePoint, runStation } from './station.ts'

/** The first line of stdin, as JSON. */
type ParentMessage = {
  url: string
  backfillDays: number
  /** Share of the usual traffic, 0 to 1. */
  traffic: number
  stations: {
    key: string
    location: unknown
    speedLimit: number | null
    speedLimitHeavy: number | null
    calibratedAt: string[]
    backfill: boolean
  }[]
  /** Recurring vehicles with known plates. */
  recurring?: RecurringVehicle[]
  /** Null: nobody inspects. `pastFrom`: since when the parent wants past inspections; null: it has them. */
  officers?: { scales: Scale[]; accounts: OfficerAccount[]; pastFrom: string | null } | null
}

/** Later lines of stdin, as JSON: stop or resume a lane, or let the officers begin. */
type LaneMessage = { location: number; lane: number; silent: boolean }
type LaterMessage = LaneMessage | { officersOnDuty: true }

/** Resolves when the officers may begin. */
const officersOnDuty = Promise.withResolvers<void>()

/** Stopped lanes, by location. */
const stoppedLanes = new Map<number, Set<number>>()

const stoppedLanesAt = (location: number): Set<number> => {
  const lanes = stoppedLanes.get(location) ?? new Set()
  stoppedLanes.set(location, lanes)
  return lanes
}

const handleMessage = (line: string): void => {
  const message = JSON.parse(line) as LaterMessage
  if ('officersOnDuty' in message) {
    officersOnDuty.resolve()
    return
  }
  const { location, lane, silent } = message
  if (silent) stoppedLanesAt(location).add(lane)
  else stoppedLanesAt(location).delete(lane)
  logLine(silent ? 'a lane falls silent' : 'a lane is heard again', { location, lane })
}

/** Period that is always sent again: vehicles that were queued when the station stopped. */
const MIN_BACKLOG_MS = 10 * MINUTE_MS
/** Capacity of the buffer of a station. */
const MAX_BACKLOG_MS = DAY_MS

/** A station that was offline sends the vehicles since its last one, up to a day, and images of new ones. */
const resumePointOf = (site: SimulatedStation, backfill: boolean, now: Date): ResumePoint => {
  const recent = new Date(now.getTime() - MIN_BACKLOG_MS)
  const last = site.location.lastVehicleTime
  if (backfill || last === null) return { from: recent, imagesSince: recent }
  const from = Math.min(recent.getTime(), Math.max(last.getTime(), now.getTime() - MAX_BACKLOG_MS))
  return { from: new Date(from), imagesSince: last }
}

const simulatedStationOf = (
  { location: wire, speedLimit, speedLimitHeavy, calibratedAt }: ParentMessage['stations'][number],
  { recurring = [], traffic }: Pick<ParentMessage, 'recurring' | 'traffic'>,
): SimulatedStation => ({
  location: location.parse(wire),
  recurring,
  traffic,
  speedLimit,
  speedLimitHeavy,
  calibratedAt: calibratedAt.map((at) => new Date(at)),
})

const run = async (line: string, signal: AbortSignal): Promise<void> => {
  const message = JSON.parse(line) as ParentMessage
  const url = new URL(message.url).origin
  const stations = message.stations.map((station) => ({
    ...station,
    site: simulatedStationOf(station, message),
  }))
  logLine('the simulator waits for the server', { stations: stations.length })
  await untilReady(url, signal)
  if (signal.aborted) return
  const now = new Date()
  const withDrawLimit = createSemaphore(1)
  const backfillStations: BackfillStation[] = []
  const running = stations.map(async ({ site, key, backfill }) => {
    const { id, shortName } = site.location
    const server = { url, key, signal }
    // Delays need not be reproducible.
    const random = trafficRandom(`line:${id}:${now.getTime()}`)
    const sender = {
      station: shortName,
      server,
      ndjson: id % 2 === 1,
      log: logLine,
      random,
      timing: defaultTiming,
      withDrawLimit,
    }
    const outbox = createOutbox(sender)
    const resumePoint = resumePointOf(site, backfill, now)
    if (backfill) backfillStations.push({ site, sender, outbox, until: resumePoint.from })
    await Promise.all([outbox.run(), runStation(site, outbox, resumePoint, random, signal, stoppedLanesAt(id))])
  })
  logLine('stations are on', { stations: stations.length, history: backfillStations.length })
  const sites = stations.map(({ site }) => site)
  const backfilling = backfill(backfillStations, message.backfillDays)
  await Promise.all([...running, backfilling.then(() => inspect(message, url, sites, now, signal))])
}

/** The past inspections are sent to the parent once their vehicles are stored; then officers inspect live vehicles. */
const inspect = async (
  { officers }: ParentMessage,
  url: string,
  sites: readonly SimulatedStation[],
  now: Date,
  signal: AbortSignal,
): Promise<void> => {
  if (!officers || signal.aborted) return
  const { scales, accounts, pastFrom } = officers
  if (pastFrom === null) officersOnDuty.resolve()
  else {
    const past: PastInspection[] = []
    const team = { scales, officers: accounts.map(({ username }) => username) }
    for (const ofDuty of pastInspections(sites, team, new Date(pastFrom), new Date(now.getTime() - MIN_BACKLOG_MS))) {
      past.push(...ofDuty)
      // Live vehicles are sent meanwhile.
      await pause(0, signal)
    }
    logLine('past inspections', { inspections: past.length })
    process.send?.(past)
  }
  await officersOnDuty.promise
  await runOfficers({ url, sites, scales, accounts, log: logLine, signal })
}

// Drawing images is CPU-intensive; the portal has priority.
setPriority(constants.priority.PRIORITY_LOW)

const stop = new AbortController()
const exit = () => {
  stop.abort()
  process.exit(0)
}
process.on('SIGTERM', exit)
process.on('SIGINT', exit)
// EPIPE: the parent has exited.
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
