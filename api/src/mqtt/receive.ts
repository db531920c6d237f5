import type { ErrorCode } from '@rogatka/contract/errors.ts'
import { MAX_BATCH_BYTES, MAX_IMAGE_BYTES } from '@rogatka/contract/ingest.ts'
import { type Language, languageOf } from '@rogatka/contract/languages.ts'
import type { Answer } from '@rogatka/contract/mqtt.ts'
import { toApiErrors, toRefusal } from '../core/error-mapping.ts'
import { Refusal, refuseFields } from '../core/refusal.ts'
import type { Receivers } from '../ingest/public-api.ts'
import type { Target } from './topics.ts'

/** A published message; `isTruncated`: it was larger than permitted, so that its content is not known. */
export type Message = { topic: string; target: Target; payload: Buffer; isTruncated: boolean }

/**
 * What became of a message: `accepted` and `refused` are final and acknowledged; `failed` is not, so that its sender repeats
 * it.
 */
export type Outcome =
  | { kind: 'accepted'; answer: Answer }
  | { kind: 'refused'; answer: Answer }
  | { kind: 'failed'; code: ErrorCode; error: unknown }

/** Clients of MQTT name no language. */
const LANGUAGE: Language = languageOf(undefined)

/** Stores a message of a station and resolves after the commit; never rejects. */
export async function receive(
  receivers: Receivers,
  locationId: number,
  { topic, target, payload, isTruncated }: Message,
  now: Date,
): Promise<Outcome> {
  try {
    if (target.kind === 'invalid') throw refuseFields(422, target.errors)
    const maxBytes = target.kind === 'image' ? MAX_IMAGE_BYTES : MAX_BATCH_BYTES
    if (isTruncated || payload.length > maxBytes) throw new Refusal('too-large', 413)
    if (target.kind === 'image') {
      await receivers.image({ ...target.image, locationId, bytes: payload, now })
      return { kind: 'accepted', answer: { topic } }
    }
    const contentType = isArray(payload) ? 'application/json' : 'application/x-ndjson'
    const stored = await receivers.measurements({ locationId, body: payload, contentType, now, language: LANGUAGE })
    return { kind: 'accepted', answer: { topic, ...stored } }
  } catch (error) {
    const { status, message, errors } = toRefusal(error)
    if (status === 429 || status >= 500) return { kind: 'failed', code: message as ErrorCode, error }
    return { kind: 'refused', answer: { topic, errors: toApiErrors(errors, LANGUAGE) } }
  }
}

const WHITESPACE = [0x09, 0x0a, 0x0d, 0x20]
const isArray = (payload: Buffer): boolean => payload.find((byte) => !WHITESPACE.includes(byte)) === 0x5b
