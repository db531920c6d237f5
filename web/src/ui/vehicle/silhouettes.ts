/*
 * Side views of vehicles as data: ground at y = 30, height 32, facing left, lengths compressed but in order. Tractor
 * parts are solid; load, trailer and windows use the second tone.
 */

export type SvgPath = { d: string; tone2?: boolean; stroke?: number; dash?: string }
type Wheel = { x: number; y: number; r: number }
export type SilhouetteShape = { width: number; parts: SvgPath[]; wheels: Wheel[] }

/** Axles per group, from the front: `[1, 1, 3]` is a tractor with a tridem semi-trailer. */
export type Layout = readonly number[]

const AXLE_STEP = 10
const ARCH = 5.9
const ARCH_HALF = 5.81
const WHEEL_TOP = 19.7

const truckWheels = (xs: readonly number[]): Wheel[] => xs.map((x) => ({ x, y: 25.6, r: 4.4 }))

/** `count` axles around a centre. */
const around = (centre: number, count: number) =>
  Array.from({ length: count }, (_, i) => centre + (i - (count - 1) / 2) * AXLE_STEP)

/** Distributes groups between `from` and `to`; a single group is centred on `alone`. */
function spread(groups: Layout, from: number, to: number, alone: number): number[][] {
  if (groups.length === 1) return [around(alone, groups[0] ?? 1)]
  const widths = groups.map((count) => (count - 1) * AXLE_STEP)
  const free = to - from - widths.reduce((sum, width) => sum + width, 0)
  let left = from
  return groups.map((count, i) => {
    const xs = Array.from({ length: count }, (_, axle) => left + axle * AXLE_STEP)
    left += (widths[i] ?? 0) + free / (groups.length - 1)
    return xs
  })
}

/** Lower edge of a body, from right to left, with an arch over each group. */
const arches = (groups: readonly (readonly number[])[], base: number) =>
  groups
    .filter((xs) => xs.length > 0)
    .toReversed()
    .map((xs) => {
      const first = xs[0] ?? 0
      const last = xs.at(-1) ?? 0
      return `H${last + ARCH_HALF}A${ARCH} ${ARCH} 0 0 0 ${last} ${WHEEL_TOP}H${first}A${ARCH} ${ARCH} 0 0 0 ${first - ARCH_HALF} ${base}`
    })
    .join('')

function cab(top: number, right: number): SvgPath[] {
  const glass = `M3.3 ${top + 8.6}L4.3 ${top + 2.7}Q4.5 ${top + 2} 5.3 ${top + 2}H10V${top + 8.6}Z`
  const shell = `M1 ${top + 10}L2.6 ${top + 1.4}Q2.9 ${top} 4.4 ${top}H${right - 1}a1 1 0 0 1 1 1V26.4H16.25A5.9 5.9 0 1 0 4.55 26.4H1Z`
  return [{ d: shell + glass }, { d: glass, tone2: true }]
}

const box = (left: number, right: number, top: number, base: number, groups: readonly (readonly number[])[] = []) => ({
  d: `M${left} ${top + 1.2}a1.2 1.2 0 0 1 1.2-1.2H${right - 1.2}a1.2 1.2 0 0 1 1.2 1.2V${base}${arches(groups, base)}H${left}Z`,
  tone2: true,
})

/** The frame between `from` and `to`, interrupted by wheels. */
function frame(from: number, to: number, xs: readonly number[]): SvgPath {
  let left = from
  let d = ''
  for (const x of [...xs, to + 5.2]) {
    const right = x - 5.2
    if (right > left) d += `M${left} 23.8H${right}V26.4H${left}Z`
    left = Math.max(left, x + 5.2)
  }
  return { d }
}

function lorry(layout: Layout): SilhouetteShape {
  const [front = 1, ...rear] = layout
  const steered = front > 1 ? [10.4, 21.4] : [10.4]
  const driven = spread(rear, 42, 66, 56).flat()
  return {
    width: 74,
    parts: [...cab(7, 17.6), box(19.2, 73, 4.4, 22.6), frame(15.6, 72, [...steered.slice(1), ...driven])],
    wheels: truckWheels([...steered, ...driven]),
  }
}

