import { cargoIntervals } from '../shape.ts'
import { paintOf } from './cab.ts'
import { box, carPaints, disc, type Light, line, lorryPaints, motorcyclePaints, path, px } from './paint.ts'
import { cargoSide } from './side-load.ts'
import type { VisibleVehicle } from './visible-vehicle.ts'

/*
 * Vehicles from the left, in cm: x = 0 the front (they drive to the left, axle 1 first), y = 0 the road, up is negative.
 * Wheels are at their measured spacings.
 */

const wheel = (light: Light, x: number, radius: number): string =>
  disc(x, -radius, radius, light.tint('#15181a')) +
  disc(x, -radius, radius * 0.6, light.tint('#8b9397')) +
  disc(x, -radius, radius * 0.5, light.tint('#5f676b')) +
  disc(x, -radius, radius * 0.2, light.tint('#aeb5b8'))

/** Positions of the axles, in cm from the front. */
const axlesAt = ({ form }: VisibleVehicle): number[] =>
  form.gaps.reduce<number[]>(
    (positions, gap) => {
      positions.push((positions.at(-1) ?? 0) + gap)
      return positions
    },
    [form.overhang],
  )

const shadow = (length: number): string =>
  `<ellipse cx="${px(length / 2)}" cy="0" rx="${px(length * 0.54)}" ry="15" fill="url(#shadow)"/>`

/** A wheel arch. */
const arch = (light: Light, x: number, radius: number): string =>
  path(
    `M${px(x - radius)} -${radius * 0.8}A${radius} ${radius} 0 0 1 ${px(x + radius)} -${radius * 0.8}Z`,
    light.tint('#101315'),
  )

const lorryCab = (vehicle: VisibleVehicle, light: Light): string => {
  const { form, styleSeed } = vehicle
  const paint = paintOf(lorryPaints, styleSeed)
  const end = form.kind === 'articulated' ? 232 : 184
  const top = -form.cab
  const roof = form.cab > 330 ? Math.min(-300, top + 40) : top
  const hull = `M3-62V-150L14 ${roof + 92}Q20 ${roof + 66} 30 ${roof + 44}L${roof === top ? 40 : 44} ${top + 18}Q48 ${top} 66 ${top}H${end}V-62Z`
  return [
    path(hull, light.tint(paint)),
    path(hull, 'url(#fall)'),
    path(`M20-186L30 ${roof + 84}Q33 ${roof + 72} 46 ${roof + 70}H118V-178H26Q20-178 20-186Z`, '#101415'),
    path(`M25-184L35 ${roof + 88}Q37 ${roof + 77} 48 ${roof + 76}H112V-184Z`, 'url(#glass)'),
    line(`M124 ${roof + 60}V-72M10-170V-72`, light.shade(paint, 0.66), 2.5),
    box(106, -168, 14, 5, light.tint('#23282b'), 2),
    box(4, -132, 17, 26, light.night ? '#e8ece6' : '#dfe5e6', 4),
    box(8, -244, 10, 60, light.tint('#1c2023'), 4),
    path(
      `M3-62V-102H${px(form.overhang - 62)}L${px(form.overhang - 54)}-62L${px(form.overhang - 60)}-34H14Q3-36 3-48Z`,
      light.tint('#4c5357'),
    ),
    path(`M${px(form.overhang + 58)}-34V-92H${end}V-34Z`, light.tint('#4c5357')),
    arch(light, form.overhang, 64),
    vehicle.make ? '' : box(134, -150, 30, 3, light.shade(paint, 0.7)),
  ].join('')
}

const heavySide = (vehicle: VisibleVehicle, light: Light): string => {
  const { form } = vehicle
  const positions = axlesAt(vehicle)
  const intervals = cargoIntervals(form)
  const carrier =
    form.kind === 'articulated'
      ? (positions[form.layout.startsWith('12') ? 2 : 1] ?? 500) + 75
      : (intervals[0]?.[1] ?? form.length)
  const steel = light.tint('#2b3135')
  const towedFrom = intervals[1]?.[0]
  return [
    shadow(form.length),
    box(150, -104, carrier - 150, 20, steel, 3),
    towedFrom ? box((intervals[0]?.[1] ?? 0) - 30, -78, towedFrom - (intervals[0]?.[1] ?? 0) + 120, 10, steel, 3) : '',
    // Tank, battery box and guards between the axles.
    box(
      form.overhang + 88,
      -96,
      Math.max(40, (positions[1] ?? 500) - form.overhang - 190),
      52,
      light.tint('#7d8589'),
      12,
    ),
    ...intervals.map((interval) => cargoSide(vehicle, interval, light)),
    lorryCab(vehicle, light),
    ...positions.map((x) => wheel(light, x, 50)),
  ].join('')
}

