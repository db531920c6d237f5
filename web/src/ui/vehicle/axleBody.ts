import { ROW_NAME_WIDTH } from './axleLayout.ts'
import { type SilhouetteShape, type SvgPath, silhouette } from './silhouettes.ts'

/*
 * The vehicle above its axle table, in px: ground at y = 100, wheels at y = 82. The shapes of the silhouettes,
 * stretched to the measured axle spacings.
 */

export const GROUND_Y = 100
const HUB_Y = 82
const ARCH = 22
const MARGIN = 14

type AxleRowShape = {
  category: number | null
  /** x of the wheel centres. */
  xs: readonly number[]
  /** Index of the trailer's first axle in the row; null: no trailer, or not in this row. */
  trailer: number | null
  /** Axle groups, as ranges of indexes. */
  groups: readonly { from: number; to: number }[]
  width: number
  /** Whether the vehicle starts and ends in this row. */
  isFirst: boolean
  isLast: boolean
}

type Body = { parts: SvgPath[]; transform?: string }

const LIGHT = [2, 7, 10, 11]

/** First axle spacing in px of vehicles drawn from one fixed shape; undefined if the shape follows the axles. */
export const fixedFirstGap = (category: number | null) =>
  category !== null && LIGHT.includes(category) ? lightScale(category) * wheelbase(lightShape(category)) : undefined

const lightShape = (category: number): SilhouetteShape => silhouette(category === 2 ? 7 : category)
const lightScale = (category: number) => (category === 10 ? 3.9 : 4.2)
const wheelbase = ({ wheels: [front, rear] }: SilhouetteShape) => (rear?.x ?? 0) - (front?.x ?? 0)

/** Wheels of a row: those of the fixed shape, or those of a lorry. */
export function axleWheel(category: number | null) {
  const wheel = category === 10 ? lightShape(category).wheels[0] : undefined
  const scale = category === 10 ? lightScale(category) : 1
  return wheel ? { y: GROUND_Y - (30 - wheel.y) * scale, r: wheel.r * scale } : { y: HUB_Y, r: 17 }
}

/** Shapes behind the wheels of one row. */
export function axleBody(row: AxleRowShape): Body[] {
  const { category } = row
  if (!row.isFirst) return [{ parts: [box(row, ROW_NAME_WIDTH, row.isLast ? end(row, 80) : row.width, 8, 80)] }]
  if (category === 3) return [{ parts: lorry(row, end(row, 80)) }]
  if (category === 8) return [{ parts: roadTrain(row) }]
  if (category === 9) return [{ parts: articulated(row) }]
  if (category === 5) return [{ parts: bus(row) }]
  if (category !== null && LIGHT.includes(category)) return light(row, category)
  return [{ parts: [outline(row)] }]
}

const first = ({ xs }: AxleRowShape) => xs[0] ?? 0
const last = ({ xs }: AxleRowShape) => xs.at(-1) ?? 0
const end = (row: AxleRowShape, overhang: number) =>
  row.isLast ? Math.min(row.width - MARGIN, last(row) + overhang) : row.width

/** Lower edge from right to left between `left` and `right`, with an arch over each wheel. */
const lowerEdge = ({ xs, groups }: AxleRowShape, left: number, right: number, base: number) =>
  groups
    .map(({ from, to }) => ({ from: xs[from] ?? 0, to: xs[to] ?? 0 }))
    .filter(({ from, to }) => from >= left && to <= right)
    .toReversed()
    .map(({ from, to }) => {
      const half = Math.sqrt(ARCH ** 2 - (base - HUB_Y) ** 2)
      return `H${to + half}A${ARCH} ${ARCH} 0 0 0 ${to} ${HUB_Y - ARCH}H${from}A${ARCH} ${ARCH} 0 0 0 ${from - half} ${base}`
    })
    .join('')

const box = (row: AxleRowShape, left: number, right: number, top: number, base: number): SvgPath => ({
  d: `M${left} ${top}q0-4 4-4H${right - 4}q4 0 4 4V${base}${lowerEdge(row, left, right, base)}H${left}Z`,
  tone2: true,
})

