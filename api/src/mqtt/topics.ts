import { putImage } from '@rogatka/contract/ingest.ts'
import { measurementsTopic } from '@rogatka/contract/mqtt.ts'
import type { ImageType } from '@rogatka/contract/vehicle.ts'
import { fromZodIssues } from '../core/error-mapping.ts'
import type { FieldError } from '../core/refusal.ts'

type Image = { sequence: number; createdAt: Date; type: ImageType }

/** What is published to a topic; `invalid`: nothing, it is a topic of the station that does not exist. */
export type Target =
  | { kind: 'measurements' }
  | { kind: 'image'; image: Image }
  | { kind: 'invalid'; errors: FieldError[] }

/** With or without a reference. */
const MEASUREMENTS = /^measurements(?:\/[^/]{1,64})?$/
/** Milliseconds since 1970, within what a date can hold. */
const INSTANT = /^\d{1,15}$/

/** The target of a topic; null if the topic is not one of this station. */
export function targetOf(topic: string, locationId: number): Target | null {
  const base = measurementsTopic(locationId).slice(0, -'measurements'.length)
  if (!topic.startsWith(base)) return null
  const name = topic.slice(base.length)
  if (MEASUREMENTS.test(name)) return { kind: 'measurements' }
  const [kind, sequence, createdAtMs = '', type, ...others] = name.split('/')
  if (kind !== 'images' || type === undefined || others.length > 0)
    return { kind: 'invalid', errors: [{ path: null, code: 'not-found' }] }
  const { data, error } = putImage.params.safeParse({ sequence, type }, { reportInput: true })
  if (!data) return { kind: 'invalid', errors: fromZodIssues(error) }
  if (!INSTANT.test(createdAtMs)) return { kind: 'invalid', errors: [{ path: 'createdAt', code: 'invalid-date' }] }
  return { kind: 'image', image: { ...data, createdAt: new Date(Number(createdAtMs)) } }
}
