import { warsawTime } from '../core/warsaw.ts'

/** Capital letters that do not decompose into a base letter and an accent; ß has become SS. */
const BASE_LETTERS: Readonly<Record<string, string>> = { Ł: 'L', Ø: 'O', Đ: 'D', ẞ: 'SS', Æ: 'AE', Œ: 'OE' }

/** Code of a station in numbers of inspections: first three letters of its first word of at least three (ZAB). */
export function stationCode(shortName: string, locationId: number): string {
  const plain = shortName
    .toUpperCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ŁØĐẞÆŒ]/g, (letter) => BASE_LETTERS[letter] ?? letter)
  return /[A-Z]{3,}/.exec(plain)?.[0].slice(0, 3) ?? String(locationId)
}

/** The year of an instant in Warsaw, in which an inspection is counted. */
export const numberYear = (at: Date): number => warsawTime(at.getTime()).year

/** K/7/2026/ZAB */
export const inspectionNumber = (sequence: number, year: number, code: string): string =>
  `K/${sequence}/${year}/${code}`
