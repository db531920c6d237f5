/*
 * Form drafts in this tab's sessionStorage, restored for the same user after the session ended automatically. Never
 * contains passwords or files. Those with plates stay in memory: the browser stores none.
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
const MAX_AGE_MS = 24 * 3_600_000

/** Forms whose drafts stay in memory: until the tab is left or reloaded. */
const IN_MEMORY = /^wanted-plates\//
const memory = new Map<string, string>()

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
  userId === null ? null : withStorage((storage) => parseDraft(read(storage, prefixOf(userId) + form, form)), null)

const read = (storage: Storage, key: string, form: string): string | null =>
  IN_MEMORY.test(form) ? (memory.get(key) ?? null) : storage.getItem(key)

export function writeDraft({ userId, form }: DraftKey, draft: Draft): void {
  if (userId === null) return
  const key = prefixOf(userId) + form
  if (IN_MEMORY.test(form)) memory.set(key, JSON.stringify(draft))
  else withStorage((storage) => storage.setItem(key, JSON.stringify(draft)), undefined)
}

export function deleteDraft({ userId, form }: DraftKey): void {
  if (userId === null) return
  memory.delete(prefixOf(userId) + form)
  withStorage((storage) => storage.removeItem(prefixOf(userId) + form), undefined)
}

const keysIn = (storage: Storage, prefix: string) => Object.keys(storage).filter((key) => key.startsWith(prefix))

/** Titles of a user's drafts that are stored. */
export function draftTitles(userId: number | null): string[] {
  if (userId === null) return []
  const titleOf = (text: string | null) => parseDraft(text)?.title ?? []
  const titles = (storage: Storage) => keysIn(storage, prefixOf(userId)).flatMap((key) => titleOf(storage.getItem(key)))
  const inMemory = [...memory].filter(([key]) => key.startsWith(prefixOf(userId))).flatMap(([, text]) => titleOf(text))
  return [...withStorage(titles, []), ...inMemory]
}

/** Deletes all drafts of this tab, except those of one user. */
export function clearDrafts(exceptUserId?: number): void {
  for (const key of memory.keys())
    if (exceptUserId === undefined || !key.startsWith(prefixOf(exceptUserId))) memory.delete(key)
  withStorage((storage) => {
    for (const key of keysIn(storage, PREFIX))
      if (exceptUserId === undefined || !key.startsWith(prefixOf(exceptUserId))) storage.removeItem(key)
  }, undefined)
}
