import { describe, expect, test } from 'vitest'
import { seededRandom } from '../core/random.ts'
import type { Iso } from '../vehicle/country.ts'
import { isWellFormed } from './grammar.ts'
import { foldOf } from './identity.ts'
import {
  differByOneCharacter,
  differByStrongPairs,
  findJoin,
  mayBeMisread,
  neighboursOf,
  type Spelling,
} from './joins.ts'

const distanceBetween = (from: number, to: number) => 100 * Math.abs(from - to)
const HOUR = 3_600_000

const spelling = (form: string, differing: Partial<Spelling> = {}): Spelling => ({
  form,
  country: 'PL',
  count: 20,
  firstAxleGap: 370,
  axleCounts: [5],
  length: 1_640,
  ctg8p1: 9,
  sightings: [{ locationId: 1, at: 0 }],
  ...differing,
})
const misread = (form: string, differing: Partial<Spelling> = {}) =>
  spelling(form, { count: 1, sightings: [{ locationId: 1, at: 24 * HOUR }], ...differing })
const joined = (variant: Spelling, ...candidates: Spelling[]) => {
  const join = findJoin(variant, candidates, distanceBetween)
  return join && `${join.rule} ${join.other.form}`
}

describe('plates', () => {
  test.each([
    ['WGM4K281', 'WGM4K28I', true],
    ['WGM4K281', 'WGM4K2B1', true],
    ['WGM4K281', 'W6M4KZ8I', true],
    ['WGM4K281', 'WGM4K281', false],
    ['WGM4K281', 'WGM4K287', false],
    ['WOM4K281', 'WQM4K281', false],
    ['WOM4K281', 'WDM4K28I', false],
    ['WGM4K281', 'WGM4K28', false],
    ['WGM4K28', 'WGM4K281', false],
  ])('%s and %s differ by strong pairs only: %s', (a, b, expected) => {
    expect([differByStrongPairs(a, b), differByStrongPairs(b, a)]).toEqual([expected, expected])
  })

  test.each([
    ['ABC', 'ABC', false],
    ['ABC', 'AB', true],
    ['ABC', 'BC', true],
    ['ABC', 'AC', true],
    ['ABC', 'A', false],
    ['ABC', 'ABX', true],
    ['ABC', 'XBC', true],
    ['ABC', 'AXX', false],
    ['ABC', 'BCA', false],
    ['ABCD', 'ACD', true],
    ['ABCD', 'ADC', false],
    ['AABB', 'ABB', true],
    ['', 'A', true],
  ])('%s and %s differ by one character: %s', (a, b, expected) => {
    expect([differByOneCharacter(a, b), differByOneCharacter(b, a)]).toEqual([expected, expected])
  })

  test('one character equals an edit distance of 1', () => {
    const distance = (a: string, b: string): number =>
      a === '' || b === ''
        ? a.length + b.length
        : Math.min(
            distance(a.slice(1), b) + 1,
            distance(a, b.slice(1)) + 1,
            distance(a.slice(1), b.slice(1)) + Number(a[0] !== b[0]),
          )
    const random = seededRandom(8)
    const text = () => Array.from({ length: random.below(6) }, () => random.pick(['A', 'B', '1'])).join('')
    for (let run = 0; run < 1_500; run++) {
      const [a, b] = [text(), text()]
      expect(differByOneCharacter(a, b), `${a} ${b}`).toBe(distance(a, b) === 1)
    }
  })

  test('only plates outside their country’s grammar may have a misread character', () => {
    expect([mayBeMisread({ form: 'WX1234', country: 'PL' }), mayBeMisread({ form: 'WX12345', country: 'PL' })]).toEqual(
      [true, false],
    )
    expect([mayBeMisread({ form: 'WX123', country: 'PL' }), mayBeMisread({ form: 'WX12', country: 'PL' })]).toEqual([
      true,
      false,
    ])
    expect([mayBeMisread({ form: 'WX1234', country: 'FR' }), mayBeMisread({ form: 'WX1234', country: null })]).toEqual([
      false,
      false,
    ])
  })

  test('neighbours are all well-formed plates one character away', () => {
    const neighbours = neighboursOf({ form: 'WX1234', country: 'PL' })
    expect(neighbours).toEqual(expect.arrayContaining(['WX12345', 'WX01234', 'WX1234A']))
    expect(neighbours.every((one) => isWellFormed(one, 'PL') && differByOneCharacter('WX1234', one))).toBe(true)
    expect(new Set(neighbours).size).toBe(neighbours.length)
    // Ten digits at five places, of which four repeat another, and letters at the end.
    expect(neighbours.filter((one) => /^WX\d{5}$/.test(one))).toHaveLength(5 * 10 - 4)
    expect(neighbours.filter((one) => /^WX\d{4}[A-Z]$/.test(one))).toHaveLength(20)
    expect(neighboursOf({ form: 'WGM123456', country: 'PL' })).toContain('WGM12345')
    expect(neighboursOf({ form: 'QGM12345', country: 'PL' })).toContain('WGM12345')
    expect(neighboursOf({ form: 'ABC12', country: 'LT' })).toContain('ABC125')
    expect(neighboursOf({ form: 'ABC12', country: 'LT' })).not.toContain('ABC12')
    // Four characters are too few.
    expect(neighboursOf({ form: 'LV12A', country: 'LV' })).toContain('LV123')
    expect(neighboursOf({ form: 'LV12A', country: 'LV' })).not.toContain('LV12')
    expect(neighboursOf({ form: 'ABC12', country: null })).toEqual([])
  })
})

