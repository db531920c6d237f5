/** Removes the item if present, else appends it. */
export const toggle = <T>(list: readonly T[], item: T): T[] =>
  list.includes(item) ? list.filter((other) => other !== item) : [...list, item]

/** Selects all, or none if all are selected. */
export const toggleAll = <T>(all: readonly T[], selected: readonly T[]): T[] =>
  all.every((item) => selected.includes(item)) ? [] : [...all]
