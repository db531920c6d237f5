import type { LegalLimits } from '@rogatka/domain/vehicle/limits.ts'

/** `source` names the law that it is taken from. */
export type LimitsDocument = { validFrom: Date; limits: LegalLimits; source: string }

/** The document that holds at an instant; before the first that is there, the first one is the best that is known. */
export const documentAt = (documents: readonly LimitsDocument[], at: Date): LimitsDocument | undefined =>
  documents.find(({ validFrom }) => validFrom <= at) ?? documents.at(-1)
