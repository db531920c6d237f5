import type { z } from 'zod'
import type { Right } from './access.ts'
import type { LookKind } from './looks.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Access to an endpoint: anyone, any session, a station with its key, a device with its token, another system with its
 * exchange key, a right, one of several rights, or all of several.
 */
export type Access =
  | 'public'
  | 'session'
  | 'station'
  | 'device'
  | 'system'
  | Right
  | readonly Right[]
  | { allOf: readonly Right[] }

/**
 * Rate-limited groups of endpoints, besides the general limit. `sign-in` counts by IP address, as the user is unknown;
 * the others by user.
 */
export const rateClasses = {
  /** Endpoints that could be used to guess secrets or to send e-mail. */
  'sign-in': { max: 600, seconds: 60 },
  /** Rows of a file, which the page sends one by one. */
  row: { max: 50, seconds: 1 },
  /** Reports, which may take minutes. */
  report: { max: 60, seconds: 60 },
  /** Plates by their beginning, asked while the user types. */
  plates: { max: 120, seconds: 60 },
  /** Saved searches by plate, each a row. */
  searches: { max: 120, seconds: 60 },
} as const
export type RateClass = keyof typeof rateClasses

/** How long ago the caller may have been verified, at sign-in or by `POST /session/step-up`: minutes, or the session. */
export type StepUp = 'recent' | 'session'
/** Minutes that a verification is recent. */
export const STEP_UP_MINUTES = 10

export type Endpoint = {
  method: Method
  /** Path below /api/v1, with `:name` per parameter. */
  path: string
  access: Access
  /** One line for the API page. */
  summary: string
  params?: z.ZodType
  query?: z.ZodType
  /** JSON body. The route itself reads other content types (`raw`). */
  body?: z.ZodType
  raw?: 'image/jpeg' | 'measurements' | 'ticket' | 'attachments' | 'file'
  /** Without it, and unless binary: 204 without a body. */
  response?: z.ZodType
  /** Media type of the bytes that the route returns; a file may have a more exact one. */
  binary?: 'application/octet-stream' | 'application/xml' | 'image/jpeg' | 'image/png'
  /** The route returns server-sent events with these data, by event name; it has no other response. */
  events?: Readonly<Record<string, z.ZodType>>
  /** Default: only the general limit. */
  rate?: RateClass
  /** Available to a session whose password has expired. */
  allowsExpiredPassword?: boolean
  /** Available to a session that has to set up a second factor first. */
  allowsMissingFactor?: boolean
  /** Refused with `step-up-required` until the caller has been verified: recently, or in this session at all. */
  stepUp?: StepUp
  /** Also available to devices that show what it returns: the route limits the response to their stations. */
  device?: boolean
  /** Also available to systems with its right: the route limits the response to their stations. */
  system?: boolean
  /**
   * The response may show a plate or a sharp image, which leaves a line in the access trail before it is sent: each
   * response, the first of a visit for lists that are polled or streamed, or a file as a whole.
   */
  looks?: Looks
  /** With `looks`: the plates of its line are those in the JSON response. Without: the route says what it shows. */
  shows?: LookKind
}

export type Looks = 'each' | 'visit' | 'file'

type EndpointPart = 'params' | 'query' | 'body' | 'response'

/** Wire type of a part of an endpoint; undefined without that part. */
export type WireOf<E extends Endpoint, P extends EndpointPart> =
  E extends Record<P, infer S extends z.ZodType> ? z.input<S> : undefined

/** Parsed type of a part of an endpoint, as used by the server. */
export type ValueOf<E extends Endpoint, P extends EndpointPart> =
  E extends Record<P, infer S extends z.ZodType> ? z.output<S> : undefined

/** Declares an endpoint; implemented by `route()` on the server, called by `call()` in the browser. */
export const endpoint = <const E extends Endpoint>(definition: E): E => definition

/** Base path of all endpoints. */
export const API_BASE = '/api/v1'
