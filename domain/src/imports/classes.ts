/*
 * Classes of foreign files and the categories [8+1] that they are read and written as (docs/exchange.md). 0: not
 * classified.
 */

const FROM_FHWA: Readonly<Record<number, number>> = {
  1: 10,
  2: 7,
  3: 11,
  4: 5,
  5: 3,
  6: 3,
  7: 3,
  8: 9,
  9: 9,
  10: 9,
  11: 8,
  12: 8,
  13: 8,
}

const FROM_SWISS10: Readonly<Record<number, number>> = {
  1: 5,
  2: 10,
  3: 7,
  4: 2,
  5: 11,
  6: 2,
  7: 2,
  8: 3,
  9: 8,
  10: 9,
}

/** FHWA class of vehicles that are not classified. */
const UNCLASSIFIED_FHWA = 15

export const fromFhwaClass = (fhwa: number): number => FROM_FHWA[fhwa] ?? 0

export const fromSwiss10 = (swiss: number): number => FROM_SWISS10[swiss] ?? 0

/** FHWA class of a category [8+1] with this number of axles. */
export function toFhwaClass(ctg8p1: number, axles: number): number {
  switch (ctg8p1) {
    case 10:
      return 1
    case 7:
    case 2:
      return 2
    case 11:
      return 3
    case 5:
      return 4
    case 3:
      return Math.min(7, Math.max(5, axles + 3))
    case 8:
    case 9:
      return axles <= 4 ? 8 : axles === 5 ? 9 : 10
    default:
      return UNCLASSIFIED_FHWA
  }
}
