import { text } from './font.ts'
import { numberPlate } from './number-plate.ts'
import { both, box, coverPaints, disc, type Light, line, lorryPaints, path, shape } from './paint.ts'
import { glow } from './scene.ts'
import type { VisibleVehicle } from './visible-vehicle.ts'

/*
 * Fronts of lorries and coaches, in cm: x = 0 the middle, y = 0 the road, up is negative.
 */

export const paintOf = (paints: readonly string[], styleSeed: number): string =>
  paints[styleSeed % paints.length] ?? '#e9ebea'

/** Cargo visible above and beside the cab, slightly smaller because farther away. */
const behindCab = ({ form, styleSeed }: VisibleVehicle, light: Light): string => {
  if (form.load < form.cab - 25 || form.body === 'flatbed') return ''
  const top = -form.load * 0.955
  const colour = form.body === 'tank' ? '#c9cfd2' : paintOf(coverPaints, styleSeed >>> 4)
  if (form.body === 'tank')
    return disc(0, top + 118, 118, light.shade(colour, 0.8)) + box(-118, top + 118, 236, 140, light.shade(colour, 0.7))
  return (
    box(-121, top, 242, form.load * 0.8, light.shade(colour, 0.74), 4) +
    box(-121, top, 242, 9, light.shade(colour, 0.95), 3)
  )
}

/** Grilles by make; `bright`: chromed. */
const GRILLES: Record<string, { slats: number; width: number; height: number; bright: boolean }> = {
  DAF: { slats: 5, width: 158, height: 76, bright: true },
  Volvo: { slats: 8, width: 170, height: 84, bright: false },
  Scania: { slats: 4, width: 164, height: 70, bright: true },
  MAN: { slats: 3, width: 182, height: 58, bright: false },
  'Mercedes-Benz': { slats: 4, width: 176, height: 64, bright: true },
  Renault: { slats: 6, width: 150, height: 88, bright: false },
  Iveco: { slats: 7, width: 174, height: 62, bright: false },
}

const grille = (vehicle: VisibleVehicle, light: Light, top: number): string => {
  const makes = Object.keys(GRILLES)
  const make = vehicle.make && GRILLES[vehicle.make] ? vehicle.make : (makes[vehicle.styleSeed % makes.length] ?? 'DAF')
  const { slats, width, height, bright } = GRILLES[make] ?? { slats: 5, width: 160, height: 72, bright: true }
  const step = height / slats
  const bars = Array.from({ length: slats }, (_, i) =>
    box(
      -width / 2 + 6,
      top + i * step + step * 0.28,
      width - 12,
      step * 0.4,
      bright ? light.tint('#9aa1a5') : light.tint('#4a5156'),
      1.5,
    ),
  ).join('')
  const name = vehicle.make
    ? text(vehicle.make.split('-')[0]?.toUpperCase() ?? '', {
        x: 0,
        y: top - 5,
        size: 14,
        fill: light.tint('#c9ced0'),
        anchor: 'middle',
        spacing: 0.16,
      })
    : ''
  return (
    path(
      `M${-width / 2} ${top + 8}q0-8 8-8H${width / 2 - 8}q8 0 8 8L${width / 2 - 7} ${top + height}H${-width / 2 + 7}Z`,
      light.tint('#1d2225'),
    ) +
    bars +
    name
  )
}

/** Head and shoulders behind the windscreen. */
export const driver = (light: Light, x: number, y: number): string =>
  disc(x, y - 26, 13, light.tint('#5d5650'), 'opacity="0.75"') +
  path(`M${x - 27} ${y + 14}q2-26 27-27q25 1 27 27Z`, light.tint('#3a4249'), 'opacity="0.8"')

