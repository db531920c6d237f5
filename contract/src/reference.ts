import type { z } from 'zod'
import type { Endpoint, WireOf } from './endpoint.ts'
import type { ErrorCode } from './errors.ts'
import type { WireMeasurement } from './ingest.ts'
import type { newTicket } from './tickets.ts'

/*
 * Reference of the API for programs: tags, examples and error codes of endpoints, which the OpenAPI document shows and the
 * tests check. In files of its own (`*-reference.ts`), as the web client has no use for them.
 */

/** Groups of endpoints in the document. */
export type Tag =
  | 'Session'
  | 'Own account'
  | 'Users'
  | 'Roles'
  | 'History'
  | 'Stations'
  | 'Measurements'
  | 'Live vehicles'
  | 'Archive'
  | 'Overview'
  | 'Statistics'
  | 'Calibration'
  | 'Failure reports'
  | 'Station health'
  | 'Alarms'
  | 'Shifts'
  | 'Signs'
  | 'Plate lists'
  | 'Inspections'
  | 'Certificates'
  | 'Repeat offenders'
  | 'Saved views'
  | 'Reports'
  | 'Imports'
  | 'Other systems'
  | 'DATEX II'
  | 'Webhooks'
  | 'Wall screens'

/** Statuses of refusals whose codes depend on the endpoint. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503

/** Codes by status, besides those of every endpoint of its kind. */
export type ReferenceErrors = Partial<Record<RefusalStatus, readonly ErrorCode[]>>

/** A header that a request may have, besides those of every request. */
export type ReferenceHeader = { description: string; example: string; required?: true }

/** Bodies that the route itself reads. Files have no example. */
type RawBodies = { measurements: WireMeasurement[]; ticket: z.input<typeof newTicket> }

type BodyOf<E extends Endpoint> = E extends { raw: infer R extends keyof RawBodies } ? RawBodies[R] : WireOf<E, 'body'>

/** An example is required where the endpoint has that part, and refused where it has none. */
type Example<P extends string, W> = [W] extends [undefined] ? Partial<Record<P, undefined>> : Record<P, W>

/** Examples of an endpoint in wire form, and its codes. */
export type EndpointReference<E extends Endpoint> = {
  errors?: ReferenceErrors
  headers?: Readonly<Record<string, ReferenceHeader>>
} & Example<'params', WireOf<E, 'params'>> &
  Example<'query', WireOf<E, 'query'>> &
  Example<'body', BodyOf<E>> &
  Example<'response', WireOf<E, 'response'>>

/** The reference of an endpoint, whatever its types. */
export type Reference = {
  tag: Tag
  endpoint: Endpoint
  errors?: ReferenceErrors
  headers?: Readonly<Record<string, ReferenceHeader>>
  params?: unknown
  query?: unknown
  body?: unknown
  response?: unknown
}

type EndpointNames<M> = { [K in keyof M]: M[K] extends Endpoint ? K : never }[keyof M]

/** The references of all endpoints of a module, under a tag. */
export const reference = <const M extends object>(
  tag: Tag,
  endpoints: M,
  entries: { [K in EndpointNames<M>]: M[K] extends Endpoint ? EndpointReference<M[K]> : never },
): Reference[] =>
  Object.entries(entries).map(([name, entry]) => ({
    tag,
    endpoint: endpoints[name as keyof M] as Endpoint,
    ...(entry as object),
  }))
