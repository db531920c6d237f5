import { createHmac } from 'node:crypto'
import { identityForm } from '@rogatka/domain/offenders/identity.ts'
import type { ShownPlates } from './look.ts'

/* The access trail keeps plates as HMACs, by which lines are found. */

const MAC_BYTES = 16

/** HMAC-SHA256 of the identity form of a plate, in hexadecimal; null if nothing of it remains in that form. */
export function plateMac(key: Buffer, plate: string): string | null {
  const form = identityForm(plate)
  return form === null ? null : macOf(key, form)
}

/** A pattern has the HMAC of its text, so that it is never taken for a plate. */
export const askedMacs = (key: Buffer, asked: readonly string[]): string[] =>
  asked.map((text) => (/[*?]/.test(text) ? null : plateMac(key, text)) ?? macOf(key, text))

/** HMACs by which lines with these plates are found. */
export const questionMacs = (key: Buffer, plates: readonly string[]): Buffer[] =>
  plates.flatMap((plate) => {
    const mac = plateMac(key, plate)
    return mac === null ? [] : [Buffer.from(mac, 'hex')]
  })

const macOf = (key: Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest().toString('hex', 0, MAC_BYTES)

/** Of the plates shown, each once; null: too many to be kept one by one. */
export const shownMacs = (key: Buffer, { plates }: ShownPlates): string[] | null =>
  plates && [...new Set(plates.flatMap((plate) => plateMac(key, plate) ?? []))]

export const buffersOf = (macs: readonly string[] | null) =>
  macs === null ? null : macs.map((mac) => Buffer.from(mac, 'hex'))
