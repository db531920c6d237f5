import type { Kind, Layout } from './kinds.ts'
import type { Random } from './random.ts'

/** Cargo body of a lorry. */
export type CargoBody = 'curtain' | 'box' | 'tipper' | 'tank' | 'container' | 'flatbed'

/** Outer shape of a vehicle, in cm. */
export type VehicleShape = {
  kind: Kind
  layout: Layout
  body: CargoBody
  /** Axle spacings, front to rear. */
  gaps: readonly number[]
  length: number
  /** From the front to the first axle. */
  overhang: number
  /** Height of the cab, or of a vehicle without one. */
  cab: number
  /** Height of the cargo or trailer. */
  load: number
}

/** From the front to the first axle, in cm. */
export const overhangs: Record<Kind, number> = {
  motorcycle: 36,
  car: 86,
  'car-trailer': 86,
  van: 96,
  'van-trailer': 96,
  bus: 272,
  lorry: 138,
  articulated: 138,
  'road-train': 138,
}
/** From the last axle to the rear, in cm. */
const REAR: Record<Layout, readonly [from: number, to: number]> = {
  '11m': [36, 46],
  '11c': [84, 112],
  '11v': [92, 150],
  '111t': [95, 150],
  '112t': [105, 180],
  '11b': [300, 350],
  '12b': [250, 320],
  '11': [150, 250],
  '12': [120, 190],
  '22': [90, 130],
  '111': [180, 300],
  '112': [200, 320],
  '113': [180, 280],
  '122': [200, 280],
  '123': [180, 260],
  '112r': [260, 340],
  '1111': [120, 170],
  '1211': [90, 140],
}

const cargoBodyOf = (layout: Layout, random: Random): CargoBody => {
  if (layout === '22')
    return random.weighted([
      ['tipper', 8],
      ['flatbed', 2],
    ])
  if (layout === '12')
    return random.weighted([
      ['tipper', 4],
      ['curtain', 3],
      ['box', 2],
      ['flatbed', 1],
    ])
  if (layout === '11')
    return random.weighted([
      ['box', 5],
      ['curtain', 4],
      ['flatbed', 1],
    ])
  if (layout === '112r' || layout === '1111' || layout === '1211')
    return random.weighted([
      ['curtain', 7],
      ['box', 2],
    ])
  return random.weighted([
    ['curtain', 55],
    ['box', 18],
    ['tipper', 8],
    ['tank', 8],
    ['container', 8],
    ['flatbed', 3],
  ])
}

/** Heights of cargo, in cm; the legal maximum is 400 (docs/domain.md). */
const LOAD_HEIGHTS: Record<CargoBody, readonly [mean: number, deviation: number, to: number]> = {
  curtain: [391, 4, 396],
  box: [389, 5, 396],
  tipper: [325, 22, 370],
  tank: [352, 12, 380],
  container: [392, 3, 396],
  flatbed: [280, 45, 385],
}

const within = (from: number, to: number, value: number): number => Math.min(to, Math.max(from, value))

const heightsOf = (kind: Kind, layout: Layout, body: CargoBody, random: Random): { cab: number; load: number } => {
  if (kind === 'motorcycle') return { cab: within(125, 175, random.normal(150, 9)), load: 0 }
  if (kind === 'bus') return { cab: within(305, 385, random.normal(layout === '11b' ? 335 : 362, 14)), load: 0 }
  const car = random.weighted([
    [random.normal(147, 3), 0.7],
    [random.normal(166, 5), 0.3],
  ])
  if (kind === 'car') return { cab: car, load: 0 }
  const van = within(
    192,
    285,
    random.weighted([
      [random.normal(198, 4), 0.3],
      [random.normal(256, 9), 0.7],
    ]),
  )
  if (kind === 'van') return { cab: van, load: 0 }
  if (kind === 'car-trailer')
    return {
      cab: car,
      load: random.weighted([
        [random.between(95, 150), 0.6],
        [random.normal(255, 8), 0.4],
      ]),
    }
  if (kind === 'van-trailer')
    return {
      cab: van,
      load: random.weighted([
        [random.between(95, 150), 0.5],
        [random.normal(215, 20), 0.5],
      ]),
    }
  const [mean, deviation, to] = LOAD_HEIGHTS[body]
  // Small lorries are lower.
  const light = layout === '11' && body !== 'flatbed' ? random.between(0, 70) : 0
  // About 0.7 % are too high.
  const load = random.happens(0.007)
    ? random.between(404, 436)
    : within(150, to, random.normal(mean, deviation) - light)
  const cab = kind === 'articulated' ? random.normal(370, 14) : random.normal(layout === '11' ? 275 : 315, 16)
  return { cab: within(250, 394, cab), load }
}

/** Random shape of a vehicle. */
export const vehicleShapeOf = (kind: Kind, layout: Layout, gaps: readonly number[], random: Random): VehicleShape => {
  const body = cargoBodyOf(layout, random)
  const [from, to] = REAR[layout]
  const overhang = Math.round(overhangs[kind] * random.normal(1, 0.03))
  const wheelbase = gaps.reduce((sum, gap) => sum + gap, 0)
  const free = overhang + wheelbase + random.between(from, to)
  // Just below the permitted 16.5 m of an articulated lorry and 18.75 m of a road train.
  const longest = kind === 'articulated' ? 1_648 : kind === 'road-train' ? 1_872 : Number.POSITIVE_INFINITY
  const length = Math.round(Math.max(Math.min(free, longest), overhang + wheelbase + Math.min(from, 90)))
  const { cab, load } = heightsOf(kind, layout, body, random)
  return { kind, layout, body, gaps, length, overhang, cab: Math.round(cab), load: Math.round(load) }
}

/** In cm. */
export const heightOf = (form: VehicleShape): number => Math.max(form.cab, form.load)
