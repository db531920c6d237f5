import { createHmac } from 'node:crypto'
import { findOrCreateSearchSecret } from '../core/plate-search-queries.ts'
import type { Api } from '../core/route.ts'

/** Bytes of a key. */
const MAC_BYTES = 16
/** Of SHA-256. */
const BLOCK_BYTES = 64

/** What the database needs to compute the HMAC: the secret with the inner and the outer padding. */
export type HmacPads = { inner: Buffer; outer: Buffer }

/** Keys of carriers in answers and addresses, which say nothing about the tax id or name that they stand for. */
export type CarrierKeys = { keyOf: (carrier: string) => string; macOf: (key: string) => Buffer; pads: HmacPads }

/** Keys by SECRET_KEY, or else by the key of saved searches in the database. */
export async function carrierKeys({ db, config }: Pick<Api, 'db' | 'config'>): Promise<CarrierKeys> {
  const secret = createHmac('sha256', config.secretKey ?? (await findOrCreateSearchSecret(db)))
    .update('carriers')
    .digest()
  const padded = (byte: number) => Buffer.from(Array.from({ length: BLOCK_BYTES }, (_, at) => (secret[at] ?? 0) ^ byte))
  return {
    keyOf: (carrier) =>
      createHmac('sha256', secret).update(carrier).digest().subarray(0, MAC_BYTES).toString('base64url'),
    macOf: (key) => Buffer.from(key, 'base64url'),
    pads: { inner: padded(0x36), outer: padded(0x5c) },
  }
}
