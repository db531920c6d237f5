import { stationDistance } from '@rogatka/domain/offenders/distance.ts'
import { findJoin, isCandidate, neighboursOf } from '@rogatka/domain/offenders/joins.ts'
import { coincidences, type DistanceBetween, vetoWindow } from '@rogatka/domain/offenders/veto.ts'
import type { Iso } from '@rogatka/domain/vehicle/country.ts'
import type { Database } from '../core/database.ts'
import { locations } from '../locations/public-api.ts'
import { queueSpellings } from './derive-queries.ts'
import {
  findPlaceholdersById,
  type JoinChange,
  listSightings,
  type StoredSpelling,
  setJoins,
  spellingFigures,
  spellingsByFold,
  spellingsByForm,
  splitPairs,
} from './join-queries.ts'

/** Spellings, and detections of them and of their candidates, that are in memory together; at least one spelling. */
const MAX_BATCH = { spellings: 50, detections: 100_000 }

/** Evaluates the joins of spellings and of those with the same fold; returns the vehicles that changed. */
export async function joinSpellings(db: Database, ids: readonly number[], since: Date): Promise<number[]> {
  const spellings = await spellingsByFold(db, ids)
  const byFold = Map.groupBy(spellings, ({ fold }) => fold)
  const neighbours = new Map(
    spellings.filter((one) => one.mayBeMisread).map((one) => [one.id, neighboursOf(identityFor(one))]),
  )
  const byForm = Map.groupBy(
    await spellingsByForm(db, [...new Set([...neighbours.values()].flat())]),
    (one) => one.form,
  )
  const splits = await splitPairs(
    db,
    spellings.map(({ id }) => id),
  )

  // A join is of no use where nothing is overloaded.
  const evaluated = spellings.flatMap((spelling) => {
    const found = [
      ...(byFold.get(spelling.fold) ?? []),
      ...(neighbours.get(spelling.id) ?? []).flatMap((form) => byForm.get(form) ?? []),
    ]
    // Some are both; one that came twice would be ambiguous.
    const candidates = [...new Map(found.map((one) => [one.id, one])).values()].filter(
      ({ id, vehicleId }) => id !== spelling.id && !splits.has(`${vehicleId} ${spelling.id}`),
    )
    const isUseful = [spelling, ...candidates].some(({ isOverloaded }) => isOverloaded)
    return isUseful && (candidates.length > 0 || spelling.joinedTo !== null) ? [{ spelling, candidates }] : []
  })
  if (evaluated.length === 0) return []

  const involved = evaluated.flatMap(({ spelling, candidates }) => [spelling.id, ...candidates.map(({ id }) => id)])
  const spellingIds = [...new Set(involved)]
  const placeholders = await findPlaceholdersById(db, spellingIds, since)
  const detections = { since, placeholders }
  const figures = await spellingFigures(db, spellingIds, detections)
  const withFigures = (spelling: StoredSpelling) => {
    const own = figures.get(spelling.id)
    return own && { ...identityFor(spelling), ...own, id: spelling.id }
  }
  const measured = evaluated.flatMap(({ spelling, candidates }) => {
    const variant = withFigures(spelling)
    if (!variant) return []
    const others = candidates.flatMap((candidate) => withFigures(candidate) ?? [])
    return [{ spelling, variant, others: others.filter((other) => isCandidate(variant, other)) }]
  })
  const { distanceBetween, maxDistance } = await distances(db)
  const changes: JoinChange[] = []
  for (const part of inBatches(measured)) {
    const ids = new Set(part.flatMap(({ variant, others }) => [variant.id, ...others.map(({ id }) => id)]))
    // Paired here, as Citus joins no vehicles of different stations.
    const sightings = await listSightings(db, [...ids], detections)
    for (const { spelling, variant, others } of part) {
      const own = sightings.get(variant.id) ?? []
      const found = others.map((one) => ({
        one,
        pairs: coincidences(own, sightings.get(one.id) ?? [], vetoWindow(maxDistance)),
      }))
      const join = findJoin(
        { ...variant, sightings: found.flatMap(({ pairs }) => pairs.map(([sighting]) => sighting)) },
        found.map(({ one, pairs }) => ({ ...one, sightings: pairs.map(([, other]) => other) })),
        distanceBetween,
      )
      if ((join?.other.id ?? null) === spelling.joinedTo && (join?.rule ?? null) === spelling.rule) continue
      changes.push({ id: spelling.id, join: join && { ...join, to: join.other.id } })
    }
  }
  const { vehicles, leftOut } = await setJoins(db, changes)
  // Evaluated again with all of their fold: joins of the spellings that have them as candidates may have become useful.
  const wereJoined = new Set(spellings.flatMap(({ id, joinedTo }) => (joinedTo === null ? [] : [id])))
  await queueSpellings(
    db,
    changes.flatMap(({ id }) => (leftOut.has(id) && !wereJoined.has(id) ? [] : [id])),
  )
  return vehicles
}

type SpellingComparison = { variant: { count: number }; others: readonly { count: number }[] }

/** Parts of a list whose detections fit into memory. */
function inBatches<T extends SpellingComparison>(compared: readonly T[]): T[][] {
  const batches: T[][] = []
  let room = 0
  for (const one of compared) {
    const count = one.others.reduce((sum, other) => sum + other.count, one.variant.count)
    const batch = batches.at(-1)
    if (batch && count <= room && batch.length < MAX_BATCH.spellings) batch.push(one)
    else {
      batches.push([one])
      room = MAX_BATCH.detections
    }
    room -= count
  }
  return batches
}

const identityFor = ({ form, country }: StoredSpelling) => ({ form, country: (country || null) as Iso | null })

/** Distances between stations in km, and the largest of them. */
async function distances(db: Database) {
  const stations = await locations(db)
  const byPair = new Map(
    stations.flatMap((one) => stations.map((other) => [`${one.id} ${other.id}`, stationDistance(one, other)] as const)),
  )
  const distanceBetween: DistanceBetween = (from, to) => byPair.get(`${from} ${to}`) ?? null
  return { distanceBetween, maxDistance: Math.max(0, ...[...byPair.values()].map((distance) => distance ?? 0)) }
}
