import type { X509Certificate } from 'node:crypto'
import type { DocumentPlace, DocumentVerification } from '@rogatka/contract/evidence.ts'
import type { ChainHead } from '@rogatka/domain/evidence/anchor.ts'
import type { Database } from '../core/database.ts'
import { hashAt } from './anchor-queries.ts'
import { isTrustedAt } from './certificate-path.ts'
import { type SignedData, sha256, verifySignedData } from './cms.ts'
import { readSignedPdf } from './pades.ts'
import { findStamp, type Stamp } from './stamp-queries.ts'
import { StampError, verifyToken } from './tsp.ts'

export type Trust = {
  /** Certificates of the portal and its authorities. */
  signers: readonly X509Certificate[]
  /** Roots of authorities for time stamps. */
  stamps: readonly X509Certificate[]
}

/** What a portal knows beside the document. */
export type Records = {
  /** As `findStamp`. */
  findStamp: (imprint: Buffer) => Promise<Stamp | null | undefined>
  /** The hash of a link or seal, in hexadecimal digits; undefined if there is none. */
  hashAt: (place: Pick<ChainHead, 'chain' | 'locationId' | 'seq'>) => Promise<string | undefined>
}

export const recordsOf = (db: Database): Records => ({
  findStamp: (imprint) => findStamp(db, imprint),
  hashAt: (place) => hashAt(db, place),
})

/** Of a check without a portal. */
export const NO_RECORDS: Records = { findStamp: async () => undefined, hashAt: async () => undefined }

export type PdfVerification = Omit<DocumentVerification, 'package'>

type StampResult = Pick<DocumentVerification, 'stamp' | 'stampedAt'> & { differs: boolean }

/** Verifies a PDF that may have been signed here: where it differs, by whom it is signed, and its time stamp. */
export async function verifyPdf(records: Records, pdf: Buffer, trust: Trust, now: Date): Promise<PdfVerification> {
  const document = readSignedPdf(pdf)
  const nothing = { certificate: null, stamp: 'none', stampedAt: null } as const
  if (typeof document === 'string') return { ...nothing, differences: [document] }
  const { signed, content, isExact } = document
  const proof = proofOf(signed, content)
  // Whatever the signature claims, it is not the one that was made.
  if (!proof) return { ...nothing, differences: ['signature'] }
  const { stamp, stampedAt, differs } = await verifyStamp(records, sha256(signed.signature), signed.token, trust.stamps)
  const { certificate, isContentSame } = proof
  const differences: DocumentPlace[] = [
    ...(isContentSame ? [] : ['content' as const]),
    ...(isExact ? [] : ['reserved-space' as const]),
    ...(differs ? ['stamp' as const] : []),
  ]
  const isTrusted = await isTrustedAt(certificate, signed.certificates, trust.signers, stampedAt ?? now)
  return { differences, certificate: { ...describe(certificate), isTrusted }, stamp, stampedAt }
}

function proofOf(signed: SignedData, content: Buffer) {
  try {
    return verifySignedData(signed, content)
  } catch {
    return null
  }
}

/** Verifies the time stamp of a SHA-256; null: the document has none. */
export async function verifyStamp(
  { findStamp }: Records,
  imprint: Buffer,
  token: Buffer | null,
  trusted: readonly X509Certificate[],
): Promise<StampResult> {
  const known = await findStamp(imprint)
  if (!token) {
    const stamp = known ? 'available' : known === null ? 'pending' : 'none'
    return { stamp, stampedAt: null, differs: false }
  }
  if (known && !known.token.equals(token)) return { stamp: 'untrusted', stampedAt: null, differs: true }
  try {
    const { stampedAt } = await verifyToken(token, { imprint, trusted })
    return { stamp: 'valid', stampedAt, differs: false }
  } catch (error) {
    return { stamp: 'untrusted', stampedAt: null, differs: !(error instanceof StampError) || error.code !== 'chain' }
  }
}

const inOneLine = (name: string) => name.replaceAll('\n', ', ')

const describe = ({ subject, issuer, serialNumber, validFromDate, validToDate }: X509Certificate) => ({
  subject: inOneLine(subject),
  issuer: inOneLine(issuer),
  serialNumber,
  validFrom: validFromDate,
  validUntil: validToDate,
})
