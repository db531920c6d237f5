import { expect, test } from 'vitest'
import { testApi } from '../testing/test-api.ts'
import * as encode from './binary-arrays.ts'
import { raw, sql } from './statement.ts'

const BEFORE_2000 = new Date('1999-12-31T23:59:59.999Z')
const AFTER_2000 = new Date('2026-03-29T01:00:00.001Z')

/** An array as the server reads it, in its own text form. */
const cases: [type: string, parameter: Buffer, text: string][] = [
  ['smallint', encode.int2Array([0, -32_768, null, 32_767]), '{0,-32768,NULL,32767}'],
  ['int', encode.int4Array([-2_147_483_648, undefined, 2_147_483_647]), '{-2147483648,NULL,2147483647}'],
  [
    'bigint',
    encode.int8Array([Number.MAX_SAFE_INTEGER, -1, Number.MIN_SAFE_INTEGER, 2 ** 32, null]),
    '{9007199254740991,-1,-9007199254740991,4294967296,NULL}',
  ],
  ['boolean', encode.booleanArray([true, false, null]), '{t,f,NULL}'],
  ['text', encode.textArray(['', 'Łódź', null, '🚚']), '{"",Łódź,NULL,🚚}'],
  ['bytea', encode.byteaArray([new Uint8Array([0, 255]), Buffer.alloc(0), null]), '{"\\\\x00ff","\\\\x",NULL}'],
  [
    'timestamptz',
    encode.timestamptzArray([BEFORE_2000, AFTER_2000, null]),
    '{"1999-12-31 23:59:59.999+00","2026-03-29 01:00:00.001+00",NULL}',
  ],
]

test.each(cases)('PostgreSQL reads an array of %s', async (type, parameter, text) => {
  const api = await testApi()
  const [row] = await api.db.transaction(async (db) => {
    await db.execute(sql`set local time zone 'UTC'`)
    return db.query<{ text: string }>(sql`select ${parameter}::${raw(`${type}[]`)}::text as text`)
  })
  expect(row?.text).toBe(text)
})

test('PostgreSQL reads an array without elements', async () => {
  const api = await testApi()
  expect(await api.db.query(sql`select unnest(${encode.int4Array([])}::int[])`)).toEqual([])
})

test.each([
  ['a fraction', () => encode.int2Array([1.5])],
  ['no number', () => encode.int4Array([Number.NaN])],
  ['a number too large for the type', () => encode.int2Array([32_768])],
  ['a number too large to be exact', () => encode.int8Array([2 ** 53])],
])('%s is refused', (_what, encodeIt) => {
  expect(encodeIt).toThrow(RangeError)
})
