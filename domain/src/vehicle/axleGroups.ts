/** Axles no farther apart than this, in cm, are one group: the boundary of a tandem (docs/domain.md). */
export const GROUP_GAP_CM = 180

/**
 * Numbers of the axles (from 1), joined where the gap to the axle before is 180 cm or less.
 * Every axle is in exactly one group; a single axle is a group of one.
 * `gaps[i]` belongs to axle i + 1. The first is ignored; a later gap of 0 was not measured and joins nothing.
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
