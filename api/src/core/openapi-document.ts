import { API_BASE, type Endpoint, type RateClass, rateClasses } from '@rogatka/contract/endpoint.ts'
import { type ErrorCode, validationCodes } from '@rogatka/contract/errors.ts'
import type { Reference } from '@rogatka/contract/reference.ts'
import { referenceOf, tags } from '@rogatka/contract/references.ts'
import { webhookDocs, webhookPayloads } from '@rogatka/contract/webhooks-payloads.ts'
import { z } from 'zod'
import { documentedErrors } from './documented-errors.ts'
import { toApiErrors } from './error-mapping.ts'
import { REPOSITORY_URL, VERSION } from './version.ts'

/* The OpenAPI document as a whole: what the schemas of single routes do not have. */

/** The parts of the document that are completed here. */
type Content = Record<string, { schema?: object; example?: unknown }>
type Response = { description: string; headers?: object; content?: Content }
type Parameter = { name: string; in: string; required?: boolean; schema?: object; example?: unknown }
type Operation = {
  operationId?: string
  tags?: string[]
  security?: object[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, Response | { $ref: string }>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas?: Record<string, object>; responses?: Record<string, Response> }
}

/** General limits by caller and by address, requests in a minute. */
type Limits = { requestsPerMinute: number; addressRequestsPerMinute: number }

const DESCRIPTION = `The portal's API. [How to use it](${REPOSITORY_URL}/blob/main/docs/api.md): sign-in, keys, formats, errors and
streams; [what may change](${REPOSITORY_URL}/blob/main/docs/api-changes.md) within \`/api/v1\`.

- Loads are in kg, lengths in cm, speeds in km/h, times in ISO 8601, UTC.
- Every refusal is a list of errors with the field, a stable code and a text in the language of \`Accept-Language\` (pl, en, lt, de, ro).
- *Access* names the right that a caller needs; *devices* and *systems* may call only what says so.
- Each limit of requests is in \`x-rate-limit\` and in the response 429. After 429 and 503 repeat the request after \`Retry-After\`.
- Programs ignore fields, codes and events that they do not know.`

const bearer = (description: string) => ({ type: 'http' as const, scheme: 'bearer', description })

/** What the document says of the portal as a whole. */
export const documentHead = {
  openapi: '3.1.0',
  info: {
    title: 'Rogatka',
    version: VERSION,
    description: DESCRIPTION,
    license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
    contact: { name: 'Rogatka', url: REPOSITORY_URL },
  },
  externalDocs: { description: 'Guide to the API', url: `${REPOSITORY_URL}/blob/main/docs/api.md` },
  servers: [{ url: '/', description: 'This portal' }],
  components: {
    securitySchemes: {
      session: bearer('Token of a user, from `POST /login`. It ends after 15 minutes without a request.'),
      stationKey: bearer('Key of a station, with which it sends its measurements.'),
      deviceToken: bearer('Token of a wall screen.'),
      exchangeKey: bearer('Key of another system, with rights, stations and an end date.'),
    },
    headers: {
      RequestId: {
        description: 'Identifies the request in the log of the server.',
        schema: { type: 'string' as const },
      },
      RetryAfter: {
        description: 'Seconds after which the request may be repeated.',
        schema: { type: 'integer' as const, minimum: 1 },
        example: 5,
      },
    },
  },
}

/** Completes the document: operations with ids, tags, examples, errors, limits and keys; webhooks. */
export function completeDocument<D extends object>(document: D, endpoints: readonly Endpoint[], limits: Limits): D {
  const { paths, components } = document as unknown as Document
  const responses: Record<string, Response> = {}
  for (const endpoint of endpoints) {
    const path = API_BASE + endpoint.path.replace(/:(\w+)/g, '{$1}')
    const operation = paths[path]?.[endpoint.method.toLowerCase()]
    if (operation) complete(operation, endpoint, { limits, responses })
  }
  return {
    ...document,
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: openObjects(paths),
    components: {
      ...components,
      schemas: openObjects(withoutUnused(components.schemas ?? {}, { paths, responses })),
      responses,
    },
    webhooks: describeWebhooks(),
  }
}

