import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import type { WireOf } from '@rogatka/contract/endpoint.ts'
import type {
  addPasskey,
  loginWithPasskey,
  startPasskey,
  startPasskeyLogin,
} from '@rogatka/contract/session-passkeys.ts'

/*
 * An authenticator in software, written from the specification (Web Authentication Level 3, sections 6.1 and 6.5; RFC 8949):
 * one ES256 key, which can be copied and can lie.
 */

type Creation = WireOf<typeof startPasskey, 'response'>
type RequestOptions = WireOf<typeof startPasskeyLogin, 'response'>
type Attestation = WireOf<typeof addPasskey, 'body'>['credential']
type Assertion = WireOf<typeof loginWithPasskey, 'body'>['credential']

/** What the device says, besides the truth. */
export type Lie = {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  /** Bits of the authenticator data: 1 user present, 4 user verified. */
  flags?: number
  userHandle?: string
  /** The signature has one bit changed. */
  isForged?: boolean
}

const PRESENT = 0x01
const VERIFIED = 0x04
const ATTESTED = 0x40

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const base64url = (data: string | Buffer) => Buffer.from(data).toString('base64url')

/** CBOR of what attestations consist of: short texts, small integers, byte strings, maps. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, length: number): Buffer =>
    length < 24
      ? Buffer.from([(major << 5) | length])
      : length < 256
        ? Buffer.from([(major << 5) | 24, length])
        : Buffer.from([(major << 5) | 25, length >> 8, length & 255])
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item as Buffer)])])
}

const counterOf = (counter: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(counter)
  return bytes
}

export function createPasskeyDevice(origin: string, counter = 0) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const device = { credentialId: randomBytes(32), privateKey, publicKey, userHandle: '', counter }
  return withActions(device, origin)
}

type State = {
  credentialId: Buffer
  privateKey: KeyObject
  publicKey: KeyObject
  userHandle: string
  /** 0: counts no signatures. */
  counter: number
}

const withActions = (device: State, origin: string) => ({
  credentialId: device.credentialId,
  /** The same key in another device, as it is now. */
  copy: () => withActions({ ...device }, origin),
  create: (options: Creation, lie: Lie = {}): Attestation => {
    device.userHandle = options.user.id
    const { x, y } = device.publicKey.export({ format: 'jwk' }) as { x: string; y: string }
    const key = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    )
    const data = Buffer.concat([
      sha256(lie.rpId ?? options.rp.id),
      Buffer.from([lie.flags ?? PRESENT | VERIFIED | ATTESTED]),
      counterOf(device.counter),
      Buffer.alloc(16),
      Buffer.from([0, device.credentialId.length]),
      device.credentialId,
      key,
    ])
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', data],
    ])
    return {
      ...idOf(device),
      response: {
        clientDataJSON: clientData('webauthn.create', options.challenge, origin, lie),
        attestationObject: base64url(cbor(attestation)),
        transports: ['internal'],
      },
    }
  },
  sign: (options: RequestOptions, lie: Lie = {}): Assertion => {
    if (device.counter > 0) device.counter += 1
    const data = Buffer.concat([
      sha256(lie.rpId ?? options.rpId),
      Buffer.from([lie.flags ?? PRESENT | VERIFIED]),
      counterOf(device.counter),
    ])
    const clientDataJSON = clientData('webauthn.get', options.challenge, origin, lie)
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))])
    const signature = createSign('sha256').update(signed).sign(device.privateKey)
    if (lie.isForged) signature.writeUInt8(signature.readUInt8(signature.length - 1) ^ 1, signature.length - 1)
    return {
      ...idOf(device),
      response: {
        clientDataJSON,
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle: lie.userHandle ?? device.userHandle,
      },
    }
  },
})

const idOf = ({ credentialId }: State) => {
  const id = base64url(credentialId)
  return { id, rawId: id, type: 'public-key' as const }
}

const clientData = (type: string, challenge: string, origin: string, lie: Lie) =>
  base64url(
    JSON.stringify({
      type: lie.type ?? type,
      challenge: lie.challenge ?? challenge,
      origin: lie.origin ?? origin,
      crossOrigin: false,
    }),
  )
