import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/* Codes by time of authenticator apps: RFC 6238 with SHA-1, 6 digits and steps of 30 s, which all apps know. */

const STEP_MS = 30_000
const DIGITS = 6
const SECRET_BYTES = 20
/** Accepted steps before and after the current one, for clocks that differ. */
const TOLERANCE = 1

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export const newSecret = (): Buffer => randomBytes(SECRET_BYTES)

/** Base32 of RFC 4648, without padding. */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((group) => BASE32[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

/** The address of a secret, which an app reads from a QR code. */
export function otpauthUri(secret: Buffer, issuer: string, username: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(username)}`
  const parameters = `secret=${toBase32(secret)}&issuer=${encodeURIComponent(issuer)}`
  return `otpauth://totp/${label}?${parameters}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_MS / 1000}`
}

export const stepAt = (now: Date): number => Math.floor(now.getTime() / STEP_MS)

/** The code of a time step: the dynamic truncation of RFC 4226. */
export function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0x0f
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** The newest accepted step whose code this is; null if it is none. */
export function matchingStep(secret: Buffer, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const current = stepAt(now)
  const steps = Array.from({ length: 2 * TOLERANCE + 1 }, (_, at) => current + TOLERANCE - at)
  return steps.find((step) => timingSafeEqual(Buffer.from(codeOf(secret, step)), Buffer.from(code))) ?? null
}