function roadTrain(layout: Layout): SilhouetteShape {
  const [front = 1, drive = 1, ...towed] = layout
  const steered = front > 1 ? [10.4, 21.4] : [10.4]
  const driven = around(46.8, drive)
  const trailer = spread(towed, 80, 117, 99)
  return {
    width: 126,
    parts: [
      ...cab(7, 17.6),
      box(19.2, 63, 4.4, 22.6),
      frame(15.6, 62, [...steered.slice(1), ...driven]),
      { d: 'M62 24.4H74V26H62Z' },
      box(72, 125, 4.4, 24.6, trailer),
    ],
    wheels: truckWheels([...steered, ...driven, ...trailer.flat()]),
  }
}

function articulated(layout: Layout): SilhouetteShape {
  const [, drive = 1, ...towed] = layout
  const driven = around(33, drive)
  const [first = 1] = towed
  const trailer = spread(towed, 74, 106, Math.min(96, 117 - ((first - 1) * AXLE_STEP) / 2))
  return {
    width: 122,
    parts: [...cab(6, 18.6), box(21.4, 121, 4, 24.6, [driven, ...trailer]), frame(17, 44, driven)],
    wheels: truckWheels([10.4, ...driven, ...trailer.flat()]),
  }
}

function bus(layout: Layout): SilhouetteShape {
  const [, ...rear] = layout
  const groups = [[19.5], ...spread(rear, 44, 76, 71)]
  const panes = [17, 30.8, 44.6, 58.4, 72.2].map((x) => `M${x} 8.2H${x + 12.2}V16H${x}Z`).join('')
  const glass = `M2.6 17L3.8 8.2H8.6V17ZM10.2 8.2H14.6V25H10.2Z${panes}`
  const shell = `M1 18.4L2.8 6.8Q3.2 5.2 4.8 5.2H88.4Q90.8 5.2 90.8 7.6V25Q90.8 26.6 89.2 26.6${arches(groups, 26.6)}H2.6Q1 26.6 1 25Z`
  return { width: 92, parts: [{ d: shell + glass }, { d: glass, tone2: true }], wheels: truckWheels(groups.flat()) }
}

const carGlass = 'M14.2 18.9L18.2 14.2Q18.6 13.7 19.3 13.7H24.6V18.9ZM26.2 13.7H30.2Q31 13.7 31.6 14.3L36 18.9H26.2Z'
const carShell =
  'M1.2 24.2Q1.2 21.4 3.4 20.6Q7.5 19.3 12.2 18.7L16.6 13Q17.6 11.9 19.2 11.9H30.4Q32 11.9 33.1 13L37.6 18.3Q41.6 19.2 41.6 21.8V25.2Q41.6 26.4 40.4 26.4H38.39A5.4 5.4 0 1 0 27.61 26.4H14.99A5.4 5.4 0 1 0 4.21 26.4H2.4Q1.2 26.4 1.2 25.2Z'
const carWheels: Wheel[] = [9.6, 33].map((x) => ({ x, y: 26.1, r: 3.9 }))

const car: SilhouetteShape = {
  width: 43,
  parts: [{ d: carShell + carGlass }, { d: carGlass, tone2: true }],
  wheels: carWheels,
}

function carWithTrailer(layout: Layout): SilhouetteShape {
  const [, , towed = 1] = layout
  const xs = around(64, towed).map((x) => 64 + (x - 64) * 0.84)
  const first = xs[0] ?? 64
  const last = xs.at(-1) ?? 64
  const arch = `H${last + 4.97}A5 5 0 0 0 ${last} 21.5H${first}A5 5 0 0 0 ${first - 4.97} 26`
  return {
    width: 82,
    parts: [
      ...car.parts,
      { d: 'M41 24H52V25.4H41Z' },
      { d: `M51 15.4a1 1 0 0 1 1-1H79.6a1 1 0 0 1 1 1V26${arch}H51Z`, tone2: true },
    ],
    wheels: [...carWheels, ...xs.map((x) => ({ x, y: 26.5, r: 3.5 }))],
  }
}

