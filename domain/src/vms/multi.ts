/* MULTI, the mark-up language of sign messages (NTCIP 1203): tags in brackets, text between them. */

/** Centred on the page, every line centred. */
const CENTRED = '[jp3][jl3]'

/** Signs display ASCII letters: accents are removed, other characters become question marks. */
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

/** Heading above a plate, and for all lorries, in the language of the road. */
const CHECK = 'KONTROLA'
const ALL_TRUCKS = ['CIĘŻAROWE', CHECK]

/** Message that orders one vehicle, or all lorries, to the checkpoint. */
export const inspectionLines = (plate: string | null): string[] => (plate === null ? ALL_TRUCKS : [CHECK, plate])

/** Text lines of a message. */
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