const coachSide = (vehicle: VisibleVehicle, light: Light): string => {
  const { form, styleSeed } = vehicle
  const paint = paintOf(lorryPaints, styleSeed >>> 2)
  const top = -form.cab
  const hull = `M2-40V-130L14 ${top + 60}Q22 ${top} 62 ${top}H${form.length - 26}Q${form.length} ${top + 4} ${form.length} ${top + 40}V-40Q${form.length}-32 ${form.length - 10}-32H14Q2-32 2-40Z`
  const windows = Math.max(4, Math.floor((form.length - 240) / 150))
  const step = (form.length - 220) / windows
  return [
    shadow(form.length),
    path(hull, light.tint(paint)),
    path(hull, 'url(#fall)'),
    box(2, -96, form.length - 2, 12, light.shade(paint, 0.72)),
    path(`M16-150L26 ${top + 62}Q32 ${top + 44} 52 ${top + 44}H92V-150Z`, 'url(#glass)'),
    box(100, top + 44, 74, form.cab - 90, '#14191b', 6),
    box(104, top + 48, 31, form.cab - 98, 'url(#glass)', 4),
    box(139, top + 48, 31, form.cab - 98, 'url(#glass)', 4),
    Array.from({ length: windows }, (_, i) => box(186 + i * step, top + 44, step - 8, 100, 'url(#glass)', 7)).join(''),
    line(`M186-118H${form.length - 14}`, light.shade(paint, 0.8), 2),
    box(4, -110, 16, 22, light.night ? '#e8ece6' : '#dfe5e6', 4),
    ...axlesAt(vehicle).map((x) => arch(light, x, 62) + wheel(light, x, 49)),
  ].join('')
}

const vanSide = (vehicle: VisibleVehicle, light: Light, end: number): string => {
  const { form, styleSeed } = vehicle
  const paint = styleSeed % 3 ? '#e6e8e7' : paintOf(carPaints, styleSeed >>> 3)
  const top = -form.cab
  const hull = `M4-36V-84Q8-104 34-112L94-134L158 ${top + 18}Q166 ${top} 190 ${top}H${end - 16}Q${end} ${top + 2} ${end} ${top + 20}V-42Q${end}-30 ${end - 10}-30H12Q4-30 4-36Z`
  return [
    path(hull, light.tint(paint)),
    path(hull, 'url(#fall)'),
    path(`M108-136L160 ${top + 30}Q164 ${top + 20} 178 ${top + 20}H216V-132Z`, 'url(#glass)'),
    line(
      `M222 ${top + 16}V-44M100-128V-44M${px(222 + (end - 222) * 0.45)} ${top + 16}V-44`,
      light.shade(paint, 0.74),
      2,
    ),
    box(4, -62, end - 8, 14, light.tint('#3a4145'), 4),
    box(8, -104, 24, 17, light.night ? '#e8ece6' : '#dfe5e6', 5),
    box(end - 9, -130, 9, 44, '#a8332c', 2),
    box(194, -124, 16, 5, light.tint('#23282b'), 2),
  ].join('')
}

const carSide = (vehicle: VisibleVehicle, light: Light, end: number): string => {
  const { form, styleSeed } = vehicle
  const paint = paintOf(carPaints, styleSeed >>> 3)
  const top = -form.cab
  const rear = form.overhang + (form.gaps[0] ?? 265)
  const estate = styleSeed % 2 === 0 || form.cab > 158
  const tail = estate
    ? `L${end - 22} ${top + 10}Q${end - 8} ${top + 20} ${end - 6}-92`
    : `Q${rear - 20} ${top + 4} ${rear + 36}-100L${end - 6}-94`
  const hull = `M4-30V-58Q8-76 34-82Q74-92 120-97L176 ${top + 12}Q190 ${top} 216 ${top}H${rear - 60}${tail}L${end}-44Q${end}-28 ${end - 12}-26H12Q4-26 4-30Z`
  const back = estate
    ? `L${end - 40} ${top + 15}L${end - 28}-94H140Z`
    : `Q${rear - 28} ${top + 10} ${rear + 14}-98H140Z`
  return [
    path(hull, light.tint(paint)),
    path(hull, 'url(#fall)'),
    path(`M132-98L180 ${top + 17}Q192 ${top + 9} 216 ${top + 9}H${rear - 64}${back}`, '#12171a'),
    path(
      `M141-99L184 ${top + 21}Q194 ${top + 13} 216 ${top + 13}H${rear - 66}${back.replace('H140Z', 'H148Z')}`,
      'url(#glass)',
    ),
    line(`M${px((132 + rear) / 2 + 28)} ${top + 6}V-34M134-96L142-34`, light.shade(paint, 0.72), 2.4),
    line(`M16-72Q${px(end / 2)}-86 ${end - 8}-82`, light.shade(paint, 0.8), 2),
    path('M6-70Q20-78 44-80L38-66Q20-62 7-62Z', light.night ? '#e8ece6' : '#dfe5e6'),
    path(`M${end - 30}-92L${end - 4}-90L${end - 2}-74L${end - 22}-78Z`, '#a8332c'),
    box(150, -104, 13, 9, light.shade(paint, 0.86), 3),
    box(40, -34, end - 90, 8, light.tint('#23282b'), 3),
  ].join('')
}

