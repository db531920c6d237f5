import type { Random } from '@rogatka/domain/core/random.ts'
import type { App } from '../app.ts'
import { type Document, resolved } from './openapi.ts'
import { type KnownValues, randomInvalidValue, randomValue, type Schema } from './random.ts'

type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }
type Content = Record<string, { schema: Schema }>

/** An operation of the OpenAPI description. */
export type Operation = {
  method: string
  path: string
  description: string
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}

export type Request = { method: string; url: string; payload?: string | Buffer; headers: Record<string, string> }

/** All operations of the server. */
export function listOperations({ api }: App): Operation[] {
  const document = api.http.swagger() as unknown as Document
  const { paths } = resolved({ paths: document.paths }, document)
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as object).map(([method, operation]): Operation => ({ ...operation, method, path })),
  )
}

/** Malformed bodies and queries. */
const BROKEN_BODIES = ['', '{', '[', 'null', '"', '[1,', '\u0000', '{"__proto__":{"a":1}}', '[[[[[[', '7']
const BROKEN_QUERIES = ['__proto__=1', 'unknown=1', '%', '%00', '=', 'a[b]=1', '&&', 'locations[]=7', 'page=1&page=2']
const CONTENT_TYPES = ['text/plain', 'application/json', 'x', 'image/jpeg', 'application/json; charset=latin1', '']
const LANGUAGES = ['en', 'de;q=0.1', 'xx', '*', ',,;;q=a', 'ro-RO,ro;q=0.9']

/** A random request: a third valid, the others with invalid parts. */
export function randomRequest(operation: Operation, random: Random, known: KnownValues, image: Buffer): Request {
  const { method, path, parameters = [], requestBody } = operation
  const invalidShare = random.happens(0.66) ? random.pick([0.05, 0.3]) : 0
  const valueFor = (schema: Schema, name: string) =>
    random.happens(invalidShare) ? randomInvalidValue(random) : randomValue(schema, random, known, name)

  const url = path.replace(/\{(\w+)\}/g, (_, name) => {
    const parameter = parameters.find((item) => item.in === 'path' && item.name === name)
    return encode(valueFor(parameter?.schema ?? {}, name)) || '0'
  })
  const query = parameters
    .filter((item) => item.in === 'query' && random.happens(item.required ? 1 - invalidShare / 4 : 0.25))
    .flatMap(({ name, schema }) => {
      const value = valueFor(schema, name)
      const values = Array.isArray(value) && random.happens(0.5) ? value : [value]
      return values.map((item) => `${name}=${encode(item)}`)
    })
  if (random.happens(invalidShare)) query.push(random.pick(BROKEN_QUERIES))

  const request: Request = { method, url: `${url}?${query.join('&')}`, headers: {} }
  if (random.happens(0.2)) request.headers['accept-language'] = random.pick(LANGUAGES)
  if (random.happens(0.9)) request.headers['idempotency-key'] = `fuzz-${random.below(1e9)}`
  if (!requestBody) return request
  const [type, { schema }] = random.pick(Object.entries(requestBody.content))
  request.headers['content-type'] = random.happens(invalidShare / 2) ? random.pick(CONTENT_TYPES) : type
  if (random.happens(invalidShare / 2)) request.payload = random.pick(BROKEN_BODIES)
  else if (type === 'image/jpeg')
    request.payload = random.happens(invalidShare) ? image.subarray(0, random.below(200)) : image
  else request.payload = serialise(corrupt(randomValue(schema, random, known), invalidShare, random), type)
  return request
}

const toText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
const encode = (value: unknown): string => encodeURIComponent(toText(value).toWellFormed())

const serialise = (value: unknown, type: string): string =>
  type === 'application/x-ndjson' && Array.isArray(value)
    ? value.map((line) => JSON.stringify(line)).join('\n')
    : JSON.stringify(value)

/** The value with some parts replaced by invalid ones, and some removed. */
function corrupt(value: unknown, invalidShare: number, random: Random): unknown {
  if (random.happens(invalidShare / 2)) return randomInvalidValue(random)
  if (Array.isArray(value)) return value.map((item) => corrupt(item, invalidShare, random))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(() => !random.happens(invalidShare / 4))
  return Object.fromEntries(entries.map(([key, item]) => [key, corrupt(item, invalidShare, random)]))
}
