/** Members of the European Union, with a blue band on plates. */
// biome-ignore format: a plain list
const UNION = [
  'AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU', 'IE', 'IT', 'LT', 'LU',
  'LV', 'MT', 'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK',
] as const
// biome-ignore format: a plain list
const OTHERS = [
  'AL', 'BA', 'BY', 'CH', 'GB', 'GE', 'KZ', 'LI', 'MD', 'ME', 'MK', 'NO', 'RS', 'RU', 'TR', 'UA',
] as const

/** ISO 3166 code of a known country. */
export type Iso = (typeof UNION | typeof OTHERS)[number]

/** ISO codes of the countries that are known. */
export const countries: readonly Iso[] = [...UNION, ...OTHERS]

const unionMembers = new Set<string>(UNION)
const known = new Map<string, Iso>(countries.map((iso) => [iso, iso]))

/** Distinguishing signs of the Vienna Convention on Road Traffic that differ from the ISO code. */
const SIGNS = new Map<string, Iso>(
  Object.entries({
    A: 'AT',
    B: 'BE',
    BIH: 'BA',
    D: 'DE',
    E: 'ES',
    EST: 'EE',
    F: 'FR',
    FIN: 'FI',
    FL: 'LI',
    H: 'HU',
    I: 'IT',
    IRL: 'IE',
    L: 'LU',
    M: 'MT',
    MNE: 'ME',
    N: 'NO',
    NMK: 'MK',
    P: 'PT',
    RUS: 'RU',
    S: 'SE',
    SLO: 'SI',
    SRB: 'RS',
    UK: 'GB',
  }),
)

type Country = { iso: Iso; blueBand: boolean }

/** Country of a plate's code (ISO 3166 or distinguishing sign), null if unknown. */
export function countryOf(code: string | null): Country | null {
  if (!code) return null
  const iso = known.get(code) ?? SIGNS.get(code)
  return iso ? { iso, blueBand: unionMembers.has(iso) } : null
}
