/** Axles per row; further ones wrap. */
export const AXLES_PER_ROW = 7

/** px: row names, vehicle front before the first wheel, half a column after the last. */
export const ROW_NAME_WIDTH = 140
const FRONT_WIDTH = 113
const BACK_WIDTH = 60

/** Maximum px per cm, so that a short lorry does not fill the page. */
const MAX_SCALE = 0.74
const MAX_COLUMN_WIDTH = 116
/** Narrower columns would overlap. */
const MIN_COLUMN_WIDTH = 66
/** Drawn length of an unmeasured axle spacing, cm. */
export const TYPICAL_GAP_CM = 130

/** Splits axles into rows of seven. */
export const axleRows = <T>(axles: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(axles.length / AXLES_PER_ROW) }, (_, row) =>
    axles.slice(row * AXLES_PER_ROW, (row + 1) * AXLES_PER_ROW),
  )

export type AxleLayout = {
  /** x of the centres, px. */
  xs: number[]
  /** Column widths, px: the distance to the nearer neighbour. */
  columns: number[]
  /** Whether the values fit under their wheels. */
  fits: boolean
}

/**
 * Positions of one row's axles, to scale. `gaps[i]` is the spacing to the previous axle in cm; the row's first is
 * ignored. `firstGap` fixes the first spacing in px for vehicles drawn from one shape.
 */
export function layOutAxles(gaps: readonly number[], width: number, firstGap?: number): AxleLayout {
  const steps = gaps.slice(1).map((gap) => (gap > 0 ? gap : TYPICAL_GAP_CM))
  const availableWidth = width - ROW_NAME_WIDTH - FRONT_WIDTH - BACK_WIDTH
  const total = steps.reduce((sum, step) => sum + step, 0)
  const preferredScale = firstGap && steps[0] ? firstGap / steps[0] : MAX_SCALE
  const scale = total > 0 ? Math.max(0, Math.min(preferredScale, availableWidth / total)) : preferredScale
  const xs = [ROW_NAME_WIDTH + FRONT_WIDTH]
  for (const step of steps) xs.push((xs.at(-1) ?? 0) + step * scale)
  const distances = steps.map((step) => step * scale)
  const columns = xs.map((_, i) =>
    Math.min(MAX_COLUMN_WIDTH, distances[i - 1] ?? MAX_COLUMN_WIDTH, distances[i] ?? MAX_COLUMN_WIDTH),
  )
  return { xs, columns, fits: availableWidth > 0 && columns.every((column) => column >= MIN_COLUMN_WIDTH) }
}

/** Axle groups within a row, as ranges of indexes. */
export function groupRanges(
  groups: readonly (readonly number[])[],
  first: number,
  count: number,
): { group: number; from: number; to: number }[] {
  return groups.flatMap((axles, group) => {
    const indexes = axles.map((axle) => axle - first).filter((index) => index >= 0 && index < count)
    const from = indexes[0]
    const to = indexes.at(-1)
    return from === undefined || to === undefined ? [] : [{ group, from, to }]
  })
}
