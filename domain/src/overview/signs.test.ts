import type { DisplayKind, SignFault } from '@rogatka/contract/vms.ts'
import { expect, test } from 'vitest'
import { signsInShort } from './signs.ts'

const DESCRIPTIONS = new Map([[4, 'Kontrola – symbol']])

const sign = (number: number, kind: DisplayKind | null = 'blank', text: string | null = null) => ({
  number,
  shows: kind && { kind, content: kind === 'content' ? { id: 4 } : null, text },
  vmsStatus: { available: true, condition: 'ok' as const, faults: [] },
})
const faulty = (number: number, ...faults: SignFault[]) => ({
  ...sign(number),
  vmsStatus: { available: true, condition: 'malfunction' as const, faults },
})
const away = (number: number) => ({
  ...sign(number, null),
  vmsStatus: { available: false, condition: 'unavailable' as const, faults: [] },
})

const NOTHING = { signNumber: null, faults: [], shows: null }

test.each([
  ['a dark sign', [sign(1)], { ...NOTHING, state: 'available', working: 1, total: 1 }],
  [
    'one that is lit',
    [sign(1), sign(2, 'content', 'KONTROLA')],
    { ...NOTHING, state: 'lit', working: 2, total: 2, signNumber: 2, shows: { kind: 'content', text: 'KONTROLA' } },
  ],
  [
    'one with a pictogram only, by its description',
    [sign(1, 'content')],
    {
      ...NOTHING,
      state: 'lit',
      working: 1,
      total: 1,
      signNumber: 1,
      shows: { kind: 'content', text: 'Kontrola – symbol' },
    },
  ],
  [
    'one that is away before one that is lit',
    [sign(1, 'content', 'KONTROLA'), away(2)],
    { ...NOTHING, state: 'unavailable', working: 1, total: 2, signNumber: 2 },
  ],
  [
    'a fault before all',
    [away(1), faulty(2, 'pixel', 'lamp'), faulty(3, 'door'), sign(4)],
    { ...NOTHING, state: 'fault', working: 1, total: 4, signNumber: 2, faults: ['pixel', 'lamp'] },
  ],
  [
    'a plate, whose text is not told',
    [sign(1, 'plate', 'WPR 8K47M')],
    { ...NOTHING, state: 'lit', working: 1, total: 1, signNumber: 1, shows: { kind: 'plate', text: null } },
  ],
  [
    'a foreign text, which may contain a plate',
    [sign(1, 'other', 'WPR 8K47M')],
    { ...NOTHING, state: 'lit', working: 1, total: 1, signNumber: 1, shows: { kind: 'other', text: null } },
  ],
])('signs in short: %s', (_, signs, expected) => {
  expect(signsInShort(signs, DESCRIPTIONS)).toEqual(expected)
})

test('a station without signs has no summary', () => {
  expect(signsInShort([], DESCRIPTIONS)).toBeNull()
})
