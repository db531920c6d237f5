import { misreadForm } from './plateMatch.ts'

/** Characters that look like a Latin letter, and that Unicode does not decompose to it. */
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
  Object.entries(LOOKALIKES).flatMap(([letter, like]) => [...like, ...like.toUpperCase()].map((one) => [one, letter])),
)

/** First of the 26 letters that stand in a square or circle, or make flags, and have no decomposition. */
const LETTER_BLOCKS = [0x1f150, 0x1f170, 0x1f1e6]

/** A decimal digit of any script as 0 to 9: the digits of a script follow one another in runs of ten. */
function digitOf(digit: string): string {
  let place = 0
  for (let code = digit.codePointAt(0) as number; /^\p{Nd}$/u.test(String.fromCodePoint(code - 1 - place)); ) place++
  return String(place % 10)
}

/** The letters and digits for which a reader takes one character: upper-case, Latin, without accents; none of a sign. */
function readAs(character: string): string {
  const code = character.codePointAt(0) as number
  if (code < 128) return /[A-Za-z0-9]/.test(character) ? character.toUpperCase() : ''
  const block = LETTER_BLOCKS.find((first) => code >= first && code < first + 26)
  if (block !== undefined) return String.fromCharCode(65 + code - block)
  const plain = [...character.normalize('NFKD').toUpperCase().normalize('NFKD')]
    .filter((one) => /^[\p{L}\p{N}]$/u.test(one))
    .map((one) => latin.get(one) ?? (/^\p{Nd}$/u.test(one) ? digitOf(one) : one))
  return plain.join('')
}

/** Where in a text, by UTF-16 units, each of its letters and digits stands, and what a reader takes it for. */
export type Skeleton = { text: string; from: number[]; until: number[] }

/**
 * What is left of a text when only its letters and digits count, as a reader or a camera takes them: without accents,
 * look-alikes of other alphabets made Latin, and characters that are mistaken for each other made equal.
 */
export function skeletonOf(text: string): Skeleton {
  const skeleton: Skeleton = { text: '', from: [], until: [] }
  let at = 0
  for (const character of text) {
    // In lower case L looks like 1, for which misreadForm takes the letter I.
    for (const one of misreadForm(readAs(character)).replaceAll('L', '1')) {
      skeleton.text += one
      // A letter outside the BMP counts as often as it has units, so that places stay places of the text.
      for (let unit = 0; unit < one.length; unit++) {
        skeleton.from.push(at)
        skeleton.until.push(at + character.length)
      }
    }
    at += character.length
  }
  return skeleton
}
