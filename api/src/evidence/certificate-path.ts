import type { X509Certificate } from 'node:crypto'
import { Certificate, CertificateChainValidationEngine } from 'pkijs'

const parse = ({ raw }: X509Certificate) => Certificate.fromBER(new Uint8Array(raw))

/**
 * Whether a path leads from a certificate by these others to a trusted one, and all of it was valid at an instant (RFC 5280).
 * Revocation is not checked: lists of it are not available in closed networks.
 */
export async function isTrustedAt(
  certificate: X509Certificate,
  others: readonly X509Certificate[],
  trusted: readonly X509Certificate[],
  at: Date,
): Promise<boolean> {
  if (trusted.some(({ raw }) => raw.equals(certificate.raw))) return isValidAt(certificate, at)
  const engine = new CertificateChainValidationEngine({
    trustedCerts: trusted.map(parse),
    // The end of the path is the last.
    certs: [...others.filter(({ raw }) => !raw.equals(certificate.raw)), certificate].map(parse),
    checkDate: at,
  })
  try {
    return (await engine.verify()).result
  } catch {
    return false
  }
}

/** Whether an instant is within the validity of a certificate. */
export const isValidAt = ({ validFromDate, validToDate }: X509Certificate, at: Date): boolean =>
  validFromDate <= at && at <= validToDate
