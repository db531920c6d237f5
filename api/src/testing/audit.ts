import { auditActions, auditFields, reportSubjects } from '@rogatka/contract/activity.ts'
import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'

type AuditRecord = { action: string; subject: string; before: unknown; after: unknown }

/** Field names of a record, nested ones included. */
function fieldsOf(record: unknown): string[] {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return []
  return Object.entries(record).flatMap(([field, value]) => [field, ...fieldsOf(value)])
}

const KINDS_AS_SUBJECT = ['report-ordered', 'plate-searched']

/** Codes in the audit log without a text on the page: actions, report kinds and fields. */
export async function unknownAuditCodes(db: Database): Promise<string[]> {
  const entries = await db.query<AuditRecord>(sql`select action, subject, before, after from audit`)
  const unknown = entries.flatMap(({ action, subject, before, after }) => [
    ...(auditActions.some((known) => known === action) ? [] : [`action ${action}`]),
    ...(KINDS_AS_SUBJECT.includes(action) && !reportSubjects.some((kind) => kind === subject)
      ? [`report ${subject}`]
      : []),
    ...[...fieldsOf(before), ...fieldsOf(after)]
      .filter((field) => !auditFields.includes(field))
      .map((field) => `field ${field} of ${action}`),
  ])
  return [...new Set(unknown)]
}
