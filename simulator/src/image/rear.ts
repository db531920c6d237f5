import { paintOf } from './cab.ts'
import { numberPlate } from './number-plate.ts'
import {
  both,
  box,
  carPaints,
  coverPaints,
  disc,
  type Light,
  line,
  lorryPaints,
  motorcyclePaints,
  path,
} from './paint.ts'
import type { VisibleVehicle } from './visible-vehicle.ts'

/*
 * Rears, in cm: x = 0 the middle, y = 0 the road, up is negative.
 */

const RED = '#c2322b'

const tailLamp = (light: Light, x: number, y: number, width: number, height: number): string =>
  box(x, y, width, height, light.tint('#3a1512'), 2) +
  box(x + 1, y + 1, width * 0.55, height - 2, light.night ? '#d9c4bf' : RED, 1.5) +
  box(x + width * 0.62, y + 1, width * 0.32, height - 2, light.tint('#c98a35'), 1.5)

const plateBelow = (vehicle: VisibleVehicle, light: Light, y: number, width: number) =>
  numberPlate(vehicle.plate, vehicle.nationality, { x: -width / 2, y, width }, light)

/** Doors of a box or container: bars, hinges, a rim. */
const doors = (light: Light, paint: string, top: number, bottom: number): string =>
  both(box(3, top + 12, 115, bottom - top - 16, light.shade(paint, 0.97), 1)) +
  both(
    [34, 78]
      .map(
        (x) =>
          line(`M${x} ${top + 14}V${bottom - 8}`, light.tint('#8d9599'), 4) +
          box(x - 5, bottom - 70, 10, 26, light.tint('#6b7377'), 2),
      )
      .join(''),
  ) +
  both([0.2, 0.5, 0.8].map((part) => box(108, top + (bottom - top) * part, 12, 9, light.tint('#6b7377'), 1)).join('')) +
  line(`M0 ${top + 10}V${bottom - 2}`, light.tint('#4b5357'), 2)

const tailOf = (vehicle: VisibleVehicle, light: Light, top: number): string => {
  const { form, styleSeed } = vehicle
  const paint = paintOf(coverPaints, styleSeed >>> 4)
  const bottom = -112
  const rim = box(-124, top, 248, bottom - top, light.shade(paint, 0.8), 4)
  switch (form.body) {
    case 'tank':
      return (
        disc(0, top + 122, 122, light.tint('#c3cacd')) +
        disc(0, top + 122, 122, 'url(#round)') +
        disc(0, top + 122, 104, 'none', `stroke="${light.tint('#9ba3a7')}" stroke-width="3"`) +
        disc(0, top + 122, 30, light.tint('#a9b1b4')) +
        box(-120, top + 190, 240, -112 - (top + 190), light.tint('#5d6569'), 3)
      )
    case 'tipper':
      return (
        rim +
        both([0, 42, 84, 118].map((x) => box(x, top, 6, bottom - top, light.shade(paint, 0.66))).join('')) +
        box(-124, top, 248, 12, light.shade(paint, 0.66), 2)
      )
    case 'flatbed':
      return (
        box(-124, -134, 248, 24, light.tint('#6d5a41')) +
        box(-92, top, 184, -134 - top, light.tint('#a08a63'), 3) +
        both([40, 78].map((x) => line(`M${x} ${top}V-134`, light.tint('#c98a35'), 4)).join(''))
      )
    case 'curtain':
      return (
        rim +
        box(-116, top + 12, 232, bottom - top - 16, light.tint(paint), 2) +
        both([28, 60, 92].map((x) => line(`M${x} ${top + 14}V${bottom - 8}`, light.shade(paint, 0.84), 3)).join('')) +
        box(-2, top + 12, 4, bottom - top - 16, light.shade(paint, 0.72))
      )
    default:
      return rim + doors(light, paint, top, bottom)
  }
}

