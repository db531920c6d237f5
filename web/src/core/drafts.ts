/*
 * What was typed into a form and not sent yet, in the storage of this tab alone: it comes back after a session that ended
 * by itself, for the same user. Passwords and files are never kept.
 */

export type Draft = {
  /** The name of the form, in words. */
  title: string
  /** When it was kept, ISO 8601. */
  savedAt: string
  values: Record<string, unknown>
  /** The record that the form began with; null for a new one. */
  base: unknown
}

/** Whose draft of which form; a user is null while the server has not said who is signed in. */
export type DraftKey = { userId: number | null; form: string }

const PREFIX = 'draft:'
/** Older ones are nobody's work any more. */
const MAX_AGE_MS = 24 * 3_600_000

const prefixOf = (userId: number) => `${PREFIX}${userId}:`

/** Any access may be refused, as in private windows: then there are no drafts. */
function withStorage<T>(access: (storage: Storage) => T, otherwise: T): T {
  try {
    return access(sessionStorage)
  } catch {
    return otherwise
  }
}

/** Null for what is too old. @throws for what is no draft */
function parseDraft(text: string | null): Draft | null {
  if (text === null) return null
  const draft = JSON.parse(text) as Draft
  return Date.now() - Date.parse(draft.savedAt) < MAX_AGE_MS ? draft : null
}

/** Null when there is none, or none of the last 24 hours. */
export const readDraft = ({ userId, form }: DraftKey): Draft | null =>
  userId === null ? null : withStorage((storage) => parseDraft(storage.getItem(prefixOf(userId) + form)), null)

export function writeDraft({ userId, form }: DraftKey, draft: Draft): void {
  if (userId !== null)
    withStorage((storage) => storage.setItem(prefixOf(userId) + form, JSON.stringify(draft)), undefined)
}

export function deleteDraft({ userId, form }: DraftKey): void {
  if (userId !== null) withStorage((storage) => storage.removeItem(prefixOf(userId) + form), undefined)
}

const keysIn = (storage: Storage, prefix: string) => Object.keys(storage).filter((key) => key.startsWith(prefix))

/** Titles of the drafts of a user that are really kept. */
export function draftTitles(userId: number | null): string[] {
  if (userId === null) return []
  const titles = (storage: Storage) =>
    keysIn(storage, prefixOf(userId)).flatMap((key) => parseDraft(storage.getItem(key))?.title ?? [])
  return withStorage(titles, [])
}

/** Deletes all drafts of this tab, or those of all users but one. */
export function clearDrafts(exceptOf?: number): void {
  withStorage((storage) => {
    for (const key of keysIn(storage, PREFIX))
      if (exceptOf === undefined || !key.startsWith(prefixOf(exceptOf))) storage.removeItem(key)
  }, undefined)
}
