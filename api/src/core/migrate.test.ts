import { expect, test } from 'vitest'
import { assertSupported } from './migrate.ts'

test('the start stops at a PostgreSQL below 16 and names it', () => {
  expect(() => assertSupported(150018)).toThrow('DATABASE_URL: PostgreSQL 16 or newer is needed, this is 15.18')
  for (const version of [160000, 160004, 180001]) expect(() => assertSupported(version)).not.toThrow()
})