/** Without the statement that objects have no further fields: later versions may add some. */
const openObjects = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (key, item) =>
    key === 'additionalProperties' && item === false ? undefined : item,
  )

/** `GET /arch-vehicles/:id` → `getArchVehiclesById`: follows from the address alone, so that clients keep their names. */
export const operationIdOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string =>
  method.toLowerCase() + pascalCase(path.replaceAll(':', 'by-'))

const pascalCase = (text: string): string => text.replace(/(?:^|\W+)(\w)/g, (_, letter) => letter.toUpperCase())

type DocumentContext = { limits: Limits; responses: Record<string, Response> }

function complete(operation: Operation, endpoint: Endpoint, { limits, responses }: DocumentContext): void {
  const reference = referenceOf(endpoint)
  operation.operationId = operationIdOf(endpoint)
  if (reference) operation.tags = [reference.tag]
  operation.security = securityOf(endpoint)
  Object.assign(operation, { 'x-rate-limit': rateLimitsOf(endpoint, limits) })
  addHeaders(operation, reference)
  addExamples(operation, reference)
  for (const [status, response] of Object.entries(operation.responses))
    if (status < '400' && 'description' in response) {
      if (response.description === 'Default Response') response.description = 'Done'
      response.headers = { ...response.headers, 'x-request-id': { $ref: '#/components/headers/RequestId' } }
    }
  for (const [status, codes] of documentedErrors(endpoint, reference?.errors)) {
    const response = errorResponse(status, codes, status === 429 ? rateText(endpoint, limits) : '')
    // The same for most endpoints: described once.
    const name = sharedName(status, codes, endpoint.rate)
    if (name) responses[name] = response
    operation.responses[status] = name ? { $ref: `#/components/responses/${name}` } : response
  }
}

/** Whose keys open an endpoint. */
function securityOf({ access, device, system }: Endpoint): object[] {
  if (access === 'public') return []
  if (access === 'station') return [{ stationKey: [] }]
  if (access === 'device') return [{ deviceToken: [] }]
  if (access === 'system') return [{ exchangeKey: [] }]
  return [{ session: [] }, ...(device ? [{ deviceToken: [] }] : []), ...(system ? [{ exchangeKey: [] }] : [])]
}

const byOf = (rate: RateClass) => (rate === 'sign-in' ? 'address' : 'user')

const rateLimitsOf = ({ rate }: Endpoint, { requestsPerMinute, addressRequestsPerMinute }: Limits) => [
  ...(rate ? [{ class: rate, ...rateClasses[rate], by: byOf(rate) }] : []),
  { class: 'general', max: requestsPerMinute, seconds: 60, by: 'caller' },
  { class: 'address', max: addressRequestsPerMinute, seconds: 60, by: 'address' },
]

const rateText = (endpoint: Endpoint, limits: Limits): string =>
  rateLimitsOf(endpoint, limits)
    .map(
      ({ max, seconds, by }) => `more than ${max} requests of one ${by} in ${seconds === 1 ? '1 s' : `${seconds} s`}`,
    )
    .join(', or ')

const STATUS_TEXTS: Record<number, string> = {
  400: 'Malformed request; all invalid fields are listed',
  401: 'No valid token or key',
  403: 'Not permitted',
  404: 'Not found',
  409: 'Conflict with the current state',
  413: 'Too large',
  415: 'Unsupported type',
  422: 'Well-formed, but a rule is violated',
  429: 'Limit of requests exceeded',
  500: 'Error of the server',
  503: 'Temporarily unavailable',
}

/** Names of responses that several endpoints share, by status and codes. */
const SHARED: Record<number, Record<string, string>> = {
  400: {
    'bad-request': 'Malformed',
    [validationCodes.join()]: 'Invalid',
    [`bad-request,${validationCodes.join()}`]: 'InvalidRequest',
  },
  401: { unauthorized: 'Unauthorized', 'wrong-station-key': 'WrongStationKey' },
  403: { 'forbidden,password-expired': 'Forbidden', forbidden: 'ForbiddenOnly' },
  413: { 'too-large': 'TooLarge' },
  415: { 'unsupported-media-type': 'UnsupportedMediaType' },
  429: { 'too-many-requests': 'TooManyRequests' },
  500: { 'internal-error': 'InternalError' },
  503: { 'unavailable,storage-unavailable': 'Unavailable' },
}

