/** A source of chance that starts from a seed, so that what a test found is found again. */
export type Chance = {
  /** 0 up to, but not including, `end`. */
  below: (end: number) => number
  happens: (share: number) => boolean
  one: <T>(of: readonly T[]) => T
}

/** mulberry32: small, and good enough to pick requests. */
export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (end: number) => Math.floor(next() * end)
  return { below, happens: (share) => next() < share, one: (of) => of[below(of.length)] as never }
}

/** As much of JSON Schema as the OpenAPI document uses. */
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

/** Values under the names of the fields that carry them: what random text would never hit. */
export type Known = Record<string, readonly unknown[]>

/** Kinds of value that come where they should not, each of which has broken some server. */
const ODD: readonly unknown[] = [
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

export const oddValue = (chance: Chance): unknown => chance.one(ODD)

/** A value that the schema allows, near enough: a pattern that is not known here gets a guess. */
export function someValue(schema: Schema, chance: Chance, known: Known, name = ''): unknown {
  const familiar = known[name]
  if (familiar && chance.happens(0.8)) return chance.one(familiar)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return chance.one(schema.enum)
  if (schema.anyOf) return someValue(chance.one(schema.anyOf), chance, known, name)
  const type = typeof schema.type === 'string' ? schema.type : chance.one(schema.type ?? ['string'])
  switch (type) {
    case 'object':
      return objectOf(schema, chance, known)
    case 'array': {
      const from = schema.minItems ?? 0
      const length = from + chance.below(Math.min(4, (schema.maxItems ?? 4) - from + 1))
      return Array.from({ length }, () => someValue(schema.items ?? {}, chance, known, name))
    }
    case 'integer':
    case 'number':
      return numberOf(schema, chance)
    case 'boolean':
      return chance.happens(0.5)
    case 'null':
      return null
    default:
      return textOf(schema, chance)
  }
}

function objectOf({ properties = {}, required = [] }: Schema, chance: Chance, known: Known): Record<string, unknown> {
  const chosen = Object.entries(properties).filter(([key]) => required.includes(key) || chance.happens(0.3))
  return Object.fromEntries(chosen.map(([key, schema]) => [key, someValue(schema, chance, known, key)]))
}

function numberOf({ minimum, maximum, exclusiveMinimum }: Schema, chance: Chance): number {
  const from = minimum ?? (exclusiveMinimum === undefined ? -1_000 : exclusiveMinimum + 1)
  const to = maximum ?? from + 10_000
  // The ends are where the mistakes are.
  return chance.one([from, to, from + chance.below(Math.min(100, to - from + 1)), from + chance.below(to - from + 1)])
}

const LETTERS = 'ABCWXYZ0189-*? ąłžßșé'

function textOf({ format, pattern, minLength = 0, maxLength = 40 }: Schema, chance: Chance): string {
  if (format === 'date-time') return new Date(Date.UTC(2026, 9, 1) + chance.below(40 * 86_400_000)).toISOString()
  if (format === 'date') return `2026-10-${10 + chance.below(20)}`
  if (format === 'email') return `somebody${chance.below(100)}@example.org`
  if (pattern?.includes('ROLE_')) return `ROLE_${chance.below(40)}`
  if (pattern?.includes('\\d')) return String(chance.below(1_000))
  const length = chance.one([minLength, maxLength, minLength + chance.below(Math.min(12, maxLength - minLength + 1))])
  return Array.from({ length }, () => chance.one([...LETTERS])).join('')
}
