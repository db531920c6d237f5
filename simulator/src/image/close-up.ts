import { isHeavy } from '../kinds.ts'
import { hash } from '../random.ts'
import { paintOf } from './cab.ts'
import { numberPlate } from './number-plate.ts'
import { carPaints, gradient, type Light, line, lorryPaints, path, shape } from './paint.ts'
import { HEIGHT, WIDTH } from './scene.ts'
import type { VisibleVehicle } from './visible-vehicle.ts'

/** Close-up of the plate, slightly rotated, on its bumper, as cropped from the front image. */
export const closeUp = (vehicle: VisibleVehicle, light: Light): string => {
  const { styleSeed } = vehicle
  const heavy = isHeavy(vehicle.form.kind)
  const paint = heavy ? '#4c5357' : paintOf(carPaints, styleSeed >>> 3)
  const turn = ((hash(`turn:${styleSeed}`) % 100) / 100 - 0.5) * 5
  const grille = Array.from({ length: 3 }, (_, i) => line(`M90 ${28 + i * 34}H870`, light.tint('#5a6266'), 10)).join('')
  return `<defs>${gradient('bumper', [
    [0, light.shade(paint, 1.12)],
    [0.3, light.tint(paint)],
    [0.75, light.shade(paint, 0.7)],
    [1, light.shade(paint, 0.4)],
  ])}</defs>
${shape(
  [
    [0, 0],
    [WIDTH, 0],
    [WIDTH, HEIGHT],
    [0, HEIGHT],
  ],
  light.tint('#15191b'),
)}
<g transform="rotate(${turn.toFixed(2)} 480 280) skewX(${(-turn * 1.2).toFixed(2)})">
${shape(
  [
    [60, -40],
    [900, -40],
    [870, 120],
    [90, 120],
  ],
  light.tint(heavy ? paintOf(lorryPaints, styleSeed) : '#1d2225'),
)}${heavy ? '' : grille}
${path('M-80 128Q480 104 1040 128V452Q480 474 -80 452Z', 'url(#bumper)')}
${line('M-80 146Q480 122 1040 146', light.shade(paint, 1.3), 4, 'opacity="0.5"')}
${path('M118 190H842Q852 190 852 200V390Q852 400 842 400H118Q108 400 108 390V200Q108 190 118 190Z', light.shade(paint, 0.62), 'opacity="0.75"')}
${numberPlate(vehicle.plate, vehicle.nationality, { x: 140, y: 220, width: 680 }, light)}
${path('M140 220H820V262Q480 284 140 250Z', '#ffffff', `opacity="${light.night ? 0.1 : 0.16}"`)}
${path('M-80 452Q480 474 1040 452V600H-80Z', light.tint('#101315'))}</g>`
}
