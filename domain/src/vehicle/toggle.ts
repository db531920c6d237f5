/** The list without the item where it is there, with it at the end where it is not. */
export const toggle = <T>(list: readonly T[], item: T): T[] =>
  list.includes(item) ? list.filter((other) => other !== item) : [...list, item]

/** What is chosen after a click on "all": everything, or nothing where everything was chosen. */
export const toggleAll = <T>(all: readonly T[], chosen: readonly T[]): T[] =>
  all.every((item) => chosen.includes(item)) ? [] : [...all]
