import { overspeedRange, speedRange } from '@rogatka/domain/statistics/ranges.ts'
import { toBits } from '@rogatka/domain/vehicle/violations.ts'
import type { Random } from './random.ts'

/** A vehicle of the generated archive. Loads in kg, lengths in cm, speeds in km/h. */
export type Detection = {
  at: number
  lane: number
  plate: string | null
  nationality: string | null
  speed: number
  speedLimit: number
  length: number
  ctg8p1: number
  ctg323: number | null
  axles: number
  load: number | null
  limit: number
  /** Tenths of a percent. */
  overload: number
  violations: number
  speedRange: number
  overspeedRange: number
}

const SPEED_LIMIT = 120
const SPEED_LIMIT_HEAVY = 80
const HEIGHT = 150
/** Overload is computed from the lower bound of the gross weight in class B+(7). */
const TOLERANCE = 1.07

/** Vehicles per hour of the day (docs/domain.md). */
const HOURS = [
  652, 391, 244, 316, 696, 2672, 6791, 6108, 5194, 4742, 4860, 4997, 4890, 5194, 5403, 5792, 6060, 5635, 5051, 4855,
  4125, 3294, 2470, 1999,
]
const HOURS_SUM = HOURS.reduce((sum, count) => sum + count, 0)

/** Share of a day's vehicles in an hour of the day, 0 to 23 (UTC). */
export const shareOfHour = (hour: number): number => (HOURS[hour] ?? 0) / HOURS_SUM

const kind = (
  share: number,
  ctg8p1: number,
  ctg323: number | null,
  length: number,
  axles: number,
  load: number,
  spread: number,
  limit: number,
) => ({ share, ctg8p1, ctg323, length, axles, load, spread, limit, heavy: [3, 8, 9, 5, 2].includes(ctg8p1) })

/** Vehicle classes with their shares (docs/domain.md); the last is unclassified. */
const KINDS = [
  kind(0.79, 7, 1, 452, 2, 1_500, 250, 3_500),
  kind(0.12, 11, 1, 587, 2, 2_600, 450, 3_500),
  kind(0.025, 3, 2, 915, 2, 12_000, 3_500, 18_000),
  kind(0.018, 9, 5, 1_595, 5, 31_000, 6_000, 40_000),
  kind(0.016, 10, 8, 243, 2, 280, 40, 3_500),
  kind(0.013, 2, 1, 1_060, 3, 2_900, 600, 5_000),
  kind(0.01, 8, 6, 1_873, 5, 28_000, 6_500, 40_000),
  kind(0.004, 5, 7, 1_209, 2, 14_500, 2_200, 19_500),
  kind(0.004, 0, null, 700, 2, 3_000, 900, 18_000),
]

function kindOf(random: Random) {
  const value = random.next()
  let cumulated = 0
  for (const kind of KINDS) {
    cumulated += kind.share
    if (value < cumulated) return kind
  }
  return KINDS[0] as (typeof KINDS)[number]
}

/** A random vehicle at a station with this number of lanes. */
export function detection(at: number, lanes: number, random: Random): Detection {
  const type = kindOf(random)
  const speedLimit = type.heavy ? SPEED_LIMIT_HEAVY : SPEED_LIMIT
  const speed = Math.max(5, random.normal(type.heavy ? 82 : 108, type.heavy ? 5 : 13))
  const load = random.happens(0.98) ? Math.max(150, random.normal(type.load, type.spread)) : null
  const overload = Math.max(0, Math.round((((load ?? 0) / TOLERANCE - type.limit) * 1_000) / type.limit))
  const { plate, nationality } = random.happens(0.97) ? plateOf(random) : NO_PLATE
  return {
    at,
    // Heavy vehicles keep right.
    lane: type.heavy || random.happens(0.55) ? 1 : 1 + random.below(lanes),
    plate,
    nationality,
    speed,
    speedLimit,
    length: Math.max(180, random.normal(type.length, type.length / 12)),
    ctg8p1: type.ctg8p1,
    ctg323: type.ctg323,
    axles: type.axles,
    load,
    limit: type.limit,
    overload,
    violations: toBits({
      overload: overload > 0,
      overheight: type.heavy && random.happens(0.005),
      overspeed: speed > speedLimit,
      overlane: random.happens(0.004),
      wrongDirection: random.happens(0.0003),
    }),
    speedRange: speedRange(speed),
    overspeedRange: overspeedRange(speed, speedLimit),
  }
}

/** In cm; constant by number of axles, as overheight is only in `violations`. */
export const heightOf = ({ axles }: Detection): number => HEIGHT + axles * 40

const NO_PLATE = { plate: null, nationality: null }
const COUNTIES = 'WE WI WX WGM WPR PO POZ BI BIA EL LU LUB GD GDA CB KR KRA RZ SK OP NO ZS DW TK'.split(' ')
const LETTERS = 'ACEFGHJKLMNPRSTUVWXY'
/** Numbers of plates of commuters, which recur, and of transit traffic, which hardly recurs. */
const COMMUTERS = 1_200_000
const TRANSIT = 12_000_000

/** A random plate of a commuter or of transit traffic. */
function plateOf(random: Random) {
  if (random.happens(0.75)) return { plate: polish(Math.floor(random.next() ** 2 * COMMUTERS)), nationality: 'PL' }
  const index = COMMUTERS + random.below(TRANSIT)
  if (index % 3 === 0) return { plate: polish(index), nationality: 'PL' }
  const series = `${letter(index)}${letter(index >> 4)}${letter(index >> 8)}`
  const number = String(hashOf(index) % 10_000).padStart(4, '0')
  return index % 2
    ? { plate: `${series}${number.slice(1)}`, nationality: 'LT' }
    : { plate: `B${series}${number}`, nationality: 'DE' }
}

/** Equal indexes give equal plates, adjacent ones very different plates. */
function polish(index: number): string {
  const m = hashOf(index)
  const county = COUNTIES[m % COUNTIES.length] as string
  const digits = String((m >>> 5) % 100_000).padStart(5, '0')
  return index % 3 === 0 ? `${county}${digits.slice(1)}${letter(m >>> 11)}` : county + digits
}

const letter = (from: number) => LETTERS[Math.abs(from) % LETTERS.length] as string

const hashOf = (index: number) => {
  let h = Math.imul(index ^ (index >>> 16), 0x45d9f3b)
  h = Math.imul(h ^ (h >>> 16), 0x45d9f3b)
  return (h ^ (h >>> 16)) >>> 0
}
