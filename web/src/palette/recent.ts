import { readStored, writeStored } from '../core/browserStorage.ts'
import { session } from '../core/session.ts'
import { createStore, useStore } from '../core/store.ts'
import type { Row } from './rows.ts'

const MAX_RECENT = 5
const keyOf = (userId: number) => `palette:${userId}`

/** Rows with personal data, only until the session ends; never stored. */
const sessionRows = createStore<readonly Row[]>([])
session.subscribe(() => {
  if (session.get().token === null) sessionRows.set([])
})

/** Ids of the rows that the user used last, newest first. */
function storedIds(): string[] {
  const { userId } = session.get()
  const text = userId === null ? null : readStored('local', keyOf(userId))
  return text ? text.split('\n') : []
}

/** Remembers that a row was used. */
export function recordUse(row: Row): void {
  const { userId } = session.get()
  if (userId === null || row.kept === 'never') return
  const { ranges: _, ...used } = row
  if (row.kept === 'session') {
    sessionRows.set((rows) => [used, ...rows.filter(({ id }) => id !== row.id)].slice(0, MAX_RECENT))
    return
  }
  const ids = [row.id, ...storedIds().filter((id) => id !== row.id)]
  writeStored('local', keyOf(userId), ids.slice(0, MAX_RECENT).join('\n'))
}

/** The rows that were used last, of those that are available now. */
export function useRecentRows(available: readonly Row[]): Row[] {
  const found = storedIds().flatMap((id) => available.find((row) => row.id === id) ?? [])
  return [...useStore(sessionRows), ...found].slice(0, MAX_RECENT)
}
