import { expect, test } from 'vitest'
import { loadPasswordRating, strengthOf } from './strength.ts'

test.each([
  [0, 'weak'],
  [1, 'weak'],
  [2, 'weak'],
  [3, 'medium'],
  [4, 'strong'],
])('score %d is %s', (score, strength) => {
  expect(strengthOf(score)).toBe(strength)
})

test('common passwords are weak, random ones strong', async () => {
  const rate = await loadPasswordRating('pl')
  expect(rate('zaq12wsx', [])).toBe('weak')
  expect(rate('haslo123', [])).toBe('weak')
  expect(rate('k9#Vt2!xQw7Lz$', [])).toBe('strong')
})

test('a user’s own name makes a password weaker', async () => {
  const rate = await loadPasswordRating('lt')
  expect(rate('xqv-trzmiel7', [])).not.toBe('weak')
  expect(rate('xqv-trzmiel7', ['xqv-trzmiel'])).toBe('weak')
})

test('Polish names and words are known when the screen speaks Polish', async () => {
  const [polish, english] = await Promise.all([loadPasswordRating('pl'), loadPasswordRating('en')])
  expect(english('Wiśniewska-9', [])).not.toBe('weak')
  expect(polish('Wiśniewska-9', [])).toBe('weak')
})

test('judges a very long password by its beginning', async () => {
  const rate = await loadPasswordRating('en')
  expect(rate(`${'a'.repeat(32)}k9#Vt2!xQw7Lz$`, [])).toBe('weak')
})
