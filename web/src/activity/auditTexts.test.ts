import { readFileSync } from 'node:fs'
import { auditActions, auditFields, reportSubjects } from '@rogatka/contract/activity.ts'
import { type Language, languages } from '@rogatka/contract/languages.ts'
import { describe, expect, test } from 'vitest'
import { displayedSegments, fieldKey } from './auditTexts.ts'

const textsOf = (namespace: string, language: Language): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../${namespace}/${language}.json`, import.meta.url), 'utf8'))

/** Keys without a text in the language. */
function missing(keys: readonly string[], language: Language): string[] {
  return keys.filter((key) => {
    const [namespace = '', name = ''] = key.split(':')
    return !textsOf(namespace, language)[name]
  })
}

describe.each(languages)('the audit log in %s', (language) => {
  test('has a text for every action', () => {
    expect(
      missing(
        auditActions.map((action) => `activity:action-${action}`),
        language,
      ),
    ).toEqual([])
  })

  test('has a text for every kind of report', () => {
    expect(
      missing(
        reportSubjects.map((kind) => `activity:report-${kind}`),
        language,
      ),
    ).toEqual([])
  })

  test('has a text for every field', () => {
    expect(missing(auditFields.map(fieldKey), language)).toEqual([])
  })
})

test('drops the prefix of a search filter, but not of the search itself', () => {
  expect(displayedSegments('search.minSpeed')).toEqual(['minSpeed'])
  expect(displayedSegments('search')).toEqual(['search'])
  expect(displayedSegments('quietHours.from')).toEqual(['quietHours', 'from'])
})
