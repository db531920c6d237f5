import { expect, test } from 'vitest'
import { draftStateOf, weighingOf } from './draft.ts'
import { type EntryKey, entryOf, nextRow, pressKey, startEntry, type WeightEntry } from './weightEntry.ts'
import type { Work } from './work.ts'

const stored = {
  scale: { id: 4 },
  axles: [
    { load: 7_304, limit: null },
    { load: 11_500, limit: null },
  ],
  gaps: [360],
  groups: [],
  gross: { load: 18_804, limit: null },
}

const type = (entry: WeightEntry, ...texts: string[]) =>
  texts.reduce((before, text) => nextRow([...text].reduce((it, key) => pressKey(it, key as EntryKey), before)), entry)
const retyped = (keys: string) =>
  [...keys].reduce((it, key) => pressKey(it, key === '<' ? 'back' : (key as EntryKey)), entryOf(stored, null))

const stateOf = (
  typed: WeightEntry | null,
  { isStored = true, ...work }: Partial<Work> & { isStored?: boolean } = {},
) =>
  draftStateOf(
    { scaleId: null, unsent: [], refused: null, ...work, entry: typed },
    {
      entry: typed ?? (isStored ? entryOf(stored, null) : startEntry(null)),
      measured: null,
      ctg8p1: 9,
      scaleId: work.scaleId ?? 4,
      stored: isStored ? stored : null,
    },
  )
const unsent = (entry: WeightEntry) =>
  [{ step: 'weighing', body: { ...weighingOf(entry, 4), at: '2026-10-20T08:00:00Z' } }] as Work['unsent']

test('weights that differ from the stored ones are a change, and those that were only looked at are not', () => {
  expect(stateOf(null)).toBe('sent')
  expect(stateOf({ ...entryOf(stored, null), current: 1 })).toBe('sent')
  expect(stateOf(retyped('<<5'))).toBe('changed')
  expect(stateOf(retyped('<<<<'))).toBe('incomplete')
  expect(stateOf(retyped('<<<<99'))).toBe('incomplete')
  expect(stateOf(null, { scaleId: 5 })).toBe('changed')
})

test('weights are compared with those that wait to be sent, unless they were refused', () => {
  const corrected = retyped('<<5')
  expect(stateOf(corrected, { unsent: unsent(corrected) })).toBe('sent')
  expect(stateOf(retyped('<<4'), { unsent: unsent(corrected) })).toBe('changed')
  const refused = { step: 'weighing', code: 'weights-disagree', text: '' } as const
  expect(stateOf(corrected, { unsent: unsent(corrected), refused })).toBe('changed')
})

test('before the weighing, nothing, a part or all of it is entered', () => {
  const empty = startEntry(null)
  expect(stateOf(null, { isStored: false })).toBe('none')
  expect(stateOf(empty, { isStored: false, scaleId: 4 })).toBe('none')
  expect(stateOf(type(empty, '7,3'), { isStored: false })).toBe('incomplete')
  expect(stateOf(type(empty, '7,3', '11,5'), { isStored: false })).toBe('changed')
})