const vanGlass = 'M9.3 16.2L13.2 10.1Q13.6 9.4 14.4 9.4H19.2V16.2Z'
const van: SilhouetteShape = {
  width: 54,
  parts: [
    {
      d: `M1.4 23Q1.4 19.4 4 18.4L7.6 16.9L12.4 8.5Q13.3 7 15 7H49.6Q52.4 7 52.4 9.8V25.2Q52.4 26.4 51.2 26.4H47.58A5.6 5.6 0 1 0 36.42 26.4H15.78A5.6 5.6 0 1 0 4.62 26.4H2.6Q1.4 26.4 1.4 25.2Z${vanGlass}`,
    },
    { d: vanGlass, tone2: true },
  ],
  wheels: [10.2, 42].map((x) => ({ x, y: 25.9, r: 4.1 })),
}

const motorcycle: SilhouetteShape = {
  width: 34,
  parts: [
    { d: 'M6.6 24.4L12.3 11.6M10.4 11.2L14 11.4', stroke: 2 },
    {
      d: 'M11.6 15.2Q14.2 13.4 17.6 14.2L20.4 16.2H27.6Q30 16 31 17.2Q29 19.6 25.6 19.4L27.6 23.4L26.2 24.8L22.4 20.8L20.6 26.4H12.9L10.6 19.8Z',
    },
    {
      d: 'M17.2 2.2a3.3 3.3 0 1 0 .01 0ZM18.9 8.4Q22.2 8.6 23.4 11.2L24.8 15.4H20.4L17.6 13.2L12.6 12.9Q11.4 12.4 12 11.2L16.4 11L17 9.6Q17.6 8.4 18.9 8.4Z',
      tone2: true,
    },
  ],
  wheels: [6.6, 27].map((x) => ({ x, y: 24.4, r: 5.6 })),
}

const unclassified: SilhouetteShape = {
  width: 58,
  parts: [
    {
      d: 'M2.2 25.4V9.6Q2.2 7.4 4.4 7.4H53.6Q55.8 7.4 55.8 9.6V25.4',
      stroke: 1.8,
      dash: '4.6 3.2',
    },
    {
      d: 'M25 14.2Q25 9.8 29.2 9.8Q33.2 9.8 33.2 13.4Q33.2 15.6 31.2 16.9Q30.2 17.6 30.2 18.8V19.6H27.6V18.4Q27.6 16.2 29.4 15Q30.6 14.2 30.6 13.4Q30.6 12.1 29.2 12.1Q27.7 12.1 27.7 14.2ZM27.4 21.4H30.4V24.2H27.4Z',
    },
  ],
  wheels: [11, 47].map((x) => ({ x, y: 25.8, r: 4.2 })),
}

type SilhouetteKind = { draw: (layout: Layout) => SilhouetteShape; defaultLayout: Layout; groups: number }

/** By category [8+1]: drawing, default layout, minimum number of axle groups. */
const kinds: Record<number, SilhouetteKind> = {
  2: { draw: carWithTrailer, defaultLayout: [1, 1, 1], groups: 3 },
  3: { draw: lorry, defaultLayout: [1, 1], groups: 2 },
  5: { draw: bus, defaultLayout: [1, 1], groups: 2 },
  7: { draw: () => car, defaultLayout: [1, 1], groups: 2 },
  8: { draw: roadTrain, defaultLayout: [1, 2, 2], groups: 3 },
  9: { draw: articulated, defaultLayout: [1, 1, 3], groups: 3 },
  10: { draw: () => motorcycle, defaultLayout: [1, 1], groups: 2 },
  11: { draw: () => van, defaultLayout: [1, 1], groups: 2 },
}

/** More axles do not fit the compressed drawing; the axle drawing shows them all. */
const MAX_AXLES = 10

/** Side view of a category [8+1] with an axle layout; falls back to the default layout if it does not fit. */
export function silhouette(category: number | null, layout: Layout = []): SilhouetteShape {
  const kind = category === null ? undefined : kinds[category]
  if (!kind) return unclassified
  const axles = layout.reduce((sum, count) => sum + count, 0)
  return kind.draw(layout.length >= kind.groups && axles <= MAX_AXLES ? layout : kind.defaultLayout)
}
