import { paintOf } from './cab.ts'
import { box, coverPaints, disc, type Light, line, path, px } from './paint.ts'
import type { VisibleVehicle } from './visible-vehicle.ts'

/*
 * Cargo bodies from the side, in the coordinates of side.ts.
 */

type Extent = readonly [from: number, to: number]

/** Height of the cargo floor, in cm. */
const FLOOR = 112

const repeated = (from: number, to: number, step: number, draw: (x: number) => string): string => {
  const count = Math.max(1, Math.round((to - from) / step))
  return Array.from({ length: count - 1 }, (_, i) => draw(from + ((i + 1) * (to - from)) / count)).join('')
}

const curtain = (light: Light, paint: string, load: number, [from, to]: Extent): string => {
  const width = to - from
  return (
    box(from, -load, width, load - FLOOR + 8, light.tint(paint), 3) +
    box(from, -load, width, load - FLOOR + 8, 'url(#fall)', 3) +
    box(from, -load, width, 14, light.shade(paint, 0.72), 3) +
    box(from, -FLOOR - 14, width, 16, light.tint('#3c4347')) +
    repeated(
      from,
      to,
      62,
      (x) =>
        line(`M${px(x)} ${-load + 18}V${-FLOOR - 6}`, light.shade(paint, 0.86), 2) +
        box(x - 2.5, -FLOOR - 30, 5, 22, light.tint('#23282b'), 1),
    ) +
    box(from, -load + 2, 9, load - FLOOR, light.shade(paint, 0.66)) +
    box(to - 9, -load + 2, 9, load - FLOOR, light.shade(paint, 0.66))
  )
}

const boxed = (light: Light, paint: string, load: number, [from, to]: Extent): string => {
  const width = to - from
  return (
    box(from, -load, width, load - FLOOR + 6, light.shade(paint, 1.04), 3) +
    box(from, -load, width, load - FLOOR + 6, 'url(#fall)', 3) +
    repeated(from, to, 240, (x) => line(`M${px(x)} ${-load + 8}V-${FLOOR}`, light.shade(paint, 0.9), 1.5)) +
    box(from, -load, width, 7, light.tint('#aeb5b8')) +
    box(from, -FLOOR - 8, width, 14, light.tint('#aeb5b8')) +
    // The cooling unit at the front wall.
    box(from - 34, -load + 26, 34, 92, light.tint('#d9dddd'), 5) +
    repeated(-load + 50, -load + 112, 14, (y) => line(`M${from - 29} ${px(y)}H${from - 5}`, light.tint('#7b8387'), 4))
  )
}

const container = (light: Light, paint: string, load: number, [from, to]: Extent): string =>
  box(from + 6, -load, to - from - 14, load - FLOOR, light.tint(paint), 1) +
  repeated(from + 10, to - 12, 17, (x) => line(`M${px(x)} ${-load + 12}V${-FLOOR - 12}`, light.shade(paint, 0.78), 6)) +
  box(from + 6, -load, to - from - 14, load - FLOOR, 'url(#fall)', 1) +
  [from + 6, to - 22]
    .map(
      (x) =>
        box(x, -load, 14, load - FLOOR, light.shade(paint, 0.7)) +
        box(x, -load, 14, 12, light.tint('#3c4347')) +
        box(x, -FLOOR - 12, 14, 12, light.tint('#3c4347')),
    )
    .join('') +
  box(from, -FLOOR, to - from, 16, light.tint('#3c4347'))

