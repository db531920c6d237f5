import type { Random } from './random.ts'

export type Nationality = 'PL' | 'DE' | 'LT' | 'UA' | 'CZ' | 'SK' | 'RO'

/** Voivodeship and county letters that are really issued; the first letter is the voivodeship. */
const POLISH_TWO = 'WE WI WX WY PO PY BI BL EL LU GD GA CB ZS KR RZ SK DW NO OP FZ TK'.split(' ')
const POLISH_THREE = [
  ...'WGM WPR WWY WSC WOR WMI WPI ELC EKU BIA BSU BAU BLM LUB LLU GDA GWE CBY'.split(' '),
  ...'PZN PKA KRA KNS RZE RSR SBI DWR DLU NOL NEL ZKO OPO FSL TKI TSK'.split(' '),
]

/** `9` a digit, `A` a letter. Series that the registration offices issue after two and after three letters. */
const AFTER_TWO = ['99999', '9999A', '999AA', '9A999', '9AA99']
const AFTER_THREE = ['A999', '99AA', '9A99', '99A9', '9AA9', 'AA99', '99999', '9999A', '999AA', '9A999', '9AA99']

/** Letters that Polish series use: those that a reader could take for a digit are left out. */
const POLISH_LETTERS = 'ACEFGHJKLMNPRSTUVWXY'
const LATIN = 'ABCDEFGHJKLMNPRSTUVWXYZ'
/** Letters that look alike in Latin and Cyrillic. */
const UKRAINIAN = 'ABCEHIKMOPTX'

const GERMAN = 'B HH M K L F DD HRO OS EL FF GR BZ VEC WHV'.split(' ')
const SLOVAK = 'BA KE ZA NR TT PO PP MT'.split(' ')
const ROMANIAN = 'CJ TM AR BV IS SB BH CT MM SV'.split(' ')
const UKRAINIAN_REGIONS = 'AA AI AC BC BK AO BO KA BB AM'.split(' ')

const filled = (pattern: string, letters: string, random: Random): string =>
  [...pattern]
    .map((sign) => (sign === '9' ? String(random.whole(0, 9)) : sign === 'A' ? random.pick([...letters]) : sign))
    .join('')

/** A number that is not all zeros, as no office issues one. */
const number = (digits: number, random: Random): string =>
  String(random.whole(1, 10 ** digits - 1)).padStart(digits, '0')

const FORMATS: Record<Nationality, (random: Random) => string> = {
  PL: (random) =>
    random.happens(0.45)
      ? `${random.pick(POLISH_TWO)} ${filled(random.pick(AFTER_TWO), POLISH_LETTERS, random)}`
      : `${random.pick(POLISH_THREE)} ${filled(random.pick(AFTER_THREE), POLISH_LETTERS, random)}`,
  DE: (random) =>
    `${random.pick(GERMAN)} ${filled(random.pick(['A', 'AA', 'AA']), LATIN, random)} ${random.whole(10, 9999)}`,
  LT: (random) => `${filled('AAA', LATIN, random)} ${number(3, random)}`,
  UA: (random) => `${random.pick(UKRAINIAN_REGIONS)} ${number(4, random)} ${filled('AA', UKRAINIAN, random)}`,
  // Region letters of the Czech lands; the sign before them is a digit.
  CZ: (random) =>
    `${random.whole(1, 9)}${random.pick([...'ABCEHJKLMPSTUZ'])}${random.whole(0, 9)} ${number(4, random)}`,
  SK: (random) => `${random.pick(SLOVAK)} ${number(3, random)}${filled('AA', LATIN, random)}`,
  RO: (random) =>
    random.happens(0.3)
      ? `B ${number(3, random)} ${filled('AAA', LATIN, random)}`
      : `${random.pick(ROMANIAN)} ${number(2, random)} ${filled('AAA', LATIN, random)}`,
}

/** A plate in the format of its country, with the spaces that are embossed on it. */
export const plateOf = (nationality: Nationality, random: Random): string => FORMATS[nationality](random)

/** A semi-trailer or trailer has a plate of its own; Polish ones end in two letters after two or three digits. */
export const trailerPlateOf = (nationality: Nationality, random: Random): string =>
  nationality === 'PL'
    ? `${random.pick(POLISH_THREE)} ${filled('99AA', POLISH_LETTERS, random)}`
    : plateOf(nationality, random)

/** Registered abroad, in percent: transit is a matter of lorries. */
const FOREIGN: Record<'light' | 'coach' | 'lorry', readonly (readonly [Nationality, number])[]> = {
  light: [
    ['PL', 91],
    ['DE', 3],
    ['UA', 3],
    ['LT', 1],
    ['CZ', 1],
    ['SK', 0.5],
    ['RO', 0.5],
  ],
  coach: [
    ['PL', 80],
    ['UA', 9],
    ['DE', 3],
    ['LT', 4],
    ['CZ', 2],
    ['SK', 1],
    ['RO', 1],
  ],
  lorry: [
    ['PL', 64],
    ['LT', 10],
    ['UA', 8],
    ['DE', 6],
    ['RO', 5],
    ['CZ', 4],
    ['SK', 3],
  ],
}

export const nationalityOf = (group: keyof typeof FOREIGN, random: Random): Nationality =>
  random.weighted(FOREIGN[group])

/** Signs that a reader takes for one another. */
const ALIKE: Record<string, string> = {
  '0': 'O',
  O: '0',
  D: '0',
  '1': 'I',
  I: '1',
  '8': 'B',
  B: '8',
  '5': 'S',
  S: '5',
  '2': 'Z',
  Z: '2',
  '6': 'G',
  G: '6',
}

/** The plate with one sign taken for its double; the plate itself where it has none that could be. */
export const misread = (plate: string, random: Random): string => {
  const places = [...plate].flatMap((sign, place) => (ALIKE[sign] ? [place] : []))
  if (places.length === 0) return plate
  const place = random.pick(places)
  return plate.slice(0, place) + ALIKE[plate[place] ?? ''] + plate.slice(place + 1)
}

/**
 * What the camera reads: mostly the plate, with its first space or without; in 2 % nothing (dirt, glare, a tow bar),
 * in 1.5 % one sign wrong.
 */
export const readingOf = (plate: string, random: Random): string | null => {
  if (random.happens(0.02)) return null
  const seen = random.happens(0.015) ? misread(plate, random) : plate
  const [first = '', ...rest] = seen.split(' ')
  return random.happens(0.6) ? `${first} ${rest.join('')}` : first + rest.join('')
}