const motorcycleSide = (vehicle: VisibleVehicle, light: Light): string => {
  const { form, styleSeed } = vehicle
  const paint = light.tint(paintOf(motorcyclePaints, styleSeed >>> 3))
  const [front = 36, rear = 180] = axlesAt(vehicle)
  const top = -form.cab
  const dark = light.tint('#23282b')
  return [
    shadow(form.length),
    line(`M${front}-31L${front + 34}-98`, light.tint('#858d91'), 7),
    path(
      `M${front + 22}-86Q${front + 50}-104 ${front + 82}-94L${rear - 26}-84L${rear + 28}-90L${rear + 12}-72L${rear - 40}-52Q${front + 60}-34 ${front + 44}-52Z`,
      paint,
    ),
    path(`M${front + 50}-58H${rear - 34}L${rear - 46}-26H${front + 60}Z`, dark),
    line(`M${rear}-31L${rear - 52}-50`, light.tint('#858d91'), 8),
    path(
      `M${front + 92}-88L${rear - 14}-88L${rear - 34} ${top + 58}Q${rear - 48} ${top + 30} ${front + 78} ${top + 32}Q${front + 64} ${top + 40} ${front + 72} ${top + 62}Z`,
      light.tint('#2b3136'),
    ),
    line(`M${front + 82} ${top + 46}L${front + 46}-98`, light.tint('#2b3136'), 13, 'stroke-linecap="round"'),
    line(
      `M${rear - 30}-82L${front + 74}-66L${front + 80}-30`,
      light.tint('#343b40'),
      15,
      'stroke-linecap="round" stroke-linejoin="round"',
    ),
    disc(front + 74, top + 18, 18, paint),
    box(front + 55, top + 12, 17, 11, '#101415', 4),
    disc(front + 26, -92, 8, light.night ? '#f4f7f2' : '#e2e8e8'),
    wheel(light, front, 31),
    wheel(light, rear, 31),
  ].join('')
}

const trailerSide = (vehicle: VisibleVehicle, light: Light, from: number): string => {
  const { form } = vehicle
  const caravan = form.load > 180
  const floor = caravan ? 44 : 52
  return [
    box(from - 130, -56, 140, 8, light.tint('#2b3135'), 2),
    box(
      from,
      -form.load,
      form.length - from,
      form.load - floor,
      light.tint(caravan ? '#e4e6e5' : '#8b9397'),
      caravan ? 26 : 4,
    ),
    box(from, -form.load, form.length - from, form.load - floor, 'url(#fall)', caravan ? 26 : 4),
    caravan
      ? box(from + 50, -form.load + 48, 110, 62, 'url(#glass)', 9) +
        box(from, -112, form.length - from, 10, light.tint('#5e7d99'))
      : [0.25, 0.5, 0.75]
          .map((part) =>
            line(`M${px(from + (form.length - from) * part)} -${form.load}V-${floor}`, light.tint('#6b7377'), 3),
          )
          .join(''),
  ].join('')
}

/** The vehicle from the left side. */
export const sideOf = (vehicle: VisibleVehicle, light: Light): string => {
  const { form } = vehicle
  switch (form.kind) {
    case 'bus':
      return coachSide(vehicle, light)
    case 'motorcycle':
      return motorcycleSide(vehicle, light)
    case 'car':
    case 'van':
    case 'car-trailer':
    case 'van-trailer': {
      const positions = axlesAt(vehicle)
      const van = form.kind.startsWith('van')
      const from = cargoIntervals(form)[0]?.[0]
      const end = from === undefined ? form.length : (positions[1] ?? 350) + (van ? 115 : 96)
      return [
        shadow(form.length),
        from === undefined ? '' : trailerSide(vehicle, light, from),
        van ? vanSide(vehicle, light, end) : carSide(vehicle, light, end),
        ...positions.map(
          (x, i) => arch(light, x, i > 1 ? 36 : van ? 45 : 41) + wheel(light, x, i > 1 ? 29 : van ? 36 : 33),
        ),
      ].join('')
    }
    default:
      return heavySide(vehicle, light)
  }
}
