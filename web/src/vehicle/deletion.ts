import { DAY_MS } from '@rogatka/domain/core/time.ts'
import type { Build } from '../core/useBuild.ts'

/** The start of the month, or of the week from Monday, in UTC. */
function startOfUnit(at: Date, unit: Build['partitions']): number {
  const day = unit === 'month' ? 1 : at.getUTCDate() - ((at.getUTCDay() + 6) % 7)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), day)
}

/**
 * Whether the vehicles of a range are deleted, all or some of them: by months or weeks that end before the retention period.
 * Partitions of before a change of the unit may be kept until they end.
 */
export function deletionOf(
  { dateTimeStart, dateTimeEnd }: Record<string, unknown>,
  { retentionDays, partitions }: Pick<Build, 'retentionDays' | 'partitions'>,
  now: number,
): 'all' | 'some' | 'none' {
  const oldest = new Date(now - retentionDays * DAY_MS)
  const [start, end] = [dateTimeStart, dateTimeEnd].map((time) => Date.parse(String(time)))
  if (end !== undefined && end <= startOfUnit(oldest, partitions)) return 'all'
  return start !== undefined && start < oldest.getTime() ? 'some' : 'none'
}
