import { createHash } from 'node:crypto'
import type { FieldError } from '../core/refusal.ts'
import type { RejectedVehicle } from './queries.ts'
import { toStorableJson } from './storable-json.ts'
import type { RejectedItem } from './validate.ts'

/** Another vehicle with the sequence and time of a stored one, or of an earlier one in the batch. */
export const REUSED: FieldError = { path: 'sequence', code: 'sequence-reused' }

/** A rejected vehicle as the quarantine stores it. */
export function toRejectedVehicle({ value, errors }: Pick<RejectedItem, 'value' | 'errors'>): RejectedVehicle {
  const measurement = toStorableJson(value)
  return {
    digest: createHash('sha256')
      .update(JSON.stringify([measurement, errors]))
      .digest(),
    measurement,
    errors,
  }
}