const tank = (light: Light, load: number, [from, to]: Extent): string => {
  const depth = load - FLOOR - 14
  const hull = `M${from + 60} ${-load}H${to - 60}Q${to} ${-load + 6} ${to} ${px(-load + depth / 2)}Q${to} ${px(-load + depth)} ${to - 60} ${px(-load + depth)}H${from + 60}Q${from} ${px(-load + depth)} ${from} ${px(-load + depth / 2)}Q${from} ${-load + 6} ${from + 60} ${-load}Z`
  return (
    path(hull, light.tint('#c3cacd')) +
    path(hull, 'url(#fall)') +
    box(
      from + 30,
      -load + depth * 0.16,
      to - from - 60,
      depth * 0.12,
      light.night ? '#8d9592' : '#eef1f1',
      8,
      'opacity="0.7"',
    ) +
    repeated(from + 40, to - 40, 210, (x) =>
      line(`M${px(x)} ${-load + 3}V${px(-load + depth - 3)}`, light.tint('#9ba3a7'), 4),
    ) +
    repeated(from + 100, to - 100, 300, (x) => box(x - 26, -load - 10, 52, 11, light.tint('#7b8387'), 3)) +
    box(from + 40, -FLOOR - 16, to - from - 80, 20, light.tint('#4c5357'), 4) +
    box(from + (to - from) * 0.7, -load + depth * 0.4, 46, 40, light.night ? '#9d8e70' : '#d98a2b', 1)
  )
}

const tipper = (light: Light, paint: string, load: number, [from, to]: Extent): string => {
  const hull = `M${from} ${-load}H${from + 42}L${from + 56} ${-load + 26}H${to - 26}L${to} ${-load + 40}L${to - 34}-${FLOOR}H${from + 22}Z`
  return (
    path(hull, light.tint(paint)) +
    path(hull, 'url(#fall)') +
    repeated(from + 40, to - 40, 92, (x) => box(x - 6, -load + 26, 12, load - 26 - FLOOR, light.shade(paint, 0.74))) +
    line(`M${from + 54} ${-load + 31}H${to - 24}`, light.shade(paint, 0.64), 9) +
    box(from + 10, -FLOOR, to - from - 40, 14, light.tint('#3c4347'))
  )
}

const flatbed = (light: Light, load: number, [from, to]: Extent): string => {
  const [start, end] = [from + (to - from) * 0.2, from + (to - from) * 0.63]
  return (
    box(from, -132, to - from, 18, light.tint('#6d5a41'), 1) +
    box(from, -118, to - from, 12, light.tint('#3c4347')) +
    box(from, -246, 12, 116, light.tint('#4c5357'), 2) +
    box(start, -load, end - start, load - 132, light.tint('#a08a63'), 3) +
    repeated(-load, -132, 30, (y) => line(`M${px(start)} ${px(y)}H${px(end)}`, light.tint('#7f6c4b'), 2)) +
    repeated(start, end, 120, (x) => line(`M${px(x)} ${-load}V-132`, light.tint('#c98a35'), 5))
  )
}

/** Guards, landing legs and lamps under a trailer. */
const underside = (light: Light, [from, to]: Extent, long: boolean): string =>
  long
    ? box(from + 200, -88, Math.max(0, (to - from) * 0.32), 8, light.tint('#8d9599'), 2) +
      box(from + 200, -66, Math.max(0, (to - from) * 0.32), 8, light.tint('#8d9599'), 2) +
      box(from + 178, -104, 14, 72, light.tint('#4c5357'), 2) +
      box(from + 168, -34, 34, 6, light.tint('#4c5357'), 2)
    : ''

/** The cargo body over one interval of a lorry or trailer. */
export const cargoSide = ({ form, styleSeed }: VisibleVehicle, interval: Extent, light: Light): string => {
  const [from, to] = interval
  const paint = paintOf(coverPaints, styleSeed >>> 4)
  const draw = () => {
    switch (form.body) {
      case 'box':
        return boxed(light, styleSeed % 2 ? '#e8eae9' : paint, form.load, interval)
      case 'container':
        return container(light, paint, form.load, interval)
      case 'tank':
        return tank(light, form.load, interval)
      case 'tipper':
        return tipper(light, paint, form.load, interval)
      case 'flatbed':
        return flatbed(light, form.load, interval)
      default:
        return curtain(light, paint, form.load, interval)
    }
  }
  const lamps = repeated(from, to, 180, (x) => disc(x, -FLOOR + 12, 3.5, light.night ? '#d9b26a' : '#e0973a'))
  return `${box(from + 20, -FLOOR, to - from - 20, 18, light.tint('#2b3135'), 2)}${underside(light, interval, to - from > 900)}${draw()}${lamps}${box(to - 8, -98, 8, 18, '#a8332c', 2)}`
}
