import type { App } from '../app.ts'
import { type Chance, type Known, oddValue, type Schema, someValue } from './random.ts'

type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }
type Content = Record<string, { schema: Schema }>

/** A call, as the API's own description (OpenAPI) has it. */
export type Operation = {
  method: string
  path: string
  description: string
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}

export type Request = { method: string; url: string; payload?: string | Buffer; headers: Record<string, string> }

/** Every call that the server describes. */
export function operationsOf({ api }: App): Operation[] {
  const { paths = {} } = api.http.swagger() as { paths?: object }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as object).map(([method, operation]): Operation => ({ ...operation, method, path })),
  )
}

/** In place of a body, or in the query: nothing of the kind that is asked for. */
const BROKEN_BODIES = ['', '{', '[', 'null', '"', '[1,', '\u0000', '{"__proto__":{"a":1}}', '[[[[[[', '7']
const BROKEN_QUERIES = ['__proto__=1', 'unknown=1', '%', '%00', '=', 'a[b]=1', '&&', 'locations[]=7', 'page=1&page=2']
const CONTENT_TYPES = ['text/plain', 'application/json', 'x', 'image/jpeg', 'application/json; charset=latin1', '']
const LANGUAGES = ['en', 'de;q=0.1', 'xx', '*', ',,;;q=a', 'ro-RO,ro;q=0.9']

/** A request for the call: a third as it should be, the others with something odd in them. */
export function requestOf(operation: Operation, chance: Chance, known: Known, picture: Buffer): Request {
  const { method, path, parameters = [], requestBody } = operation
  const odd = chance.happens(0.66) ? chance.one([0.05, 0.3]) : 0
  const given = (schema: Schema, name: string) =>
    chance.happens(odd) ? oddValue(chance) : someValue(schema, chance, known, name)

  const place = path.replace(/\{(\w+)\}/g, (_, name) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name)
    return encoded(given(parameter?.schema ?? {}, name)) || '0'
  })
  const query = parameters
    .filter((one) => one.in === 'query' && chance.happens(one.required ? 1 - odd / 4 : 0.25))
    .flatMap(({ name, schema }) => {
      const value = given(schema, name)
      const values = Array.isArray(value) && chance.happens(0.5) ? value : [value]
      return values.map((one) => `${name}=${encoded(one)}`)
    })
  if (chance.happens(odd)) query.push(chance.one(BROKEN_QUERIES))

  const request: Request = { method, url: `${place}?${query.join('&')}`, headers: {} }
  if (chance.happens(0.2)) request.headers['accept-language'] = chance.one(LANGUAGES)
  if (!requestBody) return request
  const [type, { schema }] = chance.one(Object.entries(requestBody.content))
  request.headers['content-type'] = chance.happens(odd / 2) ? chance.one(CONTENT_TYPES) : type
  if (chance.happens(odd / 2)) request.payload = chance.one(BROKEN_BODIES)
  else if (type === 'image/jpeg')
    request.payload = chance.happens(odd) ? picture.subarray(0, chance.below(200)) : picture
  else request.payload = written(spoilt(someValue(schema, chance, known), odd, chance), type)
  return request
}

const plain = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
const encoded = (value: unknown): string => encodeURIComponent(plain(value).toWellFormed())

const written = (value: unknown, type: string): string =>
  type === 'application/x-ndjson' && Array.isArray(value)
    ? value.map((line) => JSON.stringify(line)).join('\n')
    : JSON.stringify(value)

/** The value with odd ones in the place of some of its parts, and some of its parts lost. */
function spoilt(value: unknown, odd: number, chance: Chance): unknown {
  if (chance.happens(odd / 2)) return oddValue(chance)
  if (Array.isArray(value)) return value.map((one) => spoilt(one, odd, chance))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(() => !chance.happens(odd / 4))
  return Object.fromEntries(kept.map(([key, one]) => [key, spoilt(one, odd, chance)]))
}
