import type { Layout } from './kinds.ts'
import type { Random } from './random.ts'

/** kg per kN of weight. */
const KG_PER_KN = 1000 / 9.80665

/** Distributes a gross weight over the axles, both in kN, front to rear. */
type Split = (gross: number) => number[]

const splitEqually = (load: number, axles: number): number[] => Array.from({ length: axles }, () => load / axles)

/** 113: tridem, then drive axle, then steering axle, each from the remaining load (docs/domain.md). */
const split113: Split = (gross) => {
  const tridem = 0.688 * gross - 58
  const drive = 0.797 * (gross - tridem) - 38
  return [gross - tridem - drive, drive, ...splitEqually(tridem, 3)]
}

const split112: Split = (gross) => {
  const tandem = 0.542 * gross - 32
  const drive = 0.779 * (gross - tandem) - 35
  return [gross - tandem - drive, drive, ...splitEqually(tandem, 2)]
}

const split11: Split = (gross) => {
  const rear = 0.728 * gross - 19
  return [gross - rear, rear]
}

const split12: Split = (gross) => {
  const tandem = 0.807 * gross - 28
  return [gross - tandem, 0.67 * tandem, 0.33 * tandem]
}

/** Three-axle tractor: its tandem carries the load of a drive axle and 3 kN of the steering axle. */
const withTandemTractor =
  (behind: Split): Split =>
  (gross) => {
    const [steering = 0, drive = 0, ...trailer] = behind(gross)
    return [steering - 3, 0.58 * (drive + 3), 0.42 * (drive + 3), ...trailer]
  }

const proportional =
  (...parts: number[]): Split =>
  (gross) =>
    parts.map((part) => part * gross)

/** A lorry with a trailer that takes a share of the gross weight. */
const withTrailer =
  (lorry: Split, part: number, axles: number): Split =>
  (gross) => [...lorry((1 - part) * gross), ...splitEqually(part * gross, axles)]

const SPLITS: Record<Layout, Split> = {
  '11m': proportional(0.46, 0.54),
  '11c': proportional(0.575, 0.425),
  '11v': proportional(0.46, 0.54),
  '111t': proportional(0.42, 0.36, 0.22),
  '112t': proportional(0.35, 0.33, 0.16, 0.16),
  '11b': proportional(0.36, 0.64),
  '12b': proportional(0.3, 0.45, 0.25),
  '11': split11,
  '12': split12,
  '22': proportional(0.225, 0.225, 0.275, 0.275),
  '111': (gross) => {
    const trailer = 0.4 * gross - 16
    const drive = 0.74 * (gross - trailer) - 30
    return [gross - trailer - drive, drive, trailer]
  },
  '112': split112,
  '113': split113,
  '122': withTandemTractor(split112),
  '123': withTandemTractor(split113),
  '112r': withTrailer(split11, 0.47, 2),
  '1111': withTrailer(split11, 0.48, 2),
  '1211': withTrailer(split12, 0.42, 2),
}

/** Axle loads of an evenly placed load, in kg, front to rear. */
export const splitOf = (layout: Layout, grossKg: number): number[] =>
  SPLITS[layout](grossKg / KG_PER_KN).map((load) => load * KG_PER_KN)

/** Random axle loads, in kg, front to rear; their sum is the gross weight, but for rounding. */
export const axleLoadsOf = (layout: Layout, grossKg: number, random: Random): number[] => {
  const loads = splitOf(layout, grossKg).map((load) => Math.max(40, load * random.normal(1, 0.025)))
  const sum = loads.reduce((a, b) => a + b, 0)
  return loads.map((load) => Math.round((load * grossKg) / sum))
}

/** Empty and permitted weight of heavy vehicles, in kg; permitted weights from docs/domain.md. */
const HEAVY: Partial<Record<Layout, { empty: number; permitted: number }>> = {
  '11b': { empty: 12_000, permitted: 19_500 },
  '12b': { empty: 15_000, permitted: 25_000 },
  '11': { empty: 6_000, permitted: 18_000 },
  '12': { empty: 10_500, permitted: 26_000 },
  '22': { empty: 13_500, permitted: 32_000 },
  '111': { empty: 11_000, permitted: 28_000 },
  '112': { empty: 12_500, permitted: 36_000 },
  '113': { empty: 12_500, permitted: 40_000 },
  '122': { empty: 14_500, permitted: 40_000 },
  '123': { empty: 16_000, permitted: 40_000 },
  '112r': { empty: 11_500, permitted: 36_000 },
  '1111': { empty: 12_500, permitted: 36_000 },
  '1211': { empty: 15_500, permitted: 40_000 },
}

/** Mean, deviation and bounds of the gross weight of light vehicles, in kg (docs/domain.md). */
const LIGHT: Partial<Record<Layout, readonly [number, number, number, number]>> = {
  '11m': [290, 45, 200, 400],
  '11c': [1_560, 190, 1_050, 2_300],
  '11v': [2_750, 420, 1_900, 3_950],
  '111t': [2_450, 300, 1_700, 3_400],
  '112t': [3_900, 600, 2_600, 5_800],
}

/** Gross weight of layout 113, in kN: a mixture of two Beta distributions, part loads and full loads (docs/domain.md). */
const gross113 = (random: Random): number =>
  random.happens(0.65) ? 35 + 565 * random.beta(5.19, 8.85) : 85.7 + 333.5 * random.beta(32.2, 4.92)

/**
 * Random gross weight, in kg. Overloading vehicles exceed the permitted weight by 4 to 34 %; of the others about 6 %
 * exceed it, mostly slightly.
 */
export const grossOf = (layout: Layout, random: Random, overloads = false): number => {
  const light = LIGHT[layout]
  if (light) {
    const [mean, deviation, from, to] = light
    return Math.round(Math.min(to, Math.max(from, random.normal(mean, deviation))))
  }
  const heavy = HEAVY[layout]
  if (!heavy) throw new Error(`no weights for ${layout}`)
  const { empty, permitted } = heavy
  const bus = layout === '11b' || layout === '12b'
  if (overloads && !bus) return Math.round(permitted * (1.04 + 0.3 * random.beta(2, 3)))
  if (layout === '113') return Math.round(Math.max(empty, gross113(random) * KG_PER_KN))
  if (!bus && random.happens(0.055)) return Math.round(permitted * (1 + 0.1 * random.beta(1.2, 3)))
  // 22 % almost empty, 43 % partly loaded, 35 % almost full.
  const loadFactor = random.weighted([
    [0.06, 0.22],
    [random.beta(2.2, 2.2), 0.43],
    [random.beta(9, 2), 0.35],
  ])
  return Math.round((empty + loadFactor * (permitted - empty)) * random.normal(1, 0.015))
}
