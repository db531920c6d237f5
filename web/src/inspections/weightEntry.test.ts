import type { LegalLimits } from '@rogatka/domain/vehicle/limits.ts'
import limits from '@rogatka/domain/vehicle/limits-pl.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { evaluateEntry, isQuestionable } from './entryEvaluation.ts'
import {
  addAxle,
  canLift,
  type EntryKey,
  enteredWeights,
  entryOf,
  exceededBoundOf,
  isComplete,
  isOutOfBounds,
  isTooLong,
  liftAxle,
  type MeasuredLoads,
  nextRow,
  parseTonnes,
  pressKey,
  progressOf,
  rowsOf,
  selectMode,
  selectRow,
  setGaps,
  startEntry,
  type WeightEntry,
} from './weightEntry.ts'

const axle = (totalLoad: number, gap: number, limitTotalLoad: number) => ({
  totalLoad,
  gap,
  limitTotalLoad,
  leftWeight: null,
  rightWeight: null,
  overload: 0,
})

/** The lorry of the mock-up: an axle, an axle, a group of three. */
const measured = {
  ctg8p1: 8,
  ctg323: 5,
  totalLoad: 46_900,
  limitTotalLoad: 40_000,
  axles: [
    axle(7_420, 0, 10_000),
    axle(13_940, 360, 11_500),
    axle(8_620, 540, 10_000),
    axle(8_510, 130, 10_000),
    axle(8_410, 130, 10_000),
  ],
  axlesComplex: {
    axlesGroups: [
      { axles: [1], totalLoad: 7_420, limitTotalLoad: 10_000 },
      { axles: [2], totalLoad: 13_940, limitTotalLoad: 11_500 },
      { axles: [3, 4, 5], totalLoad: 25_540, limitTotalLoad: 24_000 },
    ],
  },
} as unknown as MeasuredLoads

const vehicle = { measured, ctg8p1: 8 }

/** Types texts, with Next after each. */
const type = (entry: WeightEntry, ...texts: string[]) =>
  texts.reduce((before, text) => nextRow([...text].reduce((it, key) => pressKey(it, key as EntryKey), before)), entry)

test('tonnes with a comma are parsed to kg, with or without zeros at the end', () => {
  expect(['8,3', '8,35', '8,05', '13,7', '40', '7,', '0,1', '', ','].map(parseTonnes)).toEqual([
    8_300,
    8_350,
    8_050,
    13_700,
    40_000,
    7_000,
    100,
    null,
    null,
  ])
})

test('the keypad ignores what would be no number, and a comma alone starts with zero', () => {
  const typed = (keys: string) => rowsOf([...keys].reduce((it, key) => pressKey(it, key as EntryKey), startEntry(null)))
  expect(typed('8,,3')[0]?.text).toBe('8,3')
  expect(typed(',5')[0]?.text).toBe('0,5')
  expect(typed('123')[0]?.text).toBe('12')
  expect(typed('8,355')[0]?.text).toBe('8,35')
  expect(rowsOf(pressKey(type(startEntry(null)), 'back'))[0]?.text).toBe('')
})

test('the weights of five axles can be typed with eighteen characters, with the verdicts of the mock-up', () => {
  const empty = startEntry(measured)
  const four = type(empty, '7,3', '13,7', '8,4', '8,35')
  expect(four.current).toBe(4)
  const partly = evaluateEntry(four, vehicle, 1)
  expect(partly.lines.map(({ status, percent }) => [status, percent])).toEqual([
    ['within', null],
    ['over', 17.9],
    ['within', null],
    ['within', null],
    ['unknown', null],
  ])
  expect(partly.lines[4]).toMatchObject({ wim: null, difference: null })
  expect(partly.lines[1]?.difference).toBeCloseTo(1.75, 2)
  expect(partly.groups).toMatchObject([{ axles: [3, 4, 5], load: 16_750, limit: 24_000 }])
  expect(partly.gross).toMatchObject({ load: 37_750, wim: null })
  expect(partly.excesses.map(({ kind, axles }) => [kind, axles])).toEqual([['axle', [2]]])
  expect(isComplete(four)).toBe(false)

  const five = type(four, '8,05')
  expect(isComplete(five)).toBe(true)
  expect(enteredWeights(five)).toEqual({
    axles: [7_300, 13_700, 8_400, 8_350, 8_050],
    gaps: null,
    groups: null,
    gross: null,
  })
  const whole = evaluateEntry(five, vehicle, 1)
  expect(whole.gross).toMatchObject({ load: 45_800, limit: 40_000, status: 'over', percent: 13.4 })
  expect(whole.gross.difference).toBeCloseTo(2.4, 1)
  expect(whole.excesses.map(({ kind, percent }) => [kind, percent])).toEqual([
    ['gross', 13.4],
    ['group', 2.3],
    ['axle', 17.9],
  ])
})

