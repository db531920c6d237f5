type Values = Record<string, unknown>

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

type MergeResult<V> = {
  /** What the form shows from now on. */
  values: V
  /** Fields that were changed here and elsewhere, differently. */
  conflicts: (keyof V & string)[]
}

/**
 * Loads a form anew without losing what was typed: a field that was changed here stays as it was typed, all others take
 * what is stored now. `loaded` is what the form began with.
 */
export function threeWayMerge<V extends Values>(loaded: V, typed: V, stored: V): MergeResult<V> {
  const fields = Object.keys(stored) as (keyof V & string)[]
  const touched = fields.filter((field) => !same(loaded[field], typed[field]))
  const kept = Object.fromEntries(touched.map((field) => [field, typed[field]]))
  const conflicts = touched.filter((field) => !same(loaded[field], stored[field]) && !same(typed[field], stored[field]))
  return { values: { ...stored, ...kept } as V, conflicts }
}
