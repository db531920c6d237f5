import { expect, test } from 'vitest'
import type { Validity } from './validity.ts'
import { endedOn, expiryOf } from './warnings.ts'

const valid = (validFrom: string, validUntil: string): Validity => ({ validFrom, validUntil })
const noon = (day: string) => new Date(`${day}T11:00:00Z`)
const year = valid('2026-01-01', '2026-11-30')

test.each([
  ['2026-08-31', 91, null, null],
  ['2026-09-01', 90, 'days90', 'low'],
  ['2026-10-30', 31, 'days90', 'low'],
  ['2026-10-31', 30, 'days30', 'low'],
  ['2026-11-22', 8, 'days30', 'low'],
  ['2026-11-23', 7, 'days7', 'medium'],
  ['2026-11-30', 0, 'days7', 'medium'],
])('on %s a certificate until 30.11.2026 has %s days: %s, %s', (day, days, level, priority) => {
  const expiry = expiryOf([year], noon(day))
  expect([expiry.lastDay, expiry.days]).toEqual(['2026-11-30', days])
  expect([expiry.warning?.level ?? null, expiry.warning?.priority ?? null]).toEqual([level, priority])
})

test('warns from the first day without a certificate, which begins at midnight in Warsaw', () => {
  expect(expiryOf([year], new Date('2026-11-30T22:59:59.999Z')).warning?.level).toBe('days7')
  const ended = { lastDay: null, days: null, warning: { level: 'ended', days: null, priority: 'medium' } }
  expect(expiryOf([year], new Date('2026-11-30T23:00:00.000Z'))).toEqual(ended)
  expect(expiryOf([year], noon('2027-05-01'))).toEqual(ended)
})

test('a certificate that follows without a gap prevents the warning', () => {
  const now = noon('2026-11-23')
  const next = valid('2026-12-01', '2027-11-30')
  expect(expiryOf([next, year], now)).toEqual({ lastDay: '2027-11-30', days: 372, warning: null })
  expect(expiryOf([year, valid('2026-12-01', '2026-12-31'), valid('2027-01-01', '2027-01-31')], now)).toMatchObject({
    lastDay: '2027-01-31',
    warning: { level: 'days90' },
  })
  // The last of several that follow, in any order, as long as there is no gap.
  const [long, short] = [valid('2026-11-15', '2027-03-31'), valid('2026-11-20', '2026-12-31')]
  for (const both of [
    [long, short],
    [short, long],
  ])
    expect(expiryOf([...both, year], now)).toMatchObject({ lastDay: '2027-03-31' })
  expect(expiryOf([valid('2027-04-02', '2028-01-01'), long, year], now)).toMatchObject({ lastDay: '2027-03-31' })
  expect(expiryOf([year, valid('2026-12-02', '2027-11-30')], now)).toMatchObject({ days: 7 })
  expect(expiryOf([year, { ...next, revoked: { at: noon('2026-11-20') } }], now)).toMatchObject({ days: 7 })
  expect(expiryOf([year, { ...next, revoked: { at: now } }], now)).toMatchObject({ days: 7 })
  // Of two that hold the last day counts, whichever took precedence.
  expect(expiryOf([valid('2020-01-01', '2027-06-30'), year], now)).toMatchObject({ lastDay: '2027-06-30' })
  expect(expiryOf([year, valid('2026-02-01', '2026-11-25')], now)).toMatchObject({ lastDay: '2026-11-30' })
})

test('a revoked certificate counts as ended, a future one does not', () => {
  const now = noon('2026-06-01')
  expect(expiryOf([{ ...year, revoked: { at: now } }], now).warning?.level).toBe('ended')
  expect(expiryOf([{ ...valid('2026-06-01', '2027-06-01'), revoked: { at: now } }], now).warning?.level).toBe('ended')
  expect(expiryOf([valid('2020-01-01', '2026-05-31')], now).warning?.level).toBe('ended')
  expect(expiryOf([valid('2026-06-02', '2027-06-01')], now)).toEqual({ lastDay: null, days: null, warning: null })
  expect(expiryOf([], now).warning).toBeNull()
})

test('the last certificate ended on its last day, or on that of its revocation', () => {
  const now = noon('2026-06-01')
  const [old, before] = [valid('2025-01-01', '2025-12-31'), valid('2026-01-01', '2026-05-31')]
  expect(endedOn([before, old], now)).toBe('2026-05-31')
  expect(endedOn([old, { ...before, revoked: { at: noon('2026-03-04') } }], now)).toBe('2026-03-04')
  // Revoked today, at 00:30 in Warsaw.
  expect(endedOn([old, { ...year, revoked: { at: new Date('2026-05-31T22:30:00Z') } }], now)).toBe('2026-06-01')
  // Never valid: revoked before its first day, or still to come.
  expect(endedOn([{ ...before, revoked: { at: noon('2025-12-31') } }], now)).toBeNull()
  expect(endedOn([valid('2026-06-02', '2027-01-01')], now)).toBeNull()
  expect(endedOn([{ ...year, revoked: { at: noon('2026-07-01') } }, year], now)).toBeNull()
})
