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
export function threeWayMerge<V extends Values>(loaded: V, input: V, stored: V): MergeResult<V> {
  const fields = Object.keys(stored) as (keyof V & string)[]
  const changed = fields.filter((field) => !isEqual(loaded[field], input[field]))
  const kept = Object.fromEntries(changed.map((field) => [field, input[field]]))
  const conflicts = changed.filter(
    (field) => !isEqual(loaded[field], stored[field]) && !isEqual(input[field], stored[field]),
  )
  return { values: { ...stored, ...kept } as V, conflicts }
}
