import type { TicketEvent } from '@rogatka/contract/tickets.ts'
import { ticketFields } from '@rogatka/contract/tickets.ts'

type LogEntry = { at: Date; by: string | null; action: string; before: object | null; after: object | null }

const textOf = (record: object | null, field: string): string | null => {
  const value = (record as Record<string, unknown> | null)?.[field]
  return value === undefined || value === null ? null : String(value)
}

type WithAttachments = { attachments?: { number: number; name: string }[] }

/** Names of files added after the report. */
function addedFilesOf(before: object | null, after: object | null): string[] {
  const existing = new Set((before as WithAttachments | null)?.attachments?.map(({ number }) => number))
  const files = before === null ? [] : ((after as WithAttachments | null)?.attachments ?? [])
  return files.filter(({ number }) => !existing.has(number)).map(({ name }) => name)
}

/** The audit entries of a ticket with their changed fields. */
export function ticketEvents(entries: readonly LogEntry[]): TicketEvent[] {
  return entries.map(({ at, by, action, before, after }) => ({
    at,
    by,
    kind: action === 'ticket-changed-by-service' || action === 'ticket-added-by-service' ? 'service' : 'portal',
    isNew: action.startsWith('ticket-added'),
    changes: ticketFields.flatMap((field) => {
      // Entries of changes by the service contain only changed fields.
      if (before === null || after === null || !(field in before) || !(field in after)) return []
      const change = { field, before: textOf(before, field), after: textOf(after, field) }
      return change.before === change.after ? [] : [change]
    }),
    addedFiles: action === 'ticket-files-added' ? addedFilesOf(before, after) : [],
  }))
}
