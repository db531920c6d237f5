import { describe, expect, test } from 'vitest'
import type { LegalLimits } from '../vehicle/limits.ts'
import polishLimits from '../vehicle/limits-pl.json' with { type: 'json' }
import { type EnteredWeights, excessesOf, staticLoads, weightsError } from './weighing.ts'

const limits = polishLimits as LegalLimits
const entered = (weights: Partial<EnteredWeights>): EnteredWeights => ({
  axles: null,
  gaps: null,
  groups: null,
  gross: null,
  ...weights,
})

/** Weighed by an axle scale: tractor and semi-trailer on a tridem, gaps in cm. */
const TRACTOR = { axles: [7_600, 10_800, 7_200, 7_200, 7_200], gaps: [374, 562, 131, 131] }

const loads = (load: number, limit: number | null) => ({ load, limit })
const gross = (load: number, limit: number | null) => ({
  gross: loads(load, limit),
  axles: null,
  gaps: null,
  groups: [],
})

describe('certain excess', () => {
  test.each([
    ['1 % of 42,000 kg deducted', gross(42_000, 40_000), 1, [['gross', 41_580, 4]]],
    ['nothing left of 40,300 kg', gross(40_300, 40_000), 1, []],
    ['equal to the limit', gross(40_000, 40_000), 0, []],
    ['1 kg over with an exact scale', gross(40_001, 40_000), 0, [['gross', 40_001, 0.1]]],
    ['equal after the deduction', gross(50_000, 49_750), 0.5, []],
    ['a kilogram more', gross(50_001, 49_750), 0.5, [['gross', 49_751, 0.1]]],
    ['without a limit', gross(90_000, null), 0, []],
  ] as const)('%s', (_, weighed, accuracy, expected) => {
    const found = excessesOf({ ...weighed, groups: [...weighed.groups] }, accuracy)
    expect(found.map(({ kind, certain, percent }) => [kind, certain, percent])).toEqual(expected)
  })

  test('lists gross weight, groups, then axles; a group of one counts as an axle', () => {
    const weighed = {
      gross: loads(41_000, 40_000),
      axles: [loads(12_000, 11_500), loads(9_000, null), loads(9_000, null)],
      gaps: [500, 131],
      groups: [
        { axles: [1], ...loads(12_000, 11_500) },
        { axles: [2, 3], ...loads(18_500, 18_000) },
      ],
    }
    expect(excessesOf(weighed, 0).map(({ kind, axles }) => [kind, axles])).toEqual([
      ['gross', []],
      ['group', [2, 3]],
      ['axle', [1]],
    ])
    expect(excessesOf({ ...weighed, axles: null }, 0)).toEqual(excessesOf(weighed, 0))
  })
})

describe('entered weights', () => {
  test.each<[string, Partial<EnteredWeights>, string | null]>([
    ['axles alone', { axles: [5_000, 5_000] }, null],
    ['the gross weight alone', { gross: 18_000 }, null],
    ['a sum of 500 kg', { axles: [100, 400] }, null],
    ['a smaller sum', { axles: [100, 399] }, 'gross value-too-small'],
    ['a sum of 150 t', { axles: Array(5).fill(30_000) }, null],
    ['a larger sum', { axles: [...Array(5).fill(30_000), 100] }, 'gross value-too-large'],
    ['nothing', {}, 'axles required-parameter-missing'],
    ['gaps alone', { gaps: [300], gross: 18_000 }, 'gaps invalid-value'],
    ['3 % more', { axles: [5_150, 5_150], gross: 10_000 }, null],
    ['3 % less', { axles: [4_850, 4_850], gross: 10_000 }, null],
    ['over 3 %', { axles: [5_150, 5_151], gross: 10_000 }, 'gross weights-disagree'],
    [
      'groups over 3 %',
      {
        groups: [
          { axles: 1, load: 5_000 },
          { axles: 2, load: 4_699 },
        ],
        gross: 10_000,
      },
      'gross weights-disagree',
    ],
    ['a gap too few', { axles: [5_000, 5_000, 5_000], gaps: [300] }, 'gaps invalid-value'],
    ['axles and groups', { axles: [5_000, 5_000], groups: [{ axles: 2, load: 10_000 }] }, 'groups invalid-value'],
    ['a single axle', { groups: [{ axles: 1, load: 10_000 }] }, 'groups value-too-small'],
    [
      '13 axles',
      {
        groups: [
          { axles: 6, load: 9_000 },
          { axles: 7, load: 9_000 },
        ],
      },
      'groups value-too-large',
    ],
    ...(
      [
        ['12 axles', [6, 9_000], [6, 9_000], null],
        ['a group of 30 t for each axle', [2, 60_000], [1, 5_000], null],
        ['a group that is too heavy', [2, 60_001], [1, 5_000], 'groups value-too-large'],
        ['a group of 100 kg for each axle', [2, 200], [1, 300], null],
        ['a group that is too light', [2, 199], [1, 5_000], 'groups value-too-small'],
      ] as const
    ).map(([name, ...rest]): [string, Partial<EnteredWeights>, string | null] => {
      const [one, other, expected] = rest
      return [name, { groups: [one, other].map(([axles, load]) => ({ axles, load })) }, expected]
    }),
  ])('%s', (_, weights, expected) => {
    const error = weightsError(entered(weights))
    expect(error && `${error.path} ${error.code}`).toBe(expected)
  })
})