test('an unknown country is that of the same plate', () => {
  const unknown = misread('ABC123', { country: null, count: 50, firstAxleGap: 900 })
  const [lithuanian, finnish] = [spelling('ABC123', { country: 'LT', count: 1 }), spelling('ABC123', { country: 'FI' })]
  expect(joined(unknown, lithuanian)).toBe('1 ABC123')
  expect(joined(unknown, lithuanian, finnish)).toBeNull()
  expect(joined(finnish, lithuanian)).toBeNull()
  expect(joined(lithuanian, unknown)).toBeNull()
  expect(joined(unknown, unknown)).toBeNull()
  // The same plate precedes one that is alike, which would else be a second candidate.
  const rare = { ...unknown, count: 1, firstAxleGap: 370 }
  const alike = spelling('A8C123', { country: 'LT' })
  expect(joined(rare, alike)).toBe('3 A8C123')
  expect(joined(rare, alike, lithuanian)).toBe('1 ABC123')
  expect(joined(rare, lithuanian, alike)).toBe('1 ABC123')
})

test('strong pairs are joined, digits among each other are not', () => {
  const other = spelling('WGM4K285')
  expect(joined(misread('WGM4K28S'), other)).toBe('3 WGM4K285')
  expect(joined(misread('WGM4K286'), other)).toBeNull()
  expect(joined(misread('WGM4K28S', { country: null }), other)).toBe('3 WGM4K285')
  expect(joined(misread('WGM4K28S'), { ...other, country: null })).toBeNull()
  expect(joined(misread('WGM4K28S', { country: 'DE' }), other)).toBeNull()
})

test('a character is joined if only the variant is not well-formed', () => {
  const other = spelling('WX12345')
  for (const key of ['WX1234', 'WX123345', 'X12345', 'WXI12345', 'WX12Q45'])
    expect(joined(misread(key), other), key).toBe('4 WX12345')
  for (const key of ['WX12346', 'WX1234A', 'WY12345', 'WX12435']) expect(joined(misread(key), other)).toBeNull()
  expect(joined(misread('WX1234'), spelling('WX12Q45'))).toBeNull()
  expect(joined(misread('WX1234', { country: null }), other)).toBeNull()
  expect(joined(misread('WX1234'), { ...other, country: null })).toBeNull()
  expect(joined(misread('WX1234', { country: 'FR' }), { ...other, country: 'FR' })).toBeNull()
  expect(joined(misread('ABC12', { country: 'LT' }), spelling('ABC125', { country: 'LT' }))).toBe('4 ABC125')
  expect(joined(misread('AB12', { country: 'LT' }), spelling('ABC12', { country: 'LT' }))).toBeNull()
  // Four characters are too few, on either side.
  expect(joined(misread('LV1A2', { country: 'LV' }), spelling('LV12', { country: 'LV' }))).toBeNull()
  expect(joined(misread('LVA1', { country: 'LV' }), spelling('LVA12', { country: 'LV' }))).toBeNull()
})

