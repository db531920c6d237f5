import type { Kind } from './kinds.ts'
import type { CargoBody, VehicleShape } from './vehicle-shape.ts'

/** A point of the outline: distance from the front and height, in cm. */
type Corner = readonly [x: number, y: number]

/** Intervals of cargo bodies and trailers, in cm from the front: none, one, or two for a road train. */
export const cargoIntervals = ({
  kind,
  layout,
  gaps,
  length,
  overhang,
}: VehicleShape): (readonly [from: number, to: number])[] => {
  if (kind === 'articulated') return [[272, length]]
  if (kind === 'lorry') return [[198, length]]
  const axles = layout === '1211' ? 3 : 2
  const last = overhang + gaps.slice(0, axles - 1).reduce((sum, gap) => sum + gap, 0)
  if (kind === 'road-train')
    return [
      [198, last + 160],
      [last + 250, length],
    ]
  if (kind === 'car-trailer') return [[last + 230, length]]
  if (kind === 'van-trailer') return [[last + 240, length]]
  return []
}

const loadOutline = (body: CargoBody, load: number, [from, to]: readonly [number, number]): Corner[] => {
  const inner = to - from
  if (body === 'tank')
    return [
      [from, load - 95],
      [from + 18, load - 30],
      [from + 60, load - 6],
      [from + inner / 2, load],
      [to - 60, load - 6],
      [to - 18, load - 30],
      [to, load - 95],
    ]
  if (body === 'tipper')
    return [
      [from, load],
      [from + 40, load],
      [from + 60, load - 26],
      [to - 30, load - 26],
      [to, load - 40],
    ]
  if (body === 'flatbed')
    return [
      [from, 245],
      [from + 12, 245],
      [from + 14, 128],
      [from + inner * 0.2, 128],
      [from + inner * 0.21, load],
      [from + inner * 0.62, load],
      [from + inner * 0.63, 128],
      [to, 128],
    ]
  return [
    [from, load],
    [to, load],
  ]
}

/** From the bumper to the boot of a car. */
const carFront = (cab: number): Corner[] => [
  [0, 66],
  [22, 80],
  [112, 98],
  [185, cab - 6],
  [225, cab],
  [318, cab - 6],
  [398, 108],
]

/** From the bumper to the roof of a van. */
const vanFront = (cab: number): Corner[] => [
  [0, 84],
  [20, 104],
  [92, 130],
  [172, cab - 14],
  [208, cab],
]

const cabOutline = (kind: Kind, length: number, cab: number): Corner[] => {
  switch (kind) {
    case 'motorcycle':
      return [
        [0, 62],
        [36, 98],
        [70, 118],
        [90, cab],
        [128, cab - 4],
        [150, 92],
        [length, 80],
      ]
    case 'car':
      return [...carFront(cab), [length, 98]]
    case 'car-trailer':
      return [...carFront(cab), [452, 98], [456, 48], [length, 48]]
    case 'van':
      return [...vanFront(cab), [length - 8, cab - 3], [length, cab - 40]]
    case 'van-trailer':
      return [...vanFront(cab), [560, cab - 3], [566, 55], [length, 55]]
    case 'bus':
      return [
        [0, 130],
        [22, cab - 40],
        [60, cab - 6],
        [120, cab],
        [length - 40, cab],
        [length, cab - 25],
      ]
    default: {
      const end = kind === 'articulated' ? 232 : 184
      return [
        [0, 118],
        [8, cab - 95],
        [34, cab - 22],
        [80, cab],
        [end, cab],
        [end + 4, 108],
        [length, 108],
      ]
    }
  }
}

const heightAt = (outline: readonly Corner[], x: number): number => {
  const next = outline.findIndex(([at]) => at >= x)
  const [toX, toY] = outline[next < 0 ? outline.length - 1 : next] ?? [0, 0]
  const [fromX, fromY] = outline[next <= 0 ? 0 : next - 1] ?? [0, 0]
  return next <= 0 || toX === fromX ? toY : fromY + ((toY - fromY) * (x - fromX)) / (toX - fromX)
}

/** Distance between samples of the height profile, in cm. */
export const SAMPLE_CM = 25

/** The height profile as measured by a laser scanner, in cm, one sample per 25 cm, front to rear. */
export const profileOf = (form: VehicleShape): number[] => {
  const cab = cabOutline(form.kind, form.length, form.cab)
  const loads = cargoIntervals(form).map((interval) => ({
    interval,
    outline: loadOutline(form.body, form.load, interval),
  }))
  return Array.from({ length: Math.max(4, Math.round(form.length / SAMPLE_CM)) }, (_, i) => {
    const x = (i + 0.5) * SAMPLE_CM
    const load = loads.find(({ interval: [from, to] }) => x >= from && x <= to + SAMPLE_CM)
    return Math.round(load ? heightAt(load.outline, x) : heightAt(cab, x))
  })
}
