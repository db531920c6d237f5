import type { HealthKind } from '@rogatka/contract/tickets.ts'
import type { HealthCell, HealthCheck, HealthFailure, HealthLevel } from '@rogatka/contract/tickets-health.ts'
import { silentSince } from '../locations/availability.ts'
import { ATTENTION, isClockOff, type Quality, qualityPercents } from './health.ts'

type Station = {
  lastVehicleTime: Date | null
  /** Minutes without data after which it counts as silent. */
  silentAfterMinutes: number
  lanes: readonly { laneNumber: number; accuracyClass: object | null }[]
}
type Check = Pick<HealthCheck, 'kind' | 'laneNumber' | 'state' | 'evidence'>
type Failure = HealthFailure & { kind: HealthKind }

/** Kinds in the order of the table; whether the station sends data at all is first. */
const KINDS = [
  'station-silent',
  'lane-silent',
  'images-missing',
  'plates-unreadable',
  'clock-skew',
  'calibration-deviation',
] as const satisfies readonly HealthKind[]

type CellReading = Pick<HealthCell, 'level' | 'value' | 'laneNumber'>
const createReading = (
  level: HealthLevel,
  value: number | null = null,
  laneNumber: number | null = null,
): CellReading => ({
  level,
  value,
  laneNumber,
})

/** The checks of a station as cells of a table: what is measured, and whether it is a failure, needs attention or is normal. */
export function cellsOf(
  station: Station,
  checks: readonly Check[],
  failures: readonly Failure[],
  lastDay: Quality,
  now: Date,
): HealthCell[] {
  const ofKind = (kind: HealthKind) => checks.filter((check) => check.kind === kind)
  const isFailing = (kind: HealthKind) =>
    failures.some((failure) => failure.kind === kind) || ofKind(kind).some(({ state }) => state === 'bad')
  const { imagesPercent, platesPercent } = qualityPercents(lastDay)
  const { lastVehicleTime } = station
  // What a silent station measures is not known; its failure is not repeated for each check.
  const isSilent = lastVehicleTime === null || isFailing('station-silent')

  const connection = (): CellReading => {
    const seconds = lastVehicleTime && Math.max(0, Math.floor((now.getTime() - lastVehicleTime.getTime()) / 1_000))
    if (isFailing('station-silent')) return createReading('failure', seconds)
    const needsAttention = !lastVehicleTime || silentSince(lastVehicleTime, station.silentAfterMinutes, now)
    return createReading(needsAttention ? 'attention' : 'normal', seconds)
  }

  const lanes = (): CellReading => {
    if (isSilent) return createReading('unknown')
    if (isFailing('lane-silent')) return createReading('failure')
    return createReading(ofKind('lane-silent').some(({ state }) => state === 'well') ? 'normal' : 'unknown')
  }

  const share = (kind: HealthKind, percent: number | null, minPercent: number): CellReading => {
    const [check] = ofKind(kind)
    if (isSilent) return createReading('unknown')
    if (!check) return createReading('none')
    const { sharePercent } = check.evidence
    if (isFailing(kind))
      return createReading('failure', sharePercent === null ? percent : roundedTenths(100 - sharePercent))
    if (percent === null) return createReading('unknown')
    return createReading(percent < minPercent ? 'attention' : 'normal', percent)
  }

  const clock = (): CellReading => {
    const seconds = ofKind('clock-skew')[0]?.evidence.clockSeconds ?? null
    if (isSilent) return createReading('unknown')
    if (isFailing('clock-skew')) return createReading('failure', seconds)
    if (seconds === null) return createReading('unknown')
    return createReading(isClockOff(seconds) ? 'attention' : 'normal', seconds)
  }

  const calibration = (): CellReading => {
    if (station.lanes.every(({ accuracyClass }) => accuracyClass === null)) return createReading('none')
    const deviations = ofKind('calibration-deviation').flatMap(({ laneNumber, state, evidence }) =>
      evidence.deviationPercent === null ? [] : { laneNumber, state, percent: evidence.deviationPercent },
    )
    const isFailure = isFailing('calibration-deviation')
    const shown = isFailure ? deviations.filter(({ state }) => state === 'bad') : deviations
    const [worst] = shown.toSorted((a, b) => Math.abs(b.percent) - Math.abs(a.percent))
    if (isFailure) return createReading('failure', worst?.percent ?? null, worst?.laneNumber ?? null)
    return worst ? createReading('normal', worst.percent, worst.laneNumber) : createReading('unknown')
  }

  const cells: Record<(typeof KINDS)[number], () => CellReading> = {
    'station-silent': connection,
    'lane-silent': lanes,
    'images-missing': () => share('images-missing', imagesPercent, ATTENTION.imagesPercent),
    'plates-unreadable': () => share('plates-unreadable', platesPercent, ATTENTION.platesPercent),
    'clock-skew': clock,
    'calibration-deviation': calibration,
  }
  return KINDS.map((kind) => {
    const cell = cells[kind]()
    const ofCell = cell.level === 'failure' ? failures.filter((failure) => failure.kind === kind) : []
    return { kind, ...cell, failures: ofCell.map(({ kind: _, ...failure }) => failure) }
  })
}

const roundedTenths = (value: number): number => Math.round(value * 10) / 10

/** The lanes of a station, each with its own state. */
export function laneLevels(
  { lanes, lastVehicleTime }: Station,
  checks: readonly Check[],
  failures: readonly Failure[],
): { laneNumber: number; level: HealthLevel }[] {
  const isSilent = lastVehicleTime === null || failures.some(({ kind }) => kind === 'station-silent')
  return lanes.map(({ laneNumber }) => {
    const check = checks.find((one) => one.kind === 'lane-silent' && one.laneNumber === laneNumber)
    const isFailing = failures.some((one) => one.kind === 'lane-silent' && one.laneNumber === laneNumber)
    if (isSilent) return { laneNumber, level: 'unknown' }
    if (isFailing || check?.state === 'bad') return { laneNumber, level: 'failure' }
    return { laneNumber, level: check?.state === 'well' ? 'normal' : 'unknown' }
  })
}

const SEVERITIES = ['failure', 'attention', 'normal'] as const

/** The worst of the cells; what is not measured counts as normal. */
export const worstLevel = (cells: readonly Pick<HealthCell, 'level'>[]): (typeof SEVERITIES)[number] =>
  SEVERITIES.find((severity) => cells.some(({ level }) => level === severity)) ?? 'normal'

type RankedStation = { level: (typeof SEVERITIES)[number]; location: { shortName: string } }

/** Failures, attention, normal; then by name. */
export const compareStations = (a: RankedStation, b: RankedStation): number =>
  SEVERITIES.indexOf(a.level) - SEVERITIES.indexOf(b.level) ||
  a.location.shortName.localeCompare(b.location.shortName, 'pl', { numeric: true })
