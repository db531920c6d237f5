/* MULTI, the mark-up of messages on signs (NTCIP 1203): tags in brackets, text between them. */

/** Centred on the page, every line centred. */
const CENTRED = '[jp3][jl3]'

/** Signs have letters of ASCII: others lose their accents, and what is left without a letter becomes a question mark. */
const signLetters = (text: string): string =>
  text
    .replaceAll('ł', 'l')
    .replaceAll('Ł', 'L')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/g, '?')

const escaped = (text: string): string => signLetters(text).replace(/[[\]]/g, (bracket) => bracket + bracket)

type SignFace = { graphic: number | null; lines: readonly string[] }

/** A message of a stored graphic, of lines, or of both. */
export const toMulti = ({ graphic, lines }: SignFace): string =>
  (graphic === null ? '' : `[g${graphic}]`) + (lines.length === 0 ? '' : CENTRED + lines.map(escaped).join('[nl]'))

/** The words over a plate, and for all lorries. Signs speak the language of their road. */
const CHECK = 'KONTROLA'
const ALL_TRUCKS = ['CIĘŻAROWE', CHECK]

/** What calls one vehicle, or all lorries, to the checkpoint. */
export const inspectionLines = (plate: string | null): string[] => (plate === null ? ALL_TRUCKS : [CHECK, plate])

/** The words of a message, a line each. */
export const multiText = (multi: string): string =>
  multi
    .replaceAll('[nl]', '\n')
    .replaceAll('[np]', '\n')
    .replaceAll('[[', '\u0001')
    .replaceAll(']]', '\u0002')
    .replace(/\[[^\]]*\]/g, '')
    .replaceAll('\u0001', '[')
    .replaceAll('\u0002', ']')
    .trim()