const measured = {
  ctg8p1: 9,
  ctg323: 5,
  limitTotalLoad: 44_000,
  axles: [0, ...TRACTOR.gaps].map((gap, at) => ({
    type: at < 2 ? 1 : 3,
    totalLoad: 7_000,
    minTotalLoad: 6_500,
    maxTotalLoad: 7_500,
    leftWeight: 3_500,
    rightWeight: 3_500,
    gap,
    limitTotalLoad: [10_000, 11_500, null, null, null][at] ?? null,
    overload: 0,
  })),
  axlesComplex: {
    minTotalLoad: 30_000,
    totalLoad: 35_000,
    maxTotalLoad: 40_000,
    axlesGroups: [[1], [2], [3, 4, 5]].map((axles) => ({
      type: axles.length,
      totalLoad: 7_000,
      minTotalLoad: 6_500,
      maxTotalLoad: 7_500,
      limitTotalLoad: [10_000, 11_500, 25_000][axles.length === 3 ? 2 : axles[0] === 1 ? 0 : 1] ?? null,
      overload: 0,
      axles,
    })),
  },
}

describe('static loads', () => {
  test('have the limits of the measurement if category and axles are the same', () => {
    const found = staticLoads(entered({ axles: TRACTOR.axles }), { limits, measured, ctg8p1: 9 })
    expect(found.gross).toEqual(loads(40_000, 44_000))
    expect(found.axles?.map(({ limit }) => limit)).toEqual([10_000, 11_500, null, null, null])
    expect(found.groups).toEqual([
      { axles: [1], load: 7_600, limit: 10_000 },
      { axles: [2], load: 10_800, limit: 11_500 },
      { axles: [3, 4, 5], load: 21_600, limit: 25_000 },
    ])
    const whole = staticLoads(entered({ gross: 41_000 }), { limits, measured, ctg8p1: 9 })
    expect([whole.gross, whole.gaps]).toEqual([loads(41_000, 44_000), TRACTOR.gaps])
    expect(staticLoads(entered(TRACTOR), { limits, measured, ctg8p1: 9 }).gross.limit).toBe(44_000)
    const [first = 0, ...others] = TRACTOR.gaps
    const longer = entered({ ...TRACTOR, gaps: [first + 1, ...others] })
    expect(staticLoads(longer, { limits, measured, ctg8p1: 9 }).gross.limit).toBe(40_000)
  })

  test('have the gross limit of a measurement without axles, and the limits of the law for groups that it does not have', () => {
    const whole = { ...measured, axles: undefined, axlesComplex: null }
    const law = { limits, measured: whole, ctg8p1: 9 }
    expect(staticLoads(entered({ gross: 41_000 }), law).gross).toEqual(loads(41_000, 44_000))
    expect(staticLoads(entered({ axles: TRACTOR.axles }), law)).toMatchObject({ gaps: null, groups: [] })
    const ungrouped = { ...measured, axlesComplex: null }
    const found = staticLoads(entered({ axles: TRACTOR.axles }), { limits, measured: ungrouped, ctg8p1: 9 })
    expect(found.groups.map(({ limit }) => limit)).toEqual([10_000, 11_500, 24_000])
  })

  test('have the limits of the law if the category was corrected, or without a measurement', () => {
    const corrected = staticLoads(entered({ axles: TRACTOR.axles }), { limits, measured, ctg8p1: 3 })
    expect(corrected.gross.limit).toBe(40_000)
    const alone = staticLoads(entered(TRACTOR), { limits, measured: null, ctg8p1: 9 })
    expect(alone.gross.limit).toBe(40_000)
    expect(alone.groups.map(({ limit }) => limit)).toEqual([10_000, 11_500, 24_000])
    expect(alone.axles?.map(({ limit }) => limit)).toEqual([10_000, 11_500, null, null, null])
  })

  test('have the limits of its COST 323 class if the vehicle is not classified, unless that was corrected', () => {
    // docs/domain.md, Legal limits: a rigid vehicle, and the highest of any vehicle, of two axles.
    const weights = entered({ axles: [7_000, 11_000], gaps: [500] })
    const rigid = { ...measured, ctg8p1: 0, ctg323: 2 }
    expect(staticLoads(weights, { limits, measured: rigid, ctg8p1: 0 }).gross.limit).toBe(18_000)
    const corrected = { limits, measured: { ...rigid, ctg8p1: 3 }, ctg8p1: 0 }
    expect(staticLoads(weights, corrected).gross.limit).toBe(19_500)
  })

  test('of groups number their axles, with limits by spacing', () => {
    const groups = [
      { axles: 1, load: 7_600 },
      { axles: 1, load: 10_800 },
      { axles: 3, load: 21_600 },
    ]
    const found = staticLoads(entered({ groups, gaps: TRACTOR.gaps }), { limits, measured: null, ctg8p1: 9 })
    expect(found.axles).toBeNull()
    expect(found.groups).toEqual([
      { axles: [1], load: 7_600, limit: 10_000 },
      { axles: [2], load: 10_800, limit: 11_500 },
      { axles: [3, 4, 5], load: 21_600, limit: 24_000 },
    ])
    expect(found.gross).toEqual(loads(40_000, 40_000))
  })

  test('without spacings have only the limit of the gross weight, in favour of the driver', () => {
    const found = staticLoads(entered({ axles: [6_000, 10_000, 8_000, 8_000] }), { limits, measured, ctg8p1: 9 })
    expect(found).toEqual({
      gross: loads(32_000, 38_000),
      axles: [6_000, 10_000, 8_000, 8_000].map((load) => loads(load, null)),
      gaps: null,
      groups: [],
    })
    expect(staticLoads(entered({ gross: 20_000 }), { limits, measured: null, ctg8p1: null }).gross.limit).toBeNull()
  })
})

