import type { z } from 'zod'
import type { Right } from './access.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Who may call: anybody, any session, a station with its key, the holder of a right,
 * the holder of any one of several rights, or who holds all of several.
 */
export type Access = 'public' | 'session' | 'station' | Right | readonly Right[] | { allOf: readonly Right[] }

/**
 * Calls that one caller may make only so often, besides the limit that all calls together have. `sign-in` counts by
 * address, because nobody is known yet; the others by user.
 */
export const rateClasses = {
  /** Doors at which a secret could be guessed, or mail caused. */
  'sign-in': { max: 300, seconds: 60 },
  /** The rows of a file, which a page sends one by one. */
  row: { max: 50, seconds: 1 },
  /** Orders of reports: each is work for minutes. */
  report: { max: 60, seconds: 60 },
} as const
export type RateClass = keyof typeof rateClasses

export type Endpoint = {
  method: Method
  /** Below /api/v1, with `:name` for each parameter. */
  path: string
  access: Access
  /** One line for the API page. */
  summary: string
  params?: z.ZodType
  query?: z.ZodType
  /** JSON. A body of another kind (`raw`) is read by the route itself. */
  body?: z.ZodType
  raw?: 'image/jpeg' | 'measurements' | 'ticket' | 'attachments'
  /** Absent, and not binary: 204 without a body. */
  response?: z.ZodType
  /** The route sends bytes with their own content type. */
  binary?: boolean
  /** Absent: the general limit alone. */
  rate?: RateClass
  /** Stays open to a session whose password has expired. */
  evenExpired?: boolean
}

type EndpointPart = 'params' | 'query' | 'body' | 'response'

/** What a part of an endpoint is outside the server, as it travels; undefined when the endpoint has no such part. */
export type WireOf<E extends Endpoint, P extends EndpointPart> =
  E extends Record<P, infer S extends z.ZodType> ? z.input<S> : undefined

/** What a part of an endpoint is inside the server, parsed. */
export type ValueOf<E extends Endpoint, P extends EndpointPart> =
  E extends Record<P, infer S extends z.ZodType> ? z.output<S> : undefined

/** Declares an endpoint once; the server answers it with `route()`, the browser asks it with `call()`. */
export const endpoint = <const E extends Endpoint>(definition: E): E => definition

/** The base of every call. */
export const API_BASE = '/api/v1'
