import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Image, type imageAddress, imageVersion, type Vehicle } from '@rogatka/contract/vehicle.ts'
import { anonymise } from '@rogatka/domain/vehicle/anonymity.ts'
import type { z } from 'zod'
import type { Pool } from '../core/database.ts'
import type { NotifiedCache } from '../core/listen.ts'
import { createLruCache } from '../core/lru-cache.ts'
import { CHANNEL, findOrCreateImageKey } from './image-key-queries.ts'

const RETRY_DELAY_MS = 500
/** The first bytes of the HMAC-SHA256, which has 32: 128 bits. */
const SIGNATURE_BYTES = 16
/** Signatures in memory, about 300 bytes each: a live list of many users requests each address within seconds. */
const MAX_SIGNATURES = 4_096

/** Signed to identify a key; no address has these parts. */
const KEY_ID_TEXT = 'generation'

export type ImageAddress = z.output<typeof imageAddress>
/** Which image a kind of viewer may see: the sharp or the anonymised one. */
type ImageAccess = ImageAddress['viewer']

export type ImageAddresses = NotifiedCache & {
  /** The vehicle as shown to anonymised users, or to others: its plate and the addresses of its images. */
  show: (vehicle: Vehicle, isAnonymised: boolean) => Vehicle
  /** Identifies the key, in all processes: with another one, vehicles shown before have other addresses. */
  keyId: () => string
  /** Whether the address was signed with the present key. */
  isSigned: (address: ImageAddress) => boolean
}

/**
 * Signs and verifies addresses of images, with a key that all processes share and keep in memory. An address depends on
 * the kind of viewer, not on the user.
 */
export async function createImageAddresses(db: Pool): Promise<ImageAddresses> {
  let key = createSecretKey(await findOrCreateImageKey(db))
  /** By the images of a vehicle, as lists of many users have the same. */
  let signed = new WeakMap<readonly Image[], Partial<Record<ImageAccess, Image[]>>>()
  /** By the parts that they cover. */
  const signatures = createLruCache<Buffer>(MAX_SIGNATURES)
  const signatureOf = (parts: string) => {
    const known = signatures.get(parts)
    if (known) return known
    const signature = Buffer.from(sign(key, parts))
    signatures.set(parts, signature)
    return signature
  }
  let lastReload = 0
  let keyId = sign(key, KEY_ID_TEXT)

  /** Retries until it succeeds, or the key is read again. */
  const reload = async () => {
    const ownReload = ++lastReload
    while (ownReload === lastReload) {
      const secret = await findOrCreateImageKey(db).catch(() => null)
      if (secret && ownReload === lastReload) {
        const read = createSecretKey(secret)
        if (read.equals(key)) return
        key = read
        signed = new WeakMap()
        signatures.clear()
        keyId = sign(key, KEY_ID_TEXT)
        return
      }
      await sleep(RETRY_DELAY_MS, undefined, { ref: false })
    }
  }

  const withPaths = ({ id, createdAt, images = [] }: Vehicle, access: ImageAccess): Image[] => {
    const byAccess = signed.get(images) ?? {}
    signed.set(images, byAccess)
    byAccess[access] ??= images.map((image) =>
      image.sha256 === undefined
        ? image
        : { ...image, path: pathOf(key, { viewer: access, id, createdAt, type: image.type, sha256: image.sha256 }) },
    )
    return byAccess[access]
  }

  return {
    channel: CHANNEL,
    clear: () => void reload(),
    // A notification may have been lost before LISTEN was connected.
    setListening: (to) => void (to && reload()),
    show: (vehicle, isAnonymised) => ({
      ...(isAnonymised ? anonymise(vehicle) : vehicle),
      images: withPaths(vehicle, isAnonymised ? 'anonymised' : 'sharp'),
    }),
    keyId: () => keyId,
    isSigned: (address) => {
      const [given, expected] = [Buffer.from(address.signature), signatureOf(partsOf(address))]
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}

type UnsignedAddress = Omit<ImageAddress, 'signature'>

/** The parts that the signature covers. The version is not one of them: who may see an image may see it smaller. */
const partsOf = ({ viewer, id, createdAt, type, sha256 }: UnsignedAddress) =>
  [viewer, id, createdAt.toISOString(), type, sha256].join('/')

const sign = (key: KeyObject, parts: string): string =>
  createHmac('sha256', key).update(parts).digest().subarray(0, SIGNATURE_BYTES).toString('base64url')

/** Without the version, which clients append. */
const pathOf = (key: KeyObject, address: UnsignedAddress): string => {
  const parts = partsOf(address)
  return `/${imageVersion.path.split('/')[1]}/${parts}/${sign(key, parts)}`
}
