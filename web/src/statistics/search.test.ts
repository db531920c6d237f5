import { presetNames } from '@rogatka/contract/options.ts'
import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from '../core/search.ts'
import { filtersOf, isLocked, rangeOf } from './presets.ts'
import { changeSearch, missingFields, readStatisticsSearch, toQuery } from './search.ts'
import type { StatisticsSearch } from './urlParams.ts'

const NOW = Date.parse('2026-06-08T12:00:30Z')
const complete: StatisticsSearch = { step: 1, result: true, locations: [3, 7], ...filtersOf('basic', NOW) }
const present = (search: StatisticsSearch) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))

test('restores step, preset and query from a shared link', () => {
  expect(present(readStatisticsSearch(parseSearch(stringifySearch(complete))))).toEqual(present(complete))
})

test('keeps filters by time, class and country, the earlier period and the view of charts; the view is not part of the query', () => {
  const filters = { hours: [7, 8], weekdays: [0], ctg323: [0, 5], nationalities: ['PL', '-'], compare: 'year' } as const
  const search = readStatisticsSearch(parseSearch(stringifySearch({ ...complete, ...filters, chartView: 'multiples' })))
  expect(search).toMatchObject({ ...filters, chartView: 'multiples', result: true })
  expect(toQuery(search)).toMatchObject(filters)
  expect(toQuery(search)).not.toHaveProperty('chartView')
  expect(changeSearch(search, { hours: [] })).toMatchObject({ hours: undefined, result: undefined })
  expect(filtersOf('last7', NOW)).toMatchObject({ hours: undefined, compare: undefined })
})

test('ignores malformed values and keeps the rest', () => {
  const search = parseSearch('?step=9&locations=7&statResolutionValue=0&statName=colour&groupBy=lane&graphType=pie')

  expect(present(readStatisticsSearch(search))).toEqual({ locations: [7], groupBy: 'lane' })
})

test('a link that contradicts its preset is the basic one', () => {
  const link = stringifySearch({ ...filtersOf('current', NOW), statResolutionUnit: 'hour' })

  expect(readStatisticsSearch(parseSearch(link))).toMatchObject({ preset: 'basic', statResolutionUnit: 'hour' })
})

test('has no query without range, station or resolution', () => {
  expect(toQuery(complete)).toBeDefined()
  expect(missingFields({})).toEqual({ range: true, locations: true, resolution: true })
  for (const field of ['dateTimeEnd', 'locations', 'statResolutionValue'] as const) {
    expect(toQuery(changeSearch(complete, { [field]: undefined }))).toBeUndefined()
  }
})

test('the query has no wizard step', () => {
  const query = toQuery(complete) ?? {}

  expect(['step', 'result', 'preset'].filter((key) => key in query)).toEqual([])
  expect(toQuery(complete)).toMatchObject({ statName: 'traffic', addLabel: true, addGraph: true, graphType: 'barPlot' })
})

test('fewer stations trim the result, other changes clear it', () => {
  expect(changeSearch(complete, { locations: [7] }).result).toBe(true)
  expect(changeSearch(complete, { locations: [] }).result).toBeUndefined()
  expect(changeSearch(complete, { locations: [3, 7, 9] }).result).toBeUndefined()
  expect(changeSearch(complete, { ctg8p1: [] }).result).toBeUndefined()
})

test('removing a locked filter leaves the preset and keeps the rest', () => {
  const speeding: StatisticsSearch = { ...complete, ...filtersOf('overSpeed', NOW) }

  expect(changeSearch(speeding, { overspeed: false })).toMatchObject({ preset: 'basic', groupBy: 'speedRange' })
  expect(changeSearch(speeding, { ctg8p1: ['9'] }).preset).toBe('overSpeed')
})

test('presets reach back from the end of the running minute', () => {
  const hours = Object.fromEntries(
    presetNames.map((name) => {
      const { dateTimeStart = '', dateTimeEnd = '' } = rangeOf(name, NOW)
      expect(dateTimeEnd).toBe('2026-06-08T12:01:00.000Z')
      return [name, (Date.parse(dateTimeEnd) - Date.parse(dateTimeStart)) / 3_600_000]
    }),
  )

  expect(hours).toEqual({ basic: 24, current: 4, last24: 24, last7: 168, last31: 744, overSpeed: 24 })
})

test('every preset counts classified vehicles, and only speeding filters by violation', () => {
  for (const name of presetNames) {
    const { ctg8p1, overspeed, overload } = filtersOf(name, NOW)
    expect(ctg8p1).toEqual(['2', '3', '5', '7', '8', '9', '10', '11'])
    expect([overspeed, overload]).toEqual([name === 'overSpeed' || undefined, undefined])
  }
})

test('presets lock their own filters', () => {
  const held = (preset: (typeof presetNames)[number]) =>
    (['start', 'end', 'resolution', 'statName', 'groupBy', 'violations'] as const).filter((lock) =>
      isLocked({ preset }, lock),
    )

  expect(Object.fromEntries(presetNames.map((name) => [name, held(name)]))).toEqual({
    basic: [],
    current: ['start', 'end', 'resolution', 'statName'],
    last24: ['start', 'resolution'],
    last7: [],
    last31: [],
    overSpeed: ['groupBy', 'violations'],
  })
})
