import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import { misreadForm, plateMatches } from '@rogatka/domain/vehicle/plateMatch.ts'
import type { Database } from '../core/database.ts'
import { escapeLike } from '../core/statement.ts'
import { changedHours } from './derived/queries.ts'
import type { Filter } from './filter.ts'
import { MAX_CELLS, type PlateCondition, platesIn, platesLike, similarPlates } from './queries.ts'

/** Maximum plates looked up one by one; with more, an index scan by time finds a page of matches soon. */
const MAX_LISTED_PLATES = 2_000
/** pg_trgm computes similarity in single precision; `plateMatches` decides. */
const SIMILARITY_TOLERANCE = 1e-6

/**
 * The condition of a plate filter in this snapshot: matching plates if few, else the pattern; undefined if none match.
 */
export async function resolvePlates(db: Database, filter: Filter, since: number): Promise<PlateCondition | undefined> {
  const plate = filter.plate as NonNullable<Filter['plate']>
  if ('plates' in plate || 'readings' in plate) return plate
  const { pattern, similarity } = plate
  if (similarity > 0) return pattern === '' ? undefined : similarityCondition(db, filter, pattern, similarity, since)
  if (!/[*?]/.test(pattern)) return { plates: [pattern] }

  const like = { like: likePattern(pattern) }
  const indexed = await platesLike(db, like.like, MAX_LISTED_PLATES + 1)
  return indexed.length > MAX_LISTED_PLATES
    ? like
    : plateList([...indexed, ...(await unindexedPlates(db, filter, like, since))])
}

async function similarityCondition(db: Database, filter: Filter, pattern: string, similarity: number, since: number) {
  const condition = {
    similarTo: misreadForm(pattern),
    minSimilarity: Math.max(SIMILARITY_TOLERANCE, similarity / 100 - SIMILARITY_TOLERANCE),
  }
  const indexed = await similarPlates(db, condition.similarTo, condition.minSimilarity, MAX_LISTED_PLATES + 1)
  if (indexed.length > MAX_LISTED_PLATES) return condition
  const found = [...indexed, ...(await unindexedPlates(db, filter, condition, since))]
  return plateList(found.filter(({ plate }) => plateMatches(plate, pattern, similarity)))
}

/** Matching plates in the range that are not indexed yet: of the hours changed since then. */
async function unindexedPlates(db: Database, filter: Filter, plates: PlateCondition, since: number) {
  const changed = await changedHours(db, since, filter)
  if (changed.length === 0) return []
  const cells = changed.map(({ locationId, hour }) => {
    const from = Math.max(hour.getTime(), filter.from.getTime())
    return { locationId, from, to: Math.min(hour.getTime() + HOUR_MS, filter.to.getTime()) }
  })
  const isFew = cells.length <= MAX_CELLS
  return platesIn(db, { filter, plates }, { intervals: cells, cells: isFew ? cells : undefined })
}

const plateList = (found: readonly { plate: string }[]): PlateCondition | undefined =>
  found.length === 0 ? undefined : { plates: [...new Set(found.map(({ plate }) => plate))].sort() }

/** `*` and `?` are wildcards; those of LIKE are escaped. */
const likePattern = (pattern: string) => escapeLike(pattern).replace(/\*+/g, '%').replaceAll('?', '_')
