import type { TicketEvent } from '@rogatka/contract/tickets.ts'
import { ticketFields } from '@rogatka/contract/tickets.ts'

type Logged = { at: Date; by: string | null; action: string; before: object | null; after: object | null }

const textOf = (record: object | null, field: string): string | null => {
  const value = (record as Record<string, unknown> | null)?.[field]
  return value === undefined || value === null ? null : String(value)
}

type Attached = { attachments?: { number: number; name: string }[] }

/** Names of the files that an addition brought; the files of a report are no addition. */
function addedFilesOf(before: object | null, after: object | null): string[] {
  const known = new Set((before as Attached | null)?.attachments?.map(({ number }) => number))
  const files = before === null ? [] : ((after as Attached | null)?.attachments ?? [])
  return files.filter(({ number }) => !known.has(number)).map(({ name }) => name)
}

/** The lines of the log of changes that are about a ticket, each with the fields that it changed. */
export function ticketEvents(logged: readonly Logged[]): TicketEvent[] {
  return logged.map(({ at, by, action, before, after }) => ({
    at,
    by,
    kind: action === 'ticket-changed-by-service' || action === 'ticket-added-by-service' ? 'service' : 'portal',
    isNew: action.startsWith('ticket-added'),
    changes: ticketFields.flatMap((field) => {
      // What the log of a change from the service does not name has not changed.
      if (before === null || after === null || !(field in before) || !(field in after)) return []
      const change = { field, before: textOf(before, field), after: textOf(after, field) }
      return change.before === change.after ? [] : [change]
    }),
    addedFiles: action === 'ticket-files-added' ? addedFilesOf(before, after) : [],
  }))
}
