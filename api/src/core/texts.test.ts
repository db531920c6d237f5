import { languages } from '@rogatka/contract/languages.ts'
import { expect, test } from 'vitest'
import { toApiErrors } from './error-mapping.ts'
import { createTexts } from './texts.ts'

const limitError = (count: number) => [
  { path: null, code: 'report-too-large' as const, params: { count, limit: 100_000 } },
]

/** Plural forms by the CLDR rules of integers, see https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html. */
test.each([
  ['pl', 1, '1 wiersz,'],
  ['pl', 22, '22 wiersze,'],
  ['pl', 12, '12 wierszy,'],
  ['pl', 100_104, '100 104 wiersze,'],
  ['en', 1, '1 row;'],
  ['en', 100_101, '100,101 rows;'],
  ['lt', 21, '21 eilutė,'],
  ['lt', 22, '22 eilutės,'],
  ['lt', 11, '11 eilučių,'],
  ['de', 1, '1 Zeile,'],
  ['de', 100_101, '100.101 Zeilen,'],
  ['ro', 1, '1 rând,'],
  ['ro', 119, '119 rânduri,'],
  ['ro', 100_120, '100.120 de rânduri,'],
] as const)('an error in %s about %i rows has the plural form of the language', (language, count, rows) => {
  const [error] = toApiErrors(limitError(count), language)
  expect(error?.userMessage.replaceAll('\u00A0', ' ')).toContain(rows)
})

test('inserts values as they are, even with placeholders, references or markup', () => {
  const texts = { greeting: 'Hi {{name}}, {{from}}', secret: 'secret' }
  const byLanguage = { pl: texts, en: texts, lt: texts, de: texts, ro: texts }
  const { format } = createTexts('test', byLanguage)
  for (const language of languages)
    expect(format(language, 'greeting', { name: '{{from}} $t(secret) <b>&', from: '{{name}}' })).toBe(
      'Hi {{from}} $t(secret) <b>&, {{name}}',
    )
})
