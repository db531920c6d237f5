import type { Scale } from '@rogatka/contract/certificates.ts'
import { DAY_MS, HOUR_MS } from '@rogatka/domain/core/time.ts'
import type { SimulatedStation } from '../detection.ts'
import { instantOf, stampOf, weekdayOf } from '../warsaw.ts'

/** Hours at which shifts begin, in Polish time. */
const SHIFT_STARTS = [6, 14, 22]
const HALF_SHIFT_MS = 4 * HOUR_MS

/** Hours for which an officer weighs at a station. */
export type Duty = { site: SimulatedStation; officer: string; from: Date; to: Date }

const isWeekend = (day: number): boolean => [0, 6].includes(weekdayOf(day))

/**
 * Who works where on a Warsaw day: each officer has one shift, which changes weekly, half of it at one station and half
 * at another. With three officers each of six stations has its
 * hours on every working day.
 */
export const dutiesOf = (day: number, sites: readonly SimulatedStation[], officers: readonly string[]): Duty[] =>
  officers.flatMap((officer, index) => {
    const shift = SHIFT_STARTS[(index + Math.floor(day / 7)) % SHIFT_STARTS.length] as number
    const own = sites.filter((_, at) => (at + day) % officers.length === index)
    return own.slice(0, isWeekend(day) ? 1 : 2).map((site, half) => {
      const from = instantOf(day, shift) + half * HALF_SHIFT_MS
      return { site, officer, from: new Date(from), to: new Date(from + HALF_SHIFT_MS) }
    })
  })

/** The Polish date of an instant, as in certificates. */
const dateOf = (at: Date): string => stampOf(at).slice(0, 10).split('.').reverse().join('-')

/**
 * The scale that a station uses: the third one has its own, and is replaced by the second a day after its certificate
 * ended, too late by a day.
 */
export function scaleFor(scales: readonly Scale[], locationId: number, at: Date): Scale {
  const [platform, portable, expiring] = scales as [Scale, Scale, Scale]
  if (locationId % 3 === 0) {
    const yesterday = new Date(at.getTime() - DAY_MS)
    return dateOf(yesterday) <= expiring.validUntil ? expiring : portable
  }
  return locationId % 3 === 1 ? platform : portable
}
