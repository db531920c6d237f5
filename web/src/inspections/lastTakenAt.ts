import type { WireInspection } from '@rogatka/contract/inspections.ts'

/** When the officer who has the inspection took it over, perhaps from another one. */
export const lastTakenAt = ({ steps, takenOverAt }: Pick<WireInspection, 'steps' | 'takenOverAt'>): string | null =>
  steps?.findLast(({ step }) => step === 'takenOver')?.at ?? takenOverAt
