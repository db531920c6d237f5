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

/** Media type of documents that are text, compressed, and sent only if they have changed. */
export const XML = 'application/xml'

const bytesOf = (mediaType: string) => ({ description: 'The file', content: { [mediaType]: { schema: z.file() } } })

const document = { description: 'The document', content: { [XML]: { schema: z.string() } } }
const UNCHANGED = z.null().describe('Not modified since the time of If-Modified-Since')
const conditional = z.object({ 'if-modified-since': z.string().optional().describe('The last Last-Modified') })

const EVENTS = { description: 'Server-sent events', content: { 'text/event-stream': { schema: z.string() } } }

/** Set by `route()` in the route config for OpenAPI. */
export type RouteDocs = { raw?: keyof typeof RAW_BODIES; binary?: string; events?: boolean }

/** Adds to the schema: raw bodies, responses that are empty or bytes, and errors. */
export const describeRoute: typeof jsonSchemaTransform = (options) => {
  const docs = (options.route.config ?? {}) as RouteDocs
  const { raw, binary } = docs
  const { response } = options.schema as { response?: object }
  const schema = {
    ...options.schema,
    ...(raw && { body: RAW_BODIES[raw] }),
    ...(binary === XML && { headers: conditional }),
    response: {
      ...(response ?? responseOf(docs)),
      default: apiErrors.describe('What is wrong'),
    },
  }
  return jsonSchemaTransform({ ...options, schema: schema as FastifySchema })
}

function responseOf({ binary, events }: RouteDocs) {
  if (events) return { 200: EVENTS }
  if (binary === XML) return { 200: document, 304: UNCHANGED }
  return binary ? { 200: bytesOf(binary) } : { 204: z.null().describe('Done') }
}
