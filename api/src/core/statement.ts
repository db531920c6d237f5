import { join as joinParts, raw as rawPart, Sql } from 'sql-template-tag'

/** An SQL statement or fragment with its parameters. */
export type Statement = Sql

/** A parameter value: an array becomes a PostgreSQL array; undefined throws on execution. */
type Value = unknown

/** SQL from a template: a value becomes a parameter, a nested statement is inlined. */
export const sql = (strings: TemplateStringsArray, ...values: Value[]): Statement => new Sql(strings, values)

/** Raw SQL: never from input. */
export const raw = (text: string): Statement => rawPart(text)

/** @throws if `parts` is empty */
export const join = (parts: readonly Statement[], separator = ', '): Statement => joinParts([...parts], separator)

/** A quoted name of a table or column. */
export const identifier = (name: string): Statement =>
  raw(
    name
      .split('.')
      .map((part) => `"${part.replaceAll('"', '""')}"`)
      .join('.'),
  )

/** A text in a LIKE pattern, without wildcards. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** A LIKE pattern of texts that contain this one. */
export const containingPattern = (text: string): string => `%${escapeLike(text)}%`

/** A jsonb value; null stays a JSON null, as JSON.stringify has it. */
export const json = (value: unknown): Statement => sql`${JSON.stringify(value)}::jsonb`

/** `(a, b) values (…), (…)` for insert; the columns are the keys of the first row. */
export function valuesOf(rows: object | readonly object[]): Statement {
  const list = (Array.isArray(rows) ? rows : [rows]) as Record<string, Value>[]
  const columns = Object.keys(list[0] ?? {})
  const tuples = list.map((row) => sql`(${join(columns.map((column) => sql`${row[column]}`))})`)
  return sql`(${join(columns.map(identifier))}) values ${join(tuples)}`
}

/** `a = …, b = …` for update. */
export const assignments = (values: object): Statement =>
  join(Object.entries(values).map(([column, value]) => sql`${identifier(column)} = ${value}`))

/** A parameter as sent: dates as ISO 8601 in UTC, whatever the time zone of the process. */
export function toParameter(value: Value): Value {
  if (value === undefined) throw new TypeError('A parameter of a statement is undefined')
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Sql) throw new TypeError('Statements of a list have to be joined')
  return Array.isArray(value) ? value.map(toParameter) : value
}
