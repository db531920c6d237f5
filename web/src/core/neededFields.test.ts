import { expect, test } from 'vitest'
import { isComplete, missingScope } from './neededFields.ts'

const RANGE = { dateTimeStart: '2026-06-01T06:00:00.000Z', dateTimeEnd: '2026-06-02T06:00:00.000Z' }

test('a query of the past needs stations and both ends of the range', () => {
  expect(missingScope({})).toEqual({ range: true, locations: true })
  expect(missingScope({ locations: [], ...RANGE })).toEqual({ range: false, locations: true })
  expect(missingScope({ locations: [7], dateTimeStart: RANGE.dateTimeStart })).toEqual({
    range: true,
    locations: false,
  })
  expect(isComplete(missingScope({ locations: [7], ...RANGE }))).toBe(true)
  expect(isComplete(missingScope({ locations: [], ...RANGE }))).toBe(false)
})
