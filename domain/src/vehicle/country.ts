/** Members of the European Union, whose plates bear the blue band. */
const UNION = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')
const OTHERS = 'AL BA BY CH GB GE KZ LI MD ME MK NO RS RU TR UA'.split(' ')

/** Distinguishing signs of the Vienna Convention on Road Traffic that differ from the ISO code. */
const SIGNS = new Map(
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

/** `iso` in two letters (ISO 3166). */
type Country = { iso: string; blueBand: boolean }

/** The country that a plate's code names (ISO 3166 or the distinguishing sign), or null when it names none we know. */
export function countryOf(code: string | null): Country | null {
  if (!code) return null
  const iso = UNION.includes(code) || OTHERS.includes(code) ? code : SIGNS.get(code)
  return iso ? { iso, blueBand: UNION.includes(iso) } : null
}
