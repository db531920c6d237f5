import type { WireShiftReport } from '@rogatka/contract/shifts.ts'
import { formatMinute } from '../core/format.ts'

/** The time of a step, by `format` in the shift, which is [from, to); outside it with its date. */
export function formatStep(
  at: string,
  { from, to }: Pick<WireShiftReport, 'from' | 'to'>,
  format: (at: string) => string,
): string {
  const time = Date.parse(at)
  return time >= Date.parse(from) && time < Date.parse(to) ? format(at) : formatMinute(at)
}
