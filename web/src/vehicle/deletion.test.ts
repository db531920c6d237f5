import { expect, test } from 'vitest'
import { deletionOf } from './deletion.ts'

// 90 days before is Thursday 2 July.
const now = Date.parse('2026-09-30T12:00:00Z')
const range = (dateTimeStart: string, dateTimeEnd: string) => ({ dateTimeStart, dateTimeEnd })
const deletion = (partitions: 'month' | 'week', from: string, until: string) =>
  deletionOf(range(from, until), { retentionDays: 90, partitions }, now)

test('vehicles are deleted by months that ended before the retention period', () => {
  expect(deletion('month', '2026-06-01', '2026-07-01')).toBe('all')
  expect(deletion('month', '2026-06-01', '2026-07-01T00:00:00.001Z')).toBe('some')
  expect(deletion('month', '2026-07-02T11:59:59Z', '2026-07-03')).toBe('some')
  expect(deletion('month', '2026-07-02T12:00:00Z', '2026-07-03')).toBe('none')
})

test('vehicles are deleted by weeks from Monday where partitions are weeks', () => {
  const late = Date.parse('2026-10-22T12:00:00Z')
  const ofWeek = (until: string) =>
    deletionOf(range('2026-07-01', until), { retentionDays: 90, partitions: 'week' }, late)
  // 90 days before is Friday 24 July: the week begins on Monday 20 July, the month on 1 July.
  expect([ofWeek('2026-07-20'), ofWeek('2026-07-20T00:00:00.001Z')]).toEqual(['all', 'some'])
  expect(deletion('week', '2026-06-01', '2026-06-29')).toBe('all')
  expect(deletion('week', '2026-06-01', '2026-07-01')).toBe('some')
})

test('a search without a range may have any vehicle', () => {
  expect(deletionOf({}, { retentionDays: 90, partitions: 'month' }, now)).toBe('none')
})
