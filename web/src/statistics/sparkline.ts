/** A path of values in a box, with gaps at missing ones; more values than pixels are drawn by their largest. */
export function sparkPath(values: readonly (number | null)[], max: number, width: number, height: number): string {
  const perPoint = Math.max(1, values.length / width)
  const count = Math.ceil(values.length / perPoint)
  const points = Array.from({ length: count }, (_, point) => {
    const known = values
      .slice(
        Math.floor(point * perPoint),
        Math.max(Math.floor(point * perPoint) + 1, Math.floor((point + 1) * perPoint)),
      )
      .filter((value) => value !== null)
    return known.length === 0 ? null : Math.max(...known)
  })
  const x = (point: number) => ((point + 0.5) * width) / count
  const y = (value: number) => height - (max > 0 ? (value / max) * height : 0)
  return points
    .map((value, point) => {
      if (value === null) return ''
      const isFirst = (points[point - 1] ?? null) === null
      // A value between two gaps is a dot.
      const dot = isFirst && (points[point + 1] ?? null) === null ? 'h0.5' : ''
      return `${isFirst ? 'M' : 'L'}${x(point).toFixed(1)} ${y(value).toFixed(1)}${dot}`
    })
    .join('')
}
