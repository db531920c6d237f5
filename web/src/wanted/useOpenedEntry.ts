import { useState } from 'react'

/**
 * The entry with this id, from the list or as last seen there before it moved to another page. Undefined without an id,
 * or if the list has not contained the entry yet.
 */
export function useOpenedEntry<R extends { id: number }>(rows: readonly R[] | undefined, id: number | undefined) {
  const [last, setLast] = useState<R>()
  if (id === undefined) return undefined
  const found = rows?.find((row) => row.id === id)
  if (found !== undefined && found !== last) setLast(found)
  return found ?? (last?.id === id ? last : undefined)
}
