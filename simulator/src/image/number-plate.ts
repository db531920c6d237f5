import { text, textWidth } from './font.ts'
import { box, disc, type Light, path } from './paint.ts'

/** Country codes on the band at the left. */
const BAND: Record<string, string> = { DE: 'D', PL: 'PL', LT: 'LT', UA: 'UA', CZ: 'CZ', SK: 'SK', RO: 'RO' }

const stars = (x: number, y: number, radius: number): string =>
  Array.from({ length: 12 }, (_, i) =>
    disc(x + radius * Math.sin((i * Math.PI) / 6), y - radius * Math.cos((i * Math.PI) / 6), radius / 6, '#f2cf4a'),
  ).join('')

/** The flag of Ukrainian plates. */
const ukrainian = (x: number, y: number, width: number): string =>
  box(x, y, width, width * 0.35, '#2f6fc4') + box(x, y + width * 0.35, width, width * 0.35, '#f2cf4a')

type PlateBox = { x: number; y: number; width: number }

/**
 * A number plate with its upper left corner at (x, y); its height is 0.219 of the width (520 mm by 114 mm). It is
 * retroreflective, so bright at night. `plate` null: unreadable.
 */
export const numberPlate = (
  plate: string | null,
  nationality: string | null,
  { x, y, width }: PlateBox,
  light: Light,
): string => {
  const height = width * 0.219
  const ground = light.night ? '#dfe5e1' : '#eef0ee'
  const frame = box(
    x - width * 0.012,
    y - width * 0.012,
    width * 1.024,
    height + width * 0.024,
    light.night ? '#0b0d0d' : '#14181a',
    height * 0.14,
  )
  const face = box(x, y, width, height, ground, height * 0.1)
  if (plate === null) return frame + face + mud(x, y, width, height)
  const band = width * 0.088
  const code = BAND[nationality ?? ''] ?? ''
  const blue = light.night ? '#3c4344' : '#1c4a9c'
  const left = path(
    `M${x + height * 0.1} ${y}h${band - height * 0.1}v${height}h${-(band - height * 0.1)}q${-height * 0.1} 0 ${-height * 0.1} ${-height * 0.1}v${-height * 0.8}q0 ${-height * 0.1} ${height * 0.1} ${-height * 0.1}Z`,
    blue,
  )
  const sign =
    nationality === 'UA'
      ? ukrainian(x + band * 0.15, y + height * 0.14, band * 0.7)
      : stars(x + band / 2, y + height * 0.32, band * 0.3)
  const letters = text(code, {
    x: x + band / 2,
    y: y + height * 0.9,
    size: height * 0.3,
    fill: '#ffffff',
    anchor: 'middle',
  })
  const room = width - band
  const spacing = 0.05
  const size = Math.min(height * 1.06, (height * 1.06 * room * 0.9) / textWidth(plate, height * 1.06, spacing))
  const number = text(plate, {
    x: x + band + room / 2,
    y: y + height / 2 + size * 0.35,
    size,
    fill: '#15181a',
    anchor: 'middle',
    spacing,
  })
  return frame + face + left + sign + letters + number
}

/** Mud over an unreadable plate. */
const mud = (x: number, y: number, width: number, height: number): string => {
  const blots = Array.from({ length: 14 }, (_, i) => {
    const at = x + (width * ((i * 37) % 97)) / 97
    return `<ellipse cx="${at.toFixed(1)}" cy="${(y + (height * ((i * 53) % 89)) / 89).toFixed(1)}" rx="${(width * 0.13).toFixed(1)}" ry="${(height * 0.34).toFixed(1)}" fill="#4b443b" opacity="0.8"/>`
  }).join('')
  return `<svg x="${x}" y="${y}" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}">${blots}</svg>`
}
