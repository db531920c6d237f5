import type { InspectionResult } from '@rogatka/contract/inspections.ts'
import type { Excess } from '@rogatka/contract/vehicle-weighing.ts'
import type { Detection } from '../detection.ts'
import type { Random } from '../random.ts'

/** Relative standard deviation of a static axle load: ground that is not quite level, rounding. */
const STATIC_SCATTER = 0.004
/** Division of a static scale, kg. */
const DIVISION = 20

/** What a static scale shows, kg. */
export const staticAxles = ({ axleLoads }: Pick<Detection, 'axleLoads'>, random: Random): number[] =>
  axleLoads.map((load) => Math.round((load * random.normal(1, STATIC_SCATTER)) / DIVISION) * DIVISION)

export type Outcome = { results: InspectionResult[]; fineAmount: number | null }

const zloty = (amount: number): number => 100 * amount

/** Why a vehicle was not weighed; null: it was. */
export function unweighedOutcome(random: Random): Outcome | null {
  if (random.happens(0.012)) return { results: [9], fineAmount: null }
  return random.happens(0.012) ? { results: [10], fineAmount: null } : null
}

/** Results of a weighing by its worst excess: from a warning to proceedings and reloading. */
export function weighedOutcome(excesses: readonly Pick<Excess, 'percent'>[], random: Random): Outcome {
  if (excesses.length === 0) return { results: random.happens(0.04) ? [1, 11] : [1], fineAmount: null }
  const worst = Math.max(...excesses.map(({ percent }) => percent))
  if (random.happens(0.03)) return { results: [8], fineAmount: null }
  if (worst <= 3 && random.happens(0.6)) return { results: [2], fineAmount: null }
  if (worst <= 5) return { results: [3], fineAmount: zloty(50 * random.whole(4, 10)) }
  if (worst <= 10) return { results: random.happens(0.3) ? [4, 6] : [4], fineAmount: zloty(6_000) }
  const isParked = random.happens(0.25)
  if (worst <= 20) return { results: isParked ? [4, 5, 7] : [4, 6], fineAmount: zloty(10_000) }
  return { results: isParked ? [4, 5, 7] : [4, 5, 6], fineAmount: zloty(15_000) }
}

const DECLARATIONS = [
  'Załadunek bez ważenia, kierowca nie znał masy ładunku.',
  'Ładunek przesunął się podczas jazdy.',
  'Według dokumentów ładunek waży mniej.',
  'Kierowca nie wnosi uwag.',
]

/** What the driver says about an excess; null: nothing. */
export const declarationOf = ({ results }: Outcome, random: Random): string | null =>
  results.includes(1) || !random.happens(0.4) ? null : random.pick(DECLARATIONS)

/** Why an announcement is withdrawn. */
export const WITHDRAWALS = [
  'Plac kontroli zajęty przez dwa zestawy',
  'Pojazd uprzywilejowany na zjeździe',
  'Patrol wezwany do zdarzenia drogowego',
]
