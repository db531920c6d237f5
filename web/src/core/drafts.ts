import { DAY_MS } from '@rogatka/domain/core/time.ts'

/*
 * Form drafts in this tab's sessionStorage, restored for the same user after the session ended automatically. Never
 * contains passwords or files.
 */

export type Draft = {
  /** Displayed name of the form. */
  title: string
  /** ISO 8601. */
  savedAt: string
  values: Record<string, unknown>
  /** The record when the form was opened; null for a new one. */
  base: unknown
}

/** User and form of a draft; the user is null until the server has identified them. */
export type DraftKey = { userId: number | null; form: string }

const PREFIX = 'draft:'
/** Older drafts are ignored. */
const MAX_AGE_MS = DAY_MS

const prefixOf = (userId: number) => `${PREFIX}${userId}:`

/** Any access to storage may throw, for example in private windows: then there are no drafts. */
function withStorage<T>(access: (storage: Storage) => T, fallback: T): T {
  try {
    return access(sessionStorage)
  } catch {
    return fallback
  }
}

/** Null if too old. @throws if it is not a draft */
function parseDraft(text: string | null): Draft | null {
  if (text === null) return null
  const draft = JSON.parse(text) as Draft
  return Date.now() - Date.parse(draft.savedAt) < MAX_AGE_MS ? draft : null
}

/** Null without a draft of the last 24 hours. */
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

/** Titles of a user's drafts that are stored. */
export function draftTitles(userId: number | null): string[] {
  if (userId === null) return []
  const titles = (storage: Storage) =>
    keysIn(storage, prefixOf(userId)).flatMap((key) => parseDraft(storage.getItem(key))?.title ?? [])
  return withStorage(titles, [])
}

/** Deletes all drafts of this tab, except those of one user. */
export function clearDrafts(exceptUserId?: number): void {
  withStorage((storage) => {
    for (const key of keysIn(storage, PREFIX))
      if (exceptUserId === undefined || !key.startsWith(prefixOf(exceptUserId))) storage.removeItem(key)
  }, undefined)
}
