import type { InspectionResult, WireInspection } from '@rogatka/contract/inspections.ts'
import type { Outcome, Step } from './work.ts'

type ClosingBody = Extract<Step, { step: 'close' }>['body']

/** Złoty with a decimal comma or point in grosze; null if empty, NaN if it is no amount. */
export function parseAmount(text: string): number | null {
  const digits = text.replace(/[\s\u00a0]/g, '')
  if (digits === '') return null
  return /^\d{1,6}([.,]\d{1,2})?$/.test(digits) ? Math.round(Number(digits.replace(',', '.')) * 100) : Number.NaN
}

const textOrNull = (text: string | null): string | null => text?.trim() || null

type ShownFields = { carrier: string; taxId: string; stored: Pick<WireInspection, 'note' | 'declaration'> }

/** Results and amount as they are shown: what is stored, of an inspection that was reopened, until it is changed. */
export const shownOutcome = (
  { results, fineAmount }: Pick<Outcome, 'results' | 'fineAmount'>,
  stored: Pick<WireInspection, 'results' | 'fineAmount'>,
): { results: InspectionResult[]; fineAmount: string } => ({
  results: results ?? stored.results,
  fineAmount: fineAmount ?? (stored.fineAmount === null ? '' : (stored.fineAmount / 100).toFixed(2).replace('.', ',')),
})

/** What closes an inspection, as it is shown: a text that was emptied is removed from what is stored. */
export function closingOf(outcome: Outcome, { carrier, taxId, stored }: ShownFields): ClosingBody {
  const { note, declaration, reason } = outcome
  const results = outcome.results ?? []
  const amount = results.some((it) => it === 3 || it === 4) ? parseAmount(outcome.fineAmount ?? '') : null
  return {
    results,
    ...(amount !== null && { fineAmount: amount }),
    carrier: textOrNull(carrier),
    taxId: textOrNull(taxId),
    declaration: textOrNull(declaration ?? stored.declaration),
    note: textOrNull(note ?? stored.note),
    ...(reason.trim() && { reason: reason.trim() }),
  }
}
