import { expect, test } from 'vitest'
import { type ComparedDetection, compareDetections } from './comparison.ts'

const axles = (...pairs: [totalLoad: number, gap: number][]) => pairs.map(([totalLoad, gap]) => ({ totalLoad, gap }))

/** Passage A and B of the mock-up. */
const LORRY: ComparedDetection = {
  plateLpr: 'PO7XA93',
  nationality: 'PL',
  totalLoad: 46_900,
  vehLength: 1_642,
  axles: axles([7_420, 0], [13_940, 374], [8_620, 567], [8_510, 131], [8_410, 131]),
}
const LIGHTER: ComparedDetection = {
  ...LORRY,
  totalLoad: 38_640,
  vehLength: 1_641,
  axles: axles([7_180, 0], [9_860, 375], [7_240, 565], [7_200, 130], [7_160, 132]),
}

test('differences are those of A less B, by axle and in all', () => {
  expect(compareDetections(LORRY, LIGHTER)).toEqual({
    mass: 8_260,
    axles: [240, 4_080, 1_380, 1_310, 1_250],
    largest: { axle: 2, difference: 4_080 },
    gap: 2,
    agreement: { plate: 'agrees', axles: 'agrees', length: 'agrees' },
  })
  expect(compareDetections(LIGHTER, LORRY)).toMatchObject({ mass: -8_260, largest: { axle: 2, difference: -4_080 } })
})

test.each<[string, Partial<ComparedDetection>, Partial<Record<'plate' | 'axles' | 'length', string>>]>([
  ['a plate in another form', { plateLpr: 'PO 7XA93' }, {}],
  ['a likely misreading', { plateLpr: 'P07XA93' }, { plate: 'similar' }],
  ['another digit', { plateLpr: 'PO7XA98' }, { plate: 'differs' }],
  ['another country', { nationality: 'LT' }, { plate: 'differs' }],
  ['an unknown country', { nationality: null }, {}],
  ['an unreadable plate', { plateLpr: null }, { plate: 'unknown' }],
  ['a length of 50 cm more', { vehLength: 1_692 }, {}],
  ['a length of 51 cm more', { vehLength: 1_693 }, { length: 'differs' }],
  ['a length of 51 cm less', { vehLength: 1_591 }, { length: 'differs' }],
  ['no length', { vehLength: null }, { length: 'unknown' }],
  ['a length of 0', { vehLength: 0 }, { length: 'unknown' }],
  ['no axles', { axles: undefined }, { axles: 'unknown' }],
  ['one axle less', { axles: LORRY.axles?.slice(1) }, { axles: 'differs' }],
  ['an unmeasured spacing', { axles: LORRY.axles?.map((one) => ({ ...one, gap: 0 })) }, { axles: 'unknown' }],
  ['a spacing of 10 cm more', { axles: LORRY.axles?.with(2, { totalLoad: 1, gap: 577 }) }, {}],
  ['a spacing of 11 cm more', { axles: LORRY.axles?.with(2, { totalLoad: 1, gap: 578 }) }, { axles: 'differs' }],
  ['a spacing of 11 cm less', { axles: LORRY.axles?.with(2, { totalLoad: 1, gap: 556 }) }, { axles: 'differs' }],
  // The first axle has no spacing.
  ['a first spacing', { axles: LORRY.axles?.with(0, { totalLoad: 1, gap: 99 }) }, {}],
])('%s changes the agreement to %o', (_name, change, changed) => {
  const all = { plate: 'agrees', axles: 'agrees', length: 'agrees' }
  expect(compareDetections(LORRY, { ...LORRY, ...change }).agreement).toEqual({ ...all, ...changed })
  expect(compareDetections({ ...LORRY, ...change }, LORRY).agreement).toEqual({ ...all, ...changed })
})

test('has no differences of loads without a scale or of different axles', () => {
  expect(compareDetections(LORRY, { ...LORRY, totalLoad: null })).toMatchObject({
    mass: null,
    axles: null,
    largest: null,
  })
  const shorter = compareDetections(LORRY, { ...LORRY, axles: LORRY.axles?.slice(0, 4) })
  expect(shorter).toMatchObject({ mass: 0, axles: null, largest: null, gap: null })
})
