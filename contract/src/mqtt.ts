import { z } from 'zod'
import { apiErrors } from './errors.ts'
import { post } from './ingest.ts'

/** Of a station, without a slash at the end. */
const baseOf = (locationId: number) => `rogatka/v1/${locationId}`

/**
 * Topic of batches of measurements, as POST measurements. `reference`: any name of the batch, of one level, by which its
 * sender finds the answer to it.
 */
export const measurementsTopic = (locationId: number, reference?: string): string =>
  `${baseOf(locationId)}/measurements${reference === undefined ? '' : `/${reference}`}`

/** Topic of an image of a vehicle; `type` is one of `imageTypes`. */
export const imageTopic = (locationId: number, sequence: number, createdAt: Date, type: string): string =>
  `${baseOf(locationId)}/images/${sequence}/${createdAt.getTime()}/${type}`

/** Topic of the answers to a station, on the connection that sent the messages. */
export const answersTopic = (locationId: number): string => `${baseOf(locationId)}/answers`

/**
 * The answer to one message, sent before its acknowledgement: of measurements as of POST measurements, of a stored image only
 * its topic. `errors`: nothing of the message was stored, and it must not be repeated.
 */
export const answer = z.union([
  post.response.extend({ topic: z.string() }),
  z.object({ topic: z.string(), errors: apiErrors }),
  z.object({ topic: z.string() }),
])
export type Answer = z.output<typeof answer>
