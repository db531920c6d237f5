import type { Random } from '@rogatka/domain/core/random.ts'

/** The subset of JSON Schema that the OpenAPI document uses. */
export type Schema = {
  type?: string | readonly string[]
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Schema[]
  properties?: Record<string, Schema>
  required?: readonly string[]
  items?: Schema
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

/** Valid values by field name, which random text would never hit. */
export type KnownValues = Record<string, readonly unknown[]>

/** Unexpected values that commonly break servers. */
const INVALID_VALUES: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e308,
  'NaN',
  '1e400',
  'null',
  '%',
  '%00',
  '%_\\',
  '\u0000',
  '\ud800',
  '😀'.repeat(300),
  'x'.repeat(5_000),
  "'; drop table vehicle; --",
  '../../../etc/passwd',
  '{{constructor}}',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '2026-02-30T00:00:00Z',
  '2026-10-20T08:00:00+23:59',
  [],
  [[]],
  {},
  { toString: 1 },
  { length: 1e9 },
]

export const randomInvalidValue = (random: Random): unknown => random.pick(INVALID_VALUES)

/** A value that mostly conforms to the schema: unknown patterns are guessed. */
export function randomValue(schema: Schema, random: Random, known: KnownValues, name = ''): unknown {
  const candidates = known[name]
  if (candidates && random.happens(0.8)) return random.pick(candidates)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return random.pick(schema.enum)
  if (schema.anyOf) return randomValue(random.pick(schema.anyOf), random, known, name)
  const type = typeof schema.type === 'string' ? schema.type : random.pick(schema.type ?? ['string'])
  switch (type) {
    case 'object':
      return randomObject(schema, random, known)
    case 'array': {
      const from = schema.minItems ?? 0
      const length = from + random.below(Math.min(4, (schema.maxItems ?? 4) - from + 1))
      return Array.from({ length }, () => randomValue(schema.items ?? {}, random, known, name))
    }
    case 'integer':
    case 'number':
      return randomNumber(schema, random)
    case 'boolean':
      return random.happens(0.5)
    case 'null':
      return null
    default:
      return randomText(schema, random)
  }
}

function randomObject(
  { properties = {}, required = [] }: Schema,
  random: Random,
  known: KnownValues,
): Record<string, unknown> {
  const chosen = Object.entries(properties).filter(([key]) => required.includes(key) || random.happens(0.3))
  return Object.fromEntries(chosen.map(([key, schema]) => [key, randomValue(schema, random, known, key)]))
}

function randomNumber({ minimum, maximum, exclusiveMinimum }: Schema, random: Random): number {
  const from = minimum ?? (exclusiveMinimum === undefined ? -1_000 : exclusiveMinimum + 1)
  const to = maximum ?? from + 10_000
  // Mostly bounds, where errors are.
  return random.pick([from, to, from + random.below(Math.min(100, to - from + 1)), from + random.below(to - from + 1)])
}

const LETTERS = 'ABCWXYZ0189-*? ąłžßșé'

function randomText({ format, pattern, minLength = 0, maxLength = 40 }: Schema, random: Random): string {
  if (format === 'date-time') return new Date(Date.UTC(2026, 9, 1) + random.below(40 * 86_400_000)).toISOString()
  if (format === 'date') return `2026-10-${10 + random.below(20)}`
  if (format === 'email') return `somebody${random.below(100)}@example.org`
  if (pattern?.includes('ROLE_')) return `ROLE_${random.below(40)}`
  if (pattern?.includes('\\d')) return String(random.below(1_000))
  const length = random.pick([minLength, maxLength, minLength + random.below(Math.min(12, maxLength - minLength + 1))])
  return Array.from({ length }, () => random.pick([...LETTERS])).join('')
}
