import { type Measurement, measurement } from '@rogatka/contract/ingest.ts'
import { acceptance } from '@rogatka/domain/ingest/acceptance.ts'
import type { Station } from '@rogatka/domain/vehicle/derived.ts'
import { fromZodIssues } from '../core/error-mapping.ts'
import type { FieldError } from '../core/refusal.ts'
import { digestOf } from './digest.ts'
import type { BatchItem } from './read.ts'

export type Rejected = { index: number; value: unknown; faults: FieldError[] }
/** A vehicle that may be stored, with its place in the batch and what was sent there. */
export type Candidate = { index: number; value: unknown; measured: Measurement; digest: Buffer }
type ValidatedBatch = {
  /** In the order of the batch; several may have the same sequence and time. */
  candidates: Candidate[]
  rejected: Rejected[]
}

/** Looks at each vehicle by itself: a bad one never stops its neighbours. */
export function validateBatch(
  batch: readonly BatchItem[],
  station: Station,
  now: Date,
  retentionDays: number,
): ValidatedBatch {
  const candidates: Candidate[] = []
  const rejected: Rejected[] = []
  for (const { index, value, unreadable } of batch) {
    const reject = (...faults: FieldError[]) => rejected.push({ index, value, faults })
    if (unreadable) {
      reject({ path: null, code: 'invalid-value' })
      continue
    }
    const { data, error } = measurement.safeParse(value, { reportInput: true })
    const faults = error ? fromZodIssues(error) : faultsAt(data, station, now, retentionDays)
    if (!data || faults.length > 0) {
      reject(...faults)
      continue
    }
    candidates.push({ index, value, measured: data, digest: digestOf(data) })
  }
  return { candidates, rejected }
}

/** What is wrong with a well-formed measurement at this station and time. */
function faultsAt(measured: Measurement, station: Station, now: Date, retentionDays: number): FieldError[] {
  const faults: FieldError[] = []
  const verdict = acceptance(measured.createdAt, now, retentionDays)
  if (verdict !== 'accepted') faults.push({ path: 'createdAt', code: verdict })
  if (!station.lanes.some(({ laneNumber }) => laneNumber === measured.laneNumber))
    faults.push({ path: 'laneNumber', code: 'unknown-lane' })
  return faults
}
