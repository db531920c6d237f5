import { expect, test } from 'vitest'
import { loadJudge, strengthOf } from './strength.ts'

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
  const judge = await loadJudge('pl')
  expect(judge('zaq12wsx', [])).toBe('weak')
  expect(judge('haslo123', [])).toBe('weak')
  expect(judge('k9#Vt2!xQw7Lz$', [])).toBe('strong')
})

test('a user’s own name makes a password weaker', async () => {
  const judge = await loadJudge('lt')
  expect(judge('xqv-trzmiel7', [])).not.toBe('weak')
  expect(judge('xqv-trzmiel7', ['xqv-trzmiel'])).toBe('weak')
})

test('Polish names and words are known when the screen speaks Polish', async () => {
  const [polish, english] = await Promise.all([loadJudge('pl'), loadJudge('en')])
  expect(english('Wiśniewska-9', [])).not.toBe('weak')
  expect(polish('Wiśniewska-9', [])).toBe('weak')
})

test('judges a very long password by its beginning', async () => {
  const judge = await loadJudge('en')
  expect(judge(`${'a'.repeat(32)}k9#Vt2!xQw7Lz$`, [])).toBe('weak')
})
