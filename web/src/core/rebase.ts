type Values = Record<string, unknown>

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

type MergeResult<V> = {
  /** New values of the form. */
  values: V
  /** Fields that were changed differently here and in the stored record. */
  conflicts: (keyof V & string)[]
}

/**
 * Merges a form with a newer stored record: changed fields keep the user's input, all others take the stored value.
 * `loaded` is the form's base.
 */
export function threeWayMerge<V extends Values>(loaded: V, typed: V, stored: V): MergeResult<V> {
  const fields = Object.keys(stored) as (keyof V & string)[]
  const touched = fields.filter((field) => !isEqual(loaded[field], typed[field]))
  const edited = Object.fromEntries(touched.map((field) => [field, typed[field]]))
  const conflicts = touched.filter(
    (field) => !isEqual(loaded[field], stored[field]) && !isEqual(typed[field], stored[field]),
  )
  return { values: { ...stored, ...edited } as V, conflicts }
}
