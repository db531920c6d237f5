import type { WireOf } from '@rogatka/contract/endpoint.ts'
import type { verifyDocument } from '@rogatka/contract/evidence.ts'

export type Verification = WireOf<typeof verifyDocument, 'response'>

/** A file that was verified. */
export type VerifiedFile = { name: string; bytes: Blob }
