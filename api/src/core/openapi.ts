import { alarm } from '@rogatka/contract/alarms.ts'
import { device } from '@rogatka/contract/devices.ts'
import { apiError, apiErrors } from '@rogatka/contract/errors.ts'
import { importDetail } from '@rogatka/contract/imports.ts'
import { measurement } from '@rogatka/contract/ingest.ts'
import { inspection } from '@rogatka/contract/inspections.ts'
import { location } from '@rogatka/contract/locations.ts'
import { overviewStation } from '@rogatka/contract/overview.ts'
import { reportLink } from '@rogatka/contract/reports.ts'
import { role } from '@rogatka/contract/roles.ts'
import { system } from '@rogatka/contract/systems.ts'
import { MAX_ATTACHMENTS, newTicket, ticket } from '@rogatka/contract/tickets.ts'
import { user } from '@rogatka/contract/users.ts'
import { vehicle } from '@rogatka/contract/vehicle.ts'
import { webhook } from '@rogatka/contract/webhooks.ts'
import type { FastifySchema } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'

/* OpenAPI details beyond the schemas that Fastify validates and encodes. */

/** Schemas that the document describes once, by name. */
const schemaRegistry = z.registry<{ id: string }>()
for (const [id, schema] of Object.entries({
  Alarm: alarm,
  ApiError: apiError,
  ApiErrors: apiErrors,
  Device: device,
  Import: importDetail,
  Inspection: inspection,
  Location: location,
  Measurement: measurement,
  OverviewStation: overviewStation,
  ReportLink: reportLink,
  Role: role,
  System: system,
  Ticket: ticket,
  User: user,
  Vehicle: vehicle,
  Webhook: webhook,
}))
  schemaRegistry.add(schema, { id })

const transform = createJsonSchemaTransform({ schemaRegistry })
/** Adds the named schemas to the document. */
export const addSchemas = createJsonSchemaTransformObject({ schemaRegistry })

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

const EVENTS = { description: 'Server-sent events', content: { 'text/event-stream': { schema: z.string() } } }

/** Set by `route()` in the route config for OpenAPI. */
export type RouteDocs = { raw?: keyof typeof RAW_BODIES; binary?: string; events?: boolean }

/** Adds to the schema: raw bodies, and responses that are empty or bytes. */
export const describeRoute: typeof transform = (options) => {
  const docs = (options.route.config ?? {}) as RouteDocs
  const { raw } = docs
  const { response } = options.schema as { response?: object }
  const schema = {
    ...options.schema,
    ...(raw && { body: RAW_BODIES[raw] }),
    response: response ?? responseOf(docs),
  }
  return transform({ ...options, schema: schema as FastifySchema })
}

function responseOf({ binary, events }: RouteDocs) {
  if (events) return { 200: EVENTS }
  if (binary === XML) return { 200: document, 304: UNCHANGED }
  return binary ? { 200: bytesOf(binary) } : { 204: z.null().describe('Done') }
}
