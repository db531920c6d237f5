export type Direction = 'asc' | 'desc'

/** One level of sorting: a column and its direction. */
export type Level<C extends string = string> = { column: C; direction: Direction }

type Click<C extends string> = {
  column: C
  /** Direction of the first click. */
  first: Direction
  /** With Shift: a further level. */
  isAdded: boolean
  maxLevels: number
}

/**
 * Levels after a click on a column header: by this column alone, or as a further level. A second click reverses it, a
 * third one removes it; without levels the default order applies.
 */
export function levelsAfterClick<C extends string>(
  levels: readonly Level<C>[],
  { column, first, isAdded, maxLevels }: Click<C>,
): Level<C>[] {
  const existing = levels.find((level) => level.column === column)
  const reversed: Level<C> = { column, direction: first === 'asc' ? 'desc' : 'asc' }
  const next = existing?.direction === first ? [reversed] : []
  if (!isAdded) return existing && existing === levels[0] ? next : [{ column, direction: first }]
  if (existing) return levels.flatMap((level) => (level === existing ? next : [level]))
  return [...levels.slice(0, maxLevels - 1), { column, direction: first }]
}

/** A value by which rows are sorted; null or undefined: missing. */
export type SortValue = string | number | boolean | null | undefined

const textOrder = new Intl.Collator('pl', { numeric: true })

function compare(a: SortValue, b: SortValue): number {
  if (typeof a === 'string' && typeof b === 'string') return textOrder.compare(a, b)
  return Number(a) - Number(b)
}

const isMissing = (value: SortValue): boolean => value === null || value === undefined || value === ''

/** Rows in the order of the levels; missing values last, ties as before. */
export function sortRows<R>(
  rows: readonly R[],
  levels: readonly Level[],
  valueFor: (row: R, column: string) => SortValue,
): readonly R[] {
  if (levels.length === 0) return rows
  return rows.toSorted((a, b) => {
    for (const { column, direction } of levels) {
      const [first, second] = [valueFor(a, column), valueFor(b, column)]
      const [missingFirst, missingSecond] = [isMissing(first), isMissing(second)]
      if (missingFirst !== missingSecond) return missingFirst ? 1 : -1
      const order = missingFirst ? 0 : compare(first, second)
      if (order !== 0) return direction === 'asc' ? order : -order
    }
    return 0
  })
}
