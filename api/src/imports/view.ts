import type { ErrorCode } from '@rogatka/contract/errors.ts'
import type { ImportDetail, ImportEntry } from '@rogatka/contract/imports.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import { toApiErrors } from '../core/error-mapping.ts'
import type { ImportRow, StoredTrial } from './queries.ts'

const textOf = (code: ErrorCode, language: Language): string =>
  toApiErrors([{ path: null, code }], language)[0]?.userMessage ?? code

const toTrial = ({ reasons, first, last, ...trial }: StoredTrial, language: Language) => ({
  // Trials from before these counts have none.
  ...{ grossOnly: 0, inFilledHours: 0, figuresOnly: 0, figureDays: 0, replacedDays: 0 },
  ...trial,
  first: first === null ? null : new Date(first),
  last: last === null ? null : new Date(last),
  reasons: reasons.map((reason) => ({ ...reason, text: textOf(reason.code, language) })),
})

/** An import as lists show it. */
export function toEntry(row: ImportRow, language: Language): ImportEntry {
  const { id, state, fileName, fileSize, sha256, options, createdAt, createdBy, trialPercent } = row
  const { written, duplicates, refused, figures, collected, startedAt, finishedAt, error } = row
  return {
    ...{ id, state, fileName, fileSize, sha256, options, createdAt, createdBy, trialPercent },
    ...{ written, duplicates, refused, figures, collected, startedAt, finishedAt },
    trial: row.trial && toTrial(row.trial, language),
    error: error && textOf(error, language),
  }
}

export const toDetail = (row: ImportRow, language: Language): ImportDetail => ({
  ...toEntry(row, language),
  columns: row.columns,
  recognised: { known: row.knownCount, total: row.totalCount },
  hasFile: row.hasFile,
  hasRefusedFile: row.hasRefusedFile,
  revision: row.revision,
})
