import pg from 'pg'

const { builtins } = pg.types
const INT8_ARRAY = 1016

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, Number],
  // As text it is written like int4[].
  [INT8_ARRAY, (text) => JSON.parse(`[${text.slice(1, -1)}]`)],
  [builtins.DATE, (text) => new Date(text)],
])

/**
 * How values of PostgreSQL become values of JavaScript: int8 is a number (all ids stay below 2^53), timestamptz a Date,
 * date the Date of its midnight in UTC, numeric a text, json what it says.
 */
export const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format as 'text'),
}
