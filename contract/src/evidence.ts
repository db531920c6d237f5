import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { instant } from './wire.ts'

/** Maximum size of a PDF or package that is verified. */
export const MAX_DOCUMENT_BYTES = 50 * 1024 * 1024

/**
 * Where a document is not as it was signed: it has no signature, the offsets that say what is signed, the signature itself, the signed
 * content, the space behind the signature, or its time stamp.
 */
export const documentPlaces = ['no-signature', 'byte-range', 'signature', 'content', 'reserved-space', 'stamp'] as const
export type DocumentPlace = (typeof documentPlaces)[number]

/**
 * Time stamp of a signature: none was requested, it is requested, it was given and can be added, it is in the document, or it is in
 * there by an authority that is not trusted.
 */
export const stampStates = ['none', 'pending', 'available', 'valid', 'untrusted'] as const

/**
 * Why a file of a package does not hold: it is listed and not there, it has another hash than the list, it is not listed, no seal of the
 * package has it, it does not follow the hash before, the anchor has another end, it is no time stamp of its file, or the
 * portal has stored another one.
 */
export const packageFaults = [
  'missing',
  'changed',
  'not-listed',
  'not-in-seal',
  'not-linked',
  'not-in-anchor',
  'stamp',
  'other-in-portal',
] as const
export type PackageFault = (typeof packageFaults)[number]

export const packageVerification = z.object({
  /** Number of files in the list of hashes. */
  files: z.int(),
  /** What does not hold, by file; empty: everything holds. */
  differences: z.array(z.object({ name: z.string(), fault: z.enum(packageFaults) })),
  /** Time stamp of the list of hashes. */
  stamp: z.enum(stampStates),
  stampedAt: instant.nullable(),
  /** Station and number of the seal that has the vehicle; null without one. */
  seal: z.object({ locationId: z.int(), number: z.int() }).nullable(),
  /** Photos that no seal of the package has, as they came later. */
  notSealed: z.array(z.string()),
  /** Number of the anchor; null without one. */
  anchor: z.int().nullable(),
  auditEntries: z.int(),
})
export type PackageVerification = z.output<typeof packageVerification>

/** Of a PDF, or of the sheet in a package. */
export const documentVerification = z.object({
  /** Where the document differs from what was signed; empty: nowhere. */
  differences: z.array(z.enum(documentPlaces)),
  /** Of the signer; null if the signature cannot be read. */
  certificate: z
    .object({
      subject: z.string(),
      issuer: z.string(),
      /** In hexadecimal. */
      serialNumber: z.string(),
      validFrom: instant,
      validUntil: instant,
      /** Whether it is that of this portal, or was issued by one of its authorities, and was valid at the time stamp, or is now. */
      isTrusted: z.boolean(),
    })
    .nullable(),
  stamp: z.enum(stampStates),
  /** Time of the time stamp; null without one in the document. */
  stampedAt: instant.nullable(),
  /** The files of a package; null for a PDF. */
  package: packageVerification.nullable(),
})
export type DocumentVerification = z.output<typeof documentVerification>

export const verifyDocument = endpoint({
  method: 'POST',
  path: '/evidence/verify',
  access: 'session',
  summary: 'Verifies the signature and time stamp of a PDF, or an evidence package, and names where it was changed',
  raw: 'file',
  response: documentVerification,
})

export const stampDocument = endpoint({
  method: 'POST',
  path: '/evidence/stamp',
  access: 'session',
  summary: 'Returns a signed PDF or an evidence package with the time stamp that was given after it was issued',
  raw: 'file',
  binary: 'application/octet-stream',
})
