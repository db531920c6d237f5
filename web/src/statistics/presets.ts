import type { Division, PresetName, ResolutionUnit } from '@rogatka/contract/options.ts'
import { type Category, violations } from '@rogatka/contract/vehicle.ts'
import { HOUR_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { lastDays } from '../ui/dateRange.ts'
import type { StatisticsSearch } from './urlParams.ts'

/*
 * Presets for frequent queries: each sets everything but stations and lanes, and locks some fields.
 */

/** Fields that a preset can lock. */
type Lock = 'start' | 'end' | 'resolution' | 'statName' | 'groupBy' | 'violations'

type Preset = {
  /** Length of the range up to now. */
  hours: number
  unit: ResolutionUnit
  groupBy: Division
  overspeed: boolean
  locks: readonly Lock[]
}

const day: Preset = { hours: 24, unit: 'hour', groupBy: 'lane', overspeed: false, locks: [] }

const presets: Record<PresetName, Preset> = {
  basic: day,
  current: { ...day, hours: 4, unit: 'minute', locks: ['start', 'end', 'resolution', 'statName'] },
  last24: { ...day, locks: ['start', 'resolution'] },
  last7: { ...day, hours: 7 * 24 },
  last31: { ...day, hours: 31 * 24, unit: 'day' },
  overSpeed: { ...day, groupBy: 'speedRange', overspeed: true, locks: ['groupBy', 'violations'] },
}

/** All categories except not classified. */
const CATEGORIES: Category[] = ['2', '3', '5', '7', '8', '9', '10', '11']

/** Range of a preset, up to the end of the current minute. */
export function rangeOf(name: PresetName, now: number): { dateTimeStart: string; dateTimeEnd: string } {
  const { hours } = presets[name]
  if (hours % 24 === 0) {
    const { start, end } = lastDays(hours / 24, now)
    return { dateTimeStart: start, dateTimeEnd: end }
  }
  const end = Math.ceil(now / MINUTE_MS) * MINUTE_MS
  return {
    dateTimeStart: new Date(end - hours * HOUR_MS).toISOString(),
    dateTimeEnd: new Date(end).toISOString(),
  }
}

const onlyOverspeed = (overspeed: boolean) =>
  Object.fromEntries(violations.map((violation) => [violation, (overspeed && violation === 'overspeed') || undefined]))

/** All fields that a preset sets. */
export function filtersOf(name: PresetName, now: number): Partial<StatisticsSearch> {
  const { unit, groupBy, overspeed } = presets[name]
  return {
    preset: name,
    ...rangeOf(name, now),
    statResolutionUnit: unit,
    statResolutionValue: 1,
    statName: 'traffic',
    groupBy,
    graphType: 'barPlot',
    ctg8p1: CATEGORIES,
    hours: undefined,
    weekdays: undefined,
    ctg323: undefined,
    nationalities: undefined,
    compare: undefined,
    ...onlyOverspeed(overspeed),
  }
}

export const isLocked = ({ preset = 'basic' }: StatisticsSearch, lock: Lock): boolean =>
  presets[preset].locks.includes(lock)

/** Whether the range is locked to now, so that it moves. */
export const isMoving = (search: StatisticsSearch): boolean => isLocked(search, 'start') && isLocked(search, 'end')

const FIELDS: Record<Lock, readonly (keyof StatisticsSearch)[]> = {
  // Locked ranges move with the clock, so their ends are not compared.
  start: [],
  end: [],
  resolution: ['statResolutionUnit', 'statResolutionValue'],
  statName: ['statName'],
  groupBy: ['groupBy'],
  violations,
}

/** Whether all locked fields have the values of the preset. */
export function keepsPreset(search: StatisticsSearch): boolean {
  const { preset = 'basic' } = search
  const presetValues = filtersOf(preset, 0)
  return presets[preset].locks.every((lock) =>
    FIELDS[lock].every((field) => (search[field] || undefined) === (presetValues[field] || undefined)),
  )
}
