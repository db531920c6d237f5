import { createHash } from 'node:crypto'
import { type Random, seededRandom } from '@rogatka/domain/core/random.ts'
import { type CanonicalValue, canonical, toCanonical } from '@rogatka/domain/evidence/canonical.ts'
import canonicalize from 'canonicalize'
import { expect, test } from 'vitest'

test('the line of the worked example has its published hash', () => {
  const line = canonical({
    userId: 31,
    subject: 'inspection/7/2026',
    seq: 1,
    at: '2026-10-20T09:02:11.000Z',
    action: 'inspection.closed',
  })

  expect(line).toBe(
    '{"action":"inspection.closed","at":"2026-10-20T09:02:11.000Z","seq":1,"subject":"inspection/7/2026","userId":31}',
  )
  expect(
    createHash('sha256')
      .update(`${'0'.repeat(64)}\n${line}\n`)
      .digest('hex'),
  ).toBe('4dbfd5ab61ffbcbadcb593ad5f49f44912cc00c86cf00257981c5d887c80a8fc')
})

test('keys are sorted by UTF-16 code units, as in RFC 8785, section 3.2.3', () => {
  const sorted = canonical({
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    1: 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  })

  expect(Object.values(JSON.parse(sorted.replace('"1"', '"one"')))).toEqual([
    'Carriage Return',
    'One',
    'Control',
    'Latin Small Letter O With Diaeresis',
    'Euro Sign',
    'Emoji: Grinning Face',
    'Hebrew Letter Dalet With Dagesh',
  ])
})

const TEXTS = ['', 'ż', '\u0000', '\u001f', '\u007f', '"\\/\b\f\n\r\t', '\u2028', '😀', 'ﬃ', '__proto__', '10', '9']

function randomValue(random: Random, depth: number): CanonicalValue {
  const size = () => random.below(5)
  switch (random.below(depth > 3 ? 4 : 6)) {
    case 0:
      return random.pick([null, true, false])
    case 1:
      return random.pick([0, -0, 1, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, random.below(1e9)])
    case 2:
    case 3:
      return random.pick(TEXTS) + random.pick(TEXTS)
    case 4:
      return Array.from({ length: size() }, () => randomValue(random, depth + 1))
    default:
      return Object.fromEntries(
        Array.from({ length: size() }, () => [random.pick(TEXTS) + random.pick(TEXTS), randomValue(random, depth + 1)]),
      )
  }
}

test('random values equal those of another implementation', () => {
  const random = seededRandom(129)
  for (let count = 0; count < 5_000; count++) {
    const value = randomValue(random, 0)
    expect(canonical(value)).toBe(canonicalize(value))
  }
})

test.each([0.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, '\ud800', { '\udc00': 1 }])('refuses %j', (value) => {
  expect(() => canonical(value)).toThrow(TypeError)
})

test('refuses what has no JSON', () => {
  for (const value of [undefined, new Date(0), Symbol('x'), () => 1, 1n, { a: undefined }])
    expect(() => canonical(value as unknown as CanonicalValue)).toThrow(TypeError)
})

test('stored values become canonical: fractions and large numbers as texts, times in ISO 8601', () => {
  const stored = { accuracy: 1.5, large: 1e30, of: [new Date(0), null, { count: 3 }] }

  expect(canonical(toCanonical(stored))).toBe(
    '{"accuracy":"1.5","large":"1e+30","of":["1970-01-01T00:00:00.000Z",null,{"count":3}]}',
  )
})
