import { useState } from 'react'

/** Selected rows across pages: id → name. */
export function useSelection<R extends { id: number }>(nameOf: (row: R) => string) {
  const [chosen, setChosen] = useState<ReadonlyMap<number, string>>(new Map())
  const without = (ids: readonly number[]) => new Map([...chosen].filter(([id]) => !ids.includes(id)))
  return {
    ids: new Set(chosen.keys()),
    names: [...chosen.values()],
    toggle: (row: R) => setChosen(chosen.has(row.id) ? without([row.id]) : new Map(chosen).set(row.id, nameOf(row))),
    /** Selects all of these rows, or deselects them if all are selected. */
    toggleAll: (rows: readonly R[]) =>
      setChosen(
        rows.every(({ id }) => chosen.has(id))
          ? without(rows.map(({ id }) => id))
          : new Map([...chosen, ...rows.map((row) => [row.id, nameOf(row)] as const)]),
      ),
    clear: () => setChosen(new Map()),
  }
}
