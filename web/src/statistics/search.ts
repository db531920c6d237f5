import {
  comparisons,
  divisions,
  graphTypes,
  presetNames,
  resolutionUnits,
  statNames,
} from '@rogatka/contract/options.ts'
import type { WireStatisticFilters } from '@rogatka/contract/statistics.ts'
import { violations } from '@rogatka/contract/vehicle.ts'
import { missingFieldsOf } from '../core/requiredFields.ts'
import { flagIn, instantIn, oneOf, positiveIn } from '../core/urlParams.ts'
import { changeFilters, readFilters, readTimeClassCountry } from '../vehicle/publicApi.ts'
import { keepsPreset } from './presets.ts'
import { chartViews, type StatisticsSearch, type Step } from './urlParams.ts'

const STEPS: readonly Step[] = [1, 2, 3]

/** Steps of the wizard; the SG variant has no conditions. */
export const stepsOf = (sg: boolean): Step[] => (sg ? [1, 3] : [1, 2, 3])

/** Parses the URL; malformed values are ignored, so that shared links never fail. */
export function readStatisticsSearch(address: Record<string, unknown>): StatisticsSearch {
  const filters = readFilters(address)
  const search: StatisticsSearch = {
    step: oneOf(STEPS, address.step),
    result: flagIn(address.result),
    preset: oneOf(presetNames, address.preset),
    locations: filters.locations,
    dateTimeStart: instantIn(address.dateTimeStart),
    dateTimeEnd: instantIn(address.dateTimeEnd),
    statResolutionUnit: oneOf(resolutionUnits, address.statResolutionUnit),
    statResolutionValue: positiveIn(address.statResolutionValue),
    statName: oneOf(statNames, address.statName),
    groupBy: oneOf(divisions, address.groupBy),
    graphType: oneOf(graphTypes, address.graphType),
    compare: oneOf(comparisons, address.compare),
    chartView: oneOf(chartViews, address.chartView),
    ctg8p1: filters.ctg8p1,
    laneNumbers: filters.laneNumbers,
    ...Object.fromEntries(violations.map((violation) => [violation, filters[violation]])),
    ...readTimeClassCountry(address),
  }
  return search.preset && !keepsPreset(search) ? { ...search, preset: 'basic' } : search
}

/**
 * Changes the search; empty values are removed. A change of a locked field resets the preset to basic. A changed query
 * hides the result, except for fewer stations, which only trim it.
 */
export function changeSearch(search: StatisticsSearch, changes: Partial<StatisticsSearch>): StatisticsSearch {
  const next = changeFilters<StatisticsSearch>(search, changes)
  const result = 'result' in changes ? changes.result : search.result && isTrimmed(search, next, changes)
  return {
    ...next,
    ...readTimeClassCountry(next),
    preset: next.preset && !keepsPreset(next) ? 'basic' : next.preset,
    result: result || undefined,
  }
}

function isTrimmed(
  before: StatisticsSearch,
  after: StatisticsSearch,
  changes: Partial<StatisticsSearch>,
): true | undefined {
  const { locations = [] } = after
  const onlyStations = Object.keys(changes).every((key) => key === 'locations')
  const isLess = locations.length > 0 && locations.every((id) => before.locations?.includes(id))
  return (onlyStations && isLess) || undefined
}

/** Missing required fields. */
export const missingFields = (search: StatisticsSearch) => ({
  ...missingFieldsOf(search),
  resolution: search.statResolutionUnit === undefined || search.statResolutionValue === undefined,
})

/** Display options, with defaults. */
export const defaultDisplay = ({
  statName = 'traffic',
  groupBy = 'lane',
  graphType = 'barPlot',
}: StatisticsSearch) => ({
  statName,
  groupBy,
  graphType,
})

/** The query of result and report; undefined while a required field is missing. */
export function toQuery(search: StatisticsSearch): WireStatisticFilters | undefined {
  const { step: _, result: __, preset: ___, chartView: ____, ...filters } = search
  const { dateTimeStart, dateTimeEnd, locations, statResolutionUnit, statResolutionValue } = filters
  if (!dateTimeStart || !dateTimeEnd || !locations?.length || !statResolutionUnit || !statResolutionValue) {
    return undefined
  }
  return {
    ...filters,
    ...defaultDisplay(search),
    dateTimeStart,
    dateTimeEnd,
    locations,
    statResolutionUnit,
    statResolutionValue,
    addLabel: true,
    addGraph: true,
  }
}
