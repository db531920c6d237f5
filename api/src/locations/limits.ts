import type { LegalLimits } from '@rogatka/domain/vehicle/limits.ts'

/** `source`: the legal act. */
export type LimitsDocument = { validFrom: Date; limits: LegalLimits; source: string }

/** The limits in force at an instant, or the earliest known before them. */
export const limitsDocumentAt = (documents: readonly LimitsDocument[], at: Date): LimitsDocument | undefined =>
  documents.find(({ validFrom }) => validFrom <= at) ?? documents.at(-1)
