import type { Division } from '@rogatka/contract/options.ts'
import type { Category } from '@rogatka/contract/vehicle.ts'
import type { ChartTheme } from '../core/chart/theme.ts'
import { OVERSPEED_RANGES, SPEED_RANGES } from './ranges.ts'
import { UNKNOWN } from './series.ts'

/** Categories have fixed colours: their position in the theme's series. */
const CATEGORY_COLOURS: Record<Category, number> = {
  '9': 0,
  '3': 1,
  '11': 2,
  '10': 3,
  '8': 4,
  '2': 5,
  '5': 6,
  '7': 7,
  lack: 8,
}

const channels = (hex: string): number[] => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))

const hex = (rgb: readonly number[]): string =>
  `#${rgb.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`

/** Colour at a position from 0 to 1 of a stepped scale. */
function interpolateColour(steps: readonly string[], position: number): string {
  const at = Math.min(1, Math.max(0, position)) * (steps.length - 1)
  const low = Math.floor(at)
  const [from, to] = [channels(steps[low] ?? '#000000'), channels(steps[low + 1] ?? steps[low] ?? '#000000')]
  return hex(from.map((value, i) => value + ((to[i] ?? value) - value) * (at - low)))
}

/** Colour of a series: fixed for categories, graded for speed ranges, else by position. */
export function colourOf(division: Division, value: string, index: number, theme: ChartTheme): string {
  if (value === UNKNOWN) return theme.edge
  if (division === 'speedRange') return interpolateColour(theme.steps, (Number(value) - 1) / (SPEED_RANGES - 1))
  if (division === 'overSpeed') return interpolateColour(theme.steps, Number(value) / OVERSPEED_RANGES)
  const position = division === 'category' ? CATEGORY_COLOURS[value as Category] : index
  return theme.series[(position ?? index) % theme.series.length] ?? theme.text
}
