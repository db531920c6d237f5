import { createHash } from 'node:crypto'
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
  createHash('sha256')
    .update(JSON.stringify(canonical(measured)))
    .digest()
    .subarray(0, DIGEST_BYTES)

function canonical(value: unknown): unknown {
  if (value instanceof Date || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(canonical)
  const entries = Object.entries(value).filter(([, item]) => item !== null && item !== undefined)
  return entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, canonical(item)])
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
      canonical(stored.euro),
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
      canonical(measured.euro && JSON.parse(JSON.stringify(measured.euro), storableText)) ?? null,
    ],
  )
}

const storableText = (_key: string, value: unknown) => (typeof value === 'string' ? storable(value) : value)

const loadsAndGaps = (axles: readonly { leftWeight: number | null; rightWeight: number | null; gap: number }[]) =>
  axles.map(({ leftWeight, rightWeight, gap }) => [leftWeight, rightWeight, gap])
