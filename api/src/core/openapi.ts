import { apiErrors } from '@rogatka/contract/errors.ts'
import { measurement } from '@rogatka/contract/ingest.ts'
import { MAX_ATTACHMENTS, newTicket } from '@rogatka/contract/tickets.ts'
import type { FastifySchema } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'

/* What the page of the API tells beyond the shapes that Fastify itself checks and encodes. */

const attachment = z.array(z.file()).min(1).max(MAX_ATTACHMENTS)

const RAW_BODIES = {
  measurements: z.array(measurement),
  'image/jpeg': z.file(),
  ticket: newTicket.extend({ attachment: attachment.optional() }),
  attachments: z.object({ attachment }),
}

const BYTES = { description: 'The file', content: { 'application/octet-stream': { schema: z.file() } } }

/** What `route()` leaves in a route's config for the page of the API. */
export type Described = { raw?: keyof typeof RAW_BODIES; binary?: boolean }

/** A schema for the page: bodies that a route reads itself, answers without a body or of bytes, and the errors of all. */
export const describedRoute: typeof jsonSchemaTransform = (given) => {
  const { raw, binary } = (given.route.config ?? {}) as Described
  const { response } = given.schema as { response?: object }
  const schema = {
    ...given.schema,
    ...(raw && { body: RAW_BODIES[raw] }),
    response: {
      ...(response ?? (binary ? { 200: BYTES } : { 204: z.null().describe('Done') })),
      default: apiErrors.describe('What is wrong'),
    },
  }
  return jsonSchemaTransform({ ...given, schema: schema as FastifySchema })
}
