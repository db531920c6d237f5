import { apiErrors } from '@rogatka/contract/errors.ts'
import { measurement } from '@rogatka/contract/ingest.ts'
import { MAX_ATTACHMENTS, newTicket } from '@rogatka/contract/tickets.ts'
import type { FastifySchema } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'

/* OpenAPI details beyond the schemas that Fastify validates and encodes. */

const attachment = z.array(z.file()).min(1).max(MAX_ATTACHMENTS)

const RAW_BODIES = {
  measurements: z.array(measurement),
  'image/jpeg': z.file(),
  ticket: newTicket.extend({ attachment: attachment.optional() }),
  attachments: z.object({ attachment }),
  file: z.file(),
}

const bytesOf = (mediaType: string) => ({ description: 'The file', content: { [mediaType]: { schema: z.file() } } })

const EVENTS = { description: 'Server-sent events', content: { 'text/event-stream': { schema: z.string() } } }

/** Set by `route()` in the route config for OpenAPI. */
export type RouteDocs = { raw?: keyof typeof RAW_BODIES; binary?: string; events?: boolean }

/** Adds to the schema: raw bodies, responses that are empty or bytes, and errors. */
export const describeRoute: typeof jsonSchemaTransform = (options) => {
  const { raw, binary, events } = (options.route.config ?? {}) as RouteDocs
  const { response } = options.schema as { response?: object }
  const schema = {
    ...options.schema,
    ...(raw && { body: RAW_BODIES[raw] }),
    response: {
      ...(response ??
        (events ? { 200: EVENTS } : binary ? { 200: bytesOf(binary) } : { 204: z.null().describe('Done') })),
      default: apiErrors.describe('What is wrong'),
    },
  }
  return jsonSchemaTransform({ ...options, schema: schema as FastifySchema })
}
