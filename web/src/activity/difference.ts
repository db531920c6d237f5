/** A displayable value: text, number, flag; null: none. */
export type Value = string | number | boolean | null

/** A changed field: old and new value, or added and removed list items. */
export type Difference = { field: string } & ({ before: Value; after: Value } | { added: Value[]; removed: Value[] })

type Leaf = Value | Value[]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** List items are identified by name, else by JSON. */
const asValue = (value: unknown): Value => {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (isObject(value) && typeof value.name === 'string') return value.name
  return JSON.stringify(value)
}

/** Flattens a record; nested fields are named `outer.inner`. */
function leaves(record: unknown, prefix = ''): Map<string, Leaf> {
  if (!isObject(record))
    return record === null || record === undefined ? new Map() : new Map([[prefix, asValue(record)]])
  return new Map(
    Object.entries(record).flatMap(([key, value]): [string, Leaf][] => {
      const name = prefix ? `${prefix}.${key}` : key
      if (Array.isArray(value)) return [[name, value.map(asValue)]]
      return isObject(value) ? [...leaves(value, name)] : [[name, asValue(value)]]
    }),
  )
}

const asList = (leaf: Leaf | undefined): Value[] =>
  Array.isArray(leaf) ? leaf : leaf === undefined || leaf === null ? [] : [leaf]

/** Version counter in older audit entries: irrelevant to users. */
const COUNTER = 'version'

/** Differences of a record; `before` empty: created, `after` empty: deleted. */
export function difference(before: unknown, after: unknown): Difference[] {
  const [previous, updated] = [leaves(before), leaves(after)]
  const fields = [...new Set([...previous.keys(), ...updated.keys()])].filter((field) => field !== COUNTER)
  return fields.flatMap((field): Difference[] => {
    const [oldValue, newValue] = [previous.get(field), updated.get(field)]
    if (Array.isArray(oldValue) || Array.isArray(newValue)) {
      const added = asList(newValue).filter((item) => !asList(oldValue).includes(item))
      const removed = asList(oldValue).filter((item) => !asList(newValue).includes(item))
      return added.length + removed.length > 0 ? [{ field, added, removed }] : []
    }
    const [oldScalar, newScalar] = [oldValue ?? null, newValue ?? null]
    return oldScalar === newScalar ? [] : [{ field, before: oldScalar, after: newScalar }]
  })
}
