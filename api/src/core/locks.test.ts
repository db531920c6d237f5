import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LOCKS } from './locks.ts'

const SOURCE = join(import.meta.dirname, '..')

test('advisory locks have unique numbers, and statements use no others', () => {
  const numbers = Object.values(LOCKS)
  expect(new Set(numbers).size).toBe(numbers.length)
  const statements = globSync('**/*.ts', { cwd: SOURCE })
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => {
      const found = readFileSync(join(SOURCE, path), 'utf8').matchAll(/pg_\w*advisory\w*\((?!\))[^\n]*/g)
      return [...found].map(([statement]) => `${path}: ${statement}`)
    })
  expect(statements.length).toBeGreaterThan(0)
  expect(
    statements.filter(
      (statement) => !/\(\$\{(LOCKS\.\w+|lock)\}(, hashtext\((\$1|lower\(\$\{email\}\))\))?\)/.test(statement),
    ),
  ).toEqual([])
})
