import { overspeedRange, speedRange } from '@rogatka/domain/statistics/ranges.ts'
import { toBits } from '@rogatka/domain/vehicle/violations.ts'
import type { Random } from './random.ts'

/** What passes a station of the generated archive. Loads in kg, lengths in cm, speeds in km/h. */
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
/** Gross load is judged on the certain minimum of class B+(7). */
const TOLERANCE = 1.07

/** Vehicles of a day by hour (docs/domain.md). */
const HOURS = [
  652, 391, 244, 316, 696, 2672, 6791, 6108, 5194, 4742, 4860, 4997, 4890, 5194, 5403, 5792, 6060, 5635, 5051, 4855,
  4125, 3294, 2470, 1999,
]
const DAY = HOURS.reduce((sum, count) => sum + count, 0)

/** The part of a day's vehicles that pass in an hour (UTC) of the day. */
export const shareOfHour = (hour: number): number => (HOURS[hour] ?? 0) / DAY

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

/** The mix of docs/domain.md; the last are not classified. */
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
  const place = random.next()
  let passed = 0
  for (const kind of KINDS) {
    passed += kind.share
    if (place < passed) return kind
  }
  return KINDS[0] as (typeof KINDS)[number]
}

/** One vehicle at a station of so many lanes. */
export function detection(at: number, lanes: number, random: Random): Detection {
  const is = kindOf(random)
  const speedLimit = is.heavy ? SPEED_LIMIT_HEAVY : SPEED_LIMIT
  const speed = Math.max(5, random.normal(is.heavy ? 82 : 108, is.heavy ? 5 : 13))
  const load = random.happens(0.98) ? Math.max(150, random.normal(is.load, is.spread)) : null
  const overload = Math.max(0, Math.round((((load ?? 0) / TOLERANCE - is.limit) * 1_000) / is.limit))
  const { plate, nationality } = random.happens(0.97) ? plateOf(random) : NO_PLATE
  return {
    at,
    // Heavy vehicles keep right.
    lane: is.heavy || random.happens(0.55) ? 1 : 1 + random.below(lanes),
    plate,
    nationality,
    speed,
    speedLimit,
    length: Math.max(180, random.normal(is.length, is.length / 12)),
    ctg8p1: is.ctg8p1,
    ctg323: is.ctg323,
    axles: is.axles,
    load,
    limit: is.limit,
    overload,
    violations: toBits({
      overload: overload > 0,
      overheight: is.heavy && random.happens(0.005),
      overspeed: speed > speedLimit,
      overlane: random.happens(0.004),
      wrongDirection: random.happens(0.0003),
    }),
    speedRange: speedRange(speed),
    overspeedRange: overspeedRange(speed, speedLimit),
  }
}

/** Every vehicle is as high; what is over the limit says its violation. */
export const heightOf = ({ axles }: Detection): number => HEIGHT + axles * 40

const NO_PLATE = { plate: null, nationality: null }
const COUNTIES = 'WE WI WX WGM WPR PO PZN BI BIA EL LU LUB GD GDA CB KR KRA RZ SK OP NO ZS DW TK'.split(' ')
const LETTERS = 'ACEFGHJKLMNPRSTUVWXY'
/** Commuters come again and again; those in transit are hardly seen twice. */
const COMMUTERS = 1_200_000
const STRANGERS = 12_000_000

/** A plate of a vehicle that lives here, or of one of many more that pass through. */
function plateOf(random: Random) {
  if (random.happens(0.75)) return { plate: polish(Math.floor(random.next() ** 2 * COMMUTERS)), nationality: 'PL' }
  const stranger = COMMUTERS + random.below(STRANGERS)
  if (stranger % 3 === 0) return { plate: polish(stranger), nationality: 'PL' }
  const series = `${letter(stranger)}${letter(stranger >> 4)}${letter(stranger >> 8)}`
  const number = String(mixed(stranger) % 10_000).padStart(4, '0')
  return stranger % 2
    ? { plate: `${series}${number.slice(1)}`, nationality: 'LT' }
    : { plate: `B${series}${number}`, nationality: 'DE' }
}

/** The same index gives the same plate; neighbours look nothing alike. */
function polish(index: number): string {
  const m = mixed(index)
  const county = COUNTIES[m % COUNTIES.length] as string
  const digits = String((m >>> 5) % 100_000).padStart(5, '0')
  return index % 3 === 0 ? `${county}${digits.slice(1)}${letter(m >>> 11)}` : county + digits
}

const letter = (from: number) => LETTERS[Math.abs(from) % LETTERS.length] as string

const mixed = (index: number) => {
  let h = Math.imul(index ^ (index >>> 16), 0x45d9f3b)
  h = Math.imul(h ^ (h >>> 16), 0x45d9f3b)
  return (h ^ (h >>> 16)) >>> 0
}
