import { type Measurement, measurement } from '@rogatka/contract/ingest.ts'
import { acceptance } from '@rogatka/domain/ingest/acceptance.ts'
import type { Station } from '@rogatka/domain/vehicle/derived.ts'
import { fromZodIssues } from '../core/error-mapping.ts'
import type { FieldError } from '../core/refusal.ts'
import { digestOf } from './digest.ts'
import type { BatchItem } from './read.ts'

export type RejectedItem = { index: number; value: unknown; errors: FieldError[] }
/** A valid vehicle with its position in the batch and the value sent. */
export type Candidate = { index: number; value: unknown; measured: Measurement; digest: Buffer }
type ValidatedBatch = {
  /** In batch order; several may have the same sequence and time. */
  candidates: Candidate[]
  rejected: RejectedItem[]
}

/** Validates each vehicle on its own: an invalid one does not affect the others. */
export function validateBatch(
  batch: readonly BatchItem[],
  station: Station,
  now: Date,
  retentionDays: number,
): ValidatedBatch {
  const candidates: Candidate[] = []
  const rejected: RejectedItem[] = []
  for (const { index, value, unreadable } of batch) {
    const reject = (...errors: FieldError[]) => rejected.push({ index, value, errors })
    if (unreadable) {
      reject({ path: null, code: 'invalid-value' })
      continue
    }
    const { data, error } = measurement.safeParse(value, { reportInput: true })
    const errors = error ? fromZodIssues(error) : errorsAt(data, station, now, retentionDays)
    if (!data || errors.length > 0) {
      reject(...errors)
      continue
    }
    candidates.push({ index, value, measured: data, digest: digestOf(data) })
  }
  return { candidates, rejected }
}

/** Errors of a well-formed measurement for this station and time. */
function errorsAt(measured: Measurement, station: Station, now: Date, retentionDays: number): FieldError[] {
  const errors: FieldError[] = []
  const status = acceptance(measured.createdAt, now, retentionDays)
  if (status !== 'accepted') errors.push({ path: 'createdAt', code: status })
  if (!station.lanes.some(({ laneNumber }) => laneNumber === measured.laneNumber))
    errors.push({ path: 'laneNumber', code: 'unknown-lane' })
  return errors
}
