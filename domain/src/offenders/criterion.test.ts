import { expect, test } from 'vitest'
import { seededRandom } from '../core/random.ts'
import { offenderSince } from './criterion.ts'

const noon = (day: string) => new Date(`${day}T11:00:00Z`)

test.each<[string[], string | null]>([
  [[], null],
  [['2026-01-01', '2026-02-01'], null],
  [['2026-01-01', '2026-02-01', '2026-03-01'], '2026-03-01'],
  [['2026-03-01', '2026-01-01', '2026-02-01'], '2026-03-01'],
  [['2026-01-01', '2026-01-01', '2026-02-01'], null],
  [['2025-01-01', '2025-06-01', '2025-12-31'], '2025-12-31'],
  [['2025-01-01', '2025-06-01', '2026-01-01'], null],
  [['2025-01-01', '2025-06-01', '2026-01-01', '2026-05-31'], '2026-05-31'],
  [['2024-02-29', '2024-06-01', '2025-02-28'], '2025-02-28'],
  [['2024-02-29', '2024-06-01', '2025-03-01'], null],
  [['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04'], '2026-01-03'],
])('overloads on %j: offender since %s', (days, since) => {
  expect(offenderSince(days.map(noon))).toBe(since)
})

test('days are Polish', () => {
  // 23:59 and 00:00 in Warsaw.
  const [late, midnight] = [new Date('2026-10-19T21:59:00Z'), new Date('2026-10-19T22:00:00Z')]
  expect(offenderSince([noon('2026-10-01'), late, midnight])).toBe('2026-10-20')
  expect(offenderSince([noon('2026-10-01'), midnight, noon('2026-10-20')])).toBeNull()
})

test('agrees with a search of all triples', () => {
  const random = seededRandom(9)
  const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Warsaw' })
  for (let run = 0; run < 200; run++) {
    const overloads = Array.from(
      { length: random.below(9) },
      () => new Date(Date.UTC(2024, 0, 1) + random.below(900 * 24) * 3_600_000),
    )
    const days = [...new Set(overloads.map((at) => calendar.format(at)))]
    const thirds = days.flatMap((a) =>
      days.flatMap((b) =>
        days.filter((c) => {
          const end = new Date(a)
          end.setUTCFullYear(end.getUTCFullYear() + 1)
          return a < b && b < c && new Date(c) < end
        }),
      ),
    )
    expect(offenderSince(overloads)).toBe(thirds.sort()[0] ?? null)
  }
})
