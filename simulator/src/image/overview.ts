import { box, type Light, line, path, px, shape } from './paint.ts'
import { glow, HEIGHT, roadScene, WIDTH } from './scene.ts'
import type { VisibleVehicle } from './visible-vehicle.ts'

/** Centres of the lanes at the bottom of the image, lane 1 at the right. */
const LANES = [760, 480, 200]

/** Overview: the gantry of the station and the vehicle in its lane. */
export const overview = (front: string, laneNumber: number, vehicle: VisibleVehicle, light: Light): string => {
  const lane = LANES[Math.min(laneNumber, LANES.length) - 1] ?? 480
  // Distance of the vehicle from the vanishing point (480, 214), which also determines its size.
  const near = 0.46
  const x = 480 + (lane - 480) * near
  const y = 214 + (HEIGHT - 214) * near
  const scale = 0.98 * near
  const steel = light.shade('#9aa1a5', 0.8)
  const gantry = [
    box(96, 66, 26, 380, steel, 3),
    box(842, 66, 26, 380, steel, 3),
    box(100, 66, 764, 14, steel),
    box(100, 104, 764, 12, steel),
    Array.from({ length: 18 }, (_, i) =>
      line(`M${px(122 + i * 40)} 104L${px(142 + i * 40)} 80L${px(162 + i * 40)} 104`, steel, 5),
    ).join(''),
    ...LANES.map((at) => {
      const middle = 480 + (at - 480) * 0.82
      return (
        box(middle - 24, 114, 48, 26, light.tint('#e2e5e4'), 4) +
        box(middle - 18, 138, 16, 13, light.tint('#1c2023'), 2) +
        box(middle + 3, 138, 16, 13, light.tint('#1c2023'), 2) +
        (light.night ? glow(middle, 144, 26) : '')
      )
    }),
  ].join('')
  // Loops and scales across the lanes.
  const sensor = (from: number, to: number) => {
    const at = (x: number, part: number) => [480 + (x - 480) * part, 214 + (HEIGHT - 214) * part] as const
    return LANES.map((middle) =>
      shape(
        [at(middle - 112, from), at(middle + 112, from), at(middle + 112, to), at(middle - 112, to)],
        light.night ? '#0f1213' : '#43484b',
        'opacity="0.75"',
      ),
    ).join('')
  }
  const road = `${roadScene(light, vehicle.styleSeed)}${path(`M480 214L${WIDTH + 110} ${HEIGHT}H-150Z`, light.night ? '#1c2122' : '#63686b')}`
  const lines = [900, 620, 340, 60].map((at, i) =>
    (i === 0 || i === 3
      ? [[0.03, 1]]
      : [
          [0.04, 0.07],
          [0.1, 0.15],
          [0.22, 0.33],
          [0.5, 0.74],
        ]
    )
      .map(([from = 0, to = 1]) =>
        shape(
          [
            [480 + (at - 480) * from, 214 + 326 * from],
            [480 + (at - 480) * to, 214 + 326 * to],
            [480 + (at + 12 - 480) * to, 214 + 326 * to],
            [480 + (at + 12 - 480) * from, 214 + 326 * from],
          ],
          light.night ? '#5d6563' : '#d5d8d6',
        ),
      )
      .join(''),
  )
  return `${road}${lines.join('')}${sensor(0.62, 0.635)}${sensor(0.7, 0.715)}<g transform="translate(${px(x)} ${px(y)}) scale(${scale.toFixed(3)})">${front}</g>${gantry}`
}
