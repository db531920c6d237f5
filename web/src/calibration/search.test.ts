import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from '../core/search.ts'
import { type CalibrationSearch, changeSearch, readCalibrationSearch, toQueries } from './search.ts'

const all: CalibrationSearch = {
  step: 2,
  locations: [3, 7],
  dateTimeStart: '2026-06-01T06:00:00.000Z',
  dateTimeEnd: '2026-06-02T06:00:00.000Z',
  statResolutionValue: 24,
}

test('restores all filters from a shared link', () => {
  expect(readCalibrationSearch(parseSearch(stringifySearch(all)))).toEqual(all)
})

test('replaces an unsupported resolution by two hours', () => {
  const search = readCalibrationSearch(parseSearch(stringifySearch({ ...all, statResolutionValue: 5 })))

  expect(search.statResolutionValue).toBeUndefined()
  expect(toQueries(search)?.load).toMatchObject({ statResolutionUnit: 'hour', statResolutionValue: 2 })
})

test('requests charts in report size, and deviations without a resolution', () => {
  const graph = { graphType: 'linePlot', graphWidth: 980, graphHeight: 458 }

  expect(toQueries(all)?.load).toMatchObject({ ...graph, addGraph: true, statResolutionValue: 24 })
  expect(toQueries(all)?.deviation).toEqual({
    ...graph,
    locations: [3, 7],
    dateTimeStart: all.dateTimeStart,
    dateTimeEnd: all.dateTimeEnd,
  })
})

test('has no query without stations or range', () => {
  expect(toQueries(changeSearch(all, { locations: [] }))).toBeUndefined()
  expect(toQueries(changeSearch(all, { dateTimeStart: undefined }))).toBeUndefined()
})
