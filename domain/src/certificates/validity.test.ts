import { expect, test } from 'vitest'
import { seededRandom } from '../core/random.ts'
import {
  certificateAt,
  certificateForWeighing,
  isValidAt,
  nextCertificate,
  sheetHeading,
  type Validity,
} from './validity.ts'

const certificate = {
  validFrom: '2026-01-01',
  validUntil: '2026-11-30',
  revoked: null,
  minSpeed: null,
  maxSpeed: null,
}
const at = (time: string) => new Date(time)

test.each([
  ['2026-11-30T22:59:59.999Z', true],
  ['2026-11-30T23:00:00.000Z', false],
  ['2025-12-31T23:00:00.000Z', true],
  ['2025-12-31T22:59:59.999Z', false],
])('a certificate until 30.11.2026 holds at %s: %s', (time, valid) => {
  expect(isValidAt(certificate, at(time))).toBe(valid)
})

test.each([
  ['2026-10-24T22:00:00.000Z', true],
  ['2026-10-24T21:59:59.999Z', false],
  ['2026-10-25T22:59:59.999Z', true],
  ['2026-10-25T23:00:00.000Z', false],
])('the day of 25 hours is valid at %s: %s', (time, valid) => {
  expect(isValidAt({ ...certificate, validFrom: '2026-10-25', validUntil: '2026-10-25' }, at(time))).toBe(valid)
})

test('a certificate holds until the instant at which it is revoked', () => {
  const revoked = { ...certificate, revoked: { at: at('2026-06-01T10:00:00Z') } }
  expect(isValidAt(revoked, at('2026-06-01T09:59:59.999Z'))).toBe(true)
  expect(isValidAt(revoked, at('2026-06-01T10:00:00Z'))).toBe(false)
})

test.each([
  // Before the first day, and in a gap by the one that ended last.
  ['2025-12-31T12:00:00Z', 'first', 'first'],
  ['2026-01-01T12:00:00Z', 'first', 'second'],
  ['2026-06-01T12:00:00Z', 'second', 'third'],
  ['2026-11-30T12:00:00Z', 'first', 'third'],
  ['2026-12-31T12:00:00Z', 'first', 'third'],
  ['2027-01-01T12:00:00Z', 'third', undefined],
])('a static scale weighs at %s by the %s certificate, the next is the %s', (time, expected, next) => {
  const certificates = [
    { ...certificate, name: 'first' },
    { ...certificate, name: 'second', validFrom: '2026-05-01', validUntil: '2026-10-31' },
    { ...certificate, name: 'third', validFrom: '2027-01-01', validUntil: '2027-12-31' },
  ]
  expect(certificateForWeighing(certificates, at(time))?.name).toBe(expected)
  expect(certificateForWeighing(certificates.toReversed(), at(time))?.name).toBe(expected)
  expect(nextCertificate(certificates, at(time))?.name).toBe(next)
  expect(nextCertificate(certificates.toReversed(), at(time))?.name).toBe(next)
})

test('the certificate with the latest first day holds', () => {
  const [now, later] = [at('2026-06-01T12:00:00Z'), at('2026-07-01T00:00:00Z')]
  const older = { ...certificate, name: 'older' }
  const newer = { ...certificate, validFrom: '2026-05-01', validUntil: '2026-06-30', name: 'newer' }
  const ever = { ...certificate, validFrom: '2000-01-01', name: 'ever' }
  const revoked = { ...newer, validFrom: '2026-05-02', revoked: { at: at('2026-05-03T00:00:00Z') }, name: 'revoked' }
  expect(certificateAt([older, newer, ever, revoked], now)?.name).toBe('newer')
  expect(certificateAt([newer, ever, older], now)?.name).toBe('newer')
  expect(certificateAt([newer, ever, older], later)?.name).toBe('older')
  expect(certificateAt([ever, older], now)?.name).toBe('older')
  expect(certificateAt([revoked], now)).toBeNull()
  expect(certificateAt([], now)).toBeNull()
})

test('a certificate that replaced an equal revoked one holds, also before the revocation', () => {
  const revoked = { ...certificate, revoked: { at: at('2026-06-01T10:00:00Z') } }
  for (const both of [
    [revoked, certificate],
    [certificate, revoked],
  ])
    expect(certificateAt(both, at('2026-05-01T00:00:00Z'))).toBe(certificate)
})

test('agrees with the calendar of Warsaw on random certificates', () => {
  const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Warsaw' })
  const random = seededRandom(4)
  const day = () => new Date(Date.UTC(2026, random.below(12), 1 + random.below(31))).toISOString().slice(0, 10)
  for (let run = 0; run < 300; run++) {
    const certificates = Array.from({ length: 1 + random.below(4) }, (): Validity => {
      const [validFrom = '', validUntil = ''] = [day(), day()].sort()
      return { validFrom, validUntil, revoked: random.happens(0.3) ? { at: new Date(`${day()}T12:00:00Z`) } : null }
    })
    // Mostly near midnight.
    const time = new Date(Date.parse(day()) + random.below(4) * 3_600_000 - 7_200_000 - random.below(2))
    const today = calendar.format(time)
    const holding = certificates.filter(
      ({ validFrom, validUntil, revoked }) =>
        !(validFrom > today || validUntil < today || (revoked && revoked.at <= time)),
    )
    const latest = holding.map(({ validFrom }) => validFrom).sort()
    expect(certificateAt(certificates, time)?.validFrom).toBe(latest.at(-1))
  }
})

const vehicle = { createdAt: at('2026-06-01T12:00:00Z'), speed: 70 }

test('the sheet of a preselection lane is a record with and without certificates', () => {
  expect(sheetHeading('preselection', [certificate], vehicle)).toEqual({ kind: 'preselection', signed: true })
  expect(sheetHeading('preselection', [], vehicle)).toEqual({ kind: 'preselection', signed: true })
})

test('the sheet of a lane for enforcement names its certificate, and without one is unsigned', () => {
  expect(sheetHeading('enforcement', [certificate], vehicle)).toEqual({ kind: 'certified', certificate, signed: true })
  const after = { ...vehicle, createdAt: at('2026-11-30T23:00:00Z') }
  expect(sheetHeading('enforcement', [certificate], after)).toEqual({ kind: 'uncertified', signed: false })
  expect(sheetHeading('enforcement', [], vehicle)).toEqual({ kind: 'uncertified', signed: false })
})

test('the sheet of a lane for statistics is no evidence', () => {
  expect(sheetHeading('statistics', [certificate], vehicle)).toEqual({ kind: 'uncertified', signed: false })
})

test.each([
  [40, 100, 40, true],
  [40, 100, 100, true],
  [40, 100, 39, false],
  [40, 100, 101, false],
  [40, 100, null, false],
  [40, null, 200, true],
  [40, null, 39, false],
  [null, 100, 1, true],
  [null, 100, 101, false],
  [null, 100, 0, false],
  [null, 100, null, false],
  [null, null, null, true],
  [null, null, 0, true],
])('a certificate for %s to %s km/h covers %s: %s', (minSpeed, maxSpeed, speed, covered) => {
  const heading = sheetHeading('enforcement', [{ ...certificate, minSpeed, maxSpeed }], { ...vehicle, speed })
  expect(heading.kind).toBe(covered ? 'certified' : 'uncertified')
})
