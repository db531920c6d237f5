/** Vehicles by whole km/h: `counts[i]` of `first + i` km/h. Trailing zeros may be missing. */
export type SpeedCounts = { first: number; counts: readonly number[] }

/** Percent of vehicles at or below V85. */
const V85_PERCENT = 85

/**
 * V85: the smallest whole km/h at or below which 85 % of the vehicles drive; exact, as stations measure whole km/h. Null
 * without vehicles.
 */
export function v85({ first, counts }: SpeedCounts): number | null {
  const vehicles = counts.reduce((sum, count) => sum + count, 0)
  if (vehicles === 0) return null
  let below = 0
  for (const [index, count] of counts.entries()) {
    below += count
    if (below * 100 >= vehicles * V85_PERCENT) return first + index
  }
  return null
}

/** Mean of the speeds in km/h, one decimal; null without vehicles. */
export function meanSpeed({ first, counts }: SpeedCounts): number | null {
  let [vehicles, sum] = [0, 0]
  for (const [index, count] of counts.entries()) {
    vehicles += count
    sum += count * (first + index)
  }
  return vehicles === 0 ? null : Math.round((10 * sum) / vehicles) / 10
}
