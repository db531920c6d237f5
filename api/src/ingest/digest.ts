import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Measurement } from '@rogatka/contract/ingest.ts'
import { unpackAxles, unpackShape } from '@rogatka/domain/vehicle/pack.ts'
import { fromBits } from '@rogatka/domain/vehicle/violations.ts'
import { storable } from '../core/text.ts'
import type { NewVehicle, StoredVehicle } from './queries.ts'

/** Bytes of the SHA-256 stored with each vehicle: enough to rule out collisions by chance. */
const DIGEST_BYTES = 16

/** Digest of a measurement as sent; the order of keys does not matter, and null equals absent. */
export const digestOf = (measured: Measurement): Buffer =>
  hash('sha256', canonicalJson(measured), 'buffer').subarray(0, DIGEST_BYTES)

/**
 * JSON in which equal values have equal texts: an object is an array of its keys, in order, with their values. Stored
 * digests depend on every character.
 */
function canonicalJson(value: unknown): string {
  // Finite, as it comes from JSON.
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null || value instanceof Date) return JSON.stringify(value ?? null)
  let text = '['
  if (Array.isArray(value)) {
    for (const item of value) text += `${text.length > 1 ? ',' : ''}${canonicalJson(item)}`
  } else {
    const object = value as Record<string, unknown>
    for (const key of Object.keys(object).sort()) {
      const item = object[key]
      if (item == null) continue
      text += `${text.length > 1 ? ',' : ''}[${JSON.stringify(key)},${canonicalJson(item)}]`
    }
  }
  return `${text}]`
}

/**
 * Whether this measurement is the stored one. Without a stored digest the columns are compared: not all that was sent,
 * but all that is stored of it.
 */
export function isStoredAs(stored: StoredVehicle, { measured, derived, digest }: NewVehicle): boolean {
  if (stored.digest) return stored.digest.equals(digest)
  const { overlane, wrongDirection } = fromBits(stored.violations)
  return isDeepStrictEqual(
    [
      stored.laneNumber,
      stored.speed,
      stored.vehLength,
      stored.vehHeight,
      stored.ctg8p1,
      stored.ctg323,
      overlane,
      wrongDirection,
      stored.plateLpr,
      stored.nationality,
      loadsAndGaps(unpackAxles(stored.axles ?? [])),
      stored.shape && unpackShape(stored.shape),
      stored.euro && canonicalJson(stored.euro),
    ],
    [
      measured.laneNumber,
      measured.speed ?? null,
      measured.vehLength ?? null,
      measured.vehHeight ?? null,
      derived.ctg8p1,
      derived.ctg323,
      measured.overlane ?? false,
      measured.wrongDirection ?? false,
      derived.plateLpr && storable(derived.plateLpr),
      measured.nationality ?? null,
      loadsAndGaps(derived.axles),
      measured.shapeSamples ?? null,
      measured.euro ? canonicalJson(JSON.parse(JSON.stringify(measured.euro), storableText)) : null,
    ],
  )
}

const storableText = (_key: string, value: unknown) => (typeof value === 'string' ? storable(value) : value)

const loadsAndGaps = (axles: readonly { leftWeight: number | null; rightWeight: number | null; gap: number }[]) =>
  axles.map(({ leftWeight, rightWeight, gap }) => [leftWeight, rightWeight, gap])