describe('a vehicle with lifted axles', () => {
  // docs/domain.md, Lifted axles: gross weight by all axles, axles and groups by those on the ground.
  test.each<[string, number[], number[], [number[], number | null][]]>([
    [
      'the first of a tridem',
      [3],
      TRACTOR.gaps,
      [
        [[1], 10_000],
        [[2], 11_500],
        [[4, 5], 18_000],
      ],
    ],
    [
      'the middle one of a tridem',
      [4],
      TRACTOR.gaps,
      [
        [[1], 10_000],
        [[2], 11_500],
        [[3], 10_000],
        [[5], 10_000],
      ],
    ],
    [
      'two of a tridem',
      [4, 5],
      TRACTOR.gaps,
      [
        [[1], 10_000],
        [[2], 11_500],
        [[3], 10_000],
      ],
    ],
    [
      'the middle one of a narrow tridem',
      [4],
      [374, 562, 85, 90],
      [
        [[1], 10_000],
        [[2], 11_500],
        [[3, 5], 18_000],
      ],
    ],
    [
      'one beside a spacing that was not measured',
      [4],
      [374, 562, 0, 131],
      [
        [[1], 10_000],
        [[2], 11_500],
        [[3], 10_000],
        [[5], 10_000],
      ],
    ],
    [
      'the last one, far behind the others',
      [5],
      [374, 131, 131, 500],
      [
        [[1], 10_000],
        [[2, 3, 4], 24_000],
      ],
    ],
  ])('%s', (_, lifted, gaps, expected) => {
    const axles = Array<number>(5 - lifted.length).fill(8_000)
    const found = staticLoads(entered({ axles, lifted, gaps }), { limits, measured: null, ctg8p1: 9 })
    expect(found).toMatchObject({ gross: loads(8_000 * axles.length, 40_000), lifted, gaps })
    expect(found.groups.map(({ axles, limit }) => [axles, limit])).toEqual(expected)
    expect(found.axles).toHaveLength(axles.length)
  })

  test('keeps the limit of a driving axle for one that drives with no axle lifted', () => {
    const weights = entered({ axles: [7_000, 7_000, 11_000], lifted: [4], gaps: [180, 300, 140] })
    const found = staticLoads(weights, { limits, measured: null, ctg8p1: 3 })
    expect([found.gross.limit, found.axles?.at(-1)?.limit]).toEqual([32_000, 11_500])
  })

  test('has the gross limit alone without spacings, and its lifted axles in their order', () => {
    const weights = entered({ axles: [7_000, 11_000, 9_000], lifted: [5, 4] })
    expect(staticLoads(weights, { limits, measured: null, ctg8p1: 9 })).toEqual({
      gross: loads(27_000, 40_000),
      axles: [7_000, 11_000, 9_000].map((load) => loads(load, null)),
      lifted: [4, 5],
      gaps: null,
      groups: [],
    })
  })

  test('has the gross limit of the measurement, and excesses by the numbers of its axles', () => {
    const weights = entered({ axles: [7_000, 11_000, 9_600, 9_500], lifted: [3] })
    const found = staticLoads(weights, { limits, measured, ctg8p1: 9 })
    expect(found.gross).toEqual(loads(37_100, 44_000))
    expect(excessesOf(found, 0).map(({ kind, axles }) => [kind, axles])).toEqual([['group', [4, 5]]])
    const single = staticLoads(
      { ...weights, axles: [7_000, 11_000, 8_000, 10_100], lifted: [4] },
      { limits, measured, ctg8p1: 9 },
    )
    expect(excessesOf(single, 0).map(({ kind, axles }) => [kind, axles])).toEqual([['axle', [5]]])
    // Without the law the gross weight still has its limit.
    expect(staticLoads(weights, { limits: null, measured, ctg8p1: 9 }).gross.limit).toBe(44_000)
  })

  test.each<[string, Partial<EnteredWeights>, string | null]>([
    ['an axle', { axles: [5_000, 5_000], lifted: [3] }, null],
    ['the first axle', { axles: [5_000, 5_000], lifted: [1] }, null],
    ['an axle that the vehicle does not have', { axles: [5_000, 5_000], lifted: [4] }, 'lifted invalid-value'],
    ['one axle that it has, and another', { axles: [5_000, 5_000], lifted: [3, 9] }, 'lifted invalid-value'],
    ['an axle without a number', { axles: [5_000, 5_000], lifted: [0] }, 'lifted invalid-value'],
    ['an axle of a group', { groups: [{ axles: 3, load: 15_000 }], lifted: [1] }, 'lifted invalid-value'],
    ['the last of 12 axles', { axles: Array(11).fill(5_000), lifted: [12] }, null],
    ['the same axle twice', { axles: [5_000, 5_000], lifted: [3, 3] }, 'lifted invalid-value'],
    ['an axle of the whole vehicle', { gross: 18_000, lifted: [1] }, 'lifted invalid-value'],
    ['more than 12 axles', { axles: Array(12).fill(5_000), lifted: [13] }, 'lifted invalid-value'],
    ['spacings of all axles', { axles: [5_000, 5_000], lifted: [3], gaps: [300, 130] }, null],
    ['spacings of the others', { axles: [5_000, 5_000], lifted: [3], gaps: [300] }, 'gaps invalid-value'],
  ])('%s is lifted', (_, weights, expected) => {
    const error = weightsError(entered(weights))
    expect(error && `${error.path} ${error.code}`).toBe(expected)
  })
})
