import { expect, test } from 'vitest'
import { changeSearch, readEffectivenessSearch, toQuery, widerRange } from './effectivenessSearch.ts'

const LAST = { start: '2026-07-22T08:00:00.000Z', end: '2026-10-20T08:00:00.000Z' }
const defined = (search: object) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))

test('reads a shared address, and ignores what is malformed', () => {
  const address = {
    dateTimeStart: '2026-10-01T00:00:00Z',
    dateTimeEnd: '2026-10-20T00:00:00Z',
    locations: '7,9',
    lanes: '701',
    selections: 'preselected,random',
    lane: '0',
  }
  expect(readEffectivenessSearch(address)).toEqual({
    dateTimeStart: '2026-10-01T00:00:00.000Z',
    dateTimeEnd: '2026-10-20T00:00:00.000Z',
    locations: [7, 9],
    lanes: [701],
    selections: ['preselected', 'random'],
    lane: 0,
  })
  const malformed = { ...address, dateTimeEnd: '2026-09-01', locations: 'x', lanes: '', selections: 'all', lane: '-1' }
  expect(defined(readEffectivenessSearch(malformed))).toEqual({})
})

test('selections without bias are the default, and not in the address', () => {
  expect(readEffectivenessSearch({ selections: 'reference,random' }).selections).toBeUndefined()
  expect(changeSearch({ selections: ['preselected'] }, { selections: [] }).selections).toBeUndefined()
  expect(defined(toQuery({ selections: ['complaint'] }, LAST))).toEqual({
    dateTimeStart: LAST.start,
    dateTimeEnd: LAST.end,
    selections: ['complaint'],
  })
})

test('a removed station takes its lanes along', () => {
  const search = readEffectivenessSearch({ locations: '7,9', lanes: '701,902' })
  expect(changeSearch(search, { locations: [9] })).toMatchObject({ locations: [9], lanes: [902] })
  expect(defined(changeSearch(search, { locations: [] }))).toEqual({})
})

test('an empty range is widened to a quarter, a year and the retention', () => {
  const now = Date.parse('2026-10-20T08:00:00Z')
  const ofDays = (days: number) => ({
    dateTimeStart: new Date(now - days * 86_400_000).toISOString(),
    dateTimeEnd: new Date(now).toISOString(),
  })
  const wider = (days: number) => widerRange(ofDays(days), now)
  expect([wider(1)?.days, wider(90)?.days, wider(365)?.days, wider(1_825)]).toEqual([90, 365, 1_825, null])
  expect(wider(1)).toMatchObject({ start: '2026-07-22T08:00:00.000Z', end: '2026-10-20T08:00:00.000Z' })
})
