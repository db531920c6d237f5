import { isDeepStrictEqual } from 'node:util'
import { type Measurement, measurement } from '@rogatka/contract/ingest.ts'
import { acceptance } from '@rogatka/domain/ingest/acceptance.ts'
import type { Station } from '@rogatka/domain/ingest/derived.ts'
import { faultsOf } from '../core/faults.ts'
import type { Fault } from '../core/refusal.ts'
import type { Sent } from './read.ts'

export type Rejected = { index: number; value: unknown; faults: Fault[] }
type Judged = {
  good: Measurement[]
  /** How many vehicles came again within the batch. */
  repeated: number
  rejected: Rejected[]
}

/** Looks at each vehicle by itself: a bad one never stops its neighbours. */
export function judge(batch: readonly Sent[], station: Station, now: Date, retentionDays: number): Judged {
  const good = new Map<string, Measurement>()
  const rejected: Rejected[] = []
  let repeated = 0
  for (const { index, value, unreadable } of batch) {
    const reject = (...faults: Fault[]) => rejected.push({ index, value, faults })
    if (unreadable) {
      reject({ path: null, code: 'invalid-value' })
      continue
    }
    const { data, error } = measurement.safeParse(value, { reportInput: true })
    const faults = error ? faultsOf(error) : faultsAt(data, station, now, retentionDays)
    if (!data || faults.length > 0) {
      reject(...faults)
      continue
    }
    const passage = `${data.sequence}@${data.createdAt.getTime()}`
    const before = good.get(passage)
    if (!before) good.set(passage, data)
    else if (isDeepStrictEqual(before, data)) repeated++
    // Two vehicles under one number at one instant: nobody can tell which of them is the true one.
    else reject({ path: 'sequence', code: 'duplicate-in-batch' })
  }
  return { good: [...good.values()], repeated, rejected }
}

/** What is wrong with a well-formed measurement at this station and time. */
function faultsAt(measured: Measurement, station: Station, now: Date, retentionDays: number): Fault[] {
  const faults: Fault[] = []
  const verdict = acceptance(measured.createdAt, now, retentionDays)
  if (verdict !== 'accepted') faults.push({ path: 'createdAt', code: verdict })
  if (!station.lanes.some(({ laneNumber }) => laneNumber === measured.laneNumber))
    faults.push({ path: 'laneNumber', code: 'unknown-lane' })
  return faults
}
