import { misreadForm } from './plateMatch.ts'

/** Look-alikes of Latin letters without a Unicode decomposition. */
const LOOKALIKES: Record<string, string> = {
  A: 'АΑᴀⱯ',
  B: 'ВΒʙᏴ',
  C: 'СϹᴄƆ',
  D: 'ĐÐᴅԀ',
  E: 'ЕΕᴇЄ',
  F: 'Ϝꜰ',
  G: 'ԌɢǤɡ',
  H: 'НΗʜҢҤ',
  I: 'ІΙӀɪƖ',
  J: 'ЈϳᴊɈ',
  K: 'КΚᴋҚ',
  L: 'ŁʟԼ',
  M: 'МΜᴍϺ',
  N: 'ΝɴƝ',
  O: 'ОΟØᴏՕ',
  P: 'РΡᴘ',
  Q: 'ԚɊ',
  R: 'ʀƦЯ',
  S: 'Ѕꜱ',
  T: 'ТΤᴛŦ',
  U: 'ՍᴜɄ',
  V: 'Ѵᴠ',
  W: 'ԜᴡѠ',
  X: 'ХΧҲ',
  Y: 'УΥҮʏ',
  Z: 'ΖᴢƵ',
  3: 'ЗӠ',
  4: 'Ч',
}
const latin = new Map(
  Object.entries(LOOKALIKES).flatMap(([letter, like]) => [...like.toUpperCase()].map((one) => [one, letter])),
)

/** First of the 26 enclosed or regional letters, which have no decomposition. */
const LETTER_BLOCKS = [0x1f150, 0x1f170, 0x1f1e6]

/** Decimal digit of any script as 0 to 9: digits of a script are consecutive runs of ten. */
function digitOf(digit: string): string {
  let place = 0
  for (let code = digit.codePointAt(0) as number; /\p{Nd}/u.test(String.fromCodePoint(code - 1 - place)); ) place++
  return String(place % 10)
}

/** Letters and digits that a character looks like: upper-case Latin without accents; empty for symbols. */
function readAs(character: string): string {
  const code = character.codePointAt(0) as number
  if (code < 128) return /[A-Za-z0-9]/.test(character) ? character.toUpperCase() : ''
  const block = LETTER_BLOCKS.find((first) => code >= first && code < first + 26)
  if (block !== undefined) return String.fromCharCode(65 + code - block)
  // The lunate sigma looks like C, but decomposes into an ordinary sigma.
  const like = latin.get(character.toUpperCase())
  if (like !== undefined) return like
  const plain = [...character.normalize('NFKD').toUpperCase().normalize('NFKD')]
    .filter((one) => /[\p{L}\p{N}]/u.test(one))
    .map((one) => latin.get(one) ?? (/\p{Nd}/u.test(one) ? digitOf(one) : one))
  return plain.join('')
}

/** Upper-case Latin letters and digits that a text looks like, without accents, spaces and punctuation. */
export const latinForm = (text: string): string => [...text].map(readAs).join('')

/** Positions of letters and digits in a text, in UTF-16 units, with what they look like. */
export type Skeleton = { text: string; from: number[]; until: number[] }

/**
 * Canonical form of a text for comparison: only letters and digits, without accents, look-alikes of other alphabets in
 * Latin, confused characters unified.
 */
export function skeletonOf(text: string): Skeleton {
  const skeleton: Skeleton = { text: '', from: [], until: [] }
  let at = 0
  for (const character of text) {
    // Lower-case L looks like 1, which misreadForm maps to the same character as I.
    for (const one of misreadForm(readAs(character)).replaceAll('L', '1')) {
      skeleton.text += one
      // A letter outside the BMP counts with its number of units, so that positions match the text.
      for (let unit = 0; unit < one.length; unit++) {
        skeleton.from.push(at)
        skeleton.until.push(at + character.length)
      }
    }
    at += character.length
  }
  return skeleton
}
