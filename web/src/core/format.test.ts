import { expect, test } from 'vitest'
import {
  formatDate,
  formatDateTime,
  formatExcess,
  formatMetres,
  formatNumber,
  formatTime,
  formatTonnes,
} from './format.ts'

const SPACE = '\u00a0'

test('tonnes have two decimals and the comma of the language', () => {
  expect(formatTonnes('pl', 46_900)).toBe('46,90')
  expect(formatTonnes('en', 46_900)).toBe('46.90')
  expect(formatTonnes('de', 13_944)).toBe('13,94')
  expect(formatTonnes('pl', 0)).toBe('0,00')
})

test('metres come from centimetres', () => {
  expect(formatMetres('lt', 1642)).toBe('16,42')
  expect(formatMetres('en', 412)).toBe('4.12')
})

test('groups thousands with a no-break space; English swaps the separators', () => {
  expect(formatNumber('pl', 12_408)).toBe(`12${SPACE}408`)
  expect(formatNumber('ro', 1_234_567.5, 1)).toBe(`1${SPACE}234${SPACE}567,5`)
  expect(formatNumber('en', 12_408.25, 2)).toBe('12,408.25')
  expect(formatNumber('pl', 999)).toBe('999')
})

test('negative numbers carry a minus and not a hyphen; a rounded zero carries none', () => {
  expect(formatNumber('pl', -3.2, 1)).toBe('\u22123,2')
  expect(formatNumber('pl', -0.01, 1)).toBe('0,0')
})

test('shows a dash for null', () => {
  for (const missing of [null, undefined, Number.NaN]) {
    expect(formatNumber('pl', missing)).toBe('–')
    expect(formatTonnes('pl', missing)).toBe('–')
    expect(formatExcess('pl', missing)).toBe('–')
  }
  for (const missing of [null, undefined, '', 'no date']) expect(formatDateTime(missing)).toBe('–')
})

test('an excess has its sign and percent', () => {
  expect(formatExcess('pl', 9.6)).toBe(`+9,6${SPACE}%`)
  expect(formatExcess('en', 9.6)).toBe(`+9.6${SPACE}%`)
  expect(formatExcess('pl', 0)).toBe(`0,0${SPACE}%`)
  expect(formatExcess('pl', -1)).toBe(`\u22121,0${SPACE}%`)
})

test('times are those of Warsaw, in winter, in summer and at midnight', () => {
  expect(formatDateTime('2025-10-20T06:15:24.000Z')).toBe('20.10.2025 08:15:24')
  expect(formatDateTime('2025-01-20T06:15:24.999Z')).toBe('20.01.2025 07:15:24')
  expect(formatDate('2025-06-30T22:00:00.000Z')).toBe('01.07.2025')
  expect(formatTime('2025-06-30T22:00:00.000Z')).toBe('00:00:00')
})