const other = spelling('WGM4K285')
test.each<[string, Partial<Spelling>, Partial<Spelling>, boolean]>([
  ['8 cm of the axle spacing', { firstAxleGap: 258 }, { firstAxleGap: 250 }, true],
  ['9 cm', { firstAxleGap: 241 }, { firstAxleGap: 250 }, false],
  ['3 %', { firstAxleGap: 412 }, { firstAxleGap: 400 }, true],
  ['more than 3 %', { firstAxleGap: 413 }, { firstAxleGap: 400 }, false],
  ['3 % of the other', { firstAxleGap: 388 }, { firstAxleGap: 400 }, true],
  ['one axle more', { axleCounts: [6] }, {}, true],
  ['one axle less', { axleCounts: [4] }, {}, true],
  ['two axles more', { axleCounts: [7] }, {}, false],
  ['other trailers', { axleCounts: [2, 4] }, { axleCounts: [7, 5] }, true],
  ['other length and category with axles', { length: 900, ctg8p1: 3 }, {}, true],
  ['no axles', { firstAxleGap: null, axleCounts: [] }, {}, true],
  ['no axles of the other', {}, { firstAxleGap: null, axleCounts: [] }, true],
  ['5 % of the length', { firstAxleGap: null, length: 1_722 }, { length: 1_640 }, true],
  ['more than 5 %', { firstAxleGap: null, length: 1_723 }, { length: 1_640 }, false],
  ['5 % less', { firstAxleGap: null, length: 1_558 }, { length: 1_640 }, true],
  ['no axles, other category', { firstAxleGap: null, ctg8p1: 8 }, {}, false],
  ['neither axles nor length', { firstAxleGap: null, length: null }, {}, false],
  ['nor length of the other', { firstAxleGap: null }, { length: null }, false],
  ['five detections, one misread', { count: 1 }, { count: 5 }, true],
  ['four detections', { count: 0 }, { count: 4 }, false],
  ['20 %', { count: 2 }, { count: 10 }, true],
  ['more than 20 %', { count: 2 }, { count: 9 }, false],
])('joins look alike and are rare: %s', (_, ofVariant, ofOther, expected) => {
  // By a strong pair, then by a lost character.
  for (const [form, right, rule] of [
    ['WGM4K28S', 'WGM4K285', 3],
    ['WX1234', 'WX12345', 4],
  ] as const)
    expect(joined(misread(form, ofVariant), spelling(right, ofOther))).toBe(expected ? `${rule} ${right}` : null)
})

test('letters that Polish grammar excludes are read as digits, for all vehicles', () => {
  const unlike = { count: 50, firstAxleGap: 900 }
  expect(joined(misread('WX1234B', unlike), spelling('WX12348'))).toBe('2 WX12348')
  expect(joined(misread('6D12345', unlike), spelling('GD12345', { count: 1 }))).toBe('2 GD12345')
  expect(joined(misread('WX1234B', { ...unlike, country: 'LT' }), spelling('WX12348', { country: 'LT' }))).toBeNull()
  expect(joined(misread('WX1234B', { ...unlike, country: null }), spelling('WX12348'))).toBeNull()
  // The same plate precedes, a strong pair follows: D is read as 0, but the area code was OOL only if it is seen.
  expect(joined(misread('0OL12345'), spelling('DOL12345'))).toBe('3 DOL12345')
  expect(joined(misread('0OL12345'), spelling('DOL12345'), spelling('OOL12345'))).toBe('2 OOL12345')
})

test('a plate that Polish grammar reads otherwise is not joined to', () => {
  expect(joined(misread('WX12348'), spelling('WX1234B'))).toBeNull()
  expect(joined(misread('WX12348', { country: 'DE' }), spelling('WX1234B', { country: 'DE' }))).toBe('3 WX1234B')
  expect(joined(misread('AB1234O', { country: 'DE' }), spelling('AB12340', { country: 'DE' }))).toBe('3 AB12340')
  expect(joined(misread('AB12340', { country: 'DE' }), spelling('AB1234O', { country: 'DE' }))).toBe('3 AB1234O')
})

test.each([
  // The digit of the series was read as a letter that does not occur in it, and is one character from a neighbour.
  ['EBE7B569', 'EBE7X569', 'EBE78569'],
  ['WX1234O', 'WX1234A', 'WX12340'],
  // A letter of the area code was read as a digit.
  ['6D12345', 'LD12345', 'GD12345'],
])('%s joins %s by no changed character, as Polish grammar reads it as %s', (form, neighbour, read) => {
  expect(joined(misread(form), spelling(neighbour))).toBeNull()
  expect(joined(misread(form), spelling(neighbour), spelling(read, { count: 1 }))).toBe(`2 ${read}`)
  expect(mayBeMisread({ form, country: 'PL' })).toBe(false)
})

test('a look-alike plate precedes a changed character, even if it is rare', () => {
  // Outside the format of Lithuania, and one character from the neighbouring number.
  const variant = misread('ABC37B', { country: 'LT' })
  const sister = spelling('ABC379', { country: 'LT' })
  const lithuanian = (count: number) => spelling('ABC378', { country: 'LT', count })
  expect(joined(variant, sister)).toBe('4 ABC379')
  expect(joined(variant, sister, lithuanian(20))).toBe('3 ABC378')
  expect(joined(variant, sister, lithuanian(4))).toBeNull()
  expect(joined(variant, sister, { ...lithuanian(20), firstAxleGap: 300 })).toBe('4 ABC379')
})

test('two candidates give no join', () => {
  const variant = misread('WGM4KS8S')
  const [first, second] = [spelling('WGM4K585'), spelling('WGM4KS85')]
  expect([joined(variant, first), joined(variant, second)]).toEqual(['3 WGM4K585', '3 WGM4KS85'])
  expect(joined(variant, first, second)).toBeNull()
  expect(joined(variant, first, { ...second, firstAxleGap: 300 })).toBe('3 WGM4K585')
  expect(joined(variant)).toBeNull()
})

