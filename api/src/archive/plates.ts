import { misreadForm, plateMatches } from '@rogatka/domain/vehicle/plateMatch.ts'
import type { Database } from '../core/database.ts'
import { changedHours } from './derived/queries.ts'
import type { Filter } from './filter.ts'
import { HOUR_MS } from './intervals.ts'
import { FEW_CELLS, type PlateCondition, platesIn, platesLike, similarPlates } from './queries.ts'

/** More plates than these are not looked up one by one: then so many vehicles have them that the walk is short. */
const FEW = 2_000
/** PostgreSQL knows a similarity to seven digits; the domain has the last word. */
const DOUBT = 1e-6

/** The plates that a filter means, as far as they are known in this snapshot; undefined: there is none. */
export async function resolvePlates(db: Database, filter: Filter, since: number): Promise<PlateCondition | undefined> {
  const { pattern, similarity } = filter.plate as NonNullable<Filter['plate']>
  if (similarity > 0) return pattern === '' ? undefined : alikePlates(db, filter, pattern, similarity, since)
  if (!/[*?]/.test(pattern)) return { these: [pattern] }

  const like = { like: likePattern(pattern) }
  const known = await platesLike(db, like.like, FEW + 1)
  return known.length > FEW ? like : these([...known, ...(await unknownPlates(db, filter, like, since))])
}

async function alikePlates(db: Database, filter: Filter, pattern: string, similarity: number, since: number) {
  const alike = { alike: misreadForm(pattern), atLeast: Math.max(DOUBT, similarity / 100 - DOUBT) }
  const known = await similarPlates(db, alike.alike, alike.atLeast, FEW + 1)
  if (known.length > FEW) return alike
  const found = [...known, ...(await unknownPlates(db, filter, alike, since))]
  return these(found.filter(({ plate }) => plateMatches(plate, pattern, similarity)))
}

/** Such plates of the range that were not learned yet: of the hours that have changed since. */
async function unknownPlates(db: Database, filter: Filter, plates: PlateCondition, since: number) {
  const changed = await changedHours(db, since, filter)
  if (changed.length === 0) return []
  const cells = changed.map(({ locationId, hour }) => {
    const from = Math.max(hour.getTime(), filter.from.getTime())
    return { locationId, from, to: Math.min(hour.getTime() + HOUR_MS, filter.to.getTime()) }
  })
  const few = cells.length <= FEW_CELLS
  return platesIn(db, { filter, plates }, { spans: cells, cells: few ? cells : undefined })
}

const these = (found: readonly { plate: string }[]): PlateCondition | undefined =>
  found.length === 0 ? undefined : { these: [...new Set(found.map(({ plate }) => plate))].sort() }

/** `*` and `?` are wildcards; what LIKE takes for one is meant as itself. */
const likePattern = (pattern: string) =>
  pattern
    .replace(/[\\%_]/g, '\\$&')
    .replace(/\*+/g, '%')
    .replaceAll('?', '_')
