import { useState } from 'react'

/** Selected rows across pages: id → name. */
export function useSelection<R extends { id: number }>(nameOf: (row: R) => string) {
  const [selected, setSelected] = useState<ReadonlyMap<number, string>>(new Map())
  const without = (ids: readonly number[]) => new Map([...selected].filter(([id]) => !ids.includes(id)))
  return {
    ids: new Set(selected.keys()),
    names: [...selected.values()],
    toggle: (row: R) =>
      setSelected(selected.has(row.id) ? without([row.id]) : new Map(selected).set(row.id, nameOf(row))),
    /** Selects all of these rows, or deselects them if all are selected. */
    toggleAll: (rows: readonly R[]) =>
      setSelected(
        rows.every(({ id }) => selected.has(id))
          ? without(rows.map(({ id }) => id))
          : new Map([...selected, ...rows.map((row) => [row.id, nameOf(row)] as const)]),
      ),
    clear: () => setSelected(new Map()),
  }
}
