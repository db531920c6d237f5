import type { AlarmKind } from '@rogatka/contract/alarms.ts'
import type { Measurement } from '@rogatka/contract/ingest.ts'
import {
  type AlarmTimers,
  type Condition,
  evaluateAlarms,
  isClosedWhenCleared,
  REPEAT_MS,
  type StoredAlarm,
} from '@rogatka/domain/alarms/engine.ts'
import { isFlood, isSilent } from '@rogatka/domain/alarms/flood.ts'
import { type AlarmSource, alarmRules } from '@rogatka/domain/alarms/kinds.ts'
import { vehicleAlarms } from '@rogatka/domain/alarms/vehicles.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { derive } from '@rogatka/domain/ingest/derive.ts'
import type { LegalLimits } from '@rogatka/domain/vehicle/limits.ts'
import limits from '@rogatka/domain/vehicle/limits-pl.json' with { type: 'json' }
import { fromBits } from '@rogatka/domain/vehicle/violations.ts'
import { expect, test } from 'vitest'
import { detectionsOf, type SimulatedStation } from './detection.ts'
import { isHeavy } from './kinds.ts'
import { measure } from './measure.ts'
import { sampleStation } from './sample.ts'
import { dayOf } from './warsaw.ts'

const MIDNIGHT = Date.parse('2026-10-19T22:00:00Z')
const END = MIDNIGHT + DAY_MS
const DAY = dayOf(new Date(MIDNIGHT + 12 * HOUR_MS))
/** A second of a replay that is ten times as fast. */
const STEP_MS = 10_000
/** How long an operator needs to acknowledge what makes a sound. */
const ACKNOWLEDGED_AFTER_MS = 40_000

const sites = Array.from(
  { length: 17 },
  (_, index): SimulatedStation => ({
    ...sampleStation,
    location: { ...sampleStation.location, id: index + 1, roadNumber: 'S8' },
  }),
)
const stations = { inspecting: new Set(sites.map(({ location }) => location.id)), overheight: new Set<number>() }

type CandidateVehicle = Parameters<typeof vehicleAlarms>[0] & { subject: string }

/** The vehicles of the day that may cause alarms, by time, and how many passed. Light ones are never overloaded. */
function traffic() {
  let vehicles = 0
  const passing: CandidateVehicle[] = []
  for (const site of sites) {
    const { id } = site.location
    const lanes = [1, 2].map((laneNumber) => ({ laneNumber, accuracyClass: 'B+(7)' as const }))
    const station = {
      id,
      speedLimit: 120,
      speedLimitHeavy: 80,
      distanceToSign: 1_500,
      distanceToCheckpoint: 6_000,
      lanes,
    }
    for (const detection of detectionsOf(site, DAY, new Date(MIDNIGHT), new Date(END))) {
      vehicles++
      if (!detection.wrongDirection && !isHeavy(detection.vehicle.form.kind)) continue
      const wire = { ...measure(detection, site), createdAt: detection.at } as unknown as Measurement
      const derived = derive(wire, station, limits as unknown as LegalLimits)
      const { wrongDirection, overload, overheight } = fromBits(derived.violations)
      if (!wrongDirection && !overload) continue
      const { overloadSA, overloadMA, overloadTL, checkpointTime } = derived
      const loads = { overloadSA, overloadMA, overloadTL }
      const times = { createdAt: detection.at, checkpointTime }
      passing.push({ subject: `${derived.id}`, ...times, ...loads, wrongDirection, overheight, location: { id } })
    }
  }
  return { vehicles, passing: passing.toSorted((a, b) => +a.createdAt - +b.createdAt) }
}

/** Faults of the equipment: what fails, from and to which hour of the day. */
const faults: [AlarmKind, string, number, number][] = [
  ['station-silent', '3/0', 5.2, 6.1],
  ['sign-silent', 'sign 3', 5.3, 6],
  ['lane-silent', '5/2', 9, 12],
  ['plates-unreadable', '5/0', 9, 10],
  // A gantry loses power: station, sign and clock at once, on top of the traffic of the afternoon.
  ['station-silent', '8/0', 15, 16],
  ['sign-silent', 'sign 8', 15, 16],
  ['sign-not-cleared', 'sign 8', 15, 15.5],
  ['clock-skew', '8/0', 16, 16.5],
  ['certificate-nearing', '9/1', 0, 24],
  ['outbox-stuck', 'outbox', 20, 20.5],
]