test('a load over its limit but within the accuracy of the scale is not certain', () => {
  const { lines } = evaluateEntry(type(startEntry(measured), '10,05'), vehicle, 1)
  expect(lines[0]).toMatchObject({ status: 'accuracy', percent: null })
  const withoutScale = evaluateEntry(type(startEntry(measured), '13,7'), vehicle, null)
  expect(withoutScale.lines[0]).toMatchObject({ status: 'unknown', percent: null })
  expect(withoutScale.excesses).toEqual([])
})

test('a difference of more than 15 % is questioned', () => {
  const lineOf = (text: string) => evaluateEntry(type(startEntry(measured), text), vehicle, 1).lines[0]
  expect(['6,4', '6,46', '8,72', '8,74'].map((text) => isQuestionable(lineOf(text) as never))).toEqual([
    true,
    false,
    false,
    true,
  ])
})

test('an axle that was lifted keeps its number, and one that was missed is added', () => {
  const lifted = type(liftAxle(type(startEntry(measured), '7,3', '13,7')), '8,4', '8')
  expect(enteredWeights(lifted)).toMatchObject({
    axles: [7_300, 13_700, 8_400, 8_000],
    lifted: [3],
    gaps: null,
  })
  expect(progressOf(lifted)).toEqual({ done: 4, of: 4 })
  expect(isComplete(lifted)).toBe(true)
  expect(evaluateEntry(lifted, vehicle, 1).lines.map(({ wim }) => wim)).toEqual([null, null, null, null, null])

  const added = type(addAxle(type(startEntry(null), '3', '4')), '5')
  expect(enteredWeights(added).axles).toEqual([3_000, 4_000, 5_000])
  expect(canLift(startEntry(null))).toBe(false)
})

test('with a lifted axle all others are evaluated at once, and its group has the numbers of the rows', () => {
  const law = { ...vehicle, limits: limits as LegalLimits }
  const empty = type(liftAxle(type(startEntry(measured), '7,3', '13,7')))
  const partly = evaluateEntry(empty, law, 1)
  expect(partly.lines.map(({ status }) => status)).toEqual(['within', 'over', 'unknown', 'unknown', 'unknown'])
  expect(partly.groups).toMatchObject([{ axles: [4, 5], load: 0, limit: 18_000 }])
  const whole = evaluateEntry(type(empty, '9,5', '9,4'), law, 1)
  expect(whole).toMatchObject({ areLimitsKnown: true, missingGaps: [], lifted: [3] })
  expect(whole.gross).toMatchObject({ load: 39_900, limit: 40_000, status: 'within' })
  expect(whole.groups).toMatchObject([{ axles: [4, 5], load: 18_900, limit: 18_000 }])
  expect(whole.excesses.map(({ kind, axles }) => [kind, axles])).toEqual([
    ['group', [4, 5]],
    ['axle', [2]],
  ])
  // Without the law only the limit of the gross weight is that of the measurement.
  expect(evaluateEntry(type(empty, '9,5', '9,4'), vehicle, 1)).toMatchObject({
    areLimitsKnown: false,
    gross: { limit: 40_000 },
  })
})

