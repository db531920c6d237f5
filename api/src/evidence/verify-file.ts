import { readFile } from 'node:fs/promises'
import type { DocumentPlace, DocumentVerification, PackageFault } from '@rogatka/contract/evidence.ts'
import { readCertificates } from './certificate-store.ts'
import { PACKAGE } from './package.ts'
import { NO_RECORDS } from './verify.ts'
import { verifyEvidence } from './verify-package.ts'

type Options = {
  /** A PDF or package. */
  file: string
  /** Certificates of signers or of their authorities, in PEM. */
  ca?: string | undefined
  /** Those of authorities for time stamps. */
  tsaCa?: string | undefined
}

/** What holds and what does not, a line each, and whether all does. */
export type FileReport = { lines: string[]; holds: boolean }

/** Verifies a PDF or package with nothing but the file and certificates. @throws Error if one of these cannot be read */
export async function verifyFile({ file, ca, tsaCa }: Options, now: Date): Promise<FileReport> {
  const bytes = await readFile(file)
  const trust = { signers: await readCertificates(ca), stamps: await readCertificates(tsaCa) }
  const result = await verifyEvidence(NO_RECORDS, bytes, trust, now)
  const options = { ca: ca !== undefined, tsaCa: tsaCa !== undefined }
  const document = describeDocument(result, result.package ? PACKAGE.sheet : 'document', options)
  const parts = result.package ? [document, describePackage(result.package, options)] : [document]
  return { lines: parts.flatMap(({ lines }) => lines), holds: parts.every(({ holds }) => holds) }
}

type TrustOptions = { ca: boolean; tsaCa: boolean }

const PLACES: Record<DocumentPlace, string> = {
  'no-signature': 'it has no signature',
  'byte-range': 'the offsets of the signed bytes were changed',
  signature: 'the signature was changed',
  content: 'the content was changed',
  'reserved-space': 'the space behind the signature was changed',
  stamp: 'the time stamp was changed',
}

function describeDocument(result: DocumentVerification, name: string, options: TrustOptions): FileReport {
  const { differences, certificate, stamp, stampedAt } = result
  const faults = differences.map((place) => `${name}: ${PLACES[place]}`)
  if (!certificate) return { lines: faults, holds: false }
  const trust = certificate.isTrusted
    ? 'trusted by --ca'
    : options.ca
      ? 'not issued by a certificate of --ca, or not valid then'
      : 'not compared with a certificate: give --ca'
  const stamped = describeStamp(`${name}: time stamp`, stamp, stampedAt, options)
  const signed = differences.length === 0 ? [`${name}: the signature holds`] : faults
  const signer = `${name}: signed by ${certificate.subject}, certificate ${certificate.serialNumber}, ${trust}`
  return {
    lines: [...signed, signer, ...stamped.lines],
    holds: differences.length === 0 && (certificate.isTrusted || !options.ca) && stamped.holds,
  }
}

function describeStamp(
  name: string,
  stamp: DocumentVerification['stamp'],
  stampedAt: Date | null,
  options: TrustOptions,
): FileReport {
  if (stamp === 'valid') return { lines: [`${name}: ${stampedAt?.toISOString()}, trusted by --tsa-ca`], holds: true }
  if (stamp !== 'untrusted') return { lines: [`${name}: none`], holds: true }
  const reason = options.tsaCa ? 'not by an authority of --tsa-ca' : 'not compared with an authority: give --tsa-ca'
  return { lines: [`${name}: ${reason}`], holds: !options.tsaCa }
}

const FAULTS: Record<PackageFault, string> = {
  missing: 'it is missing',
  changed: 'it was changed since the package was made',
  'not-listed': 'it is not in the list of hashes',
  'not-in-seal': 'no seal of the package has it',
  'not-linked': 'it does not follow the hash before',
  'not-in-anchor': 'it does not have the last seal',
  stamp: 'it is no time stamp of its file',
  'other-in-portal': 'the portal has another one',
}

function describePackage(result: NonNullable<DocumentVerification['package']>, options: TrustOptions): FileReport {
  const { files, differences, seal, notSealed, anchor, auditEntries } = result
  const stamp = describeStamp(`${PACKAGE.manifest}: time stamp`, result.stamp, result.stampedAt, options)
  const lines = [
    ...differences.map(({ name, fault }) => `${name}: ${FAULTS[fault]}`),
    ...(differences.length === 0 ? [`${PACKAGE.manifest}: ${files} files hold`] : []),
    ...stamp.lines,
    seal ? `${PACKAGE.seal}: seal ${seal.number} of station ${seal.locationId}` : `${PACKAGE.seal}: none`,
    ...notSealed.map((name) => `${name}: in no seal of the package`),
    anchor === null ? `${PACKAGE.anchor}: none` : `${PACKAGE.anchor}: anchor ${anchor}`,
    `${PACKAGE.audit}: ${auditEntries} entries`,
  ]
  return { lines, holds: differences.length === 0 && stamp.holds }
}