const sharedName = (status: number, codes: readonly ErrorCode[], rate: RateClass | undefined): string | undefined => {
  const name = SHARED[status]?.[codes.join()]
  return name && status === 429 && rate ? name + pascalCase(rate) : name
}

function errorResponse(status: number, codes: readonly ErrorCode[], detail: string): Response {
  const about = [STATUS_TEXTS[status], detail].filter(Boolean).join(': ')
  const code = codes.at(-1) as ErrorCode
  return {
    description: `${about}. Codes: ${codes.map((one) => `\`${one}\``).join(', ')}`,
    headers: {
      'x-request-id': { $ref: '#/components/headers/RequestId' },
      ...([429, 503].includes(status) && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
    },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ApiErrors' },
        example: toApiErrors([{ path: null, code }], 'en'),
      },
    },
  }
}

function addHeaders(operation: Operation, reference: Reference | undefined): void {
  const headers = Object.entries(reference?.headers ?? {}).map(
    ([name, { description, example, required = false }]) => ({
      name,
      in: 'header',
      description,
      required,
      schema: { type: 'string' },
      example,
    }),
  )
  if (headers.length > 0) operation.parameters = [...(operation.parameters ?? []), ...headers]
}

function addExamples({ parameters = [], requestBody, responses }: Operation, reference: Reference | undefined): void {
  const { params, query, body, response } = reference ?? {}
  const values = { path: params, query } as Record<string, Record<string, unknown> | undefined>
  for (const parameter of parameters) {
    const example = values[parameter.in]?.[parameter.name]
    if (example !== undefined) parameter.example = example
  }
  if (requestBody) requestBody.required = true
  if (requestBody && body !== undefined)
    // Types of one body share an object.
    for (const [type, media] of Object.entries(requestBody.content))
      requestBody.content[type] = {
        ...media,
        example: type === 'application/x-ndjson' ? toLines(body as unknown[]) : body,
      }
  const success = responses[200]
  const content = success && 'content' in success ? success.content : undefined
  if (response !== undefined) for (const media of Object.values(content ?? {})) media.example = response
}

const toLines = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join('\n')

/** Schemas that something refers to: those of requests and of responses are generated for each, and few need both. */
function withoutUnused(schemas: Record<string, object>, users: object): Record<string, object> {
  const used = new Set<string>()
  const mark = (value: object): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = schemas[name]
      if (!schema || used.has(name)) continue
      used.add(name)
      mark(schema)
    }
  }
  mark(users)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}

const WEBHOOK_HEADERS = Object.entries({
  'webhook-id': ['Identifies the event, at every attempt and for all subscriptions', 'evt_000000000003_1792483200000'],
  'webhook-timestamp': ['Time of the attempt, seconds since 1970', '1792483524'],
  'webhook-signature': [
    'Signatures, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
}).map(([name, [description, example]]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
}))

/** Requests that the portal makes to subscriptions, by type of event. */
const describeWebhooks = () =>
  Object.fromEntries(
    Object.entries(webhookDocs).map(([type, { summary, example }]) => [
      type,
      {
        post: {
          operationId: `receive${pascalCase(type)}`,
          summary,
          tags: ['Webhooks'],
          security: [],
          parameters: WEBHOOK_HEADERS,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: payloadSchema(type as keyof typeof webhookPayloads),
                example: { type, timestamp: '2026-10-20T08:15:25.310Z', data: example },
              },
            },
          },
          responses: {
            '2XX': { description: 'Received; the body is ignored' },
            410: { description: 'The receiver is gone: ends the subscription' },
            default: { description: 'Not received: sent again' },
          },
        },
      },
    ]),
  )

function payloadSchema(type: keyof typeof webhookPayloads): object {
  const { $schema: _, ...schema } = z.toJSONSchema(webhookPayloads[type], { io: 'input' })
  return schema
}
