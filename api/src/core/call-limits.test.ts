import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { createCallLimits } from './call-limits.ts'
import { createKnownTokens } from './known-tokens.ts'
import { createRateLimits } from './rate-limit.ts'

const ADDRESS = '192.0.2.7'

/** Limits with the default settings within one minute, in which these tokens are known. */
function defaultLimits(tokens: readonly string[]) {
  const known = createKnownTokens()
  for (const token of tokens) known.add(token)
  const noon = new Date('2026-10-20T12:00:00Z')
  return createCallLimits(
    createRateLimits(() => noon),
    readConfig({}),
    known,
  )
}

/** Calls of an operator in a minute: thumbnails of ten vehicles per second, check and list each second, counters. */
const OPERATOR_CALLS = 600 + 60 + 60 + 12

test('by default 1,000 operators of one address who poll ten vehicles per second leave it calls for others', () => {
  const operators = Array.from({ length: 1_000 }, (_, at) => `operator ${at}`)
  const limit = defaultLimits(operators)
  let refused = 0
  for (let call = 0; call < OPERATOR_CALLS; call++)
    for (const operator of operators) if (limit(ADDRESS, operator) !== null) refused += 1
  expect(refused).toBe(0)
  expect(limit(ADDRESS, undefined)).toBeNull()
})

test('by default a session has the calls of eight live lists', () => {
  const limit = defaultLimits(['operator'])
  const answers = Array.from({ length: 8 * OPERATOR_CALLS }, () => limit(ADDRESS, 'operator'))
  expect(answers.filter((answer) => answer !== null)).toEqual([])
})
