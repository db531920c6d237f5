import { expect, test } from 'vitest'
import { languageFrom } from './language.ts'

test('restores the stored language, with Polish as the fallback', () => {
  expect(languageFrom('lt')).toBe('lt')
  expect(languageFrom('fr')).toBe('pl')
  expect(languageFrom(null)).toBe('pl')
})
