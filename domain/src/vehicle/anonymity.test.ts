import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { expect, test } from 'vitest'
import { anonymise, anonymiseRecord, maskPlate, maskPlateIn, platesIn, withoutPlates } from './anonymity.ts'

test.each([
  ['WGM4K281', 'WG******'],
  ['AB', 'AB'],
  ['A', 'A'],
  ['', ''],
])('%s is shown as %s', (plate, masked) => {
  expect(maskPlate(plate)).toBe(masked)
})

test.each([
  ['as it stands', 'WGM4K281', 'WG******'],
  ['blanks and dashes', 'wgm 4k-281', 'WG******'],
  ['dots', 'W.G.M.4.K.2.8.1', 'WG******'],
  ['a slash, an underscore, a line break', 'WGM/4K_28\n1', 'WG******'],
  ['invisible characters', 'W\u200bG\u00adM\u20604K281', 'WG******'],
  ['brackets and quotes', '(WGM) "4K281"', '(WG******"'],
  ['accents', 'ŴĠṂ4Ḱ281', 'WG******'],
  ['combining marks', 'W\u0301G\u0323M4K2\u033681', 'WG******'],
  ['full-width letters', 'ＷＧＭ４Ｋ２８１', 'WG******'],
  ['Cyrillic and Greek letters', 'WGМ4К281, WGΜ4Κ281', 'WG******, WG******'],
  ['a lunate sigma', 'WGM4K281Ϲ, WϹGM4K281', 'WG******Ϲ, WϹGM4K281'],
  ['a stroke in the letter', 'WGM4K28Ɩ', 'WG******'],
  ['mathematical and circled letters', '𝐖𝐆𝐌④Ⓚ²⁸¹', 'WG******'],
  ['letters in squares, as flags', '🅆🅶🅜4🇰281', 'WG******'],
  ['digits of another script', 'WGM٤K٢٨١', 'WG******'],
  ['characters that cameras or readers confuse', 'WGM4KZBI, wgm4k28l', 'WG******, WG******'],
  ['in the middle of a sentence', 'Skradziony, WGM.4K281! Uwaga.', 'Skradziony, WG******! Uwaga.'],
  ['emoji around', '🚚WGM🚚4K281🚚', '🚚WG******🚚'],
  ['twice', 'WGM4K281WGM4K281', 'WG******WG******'],
  ['another plate', 'WGM4K282', 'WGM4K282'],
  ['a letter between', 'WGMX4K281', 'WGMX4K281'],
  ['no plate', 'Zażółć gęślą jaźń 🚚', 'Zażółć gęślą jaźń 🚚'],
])('a plate in a text is masked: %s', (_, text, masked) => {
  expect(maskPlateIn(text, 'WGM4K281')).toBe(masked)
})

test('masks plates of other alphabets and plate patterns', () => {
  expect(maskPlateIn('wien: Ö 12.34 A', 'Ö1234A')).toBe('wien: Ö1****')
  expect(maskPlateIn('*4K281', '*4K281')).toBe('*4****')
  expect(maskPlateIn('WGM4K28?', 'WGM4K28?')).toBe('WG*****?')
  expect(maskPlateIn('AB and A.B', 'AB')).toBe('AB and A.B')
})

test('masks a plate in all texts of a record', () => {
  const record = { plateLpr: 'WGM4K281', notes: ['auto w.g.m.4k281', { of: 7 }], none: null }
  expect(anonymiseRecord(record, ['WGM4K281'])).toEqual({
    plateLpr: 'WG******',
    notes: ['auto WG******', { of: 7 }],
    none: null,
  })
})

test('removes what identifies driver or carrier from a record', () => {
  const record = {
    after: { carrier: 'Kowalski', taxId: '1234563218', declaration: 'x', note: 'y', explanation: 'z', results: [1] },
    reason: 'ciągnik GD 1234X',
  }
  const removed = { carrier: null, taxId: null, declaration: null, note: null, explanation: null, results: [1] }
  expect(anonymiseRecord(record, [])).toEqual({ after: removed, reason: null })
})

test('masks Polish plates in texts of a record that names no plate', () => {
  const record = { name: 'Stacja 7: WGM 4K281', page: 'archive', at: '2026-10-20T08:00:00.000Z' }
  expect(anonymiseRecord(record, [])).toEqual({ ...record, name: 'Stacja 7: …' })
})

test('leaves out fields of plates at any depth, and no criteria', () => {
  const search = { plateLpr: 'WGM4K281', plates: ['PO7XA93'], minSpeed: 20, locations: [7] }
  expect(withoutPlates({ reportType: 'csv', search, plateLpr: 'WGM4K281' })).toEqual({
    reportType: 'csv',
    search: { minSpeed: 20, locations: [7] },
  })
  expect(withoutPlates({ search: 'WGM', plates: [], page: 1 })).toEqual({ page: 1, plates: [] })
})

test('finds the plates of an audit record at any depth, and no other texts', () => {
  const record = {
    plateLpr: 'wgm 4k281',
    filters: [{ search: 'PO7XA93', description: 'KR1AB23' }],
    hits: 2,
    note: null,
  }
  expect(platesIn(record)).toEqual(['WGM4K281', 'PO7XA93'])
  expect(platesIn({ after: { plates: ['wgm 4k281', ' - ', 'KR55555'] } })).toEqual(['WGM4K281', 'KR55555'])
  for (const none of [null, undefined, 'WGM4K281', 7, {}, { plateLpr: 4 }, { search: ' - ' }])
    expect(platesIn(none)).toEqual([])
})

test('an anonymised vehicle has a masked plate and no catalogue number, and its other data', () => {
  const vehicle = { plateLpr: 'WGM4K281', speed: 85 }
  expect(anonymise(vehicle)).toEqual({ plateLpr: 'WG******', speed: 85 })
  expect(anonymise({ ...vehicle, plateLpr: null })).toEqual({ plateLpr: null, speed: 85 })
  const euro = { make: 'DAF', catalogue_number: 'KAT-7781-XQ' } as NonNullable<Vehicle['euro']>
  const inspection = { id: 7, number: 'K/7/2026/ZAB', state: 'announced' as const, isVisible: true }
  const weighing = { number: 'K/7/2026/ZAB' } as NonNullable<Vehicle['weighing']>
  expect(anonymise({ ...vehicle, weighing })).toEqual(anonymise(vehicle))
  expect(anonymise({ ...vehicle, inspection }).inspection).toEqual({ id: null, number: null, state: 'announced' })
  expect(anonymise({ ...vehicle, euro }).euro).toEqual({ make: 'DAF', catalogue_number: null })
})