const windscreen = (light: Light, top: number, bottom: number, half: number): string =>
  shape(
    [
      [-half, bottom],
      [-half + 9, top],
      [half - 9, top],
      [half, bottom],
    ],
    '#101415',
  ) +
  shape(
    [
      [-half + 4, bottom - 4],
      [-half + 13, top + 4],
      [half - 13, top + 4],
      [half - 4, bottom - 4],
    ],
    'url(#glass)',
  ) +
  driver(light, 52, bottom - 6) +
  shape(
    [
      [-half + 30, bottom - 4],
      [-half + 62, top + 4],
      [-half + 96, top + 4],
      [-half + 64, bottom - 4],
    ],
    '#ffffff',
    `opacity="${light.night ? 0.03 : 0.12}"`,
  ) +
  line(`M-78 ${bottom + 2}L-14 ${bottom - 17}M-4 ${bottom + 2}L62 ${bottom - 15}`, '#0c0f10', 3)

/** Mirrors on their arms, one side. */
const mirror = (light: Light, top: number, tall: number, half: number): string =>
  line(`M${half} ${top + 10}L${half + 18} ${top + 4}`, light.tint('#2a2f33'), 5) +
  box(half + 12, top, 19, tall, light.tint('#23282b'), 6) +
  box(half + 15, top + 5, 5, tall - 10, light.tint('#4e575c'), 2)

const lamp = (light: Light): string =>
  path('M70-82L116-90Q121-88 120-78L116-58Q98-54 74-58Q68-70 70-82Z', light.tint('#15191b')) +
  path('M76-79L112-85Q115-84 114-77L111-63Q96-60 79-63Q74-71 76-79Z', light.night ? '#c9d0cb' : '#cfd8dc') +
  disc(84, -71, 7, light.night ? '#ffffff' : '#eef2f2') +
  disc(102, -73, 7.5, light.night ? '#ffffff' : '#eef2f2') +
  line('M77-82L114-89', '#f6f8f4', 2.6)

/** The front of a lorry or tractor. */
export const cabFront = (vehicle: VisibleVehicle, light: Light): string => {
  const { form, styleSeed } = vehicle
  const paint = paintOf(lorryPaints, styleSeed)
  const top = -form.cab
  const high = form.cab > 330
  const glassBottom = -178
  const glassTop = high ? Math.min(-268, top + 96) : Math.min(-236, top + 34)
  const dark = light.tint('#24292c')
  const bumper = styleSeed % 5 === 0 ? light.shade(paint, 0.82) : light.tint('#4c5357')
  return [
    `<ellipse cx="0" cy="-3" rx="185" ry="22" fill="url(#shadow)"/>`,
    behindCab(vehicle, light),
    both(box(72, -52, 42, 52, light.tint('#14171a'), 8) + box(76, -40, 3, 34, light.tint('#2c3135'))),
    both(mirror(light, glassTop - 4, 74, 124)),
    // The cab and its rounding.
    path(
      `M-124-60V${glassTop + 30}Q-123 ${top + 30} ${high ? -108 : -116} ${top + 10}Q-104 ${top} -88 ${top}H88Q104 ${top} ${high ? 108 : 116} ${top + 10}Q123 ${top + 30} 124 ${glassTop + 30}V-60Z`,
      light.tint(paint),
    ),
    path(
      `M-124-60V${glassTop + 30}Q-123 ${top + 30} ${high ? -108 : -116} ${top + 10}Q-104 ${top} -88 ${top}H88Q104 ${top} ${high ? 108 : 116} ${top + 10}Q123 ${top + 30} 124 ${glassTop + 30}V-60Z`,
      'url(#round)',
    ),
    high
      ? box(-84, top + 26, 168, 30, light.shade(paint, 0.9), 5) +
        both(box(62, top + 10, 16, 6, '#e9c46a', 2, `opacity="${light.night ? 0.9 : 0.7}"`))
      : '',
    windscreen(light, glassTop, glassBottom, 117),
    path(
      `M-116 ${glassTop + 4}Q0 ${glassTop - 24} 116 ${glassTop + 4}L112 ${glassTop + 20}Q0 ${glassTop} -112 ${glassTop + 20}Z`,
      light.tint('#1a1f22'),
    ),
    box(-120, glassBottom + 4, 240, 3, light.shade(paint, 0.6)),
    grille(vehicle, light, -156),
    path('M-126-98H-66L-62-74H62L66-98H126L124-34Q122-24 110-24H-110Q-122-24 -124-34Z', bumper),
    path('M-126-98H-66L-62-74H62L66-98H126L124-34Q122-24 110-24H-110Q-122-24 -124-34Z', 'url(#fall)'),
    both(lamp(light)),
    box(-60, -70, 120, 10, dark, 3),
    both(box(82, -48, 30, 12, light.tint('#181c1f'), 4) + disc(97, -42, 4.5, light.night ? '#aab2ad' : '#d9dfe0')),
    numberPlate(vehicle.plate, vehicle.nationality, { x: -46, y: -55, width: 92 }, light),
    both(glow(92, -72, light.night ? 128 : 40)),
  ].join('')
}