/** The rear of a lorry, a semi-trailer or the last trailer of a road train. */
const lorryRear = (vehicle: VisibleVehicle, light: Light): string =>
  [
    `<ellipse cx="0" cy="-3" rx="180" ry="22" fill="url(#shadow)"/>`,
    both(box(58, -100, 60, 100, light.tint('#14171a'), 9) + box(86, -96, 3, 92, light.tint('#2c3135'))),
    box(-120, -112, 240, 26, light.tint('#2b3135'), 3),
    tailOf(vehicle, light, -vehicle.form.load),
    both(box(64, -84, 52, 54, light.tint('#1c2023'), 2)),
    both(tailLamp(light, 62, -98, 54, 14)),
    box(-112, -50, 224, 12, light.tint('#b9bfc1'), 2),
    both([28, 60, 92].map((x) => box(x, -50, 16, 12, RED, 0, `opacity="${light.night ? 0.55 : 0.85}"`)).join('')),
    both(box(114, -108, 9, 60, light.night ? '#b9a5a0' : '#b8463f', 1)),
    plateBelow(vehicle, light, -82, 92),
  ].join('')

const coachRear = (vehicle: VisibleVehicle, light: Light): string => {
  const { form, styleSeed } = vehicle
  const paint = paintOf(lorryPaints, styleSeed >>> 2)
  const top = -form.cab
  const hull = `M-126-50V${top + 46}Q-125 ${top} -84 ${top}H84Q125 ${top} 126 ${top + 46}V-50Q126-30 108-30H-108Q-126-30 -126-50Z`
  return [
    `<ellipse cx="0" cy="-3" rx="180" ry="22" fill="url(#shadow)"/>`,
    both(box(62, -52, 52, 52, light.tint('#14171a'), 9)),
    path(hull, light.tint(paint)),
    path(hull, 'url(#round)'),
    path(`M-102 ${top + 130}Q-108 ${top + 50} -92 ${top + 36}H92Q108 ${top + 50} 102 ${top + 130}Z`, '#12171a'),
    path(`M-96 ${top + 124}Q-101 ${top + 54} -88 ${top + 42}H88Q101 ${top + 54} 96 ${top + 124}Z`, 'url(#glass)'),
    box(-86, -190, 172, 62, light.shade(paint, 0.88), 6),
    Array.from({ length: 6 }, (_, i) => line(`M-70 ${-182 + i * 9}H70`, light.shade(paint, 0.66), 3)).join(''),
    both(tailLamp(light, 98, -150, 20, 62)),
    box(-122, -62, 244, 6, light.shade(paint, 0.7)),
    plateBelow(vehicle, light, -112, 84),
  ].join('')
}

const vanRear = (vehicle: VisibleVehicle, light: Light): string => {
  const { form, styleSeed } = vehicle
  const paint = styleSeed % 3 ? '#e6e8e7' : paintOf(carPaints, styleSeed >>> 3)
  const top = -form.cab
  const hull = `M-99-34L-92 ${top + 24}Q-90 ${top + 4} -70 ${top + 2}H70Q90 ${top + 4} 92 ${top + 24}L99-34Q98-24 86-24H-86Q-98-24 -99-34Z`
  return [
    `<ellipse cx="0" cy="-2" rx="148" ry="16" fill="url(#shadow)"/>`,
    both(box(60, -42, 32, 42, light.tint('#14171a'), 6)),
    path(hull, light.tint(paint)),
    path(hull, 'url(#round)'),
    both(
      path(`M5 ${top + 22}H74Q82 ${top + 24} 83 ${top + 34}L86-120H5Z`, '#12171a') +
        path(`M9 ${top + 27}H72Q78 ${top + 29} 79 ${top + 37}L82-124H9Z`, 'url(#glass)'),
    ),
    line(`M0 ${top + 8}V-46`, light.shade(paint, 0.66), 2.5),
    both(box(8, -104, 20, 8, light.tint('#23282b'), 3)),
    both(tailLamp(light, 86, -122, 11, 58)),
    box(-98, -46, 196, 18, light.tint('#33393d'), 5),
    plateBelow(vehicle, light, -88, 64),
  ].join('')
}

