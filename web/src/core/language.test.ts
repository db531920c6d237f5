import { expect, test } from 'vitest'
import { languageFrom } from './language.ts'

test('the kept language is restored, and Polish stands for any other', () => {
  expect(languageFrom('lt')).toBe('lt')
  expect(languageFrom('fr')).toBe('pl')
  expect(languageFrom(null)).toBe('pl')
})
