import { expect, test } from 'vitest'
import { testApi } from '../testing/test-api.ts'
import { parseRecord } from './record-text.ts'
import { sql } from './statement.ts'

test('reads every field of a record as PostgreSQL writes it', async () => {
  const { db } = await testApi()
  const texts = [
    '',
    ' ',
    'a',
    '"',
    '""',
    '\\',
    '\\\\',
    '"\\',
    '(',
    ')',
    ',',
    ',,',
    'a"b',
    '\n',
    '{1,2}',
    'żółw',
    '💥',
    'a\\,"b',
  ]
  for (const text of texts) {
    const [row] = await db.arrays<[string]>(
      sql`select row(1, ${text}::text, null::text, ${text}::text, -2.5, ${[1, 2]}::int[], ${text}::text)::text`,
    )
    expect(parseRecord(row?.[0] ?? '')).toEqual(['1', text, '', text, '-2.5', '{1,2}', text])
  }
})

test('reads records that end with an empty field', async () => {
  const { db } = await testApi()
  const [row] = await db.arrays<[string, string]>(sql`select row(null, null)::text, row(1, '')::text`)
  expect(row?.map(parseRecord)).toEqual([
    ['', ''],
    ['1', ''],
  ])
})
