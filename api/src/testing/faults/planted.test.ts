import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PLANTED } from './planted.ts'

test.each(Object.entries(PLANTED))('planted fault %s has its place in the code, once', (_, { file, find, replace }) => {
  const code = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
  expect(code.split(find)).toHaveLength(2)
  expect(replace).not.toBe(find)
})
