import { expect, test } from 'vitest'
import { skeletonOf } from './lookalikes.ts'

const read = (text: string) => skeletonOf(text).text

/*
 * Cyrillic, Greek and Armenian capitals by the confusables of UTS 39 (unicode.org/Public/security), small capitals and
 * letters with a stroke by their Unicode names.
 */
test.each([
  ['A', 'АΑ', 'ᴀ', ''],
  ['B', 'ВΒ', 'ʙ', ''],
  ['C', 'СсϹϲ', 'ᴄ', ''],
  ['D', '', 'ᴅ', 'Đđ'],
  ['E', 'ЕΕ', 'ᴇ', ''],
  ['F', 'Ϝ', 'ꜰ', ''],
  ['G', 'Ԍ', 'ɢ', 'Ǥǥ'],
  ['H', 'НΗ', 'ʜ', ''],
  ['I', 'ІΙӀ', 'ɪ', ''],
  ['J', 'Ј', 'ᴊ', 'Ɉɉ'],
  ['K', 'КΚ', 'ᴋ', ''],
  ['L', '', 'ʟ', 'Łł'],
  ['M', 'МΜϺ', 'ᴍ', ''],
  ['N', 'Ν', 'ɴ', ''],
  ['O', 'ОΟՕ', 'ᴏ', 'Øø'],
  ['P', 'РΡ', 'ᴘ', ''],
  ['Q', 'Ԛ', '', 'Ɋ'],
  ['R', 'Ʀ', 'ʀ', ''],
  ['S', 'Ѕ', 'ꜱ', ''],
  ['T', 'ТΤ', 'ᴛ', 'Ŧŧ'],
  ['U', 'Ս', 'ᴜ', ''],
  ['V', 'Ѵ', 'ᴠ', ''],
  ['W', 'Ԝ', 'ᴡ', ''],
  ['X', 'ХΧ', '', ''],
  ['Y', 'УΥҮ', 'ʏ', ''],
  ['Z', 'Ζ', 'ᴢ', 'Ƶƶ'],
  ['3', 'ЗӠ', '', ''],
  ['4', 'Ч', '', ''],
])('%s reads the same as other capitals %s, small capital %s, with a stroke %s', (letter, capitals, small, stroked) => {
  for (const one of capitals + small + stroked) expect(read(one), one).toBe(read(letter))
})

test.each([
  ['negative circled', 0x1f150],
  ['negative squared', 0x1f170],
  ['regional indicators', 0x1f1e6],
])('%s: all 26 letters are read', (_, first) => {
  const letters = Array.from({ length: 26 }, (_, i) => String.fromCodePoint(first + i))
  expect(read(letters.join(''))).toBe(read('ABCDEFGHIJKLMNOPQRSTUVWXYZ'))
})

test('a character of several letters is read as all of them, a symbol as none', () => {
  // "MC" follows the negative circled letters, a crossed P the squared ones.
  expect([read('🅪'), read('㎏'), read('½')]).toEqual(['MC', 'KG', read('12')])
  expect([read('\u{1f18a}'), read('🚚'), read('–'), read('@[`{'), read('\u0080')]).toEqual(['', '', '', '', ''])
})

test('digits of any script are read by their value', () => {
  for (const zero of [0x660, 0x6f0, 0x7c0, 0x966, 0xe50, 0xff10, 0x1d7ce, 0x1d7d8, 0x1e950])
    expect(read(String.fromCodePoint(...Array.from({ length: 10 }, (_, i) => zero + i)))).toBe(read('0123456789'))
})

test('positions are UTF-16 units of the text', () => {
  expect(skeletonOf('a-🅪½')).toEqual({
    text: `AMC${read('12')}`,
    from: [0, 2, 2, 4, 4],
    until: [1, 4, 4, 5, 5],
  })
})
