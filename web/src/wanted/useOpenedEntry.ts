import { useState } from 'react'

/**
 * The entry of this number: as the list has it now, or as it was last seen there after it moved to another page.
 * Undefined if no dialog is open (`id` is undefined) or the list has not shown the entry yet.
 */
export function useOpenedEntry<R extends { id: number }>(rows: readonly R[] | undefined, id: number | undefined) {
  const [last, setLast] = useState<R>()
  if (id === undefined) return undefined
  const found = rows?.find((row) => row.id === id)
  if (found !== undefined && found !== last) setLast(found)
  return found ?? (last?.id === id ? last : undefined)
}
