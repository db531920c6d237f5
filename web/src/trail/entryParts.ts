import type { WireTrailEntry } from './useTrail.ts'

/** Sequences of one station: the id of a vehicle is station · 2^40 + sequence. */
const SEQUENCES = 2 ** 40

/** The station of a vehicle. */
export const locationOf = ({ id }: { id: number }): number => Math.floor(id / SEQUENCES)

/** Who looked: exactly one of the four is given. */
export const actorOf = ({ user, system, device, webhook }: WireTrailEntry): { id: number; name: string } =>
  user ?? system ?? device ?? webhook ?? { id: 0, name: '' }

/** The text of what looked, if it was no user. */
export const actorKind = ({ system, device, webhook }: WireTrailEntry): 'system' | 'device' | 'webhook' | null =>
  system ? 'system' : device ? 'device' : webhook ? 'webhook' : null

/** Criteria that come first, in this order; the database sorts all by their names. */
const FIRST = ['locations', 'dateTimeStart', 'dateTimeEnd']
const rankOf = (path: string) => (FIRST.includes(path) ? FIRST.indexOf(path) : FIRST.length)

/** The values of criteria by their paths, in the order of a filter form. */
export const criteriaOf = ({ criteria }: Pick<WireTrailEntry, 'criteria'>) =>
  valuesOf(criteria).toSorted(([a], [b]) => rankOf(a) - rankOf(b))

type Leaf = string | number | boolean | null

/** The values of criteria by their paths; empty ones are omitted, lists joined. */
function valuesOf(criteria: unknown, path = ''): [path: string, values: Leaf[]][] {
  if (Array.isArray(criteria)) {
    const leaves = criteria.filter((value): value is Leaf => typeof value !== 'object' || value === null)
    return leaves.length > 0 ? [[path, leaves]] : []
  }
  if (typeof criteria !== 'object' || criteria === null)
    return criteria === null || criteria === undefined ? [] : [[path, [criteria as Leaf]]]
  return Object.entries(criteria).flatMap(([name, value]) => valuesOf(value, path ? `${path}.${name}` : name))
}
