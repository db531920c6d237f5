import { randomBytes, type X509Certificate } from 'node:crypto'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { Certificate, type ExtKeyUsage } from 'pkijs'
import { isTrustedAt } from './certificate-path.ts'
import { hashOf, readSignedData, verifySignedData } from './cms.ts'
import { type DerElement, der, derInteger, derOid, readDer, readSequence, TAG } from './der.ts'
import type { Stamp } from './stamp-queries.ts'

/* Time stamps (RFC 3161). */

const TST_INFO = derOid('1.2.840.113549.1.9.16.1.4')
const SHA256 = derOid('2.16.840.1.101.3.4.2.1')
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
const EXTENDED_KEY_USAGE = '2.5.29.37'
const GENERALIZED_TIME = 0x18
/** How much the time of an authority may differ from that of the server. */
const MAX_DEVIATION_MS = 5 * MINUTE_MS
/** Granted, also with modifications. */
const GRANTED = [0, 1]

/** Why a response is no time stamp. */
export type StampErrorCode =
  | 'not-reachable'
  | 'refused'
  | 'malformed'
  | 'imprint'
  | 'nonce'
  | 'signature'
  | 'usage'
  | 'chain'
  | 'time'

export class StampError extends Error {
  readonly code: StampErrorCode

  constructor(code: StampErrorCode, options?: ErrorOptions) {
    super(`Time stamp: ${code}`, options)
    this.code = code
  }
}

const imprintOf = (sha256: Buffer) =>
  der(TAG.sequence, der(TAG.sequence, SHA256, der(TAG.null)), der(TAG.octets, sha256))

/** A request for a time stamp of a SHA-256, with the certificate of the authority, and its nonce. */
export function createStampQuery(sha256: Buffer): { query: Buffer; nonce: Buffer } {
  const nonce = derInteger(Buffer.concat([Buffer.of(1), randomBytes(15)]))
  const version = der(TAG.integer, Buffer.of(1))
  const certificateRequested = der(TAG.boolean, Buffer.of(0xff))
  return { query: der(TAG.sequence, version, imprintOf(sha256), nonce, certificateRequested), nonce }
}

type ExpectedStamp = {
  /** SHA-256 that was stamped. */
  imprint: Buffer
  trusted: readonly X509Certificate[]
}

/**
 * The time stamp in a response to a request with this nonce.
 * @throws StampError if it is not of this imprint and nonce, from a trusted authority, within 5 minutes of `now`
 */
export async function readStampReply(
  reply: Buffer,
  { nonce, now, ...expected }: ExpectedStamp & { nonce: Buffer; now: Date },
): Promise<Stamp> {
  const [status, token] = guarded(() => readSequence(reply))
  const code = guarded(() => readDer((status as DerElement).value)[0])
  if (code?.tag !== TAG.integer || !GRANTED.includes(code.value.at(-1) as number) || code.value.length !== 1 || !token)
    throw new StampError('refused')
  const { stampedAt, nonce: returned } = await verifyToken(token.bytes, expected)
  if (!returned?.equals(nonce)) throw new StampError('nonce')
  if (Math.abs(stampedAt.getTime() - now.getTime()) > MAX_DEVIATION_MS) throw new StampError('time')
  return { token: token.bytes, stampedAt }
}

/**
 * Verifies a time stamp; its time, and the nonce of its request if there was one.
 * @throws StampError if it is none of this imprint, or not by an authority that is trusted
 */
export async function verifyToken(
  token: Buffer,
  { imprint, trusted }: ExpectedStamp,
): Promise<{ stampedAt: Date; nonce: Buffer | undefined; authority: X509Certificate }> {
  const { signed, content, fields } = guarded(() => {
    const signed = readSignedData(token)
    if (!signed.content || !signed.contentType.equals(TST_INFO)) throw new Error('no TSTInfo')
    return { signed, content: signed.content, fields: readSequence(signed.content) }
  })
  const [, , stamped, , time, ...optional] = fields
  const [algorithm, digest] = guarded(() => readDer((stamped as DerElement).value))
  const isSha256 = algorithm && guarded(() => hashOf(algorithm.bytes)) === 'sha256'
  if (!isSha256 || !digest?.value.equals(imprint)) throw new StampError('imprint')
  const stampedAt = timeOf(time)
  const proof = guarded(() => verifySignedData(signed, content), 'signature')
  if (!proof?.isContentSame) throw new StampError('signature')
  const { certificate } = proof
  if (!isForTimeStamps(certificate)) throw new StampError('usage')
  if (!(await isTrustedAt(certificate, signed.certificates, trusted, stampedAt))) throw new StampError('chain')
  return { stampedAt, nonce: optional.find(({ tag }) => tag === TAG.integer)?.bytes, authority: certificate }
}

/** A time stamp as the reply of an authority, which `openssl ts -verify -in` reads: granted, and the token. */
export const stampReply = (token: Buffer): Buffer =>
  der(TAG.sequence, der(TAG.sequence, der(TAG.integer, Buffer.of(0))), token)

/** The time stamp in such a reply. @throws RangeError if it is none */
export function tokenOf(reply: Buffer): Buffer {
  const token = readSequence(reply)[1]
  if (!token || !stampReply(token.bytes).equals(reply)) throw new RangeError('Time stamp: it is no reply')
  return token.bytes
}

/** @throws StampError for what cannot be read */
function guarded<T>(read: () => T, code: StampErrorCode = 'malformed'): T {
  try {
    return read()
  } catch (error) {
    throw new StampError(code, { cause: error })
  }
}

/** A GeneralizedTime in UTC, with fractions of a second or without. */
function timeOf(time: DerElement | undefined): Date {
  const text = time?.tag === GENERALIZED_TIME ? time.value.toString('latin1') : ''
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d+))?Z$/.exec(text)
  if (!parts) throw new StampError('malformed')
  const [year, month, day, hour, minute, second] = parts.slice(1, 7)
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${(parts[7] ?? '').padEnd(3, '0').slice(0, 3)}Z`)
}

/** Whether a certificate is for time stamps alone, which it has to say as critical (RFC 3161, 2.3). */
function isForTimeStamps({ raw }: X509Certificate): boolean {
  const { extensions = [] } = Certificate.fromBER(new Uint8Array(raw))
  const usage = extensions.find(({ extnID }) => extnID === EXTENDED_KEY_USAGE)
  const purposes = (usage?.parsedValue as ExtKeyUsage | undefined)?.keyPurposes ?? []
  return usage?.critical === true && purposes.length === 1 && purposes[0] === TIME_STAMPING
}
