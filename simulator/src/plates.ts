import type { Random } from './random.ts'

export const nationalities = ['PL', 'DE', 'LT', 'UA', 'CZ', 'SK', 'RO'] as const
export type Nationality = (typeof nationalities)[number]

/** Issued area codes; the first letter is the voivodeship. */
const POLISH_TWO = 'WE WI WX WY PO PY BI BL EL LU GD GA CB ZS KR RZ SK DW NO OP FZ TK'.split(' ')
const POLISH_THREE = [
  ...'WGM WPR WWY WSC WOR WMI WPI ELC EKU BIA BSU BAU BLM LUB LLU GDA GWE CBY'.split(' '),
  ...'POZ PKA KRA KNS RZE RSR SBI DWR DLU NOL NEL ZKO OPO FSL TKI TSK'.split(' '),
]

/** Patterns of series after area codes of two and three letters: `9` a digit, `A` a letter. */
const AFTER_TWO = ['99999', '9999A', '999AA', '9A999', '9AA99']
const AFTER_THREE = ['A999', '99AA', '9A99', '99A9', '9AA9', 'AA99', '99999', '9999A', '999AA', '9A999', '9AA99']

/** Letters of Polish series, without those that resemble digits. */
const POLISH_LETTERS = 'ACEFGHJKLMNPRSTUVWXY'
const LATIN = 'ABCDEFGHJKLMNPRSTUVWXYZ'
/** Letters common to Latin and Cyrillic. */
const UKRAINIAN = 'ABCEHIKMOPTX'

const GERMAN = 'B HH M K L F DD HRO OS EL FF GR BZ VEC WHV'.split(' ')
const SLOVAK = 'BA KE ZA NR TT PO PP MT'.split(' ')
const ROMANIAN = 'CJ TM AR BV IS SB BH CT MM SV'.split(' ')
const UKRAINIAN_REGIONS = 'AA AI AC BC BK AO BO KA BB AM'.split(' ')

const fillPattern = (pattern: string, letters: string, random: Random): string =>
  [...pattern]
    .map((character) =>
      character === '9' ? String(random.whole(0, 9)) : character === 'A' ? random.pick([...letters]) : character,
    )
    .join('')

/** A number with leading zeros, never 0. */
const number = (digits: number, random: Random): string =>
  String(random.whole(1, 10 ** digits - 1)).padStart(digits, '0')

const FORMATS: Record<Nationality, (random: Random) => string> = {
  PL: (random) =>
    random.happens(0.45)
      ? `${random.pick(POLISH_TWO)} ${fillPattern(random.pick(AFTER_TWO), POLISH_LETTERS, random)}`
      : `${random.pick(POLISH_THREE)} ${fillPattern(random.pick(AFTER_THREE), POLISH_LETTERS, random)}`,
  DE: (random) =>
    `${random.pick(GERMAN)} ${fillPattern(random.pick(['A', 'AA', 'AA']), LATIN, random)} ${random.whole(10, 9999)}`,
  LT: (random) => `${fillPattern('AAA', LATIN, random)} ${number(3, random)}`,
  UA: (random) => `${random.pick(UKRAINIAN_REGIONS)} ${number(4, random)} ${fillPattern('AA', UKRAINIAN, random)}`,
  // The second character is the region.
  CZ: (random) =>
    `${random.whole(1, 9)}${random.pick([...'ABCEHJKLMPSTUZ'])}${random.whole(0, 9)} ${number(4, random)}`,
  SK: (random) => `${random.pick(SLOVAK)} ${number(3, random)}${fillPattern('AA', LATIN, random)}`,
  RO: (random) =>
    random.happens(0.3)
      ? `B ${number(3, random)} ${fillPattern('AAA', LATIN, random)}`
      : `${random.pick(ROMANIAN)} ${number(2, random)} ${fillPattern('AAA', LATIN, random)}`,
}

/** A random plate in the format of its country, with its spaces. */
export const plateOf = (nationality: Nationality, random: Random): string => FORMATS[nationality](random)

/** A random plate of a trailer; Polish ones end in two digits and two letters. */
export const trailerPlateOf = (nationality: Nationality, random: Random): string =>
  nationality === 'PL'
    ? `${random.pick(POLISH_THREE)} ${fillPattern('99AA', POLISH_LETTERS, random)}`
    : plateOf(nationality, random)

/** Shares of nationalities, in percent; transit traffic is mostly lorries. */
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

/** Characters that plate readers confuse. */
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

/** Replaces a random character by its look-alike; returns the plate unchanged if it has none. */
export const misread = (plate: string, random: Random): string => {
  const positions = [...plate].flatMap((character, position) => (ALIKE[character] ? [position] : []))
  if (positions.length === 0) return plate
  const position = random.pick(positions)
  return plate.slice(0, position) + ALIKE[plate[position] ?? ''] + plate.slice(position + 1)
}

/**
 * The reading of a camera: the plate, with or without its first space; null in 2 % (dirt, glare, tow bar), with one wrong
 * character in 1.5 %.
 */
export const readingOf = (plate: string, random: Random): string | null => {
  if (random.happens(0.02)) return null
  const reading = random.happens(0.015) ? misread(plate, random) : plate
  const [first = '', ...rest] = reading.split(' ')
  return random.happens(0.6) ? `${first} ${rest.join('')}` : first + rest.join('')
}