/** Cab around the first wheel; `right` is its rear edge. */
function cab(row: AxleRowShape, right: number): SvgPath[] {
  const x = first(row)
  const left = x - 103
  const glass = `M${left + 18} 38L${left + 27} 16H${left + 70}V38Z`
  const shell = `M${left} 44L${left + 12} 12Q${left + 15} 7 ${left + 22} 7H${right - 6}q6 0 6 6V88H${x + 21}A${ARCH} ${ARCH} 0 1 0 ${x - 21} 88H${left}Z`
  return [{ d: shell + glass }, { d: glass, tone2: true }]
}

const cabBack = (row: AxleRowShape) => Math.min(first(row) + 65, (row.xs[1] ?? Number.POSITIVE_INFINITY) - 26)

/** Frame rails between the wheels, from `left` to `right`. */
function frame({ xs }: AxleRowShape, left: number, right: number): SvgPath {
  let d = ''
  let from = left
  for (const x of [...xs.filter((x) => x > left && x < right), right + 23]) {
    if (x - 23 > from) d += `M${from} 78H${x - 23}V88H${from}Z`
    from = x + 23
  }
  return { d }
}

function lorry(row: AxleRowShape, right: number): SvgPath[] {
  const back = cabBack(row)
  return [...cab(row, back), box({ ...row, groups: [] }, back + 14, right, 8, 58), frame(row, back, right - 8)]
}

function articulated(row: AxleRowShape): SvgPath[] {
  const back = cabBack(row)
  const drive = row.xs[(row.trailer ?? 2) - 1] ?? first(row)
  return [...cab(row, back), box(row, back + 31, end(row, 217), 8, 80), frame(row, back, drive + 78)]
}

function roadTrain(row: AxleRowShape): SvgPath[] {
  const hitch = row.trailer ?? row.xs.length
  const lastDriven = row.xs[hitch - 1] ?? last(row)
  const firstTowed = row.xs[hitch]
  if (firstTowed === undefined) return lorry(row, end(row, 80))
  const rear = lastDriven + (firstTowed - lastDriven) * 0.42
  const front = lastDriven + (firstTowed - lastDriven) * 0.56
  return [
    ...lorry({ ...row, xs: row.xs.slice(0, hitch) }, rear),
    { d: `M${rear - 8} 80H${front + 8}V86H${rear - 8}Z` },
    box(row, front, end(row, 80), 8, 80),
  ]
}

function bus(row: AxleRowShape): SvgPath[] {
  const left = first(row) - 100
  const right = end(row, 100)
  let panes = ''
  for (let x = left + 66; x + 62 < right; x += 70) panes += `M${x} 18H${x + 60}V46H${x}Z`
  const glass = `M${left + 8} 50L${left + 14} 18H${left + 36}V50ZM${left + 42} 18H${left + 60}V82H${left + 42}Z${panes}`
  const shell = `M${left} 54L${left + 8} 10Q${left + 10} 5 ${left + 16} 5H${right - 8}q8 0 8 8V80q0 8-8 8${lowerEdge(row, left, right, 88)}H${left + 6}q-6 0-6-6Z`
  return [{ d: shell + glass }, { d: glass, tone2: true }]
}

/** Car, van, motorcycle: the silhouette stretched over the first two wheels, a box over the wheels of a trailer. */
function light(row: AxleRowShape, category: number): Body[] {
  const shape = lightShape(category)
  const scale = lightScale(category)
  const front = shape.wheels[0]
  const stretch = ((row.xs[1] ?? 0) - first(row)) / wheelbase(shape)
  const scaleX = stretch > 0 ? stretch : scale
  const car: Body = {
    parts: shape.parts,
    transform: `translate(${first(row) - (front?.x ?? 0) * scaleX} ${GROUND_Y - 30 * scale}) scale(${scaleX} ${scale})`,
  }
  const towed = row.xs.slice(2)
  if (towed.length === 0) return [car]
  const left = Math.max((row.xs[1] ?? 0) + 50, (towed[0] ?? 0) - 70)
  const hitch = { d: `M${(row.xs[1] ?? 0) + 36} 84H${left}V88H${(row.xs[1] ?? 0) + 36}Z` }
  return [car, { parts: [hitch, box(row, left, end(row, 60), 38, 80)] }]
}

const outline = (row: AxleRowShape): SvgPath => ({
  d: `M${first(row) - 60} 88V16q0-8 8-8H${end(row, 60) - 8}q8 0 8 8V88`,
  stroke: 3,
  dash: '14 9',
})
