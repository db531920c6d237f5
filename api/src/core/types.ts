import pg from 'pg'

const { builtins } = pg.types
const INT8_ARRAY = 1016

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, Number],
  // Its text format is that of int4[].
  [INT8_ARRAY, (text) => JSON.parse(`[${text.slice(1, -1)}]`)],
  [builtins.DATE, (text) => new Date(text)],
])

/**
 * Maps PostgreSQL values to JavaScript: int8 to number (all ids are below 2^53), timestamptz to Date, date to the Date
 * of its midnight in UTC, numeric to string, json to its value.
 */
export const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format as 'text'),
}
