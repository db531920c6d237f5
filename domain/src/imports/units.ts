/* Units of foreign files. Results are rounded to whole kg, cm and km/h. */

const KG_PER_LB = 0.45359237
const CM_PER_TENTH_OF_A_FOOT = 3.048
const KM_PER_MILE = 1.609344
/** Standard gravity. */
const KG_PER_KN = 1000 / 9.80665

/** Pounds; each kg returns by `fromPounds`. */
export const toPounds = (kg: number): number => Math.round(kg / KG_PER_LB)
export const fromPounds = (lb: number): number => Math.round(lb * KG_PER_LB)

/** Tenths of a foot, up to 2 cm off. */
export const toTenthsOfFeet = (cm: number): number => Math.round(cm / CM_PER_TENTH_OF_A_FOOT)
export const fromTenthsOfFeet = (tenths: number): number => Math.round(tenths * CM_PER_TENTH_OF_A_FOOT)

const FACTORS: Readonly<Record<string, number>> = {
  'km/h': 1,
  '0.01 km/h': 0.01,
  'm/s': 3.6,
  mph: KM_PER_MILE,
  cm: 1,
  m: 100,
  mm: 0.1,
  '0.1 m': 10,
  '0.1 ft': CM_PER_TENTH_OF_A_FOOT,
  kg: 1,
  t: 1000,
  '100 kg': 100,
  lb: KG_PER_LB,
  '100 lb': 100 * KG_PER_LB,
  kN: KG_PER_KN,
}

/** The value in km/h, cm or kg; without a known unit the value itself. */
export const fromUnit = (value: number, unit: string | null): number =>
  Math.round(Number((value * (FACTORS[unit ?? ''] ?? 1)).toFixed(6)))
