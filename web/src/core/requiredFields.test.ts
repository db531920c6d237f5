import { expect, test } from 'vitest'
import { isNothingMissing, missingFieldsOf } from './requiredFields.ts'

const RANGE = { dateTimeStart: '2026-06-01T06:00:00.000Z', dateTimeEnd: '2026-06-02T06:00:00.000Z' }

test('a query of the past needs stations and both ends of the range', () => {
  expect(missingFieldsOf({})).toEqual({ range: true, locations: true })
  expect(missingFieldsOf({ locations: [], ...RANGE })).toEqual({ range: false, locations: true })
  expect(missingFieldsOf({ locations: [7], dateTimeStart: RANGE.dateTimeStart })).toEqual({
    range: true,
    locations: false,
  })
  expect(isNothingMissing(missingFieldsOf({ locations: [7], ...RANGE }))).toBe(true)
  expect(isNothingMissing(missingFieldsOf({ locations: [], ...RANGE }))).toBe(false)
})
