import { driver, paintOf } from './cab.ts'
import { text } from './font.ts'
import { numberPlate } from './number-plate.ts'
import { both, box, carPaints, disc, type Light, line, motorcyclePaints, path } from './paint.ts'
import { glow } from './scene.ts'
import type { VisibleVehicle } from './visible-vehicle.ts'

/*
 * Fronts of cars, vans and motorcycles, in cm: x = 0 the middle, y = 0 the road, up is negative.
 */

/** A trailer, visible on both sides and above. */
const trailerBehind = ({ form }: VisibleVehicle, light: Light, half: number): string => {
  if (!form.kind.endsWith('-trailer')) return ''
  return form.load > form.cab
    ? box(-half - 14, -form.load * 0.93, 2 * half + 28, form.load * 0.75, light.tint('#d9dcdb'), 8) +
        box(-half - 14, -form.load * 0.93, 2 * half + 28, 10, light.tint('#eceeed'), 5)
    : both(box(half - 4, -form.load * 0.8, 12, form.load * 0.5, light.tint('#6f777b'), 2))
}

const brandText = (vehicle: VisibleVehicle, light: Light, y: number): string =>
  vehicle.make
    ? text(vehicle.make.split('-')[0]?.toUpperCase() ?? '', {
        x: 0,
        y,
        size: 9,
        fill: light.tint('#cfd4d6'),
        anchor: 'middle',
        spacing: 0.12,
      })
    : ''

/** The front of a car. */
export const carFront = (vehicle: VisibleVehicle, light: Light): string => {
  const { form, styleSeed } = vehicle
  const paint = paintOf(carPaints, styleSeed >>> 3)
  const top = -form.cab
  const tall = form.cab > 158
  const hood = tall ? -104 : -92
  const dark = light.tint('#171b1d')
  const hull = `M-90-26V-64Q-90 ${hood + 8} -82 ${hood}L-79 ${hood - 4}Q-66 ${top + 16} -54 ${top + 5}Q0 ${top - 3} 54 ${top + 5}Q66 ${top + 16} 79 ${hood - 4}L82 ${hood}Q90 ${hood + 8} 90-64V-26Q88-16 76-16H-76Q-88-16 -90-26Z`
  return [
    `<ellipse cx="0" cy="-2" rx="132" ry="14" fill="url(#shadow)"/>`,
    trailerBehind(vehicle, light, 90),
    both(box(58, -34, 24, 34, light.tint('#14171a'), 5)),
    both(path(`M80 ${hood - 12}h10q9 0 9 8v5q0 5-6 5H80Z`, light.shade(paint, 0.86))),
    path(hull, light.tint(paint)),
    path(hull, 'url(#round)'),
    path(
      `M-72 ${hood - 4}Q-60 ${top + 20} -50 ${top + 11}Q0 ${top + 4} 50 ${top + 11}Q60 ${top + 20} 72 ${hood - 4}Q0 ${hood - 12} -72 ${hood - 4}Z`,
      '#0f1314',
    ),
    path(
      `M-68 ${hood - 6}Q-57 ${top + 22} -48 ${top + 14}Q0 ${top + 8} 48 ${top + 14}Q57 ${top + 22} 68 ${hood - 6}Q0 ${hood - 14} -68 ${hood - 6}Z`,
      'url(#glass)',
    ),
    `<g transform="translate(0 ${hood - 10}) scale(0.85)">${driver(light, 38, 0)}${styleSeed % 3 === 0 ? driver(light, -38, 0) : ''}</g>`,
    line(`M-40 ${hood - 7}L-2 ${hood - 15}M8 ${hood - 7}L44 ${hood - 14}`, '#0c0f10', 2),
    // The hood, brighter because it reflects the sky.
    path(
      `M-80 ${hood}Q0 ${hood - 9} 80 ${hood}Q74 ${hood + 24} 62 ${hood + 26}Q0 ${hood + 18} -62 ${hood + 26}Q-74 ${hood + 24} -80 ${hood}Z`,
      light.shade(paint, 1.1),
    ),
    both(line(`M46 ${hood - 2}Q50 ${hood + 12} 44 ${hood + 20}`, light.shade(paint, 0.8), 1.5)),
    styleSeed % 2
      ? path('M-42-68Q0-73 42-68L36-50Q0-46 -36-50Z', dark) +
        [-64, -59, -54].map((y) => line(`M-37${y}H37`, light.tint('#596167'), 1.6)).join('')
      : path('M-50-66Q0-70 50-66L47-57Q0-54 -47-57Z', dark) + path('M-34-70L0-72L34-70L28-50H-28Z', dark),
    brandText(vehicle, light, hood + 15),
    both(
      path('M46-70Q66-77 85-76Q87-68 84-62Q68-58 52-60Q46-64 46-70Z', dark) +
        path('M49-69Q66-75 83-74Q84-68 82-64Q68-60 54-62Z', '#cdd5d8') +
        disc(62, -67, 4.4, '#ffffff') +
        disc(74, -69, 4.6, '#ffffff'),
    ),
    path('M-80-42Q0-36 80-42L76-22Q0-16 -76-22Z', light.shade(paint, 0.84)),
    path('M-48-32Q0-28 48-32L44-20Q0-17 -44-20Z', dark),
    both(path('M58-38Q70-40 78-39L74-27Q66-25 60-27Z', dark)),
    numberPlate(vehicle.plate, vehicle.nationality, { x: -33, y: -47, width: 66 }, light),
    both(glow(68, -68, light.night ? 92 : 26)),
  ].join('')
}

