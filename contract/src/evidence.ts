import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { instant } from './wire.ts'

/** Maximum size of a document that is verified. */
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
})
export type DocumentVerification = z.output<typeof documentVerification>

export const verifyDocument = endpoint({
  method: 'POST',
  path: '/evidence/verify',
  access: 'session',
  summary: 'Verifies the signature and time stamp of a PDF, and names where it was changed',
  raw: 'file',
  response: documentVerification,
})

export const stampDocument = endpoint({
  method: 'POST',
  path: '/evidence/stamp',
  access: 'session',
  summary: 'Returns a signed PDF with the time stamp that was given after it was issued',
  raw: 'file',
  binary: 'application/octet-stream',
})