const carRear = (vehicle: VisibleVehicle, light: Light): string => {
  const { form, styleSeed } = vehicle
  const paint = paintOf(carPaints, styleSeed >>> 3)
  const top = -form.cab
  const waist = form.cab > 158 ? -108 : -97
  const hull = `M-90-28V-66Q-90 ${waist + 6} -82 ${waist}Q-66 ${top + 16} -54 ${top + 5}Q0 ${top - 3} 54 ${top + 5}Q66 ${top + 16} 82 ${waist}Q90 ${waist + 6} 90-66V-28Q88-18 76-18H-76Q-88-18 -90-28Z`
  return [
    `<ellipse cx="0" cy="-2" rx="130" ry="14" fill="url(#shadow)"/>`,
    both(box(58, -34, 24, 34, light.tint('#14171a'), 5)),
    path(hull, light.tint(paint)),
    path(hull, 'url(#round)'),
    path(
      `M-68 ${waist - 1}Q-57 ${top + 20} -48 ${top + 13}Q0 ${top + 7} 48 ${top + 13}Q57 ${top + 20} 68 ${waist - 1}Q0 ${waist + 5} -68 ${waist - 1}Z`,
      '#12171a',
    ),
    path(
      `M-64 ${waist - 4}Q-54 ${top + 22} -46 ${top + 17}Q0 ${top + 11} 46 ${top + 17}Q54 ${top + 22} 64 ${waist - 4}Q0 ${waist + 1} -64 ${waist - 4}Z`,
      'url(#glass)',
    ),
    both(
      path(
        `M50 ${waist + 10}Q72 ${waist + 6} 87 ${waist + 10}Q89 ${waist + 22} 86 ${waist + 30}Q66 ${waist + 28} 52 ${waist + 24}Z`,
        light.night ? '#d9c4bf' : RED,
      ),
    ),
    box(-48, waist + 15, 96, 3, light.shade(paint, 1.3), 1),
    path('M-88-50Q0-44 88-50L84-26Q0-20 -84-26Z', light.shade(paint, 0.86)),
    box(-62, -30, 124, 11, light.tint('#1c2023'), 5),
    plateBelow(vehicle, light, -72, 62),
  ].join('')
}

/** A small trailer: open, or a caravan. */
const trailerRear = (vehicle: VisibleVehicle, light: Light): string => {
  const { load } = vehicle.form
  const caravan = load > 180
  return [
    `<ellipse cx="0" cy="-2" rx="140" ry="15" fill="url(#shadow)"/>`,
    both(box(66, -46, 22, 46, light.tint('#14171a'), 5)),
    box(-100, -load, 200, load - 34, light.tint(caravan ? '#e4e6e5' : '#8b9397'), caravan ? 14 : 3),
    box(-100, -load, 200, load - 34, 'url(#round)', caravan ? 14 : 3),
    caravan
      ? box(-66, -load + 40, 132, 62, 'url(#glass)', 8)
      : [0.3, 0.6].map((part) => line(`M-98 ${-load + (load - 34) * part}H98`, light.tint('#6b7377'), 2)).join(''),
    both(tailLamp(light, 66, -58, 30, 13)),
    plateBelow(vehicle, light, -58, 62),
  ].join('')
}

const motorcycleRear = (vehicle: VisibleVehicle, light: Light): string => {
  const top = -vehicle.form.cab
  const jacket = light.tint('#2b3136')
  return [
    `<ellipse cx="0" cy="-1" rx="60" ry="9" fill="url(#shadow)"/>`,
    box(-9, -60, 18, 60, light.tint('#14171a'), 8),
    path(`M-36 ${top + 54}Q-30 ${top + 30} 0 ${top + 28}Q30 ${top + 30} 36 ${top + 54}L32-84H-32Z`, jacket),
    both(line(`M29 ${top + 50}Q46 ${top + 64} 42-96`, jacket, 14, 'stroke-linecap="round"')),
    disc(0, top + 17, 17, light.tint(paintOf(motorcyclePaints, vehicle.styleSeed >>> 3))),
    path('M-26-92Q0-100 26-92L18-70H-18Z', light.tint('#23282b')),
    box(-14, -82, 28, 8, light.night ? '#d9c4bf' : RED, 3),
    both(box(20, -50, 12, 26, light.tint('#858d91'), 4)),
    plateBelow(vehicle, light, -66, 34),
  ].join('')
}

/** The rear of a vehicle. */
export const rearOf = (vehicle: VisibleVehicle, light: Light): string => {
  switch (vehicle.form.kind) {
    case 'car':
      return carRear(vehicle, light)
    case 'van':
      return vanRear(vehicle, light)
    case 'bus':
      return coachRear(vehicle, light)
    case 'motorcycle':
      return motorcycleRear(vehicle, light)
    case 'car-trailer':
    case 'van-trailer':
      return trailerRear(vehicle, light)
    default:
      return lorryRear(vehicle, light)
  }
}