/** The front of a van. */
export const vanFront = (vehicle: VisibleVehicle, light: Light): string => {
  const { form, styleSeed } = vehicle
  const paint = styleSeed % 3 ? '#e6e8e7' : paintOf(carPaints, styleSeed >>> 3)
  const top = -form.cab
  const dark = light.tint('#171b1d')
  const hull = `M-100-30V-96Q-98-118 -93-126L${-84} ${top + 26}Q-80 ${top + 4} -62 ${top + 2}H62Q80 ${top + 4} 84 ${top + 26}L93-126Q98-118 100-96V-30Q98-20 86-20H-86Q-98-20 -100-30Z`
  const glassTop = Math.max(top + 20, -214)
  return [
    `<ellipse cx="0" cy="-2" rx="150" ry="17" fill="url(#shadow)"/>`,
    trailerBehind(vehicle, light, 98),
    both(box(62, -40, 30, 40, light.tint('#14171a'), 6)),
    both(
      line('M90-140L106-146', dark, 5) +
        box(100, -172, 17, 46, dark, 6) +
        box(103, -168, 4, 38, light.tint('#49535a'), 2),
    ),
    path(hull, light.tint(paint)),
    path(hull, 'url(#round)'),
    path(
      `M-86-134L-76 ${glassTop + 8}Q-74 ${glassTop} -64 ${glassTop}H64Q74 ${glassTop} 76 ${glassTop + 8}L86-134Q0-146 -86-134Z`,
      '#0f1314',
    ),
    path(
      `M-81-137L-72 ${glassTop + 10}Q-70 ${glassTop + 4} -62 ${glassTop + 4}H62Q70 ${glassTop + 4} 72 ${glassTop + 10}L81-137Q0-148 -81-137Z`,
      'url(#glass)',
    ),
    driver(light, 44, -141),
    line('M-60-138L-6-149M4-138L60-148', '#0c0f10', 2.5),
    path('M-92-126Q0-140 92-126Q90-108 80-102Q0-112 -80-102Q-90-108 -92-126Z', light.shade(paint, 1.06)),
    path('M-62-92Q0-98 62-92L56-66H-56Z', dark),
    [-86, -79, -72].map((y) => line(`M-54${y}H54`, light.tint('#566067'), 2.4)).join(''),
    brandText(vehicle, light, -100),
    both(
      path('M66-98Q86-108 95-106Q97-88 92-74Q78-70 68-74Z', dark) +
        path('M70-96Q86-104 92-103Q93-88 89-78Q78-75 71-78Z', '#cdd5d8') +
        disc(81, -91, 7, '#ffffff'),
    ),
    path('M-99-62H99L97-32Q94-22 84-22H-84Q-94-22 -97-32Z', light.tint('#33393d')),
    path('M-99-62H99L97-32Q94-22 84-22H-84Q-94-22 -97-32Z', 'url(#fall)'),
    both(disc(78, -42, 5.5, light.tint('#aab2b5'))),
    numberPlate(vehicle.plate, vehicle.nationality, { x: -36, y: -55, width: 72 }, light),
    both(glow(81, -91, light.night ? 104 : 30)),
  ].join('')
}

/** The front of a motorcycle with its rider; motorcycles have no front plate. */
export const motorcycleFront = ({ form, styleSeed }: VisibleVehicle, light: Light): string => {
  const paint = paintOf(motorcyclePaints, styleSeed >>> 3)
  const jacket = light.tint(styleSeed % 2 ? '#2b3136' : '#3b3f36')
  const top = -form.cab
  return [
    `<ellipse cx="0" cy="-1" rx="62" ry="9" fill="url(#shadow)"/>`,
    // The rider: helmet, shoulders, arms to the handlebars.
    path(`M-34 ${top + 52}Q-30 ${top + 30} 0 ${top + 28}Q30 ${top + 30} 34 ${top + 52}L38-76H-38Z`, jacket),
    both(line(`M28 ${top + 50}Q50 ${top + 66} 43-88`, jacket, 15, 'stroke-linecap="round"')),
    both(path('M16-80Q34-82 36-60L30-34H20Z', light.tint('#23282b'))),
    path(
      `M-16 ${top + 16}Q-16 ${top} 0 ${top}Q16 ${top} 16 ${top + 16}V${top + 28}Q10 ${top + 36} 0 ${top + 36}Q-10 ${top + 36} -16 ${top + 28}Z`,
      light.tint(paint),
    ),
    path(`M-13 ${top + 13}Q0 ${top + 8} 13 ${top + 13}V${top + 24}Q0 ${top + 28} -13 ${top + 24}Z`, '#101415'),
    both(
      line('M0-94L45-98', light.tint('#5c656a'), 4) +
        box(40, -102, 13, 7, light.tint('#14171a'), 3) +
        line('M32-98L46-116', light.tint('#2a2f32'), 3) +
        box(38, -124, 18, 11, light.tint('#23282b'), 4),
    ),
    path('M-20-104Q0-114 20-104L15-84H-15Z', light.shade(paint, 1.06)),
    box(-7, -58, 14, 58, light.tint('#14171a'), 7),
    both(line('M11-88L10-30', light.tint('#858d91'), 4.5)),
    path('M-11-46Q0-60 11-46L10-36H-10Z', light.tint(paint)),
    disc(0, -90, 11, light.tint('#14171a')),
    disc(0, -90, 8.5, '#f7f9f4'),
    glow(0, -90, light.night ? 76 : 34),
  ].join('')
}
