/** Maximum spacing within a group, cm: the limit of a tandem (docs/domain.md). */
export const GROUP_GAP_CM = 180

/**
 * Groups axle numbers (from 1) with spacings of at most 180 cm. Every axle is in exactly one group. `gaps[i]` belongs
 * to axle i + 1; the first is ignored, and a later 0 was not measured and separates groups.
 */
export const axleGroups = (gaps: readonly number[]): number[][] => {
  const groups: number[][] = []
  gaps.forEach((gap, index) => {
    const last = groups.at(-1)
    if (last && gap > 0 && gap <= GROUP_GAP_CM) last.push(index + 1)
    else groups.push([index + 1])
  })
  return groups
}
