import { expect, test } from 'vitest'
import { generatePassword, PROPOSAL_LENGTH, type RandomSource } from './password.ts'

const secure: RandomSource = (count) => crypto.getRandomValues(new Uint32Array(count))
const always =
  (value: number): RandomSource =>
  (count) =>
    new Uint32Array(count).fill(value)

const many = Array.from({ length: 2_000 }, () => generatePassword(secure))

test('a proposed password has 14 characters: letters, digits and symbols, at least one of each', () => {
  for (const password of many) {
    expect(password).toHaveLength(PROPOSAL_LENGTH)
    expect(password).toMatch(/[A-Za-z]/)
    expect(password).toMatch(/\d/)
    expect(password).toMatch(/[^A-Za-z\d]/)
    expect(password).toMatch(/^[\x21-\x7e]+$/)
  }
})

test('a proposed password has no ambiguous characters', () => {
  expect(many.join('')).not.toMatch(/[0O1Il]/)
})

test('proposed passwords differ, and a digit can be in every position', () => {
  expect(new Set(many).size).toBe(many.length)
  const places = new Set(many.flatMap((password) => [...password].flatMap((one, at) => (/\d/.test(one) ? [at] : []))))
  expect(places.size).toBe(PROPOSAL_LENGTH)
})

test.each([0, 2 ** 31, 2 ** 32 - 1])('keeps the rules even when every random number is %d', (value) => {
  const password = generatePassword(always(value))
  expect(password).toHaveLength(PROPOSAL_LENGTH)
  expect(password).toMatch(/\d/)
  expect(password).toMatch(/[A-Za-z]/)
})

test('is deterministic for equal random numbers', () => {
  expect(generatePassword(always(7))).toBe(generatePassword(always(7)))
  expect(generatePassword(always(7))).not.toBe(generatePassword(always(2 ** 31)))
})