/** The front of a coach: one pane from bumper to roof. */
export const coachFront = (vehicle: VisibleVehicle, light: Light): string => {
  const { form, styleSeed } = vehicle
  const paint = paintOf(lorryPaints, styleSeed >>> 2)
  const top = -form.cab
  const dark = light.tint('#1c2124')
  const hull = `M-126-46V${top + 50}Q-125 ${top} -84 ${top}H84Q125 ${top} 126 ${top + 50}V-46Q126-26 108-26H-108Q-126-26 -126-46Z`
  return [
    `<ellipse cx="0" cy="-3" rx="185" ry="22" fill="url(#shadow)"/>`,
    both(box(76, -48, 40, 48, light.tint('#14171a'), 8)),
    path(hull, light.tint(paint)),
    path(hull, 'url(#round)'),
    path(
      `M-112-128Q-116 ${top + 60} -104 ${top + 34}Q-98 ${top + 22} -82 ${top + 22}H82Q98 ${top + 22} 104 ${top + 34}Q116 ${top + 60} 112-128Q0-116 -112-128Z`,
      dark,
    ),
    path(`M-106-132Q-110 ${top + 92} -100 ${top + 78}H100Q110 ${top + 92} 106-132Q0-121 -106-132Z`, 'url(#glass)'),
    box(-84, top + 32, 168, 34, '#0e1112', 4),
    text(['WARSZAWA', 'WILNO', 'BIAŁYSTOK', 'BERLIN', 'PRZEWÓZ OSÓB'][styleSeed % 5] ?? '', {
      x: 0,
      y: top + 58,
      size: 25,
      fill: light.night ? '#f1d999' : '#e8b54a',
      anchor: 'middle',
      spacing: 0.08,
    }),
    driver(light, 58, -132),
    driver(light, -60, -128),
    line('M-92-124L-12-140M8-124L84-140', '#0c0f10', 3),
    both(
      line(`M106 ${top + 44}Q138 ${top + 46} 138 ${top + 84}`, dark, 8, 'stroke-linecap="round"') +
        box(127, top + 78, 21, 46, dark, 7),
    ),
    vehicle.make
      ? text(vehicle.make.toUpperCase(), {
          x: 0,
          y: -84,
          size: 17,
          fill: light.tint('#5b6468'),
          anchor: 'middle',
          spacing: 0.16,
        })
      : '',
    box(-124, -72, 248, 4, light.shade(paint, 0.7)),
    both(
      path('M74-104Q100-112 121-106L119-80Q96-74 78-80Z', dark) +
        disc(90, -93, 8, '#f2f5f2') +
        disc(108, -94, 7, '#e6ebe8') +
        box(82, -52, 26, 9, light.tint('#23282b'), 4),
    ),
    numberPlate(vehicle.plate, vehicle.nationality, { x: -46, y: -62, width: 92 }, light),
    both(glow(98, -93, light.night ? 128 : 36)),
  ].join('')
}
