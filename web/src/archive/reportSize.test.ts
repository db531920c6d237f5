import { expect, test } from 'vitest'
import { reportSize } from './reportSize.ts'

test('a list has a row for each vehicle, one of axles about four', () => {
  expect(reportSize('csv', 1_200)).toEqual({ rows: 1_200 })
  expect(reportSize('csv-axles', 1_200)).toEqual({ rows: 4_800, isEstimate: true })
  expect(reportSize('xlsx-axles', 0)).toEqual({ rows: 0, isEstimate: true })
})
