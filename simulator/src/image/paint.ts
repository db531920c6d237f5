/*
 * Colours of a roadside camera: muted by day; at night, under infrared light, almost monochrome, with only reflectors
 * and lamps bright.
 */

export type Light = {
  night: boolean
  /** A colour in this light. */
  tint: (colour: string) => string
  /** A colour in this light, brighter (above 1) or darker (below 1). */
  shade: (colour: string, brightness: number) => string
}

type Rgb = [number, number, number]

const rgbOf = (colour: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as Rgb

const hexOf = (rgb: Rgb): string =>
  `#${rgb
    .map((value) =>
      Math.round(Math.min(255, Math.max(0, value)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

/** Infrared images are green-grey and dark. */
const NIGHT: Rgb = [0.46, 0.5, 0.49]

const captured = ([r, g, b]: Rgb, night: boolean): Rgb => {
  const grey = 0.3 * r + 0.55 * g + 0.15 * b
  if (!night) return [r * 0.86 + grey * 0.14, g * 0.86 + grey * 0.14, b * 0.86 + grey * 0.14]
  const flat = 0.84 * grey + 26
  return [flat * NIGHT[0], flat * NIGHT[1], flat * NIGHT[2]]
}

const lightOf = (night: boolean): Light => {
  const shade = (colour: string, brightness: number): string => {
    const rgb = rgbOf(colour)
    // Darker multiplies; brighter goes towards white, so that a white cab keeps its edges.
    const shaded = rgb.map((value) =>
      brightness <= 1 ? value * brightness : value + (255 - value) * Math.min(1, brightness - 1),
    ) as Rgb
    return hexOf(captured(shaded, night))
  }
  return { night, tint: (colour) => shade(colour, 1), shade }
}

export const daylight = lightOf(false)
export const nightlight = lightOf(true)

/** Colours of lorries, cars and cargo. */
export const lorryPaints = [
  '#e9ebea',
  '#e9ebea',
  '#dfe2e3',
  '#27518c',
  '#9e2b25',
  '#2d6a4f',
  '#3a4147',
  '#c9962b',
  '#1d3557',
  '#7a8288',
  '#b5442e',
]
export const carPaints = [
  '#e6e8e8',
  '#aab0b4',
  '#6d757b',
  '#2f353a',
  '#1c2023',
  '#2b4a77',
  '#8d2a2a',
  '#40566b',
  '#b9b2a3',
  '#5b6b57',
]
export const motorcyclePaints = ['#8d2a2a', '#2b4a77', '#2f353a', '#b5672e', '#3c5a48']
export const coverPaints = [
  '#dfe3e4',
  '#e8e6df',
  '#c8ced1',
  '#2f5d92',
  '#a43a30',
  '#3d7257',
  '#8a9196',
  '#d6a23a',
  '#33475c',
]

/** Formats a number with at most one decimal. */
export const px = (value: number): string => String(Math.round(value * 10) / 10)

/** A polygon. */
export const shape = (points: readonly (readonly [number, number])[], fill: string, more = ''): string =>
  `<path d="M${points.map(([x, y]) => `${px(x)} ${px(y)}`).join('L')}Z" fill="${fill}" ${more}/>`

export const box = (x: number, y: number, width: number, height: number, fill: string, radius = 0, more = ''): string =>
  `<rect x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}" rx="${px(radius)}" fill="${fill}" ${more}/>`

export const disc = (x: number, y: number, radius: number, fill: string, more = ''): string =>
  `<circle cx="${px(x)}" cy="${px(y)}" r="${px(radius)}" fill="${fill}" ${more}/>`

export const path = (d: string, fill: string, more = ''): string => `<path d="${d}" fill="${fill}" ${more}/>`

export const line = (d: string, stroke: string, width: number, more = ''): string =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${px(width)}" ${more}/>`

/** A drawing and its mirror image at x = 0: vehicles are symmetrical from the front. */
export const both = (drawing: string): string => `${drawing}<g transform="scale(-1 1)">${drawing}</g>`

/** A gradient from top to bottom or left to right, referenced as `url(#id)`. */
export const gradient = (
  id: string,
  stops: readonly (readonly [at: number, colour: string, opacity?: number])[],
  across = false,
): string =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="${across ? 1 : 0}" y2="${across ? 0 : 1}">${stops
    .map(([at, colour, opacity = 1]) => `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`)
    .join('')}</linearGradient>`

/** Shared gradients: lamp glow, soft shadow, rounding of painted surfaces. */
export const definitions = (light: Light): string => `<defs>
<radialGradient id="glow"><stop offset="0" stop-color="#fffdf2" stop-opacity="${light.night ? 0.95 : 0.35}"/><stop offset="0.14" stop-color="#f4f6ee" stop-opacity="${light.night ? 0.5 : 0.14}"/><stop offset="0.4" stop-color="#eaefe8" stop-opacity="${light.night ? 0.14 : 0.04}"/><stop offset="1" stop-color="#dfe6e0" stop-opacity="0"/></radialGradient>
<radialGradient id="shadow"><stop offset="0.3" stop-color="#000" stop-opacity="${light.night ? 0.7 : 0.5}"/><stop offset="1" stop-color="#000" stop-opacity="0"/></radialGradient>
${gradient(
  'round',
  [
    [0, '#000', 0.28],
    [0.12, '#000', 0.02],
    [0.3, '#fff', 0.1],
    [0.62, '#fff', 0],
    [0.9, '#000', 0.06],
    [1, '#000', 0.32],
  ],
  true,
)}
${gradient('fall', [
  [0, '#fff', 0.16],
  [0.35, '#fff', 0],
  [1, '#000', 0.3],
])}
${gradient(
  'glass',
  light.night
    ? [
        [0, '#0c0f0f'],
        [0.6, '#1a1e1e'],
        [1, '#111414'],
      ]
    : [
        [0, '#8fa3ad'],
        [0.25, '#4a5961'],
        [0.6, '#232b2f'],
        [1, '#171c1f'],
      ],
)}
</defs>`
