import { text, textWidth } from './font.ts'
import { box, disc, gradient, type Light, line, path, px, shape } from './paint.ts'

export const WIDTH = 960
export const HEIGHT = 540

/** Vanishing point of the road, in px. */
const HORIZON = 214
const VANISHING = 480

/** A row of varying trees, shifted by `styleSeed`. */
const trees = (base: number, tall: number, styleSeed: number): string => {
  const crowns = Array.from({ length: 41 }, (_, i) => {
    const n = i + (styleSeed % 23)
    const rise = tall * (0.72 + 0.16 * Math.sin(n * 2.3) + 0.12 * Math.sin(n * 0.61 + 2))
    const round = 13 + 5 * Math.sin(n * 1.9)
    return `M${i * 24 - 16} ${base}v${px(-rise + round)}a${px(round)} ${px(round * 0.9)} 0 0 1 32 0V${base}Z`
  }).join('')
  return `${crowns}M0 ${base}V${px(base - tall * 0.5)}H${WIDTH}V${base}Z`
}

const sky = (light: Light, styleSeed: number): string => {
  const [top, low] = light.night
    ? ['#0a0d0d', '#1b2020']
    : ((
        [
          ['#8fa9bb', '#d6dee1'],
          ['#a7b2b8', '#dadddb'],
          ['#7f9fba', '#dfe4e0'],
        ] as const
      )[styleSeed % 3] ?? ['#8fa9bb', '#d6dee1'])
  return `<defs>${gradient('sky', [
    [0, top],
    [1, low],
  ])}</defs>${box(0, 0, WIDTH, HORIZON + 2, 'url(#sky)')}`
}

/** Background of front and rear images: sky, trees, verge and a carriageway towards the vanishing point. */
export const roadScene = (light: Light, styleSeed: number): string => {
  const asphalt = light.night ? ['#15181a', '#222727'] : ['#767b7d', '#565b5e']
  const edge = (x: number, from: number, width: number) =>
    shape(
      [
        [VANISHING + (x - VANISHING) * from, HORIZON + (HEIGHT - HORIZON) * from],
        [x, HEIGHT],
        [x + width, HEIGHT],
        [VANISHING + (x + width - VANISHING) * from, HORIZON + (HEIGHT - HORIZON) * from],
      ],
      light.night ? '#5d6563' : '#d5d8d6',
    )
  // Dashes have a constant length on the road, so their drawn length falls with the square of the distance.
  const dashes = (x: number) =>
    [
      [0.03, 0.05],
      [0.075, 0.11],
      [0.165, 0.24],
      [0.37, 0.55],
      [0.8, 1],
    ]
      .map(([from = 0, to = 1]) => {
        const at = (x: number, part: number) =>
          [VANISHING + (x - VANISHING) * part, HORIZON + (HEIGHT - HORIZON) * part] as const
        return shape([at(x, from), at(x, to), at(x + 20, to), at(x + 20, from)], light.night ? '#555d5b' : '#cfd3d1')
      })
      .join('')
  const rail = (side: 1 | -1) => {
    const at = (part: number, up: number) => [VANISHING + side * 760 * part, HORIZON + (410 - up) * part] as const
    const posts = [0.12, 0.2, 0.33, 0.55, 0.9]
      .map((part) => shape([at(part, 0), at(part, 92), at(part * 1.03, 92), at(part * 1.03, 0)], light.tint('#7d8487')))
      .join('')
    return (
      posts +
      shape([at(0, 60), at(1, 60), at(1, 98), at(0, 98)], light.shade('#a9b0b3', 0.95)) +
      shape([at(0, 76), at(1, 76), at(1, 84), at(0, 84)], light.shade('#a9b0b3', 0.72))
    )
  }
  return `${sky(light, styleSeed)}
<defs>${gradient('asphalt', [
    [0, asphalt[0] ?? ''],
    [1, asphalt[1] ?? ''],
  ])}</defs>
${path(trees(HORIZON + 4, 52, styleSeed), light.tint('#70807a'), 'opacity="0.75"')}${path(trees(HORIZON + 6, 30, styleSeed + 5), light.tint('#4c5b50'))}
${box(0, HORIZON, WIDTH, HEIGHT - HORIZON, light.night ? '#161a19' : light.tint('#77805f'))}${shape(
  [
    [VANISHING - 6, HORIZON],
    [VANISHING + 6, HORIZON],
    [1500, HEIGHT + 60],
    [-540, HEIGHT + 60],
  ],
  light.night ? '#1d2221' : light.shade('#8b8d80', 0.9),
)}
${shape(
  [
    [VANISHING - 3, HORIZON],
    [VANISHING + 3, HORIZON],
    [1250, HEIGHT],
    [-290, HEIGHT],
  ],
  'url(#asphalt)',
)}
${edge(830, 0.02, 26)}${dashes(104)}${rail(1)}${rail(-1)}`
}

/** The ground in side images, in px. */
export const GROUND = 430

/** Background of side images: a noise barrier across the lane. */
export const sideScene = (light: Light, styleSeed: number): string => {
  const panels = Array.from(
    { length: 9 },
    (_, i) =>
      box(i * 120 - (styleSeed % 120), 150, 118, 206, light.shade('#9aa3a0', i % 2 ? 0.86 : 0.9)) +
      box(i * 120 - 5 - (styleSeed % 120), 140, 9, 222, light.tint('#6b7375')),
  ).join('')
  const ribs = Array.from({ length: 7 }, (_, i) =>
    line(`M0 ${176 + i * 28}H${WIDTH}`, light.shade('#8b9491', 0.82), 2, 'opacity="0.6"'),
  ).join('')
  return `${sky(light, styleSeed)}${path(trees(170, 60, styleSeed + 9), light.tint('#596a5f'))}${panels}${ribs}
${box(0, 356, WIDTH, 40, light.night ? '#161a19' : light.tint('#77805f'))}${box(0, 384, WIDTH, HEIGHT - 384, light.night ? '#1b2020' : '#696e71')}
${box(0, 398, WIDTH, 5, light.night ? '#58605e' : '#cdd1cf')}${box(0, GROUND + 52, WIDTH, 6, light.night ? '#58605e' : '#cdd1cf')}
${box(0, 330, WIDTH, 13, light.tint('#a9b0b3'))}${box(0, 343, WIDTH, 5, light.shade('#a9b0b3', 0.7))}`
}

/** A lit lamp. */
export const glow = (x: number, y: number, radius: number): string => disc(x, y, radius, 'url(#glow)')

/** The stamp of the camera: station and lane at the left, time at the right. */
export const stamp = (left: string, right: string): string =>
  box(0, HEIGHT - 30, WIDTH, 30, '#0b0e0f', 0, 'opacity="0.78"') +
  text(left, { x: 14, y: HEIGHT - 9, size: 18, fill: '#e8ebea', spacing: 0.02 }) +
  text(right, { x: WIDTH - 14 - textWidth(right, 18, 0.02), y: HEIGHT - 9, size: 18, fill: '#e8ebea', spacing: 0.02 })