test('a day of 92,000 vehicles gives an operator a humane number of alarms, and hides no high one', () => {
  const { vehicles, passing } = traffic()
  expect(vehicles).toBeGreaterThan(92_000)
  const isPassed = new Set<string>()
  const alarms: (StoredAlarm & { raisedAt: Date })[] = []
  const raised: Date[] = []
  const silentHigh: string[] = []
  let timers: AlarmTimers = new Map()
  let live: CandidateVehicle[] = []
  let next = 0
  let id = 0
  for (let at = MIDNIGHT; at < END + HOUR_MS; at += STEP_MS) {
    const now = new Date(at)
    for (; next < passing.length && +(passing[next] as CandidateVehicle).createdAt <= at; next++)
      live.push(passing[next] as CandidateVehicle)
    const observations = new Map<AlarmSource, Condition[]>([['vehicles', []]])
    const add = (condition: Condition) => {
      const { source } = alarmRules[condition.kind]
      observations.set(source, [...(observations.get(source) ?? []), condition])
    }
    live = live.filter((vehicle) => vehicleAlarms(vehicle, stations, now).endsAt > now)
    for (const vehicle of live) {
      const { kinds, endsAt } = vehicleAlarms(vehicle, stations, now)
      for (const kind of kinds) add({ kind, subject: vehicle.subject, endsAt })
    }
    const hour = (at - MIDNIGHT) / HOUR_MS
    for (const { source } of Object.values(alarmRules)) if (!observations.has(source)) observations.set(source, [])
    for (const [kind, subject, from, to] of faults) if (hour >= from && hour < to) add({ kind, subject })

    const current = alarms.filter(({ closedAt }) => closedAt === null || at - closedAt.getTime() < REPEAT_MS)
    const result = evaluateAlarms(current, observations, timers, now)
    timers = result.timers
    const isFlooded = isFlood(raised.slice(-100), now)
    for (const change of result.changes) {
      const alarm = 'id' in change ? (alarms[change.id] as StoredAlarm) : undefined
      if (change.type === 'raise') {
        const { kind, subject, endsAt = null } = change.condition
        raised.push(now)
        const open = { clearedAt: null, acknowledgedAt: null, shelvedUntil: null, closedAt: null }
        alarms.push({ id: id++, kind, subject, endsAt, raisedAt: now, raisedTimes: [now], ...open })
        isPassed.add(`${kind} ${subject}`)
        const { priority } = alarmRules[kind]
        if (priority === 'high' && isSilent({ priority, isRepeating: false }, isFlooded)) silentHigh.push(subject)
      } else if (alarm && change.type === 'clear') {
        Object.assign(alarm, { clearedAt: now, closedAt: isClosedWhenCleared(alarm, now) ? now : null })
      } else if (alarm) Object.assign(alarm, { clearedAt: null, closedAt: null, acknowledgedAt: null })
    }
    for (const alarm of alarms.slice(-50))
      if (!alarm.acknowledgedAt && at - alarm.raisedAt.getTime() >= ACKNOWLEDGED_AFTER_MS)
        Object.assign(alarm, { acknowledgedAt: now, closedAt: alarm.closedAt ?? (alarm.clearedAt && now) })
  }

  // Every vehicle on the wrong way, and the sign that could not be cleared, was an alarm of its own that made a sound.
  const wrongWay = passing.filter(({ wrongDirection }) => wrongDirection).map(({ subject }) => `wrong-way ${subject}`)
  expect(wrongWay.length).toBeGreaterThan(20)
  expect([...wrongWay, 'sign-not-cleared sign 8'].filter((key) => !isPassed.has(key))).toEqual([])
  expect(alarms.filter(({ kind }) => kind === 'wrong-way')).toHaveLength(wrongWay.length)
  expect(silentHigh).toEqual([])
  expect(alarms.some(({ kind }) => kind === 'overload')).toBe(true)
  for (const [kind, subject] of faults) expect(isPassed).toContain(`${kind} ${subject}`)
  expect(alarms.filter(({ closedAt }) => closedAt === null)).toEqual([])

  const windows = Array.from({ length: 144 }, () => 0)
  for (const { raisedAt } of alarms) {
    const window = Math.floor((raisedAt.getTime() - MIDNIGHT) / (10 * MINUTE_MS))
    windows[window] = (windows[window] ?? 0) + 1
  }
  const [median, worst] = [windows.toSorted((a, b) => a - b)[72] as number, Math.max(...windows)]
  expect(median).toBeLessThanOrEqual(1)
  expect(worst).toBeLessThanOrEqual(10)
})
