import { hash, randomInt } from 'node:crypto'
import { RECOVERY_CODES } from '@rogatka/contract/session-factors.ts'

/** Without letters that look like a digit or like each other: 32 characters, 5 bits each. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 10

/** New codes of 50 random bits: `7KQ4X-MX2PT`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const code = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
    return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`
  })

/** A code as somebody typed it: letters that look like a digit are taken for it. Null if it cannot be a recovery code. */
export function readRecoveryCode(text: string): string | null {
  const code = text.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  return code.length === LENGTH && [...code].every((character) => ALPHABET.includes(character)) ? code : null
}

/** SHA-256 of a code, with or without hyphen; stored encrypted, as 50 bits can be guessed offline. */
export const hashRecoveryCode = (code: string): string => hash('sha256', code.replace('-', ''), 'hex')