test('a vehicle without a measurement is evaluated by its kind, and its missing spacings are named', () => {
  const random = { measured: null, ctg8p1: null, limits: limits as LegalLimits }
  const spaced = setGaps({ ...type(startEntry(null), '9', '12'), ctg8p1: 3 }, [400], null)
  const two = evaluateEntry(spaced, random, 1)
  expect(two.gross).toMatchObject({ load: 21_000, limit: 18_000, status: 'over' })
  expect([two.lines.map(({ limit }) => limit), two.missingGaps]).toEqual([[10_000, 11_500], []])
  const three = evaluateEntry(type(addAxle(spaced), '8'), random, 1)
  expect(three).toMatchObject({ gross: { limit: 26_000, status: 'over' }, missingGaps: [[2, 3]] })
})

test('weights out of their bounds are not complete, and the next row comes back to them', () => {
  const entry = type(startEntry(null), '31', '4')
  expect(isOutOfBounds(entry, rowsOf(entry)[0] as never)).toBe(true)
  expect(isComplete(entry)).toBe(false)
  expect(nextRow(entry).current).toBe(0)
})

test('a weight that is too large is reported with its bound while it is typed, and confirms nothing', () => {
  const typed = (keys: string, entry = startEntry(measured)) =>
    [...keys].reduce((it, key) => pressKey(it, key as EntryKey), entry)
  expect(exceededBoundOf(typed('30'))).toBeNull()
  expect(exceededBoundOf(typed('31'))).toEqual({ max: 30_000 })
  // A third digit before the comma is not taken.
  expect([isTooLong(typed('10'), '5'), isTooLong(typed('1'), '5'), isTooLong(typed('8,35'), '5')]).toEqual([
    true,
    false,
    false,
  ])
  expect(exceededBoundOf(typed('151', selectMode(startEntry(measured), 'gross')))).toEqual({ max: 150_000 })
  // A number that is too small may still be typed further.
  expect(exceededBoundOf(typed('0,0'))).toBeNull()
  const tooLarge = evaluateEntry(typed('99'), vehicle, 1)
  expect([tooLarge.excesses, tooLarge.gross.load]).toEqual([[], 0])
})

test('axles whose sum is too large are reported, too', () => {
  const heavy = type(startEntry(measured), '30', '30', '30', '30', '30')
  const six = type(addAxle(heavy), '30')
  expect([isComplete(heavy), exceededBoundOf(heavy), isComplete(six), exceededBoundOf(six)]).toEqual([
    true,
    null,
    false,
    { max: 150_000, isSum: true },
  ])
})

test('groups and the whole vehicle are entered in rows of their own', () => {
  const groups = type(selectMode(startEntry(measured), 'groups'), '7,3', '13,7', '24,8')
  expect(enteredWeights(groups).groups).toEqual([
    { axles: 1, load: 7_300 },
    { axles: 1, load: 13_700 },
    { axles: 3, load: 24_800 },
  ])
  expect(evaluateEntry(groups, vehicle, 1).excesses.map(({ kind }) => kind)).toEqual(['gross', 'group', 'axle'])
  const gross = type(selectMode(groups, 'gross'), '45,8')
  expect(enteredWeights(gross).gross).toBe(45_800)
  expect(evaluateEntry(gross, vehicle, 1).lines[0]).toMatchObject({ limit: 40_000, status: 'over', percent: 13.4 })
})

test('a stored weighing becomes an entry again', () => {
  const loads = { axles: [{ load: 7_300 }, { load: 13_700 }], groups: [], gross: { load: 21_000 } }
  expect(enteredWeights(entryOf(loads, null)).axles).toEqual([7_300, 13_700])
  expect(entryOf({ ...loads, axles: null }, null)).toMatchObject({ mode: 'gross' })
})