test('a lost character joins no plate if another one is possible, even if that one is rare', () => {
  const variant = misread('WX2945')
  const lorry = spelling('WX23945')
  expect(joined(variant, lorry)).toBe('4 WX23945')
  expect(joined(variant, lorry, spelling('WX21945', { count: 2 }))).toBeNull()
  expect(joined(variant, lorry, spelling('WX21945', { count: 2, firstAxleGap: 300 }))).toBe('4 WX23945')
})

test('detections that exclude each other prevent a join', () => {
  const near = { sightings: [{ locationId: 1, at: 60_000 }] }
  expect(joined(misread('WGM4K28S', near), other)).toBeNull()
  expect(joined(misread('WGM4K28S', { sightings: [{ locationId: 3, at: HOUR }] }), other)).toBeNull()
  expect(joined(misread('WGM4K28S', { sightings: [{ locationId: 3, at: 2 * HOUR }] }), other)).toBe('3 WGM4K285')
  const same = misread('WGM4K285', { country: null, ...near })
  expect(joined(same, other)).toBeNull()
})

test('a join keeps its evidence', () => {
  const variant = misread('WGM4K28S', { firstAxleGap: 372, length: null })
  expect(findJoin(variant, [other], distanceBetween)).toEqual({
    other,
    rule: 3,
    evidence: { counts: [1, 20], firstAxleGaps: [372, 370], lengths: null },
  })
  expect(findJoin({ ...variant, firstAxleGap: null, length: 1_650 }, [other], distanceBetween)?.evidence).toEqual({
    counts: [1, 20],
    firstAxleGaps: null,
    lengths: [1_650, 1_640],
  })
  const unmeasured = { ...other, length: null }
  expect(findJoin(misread('WGM4K28S'), [unmeasured], distanceBetween)?.evidence.lengths).toBeNull()
})

test('candidates by form, fold and neighbours give the same joins as all spellings', () => {
  const random = seededRandom(21)
  const plates = new Map<string, Spelling>()
  const add = (key: string, country: Iso | null, count: number) =>
    plates.set(
      key + country,
      spelling(key, {
        country,
        count,
        firstAxleGap: random.pick([null, 300, 303, 306]),
        axleCounts: [random.pick([4, 5, 7])],
        sightings: [{ locationId: random.below(4), at: random.below(400) * HOUR }],
      }),
    )
  // Few characters, so that plates collide.
  for (let made = 0; made < 150; made++) {
    const key = `W${random.pick(['X', 'B'])}${Array.from({ length: 4 }, () => random.below(3)).join('')}${random.pick([...'058SG'])}`
    add(key, random.pick(['PL', 'PL', 'PL', 'LT']), random.pick([4, 10, 40, 40]))
    const at = random.below(key.length)
    const [before, after] = [key.slice(0, at), key.slice(at + 1)]
    add(before + random.pick(['', 'B', 'O', '6', 'Z']) + after, random.pick(['PL', 'PL', null]), random.pick([1, 2]))
    add(key, null, 1)
  }
  const all = [...plates.values()]
  const by = <K>(keyOf: (one: Spelling) => K) => Map.groupBy(all, keyOf)
  const [byForm, byFold] = [by(({ form }) => form), by(({ form }) => foldOf(form))]
  const reversed = all.toReversed()
  const rules = new Map<number, number>()
  const joins = new Map<Spelling, Spelling>()
  for (const variant of all) {
    const neighbours = mayBeMisread(variant) ? neighboursOf(variant) : []
    const candidates = new Set([
      ...(byFold.get(foldOf(variant.form)) ?? []),
      ...neighbours.flatMap((form) => byForm.get(form) ?? []),
    ])
    const join = findJoin(variant, candidates, distanceBetween)
    const ofAll = findJoin(variant, reversed, distanceBetween)
    expect([join?.rule, join?.other.form, join?.other.country]).toEqual([
      ofAll?.rule,
      ofAll?.other.form,
      ofAll?.other.country,
    ])
    if (join) {
      rules.set(join.rule, (rules.get(join.rule) ?? 0) + 1)
      joins.set(variant, join.other)
    }
  }
  expect([...rules.keys()].sort()).toEqual([1, 2, 3, 4])
  expect(Math.min(...rules.values())).toBeGreaterThan(4)
  // Chains end.
  for (const variant of all) {
    let [last, length]: [Spelling | undefined, number] = [variant, 0]
    while (last && length < 10) [last, length] = [joins.get(last), length + 1]
    expect(last).toBeUndefined()
  }
})
