/** Length of a generated password. */
export const PROPOSAL_LENGTH = 14

// Without characters that look alike: O and 0, I, l and 1.
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const DIGITS = '23456789'
const SYMBOLS = '!#$%&*+-=?@_'
const ALL = LETTERS + DIGITS + SYMBOLS

/** Returns random integers from 0 to 2^32 - 1, like `crypto.getRandomValues` with a Uint32Array. */
export type RandomSource = (count: number) => Uint32Array

const TWO_TO_32 = 2 ** 32

/** Integer in [0, limit); the modulo bias is below one in fifty million. */
const below = (random: number, limit: number) => Math.floor((random / TWO_TO_32) * limit)

const pick = (from: string, random: number) => from.charAt(below(random, from.length))

/** Password of 14 random characters: letters, digits and symbols, at least one of each, at random positions. */
export function generatePassword(randoms: RandomSource): string {
  const [letter = 0, digit = 0, symbol = 0, ...rest] = randoms(PROPOSAL_LENGTH)
  const characters = [
    pick(LETTERS, letter),
    pick(DIGITS, digit),
    pick(SYMBOLS, symbol),
    ...rest.map((random) => pick(ALL, random)),
  ]
  return shuffled(characters, randoms(PROPOSAL_LENGTH)).join('')
}

/** Fisher–Yates shuffle. */
function shuffled(characters: string[], randoms: Uint32Array): string[] {
  const result = [...characters]
  for (let last = result.length - 1; last > 0; last--) {
    const other = below(randoms[last] ?? 0, last + 1)
    const swapped = result[last] as string
    result[last] = result[other] as string
    result[other] = swapped
  }
  return result
}