test('a corrected weighing keeps the axles that were lifted', () => {
  const stored = {
    axles: [7_300, 13_700, 8_400, 8_000].map((load) => ({ load })),
    lifted: [3],
    gaps: [360, 540, 130, 130],
    groups: [
      { axles: [1], load: 7_300 },
      { axles: [2], load: 13_700 },
      { axles: [4, 5], load: 16_400 },
    ],
    gross: { load: 37_400 },
  }
  const entry = entryOf(stored, measured)
  expect(rowsOf(entry).map(({ text, isLifted }) => (isLifted ? null : text))).toEqual([
    '7,30',
    '13,70',
    null,
    '8,40',
    '8,00',
  ])
  expect(entry.rows.groups.map(({ axles }) => axles)).toEqual([1, 1, 3])
  expect(enteredWeights(entry)).toEqual({
    axles: [7_300, 13_700, 8_400, 8_000],
    lifted: [3],
    gaps: null,
    groups: null,
    gross: null,
  })
  // Once it is on the ground, it is weighed.
  expect(enteredWeights(type(selectRow(entry, 2), '8,5'))).toMatchObject({
    axles: [7_300, 13_700, 8_500, 8_400, 8_000],
    gaps: null,
  })
})

test('a corrected weighing keeps the spacings of axles that were measured otherwise', () => {
  const stored = {
    axles: [7_300, 13_700, 8_400, 8_000].map((load) => ({ load })),
    gaps: [360, 670, 130],
    groups: [
      { axles: [1], load: 7_300 },
      { axles: [2], load: 13_700 },
      { axles: [3, 4], load: 16_400 },
    ],
    gross: { load: 37_400 },
  }
  const corrected = pressKey(pressKey(entryOf(stored, measured), 'back'), '5')
  expect(enteredWeights(corrected)).toMatchObject({
    axles: [7_350, 13_700, 8_400, 8_000],
    gaps: [360, 670, 130],
  })
  expect(evaluateEntry(corrected, vehicle, 1)).toMatchObject({ areLimitsKnown: false, excesses: [] })
  // Those of the measurement are not sent.
  const whole = { ...stored, axles: [...stored.axles, { load: 8_000 }], gaps: [360, 540, 130, 130] }
  expect(enteredWeights(entryOf(whole, measured)).gaps).toBeNull()
  const groups = enteredWeights(entryOf({ ...stored, axles: null }, measured))
  expect([groups.groups?.map(({ axles }) => axles), groups.gaps]).toEqual([
    [1, 1, 2],
    [360, 670, 130],
  ])
})

test('typed spacings determine the groups, and stay those of all axles if one was lifted', () => {
  const three = type(addAxle(type(startEntry(null), '6', '9')), '8,5')
  const spaced = setGaps(three, [380, 131], null)
  expect(enteredWeights(spaced).gaps).toEqual([380, 131])
  expect(spaced.rows.groups.map(({ axles }) => axles)).toEqual([1, 2])
  expect(enteredWeights(liftAxle(selectRow(spaced, 1)))).toMatchObject({
    axles: [6_000, 8_500],
    lifted: [2],
    gaps: [380, 131],
  })
  // Of another number of axles than weighed they are not known.
  expect(enteredWeights(addAxle(spaced)).gaps).toBeNull()
  expect(setGaps(spaced, null, null)).toEqual(three)
  const asMeasured = startEntry(measured)
  expect(setGaps(setGaps(asMeasured, [360, 540, 250, 250], measured), [360, 540, 130, 130], measured)).toEqual(
    asMeasured,
  )
})

test('limits are unknown for another kind of vehicle, or without a measurement', () => {
  const entry = type(startEntry(measured), '7,3', '13,7', '8,4', '8,35', '8,05')
  const isKnown = (it: WeightEntry, seen = vehicle) => evaluateEntry(it, seen, 1).areLimitsKnown
  expect([isKnown(entry), isKnown({ ...entry, ctg8p1: 3 }), isKnown(entry, { measured, ctg8p1: 3 })]).toEqual([
    true,
    false,
    false,
  ])
  expect(evaluateEntry(type(startEntry(null), '12', '12'), { measured: null, ctg8p1: null }, 1).areLimitsKnown).toBe(
    false,
  )
})
