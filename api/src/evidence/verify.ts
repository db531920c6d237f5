import type { X509Certificate } from 'node:crypto'
import type { DocumentPlace, DocumentVerification } from '@rogatka/contract/evidence.ts'
import type { Database } from '../core/database.ts'
import { isTrustedAt } from './chain.ts'
import { type SignedData, sha256, verifySignedData } from './cms.ts'
import { readSignedPdf } from './pades.ts'
import { findStamp } from './stamp-queries.ts'
import { StampFault, verifyToken } from './tsp.ts'

export type Trust = {
  /** Certificates of the portal and its authorities. */
  signers: readonly X509Certificate[]
  /** Roots of authorities for time stamps. */
  stamps: readonly X509Certificate[]
}

type StampResult = Pick<DocumentVerification, 'stamp' | 'stampedAt'> & { differs: boolean }

/** Verifies a PDF that may have been signed here: where it differs, by whom it is signed, and its time stamp. */
export async function verifyPdf(db: Database, pdf: Buffer, trust: Trust, now: Date): Promise<DocumentVerification> {
  const document = readSignedPdf(pdf)
  const nothing = { certificate: null, stamp: 'none', stampedAt: null } as const
  if (typeof document === 'string') return { ...nothing, differences: [document] }
  const { signed, content, isExact } = document
  const proof = proofOf(signed, content)
  // Whatever the signature claims, it is not the one that was made.
  if (!proof) return { ...nothing, differences: ['signature'] }
  const { stamp, stampedAt, differs } = await verifyStamp(db, signed, trust.stamps)
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

async function verifyStamp(
  db: Database,
  signed: SignedData,
  trusted: readonly X509Certificate[],
): Promise<StampResult> {
  const imprint = sha256(signed.signature)
  const known = await findStamp(db, imprint)
  if (!signed.token) {
    const stamp = known ? 'available' : known === null ? 'pending' : 'none'
    return { stamp, stampedAt: null, differs: false }
  }
  if (known && !known.token.equals(signed.token)) return { stamp: 'untrusted', stampedAt: null, differs: true }
  try {
    const { stampedAt } = await verifyToken(signed.token, { imprint, trusted })
    return { stamp: 'valid', stampedAt, differs: false }
  } catch (error) {
    return { stamp: 'untrusted', stampedAt: null, differs: !(error instanceof StampFault) || error.code !== 'chain' }
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
