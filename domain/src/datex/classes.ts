/* Classes of DATEX II for values of the portal. */

/** vehicleType by category [8+1] (docs/domain.md, Vehicle classes); the others are unknown. */
const VEHICLE_TYPES: Readonly<Record<number, string>> = {
  2: 'carWithTrailer',
  3: 'lorry',
  5: 'bus',
  7: 'car',
  8: 'heavyGoodsVehicleWithTrailer',
  9: 'articulatedVehicle',
  10: 'motorcycle',
  11: 'van',
}

export const vehicleTypeOf = (ctg8p1: number | null): string => VEHICLE_TYPES[ctg8p1 ?? 0] ?? 'unknown'

/** Categories whose Euro norms have Roman numerals: lorries and buses. */
const HEAVY = new Set<number | null>([3, 5, 8, 9])

/** fuelType by text of the catalogue: codes of Polish registration certificates (field P.3), and usual names. */
const FUELS: Readonly<Record<string, string>> = {
  d: 'diesel',
  on: 'diesel',
  diesel: 'diesel',
  'olej napędowy': 'diesel',
  p: 'petrol',
  pb: 'petrol',
  petrol: 'petrol',
  benzyna: 'petrol',
  lpg: 'lpg',
  'gaz płynny': 'lpg',
  lng: 'liquidGas',
  cng: 'methane',
  'gaz ziemny': 'methane',
  h: 'hydrogen',
  hydrogen: 'hydrogen',
  wodór: 'hydrogen',
  bd: 'biodiesel',
  biodiesel: 'biodiesel',
  e85: 'ethanol',
  etanol: 'ethanol',
  ee: 'battery',
  electric: 'battery',
  'energia elektryczna': 'battery',
}

/** Values of fuelType, as a vehicle may have several; `other` for an unknown name, none without one. */
export const fuelTypesOf = (fuel: string | null | undefined): string[] => {
  const names = (fuel ?? '').toLowerCase().split(/[+/,;]/)
  const types = names.map((name) => name.trim()).filter((name) => name !== '')
  return [...new Set(types.map((name) => FUELS[name] ?? 'other'))]
}

type Emissions = {
  /** emissionClassificationEuro */
  euro: string
  /** emissionClassificationOther: the norm, if DATEX II has no value for it. */
  other: string | null
}

/**
 * Emissions by the norm as text of the catalogue, `6`, `EURO 5b`, `Euro VI`. DATEX II has values from Euro 5 and V on,
 * Roman ones for lorries and buses. Null without a norm.
 */
export function emissionsOf(norm: string | null | undefined, ctg8p1: number | null): Emissions | null {
  const text = (norm ?? '').trim()
  if (text === '') return null
  const [, roman, digit, step = ''] =
    /^(?:EURO)?(?:(VI|V)|([56]))([A-Z]?)$/.exec(text.toUpperCase().replace(/[^A-Z\d]/g, '')) ?? []
  if (roman || (digit && HEAVY.has(ctg8p1)))
    return { euro: `euro${roman ?? (digit === '6' ? 'VI' : 'V')}`, other: null }
  const euro = `euro${digit}${step.toLowerCase()}`
  return digit && LIGHT_EMISSIONS.has(euro) ? { euro, other: null } : { euro: 'other', other: text }
}

const LIGHT_EMISSIONS = new Set(['euro5', 'euro5a', 'euro5b', 'euro6', 'euro6a', 'euro6b', 'euro6c'])
