import { DAY_MS, HOUR_MS } from '@rogatka/domain/core/time.ts'
import { dateOf, fromWarsaw } from '@rogatka/domain/core/warsaw.ts'
import { foldOf, identityOf } from '@rogatka/domain/offenders/identity.ts'
import { findJoin, mayBeMisread, neighboursOf } from '@rogatka/domain/offenders/joins.ts'
import type { DistanceBetween } from '@rogatka/domain/offenders/veto.ts'
import type { Iso } from '@rogatka/domain/vehicle/country.ts'
import type { Database, Pool, Transaction } from '../core/database.ts'
import { extentOf } from '../core/partitions.ts'
import { locations } from '../locations/public-api.ts'
import {
  deleteUnseen,
  expireDays,
  foldMates,
  insertReadings,
  lockOffenders,
  type Mark,
  markArrivals,
  queueReviewed,
  queueSeen,
  queueSpellings,
  recordCounted,
  recountVehicles,
  type StoredSpelling,
  setJoin,
  spellingFigures,
  spellingsByForm,
  splitPairs,
  takeMarks,
  takeQueued,
  tryLockOffenders,
  unknownReadings,
  vehiclesOf,
} from './derive-queries.ts'

/*
 * Repeat offenders, derived from the vehicles of hours that have ended. Of each spelling seen in these hours the joins are
 * evaluated, and the vehicles that were overloaded are counted anew as a whole: late vehicles, repetitions and interrupted
 * runs therefore lead to the same figures. All can be rebuilt: mark every hour of `arrival`.
 */

/** Hours and spellings per transaction. */
const BATCH_HOURS = 500
const BATCH_SPELLINGS = 500
/** Months that repeat offenders are kept at most. */
const MAX_MONTHS = 24

/** Polish day 24 months ago: the first that is counted. */
export function firstDay(now: Date): string {
  const today = dateOf(now)
  return `${Number(today.slice(0, 4)) - MAX_MONTHS / 12}${today.slice(4)}`.replace('-02-29', '-03-01')
}

/** When the first day that is counted began. */
export const countedSince = (now: Date): Date => new Date(fromWarsaw(Date.parse(firstDay(now))))

/** Derives all hours that have ended; each process may call it at any time. */
export async function deriveOffenders(db: Pool, now: Date): Promise<void> {
  if (!(await runAlone(db, (db) => markArrivals(db).then(() => true)))) return
  while (await runAlone(db, (db) => readHours(db, now))) {}
  while (await runAlone(db, (db) => evaluateQueued(db, now))) {}
  await runAlone(db, (db) => recordCounted(db, lastFullHour(now)).then(() => true))
}

const lastFullHour = (now: Date): Date => new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS)

/** Whether there was something to do; false if another process derives at this time. */
const runAlone = (db: Pool, work: (db: Transaction) => Promise<boolean>): Promise<boolean> =>
  db.transaction(async (db) => {
    if (!(await tryLockOffenders(db))) return false
    // At the first run or after a restore this can take long.
    await db.liftTimeLimit()
    return work(db)
  })

async function readHours(db: Transaction, now: Date): Promise<boolean> {
  const marks: Mark[] = await takeMarks(db, now, BATCH_HOURS)
  if (marks.length === 0) return false
  const readings = (await unknownReadings(db, marks)).map((reading) => {
    const identity = identityOf(reading.plate, reading.nationality)
    const spelling = identity && {
      form: identity.form,
      country: identity.country ?? '',
      fold: foldOf(identity.form),
      mayBeMisread: mayBeMisread(identity),
    }
    return { ...reading, spelling }
  })
  if (readings.length > 0) await insertReadings(db, readings)
  await queueSeen(db, marks)
  return true
}

async function evaluateQueued(db: Transaction, now: Date): Promise<boolean> {
  const queued = await takeQueued(db, BATCH_SPELLINGS)
  if (queued.length === 0) return false
  const vehicles = await joinSpellings(db, queued, countedSince(now))
  await recountVehicles(db, [...new Set([...vehicles, ...(await vehiclesOf(db, queued))])], countedSince(now))
  return true
}

/** Evaluates the joins of spellings and of those with the same fold; returns the vehicles that changed. */
async function joinSpellings(db: Transaction, ids: readonly number[], since: Date): Promise<number[]> {
  const spellings = await foldMates(db, ids)
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
  const figures = await spellingFigures(db, [...new Set(involved)], since)
  const withFigures = (spelling: StoredSpelling) => {
    const own = figures.get(spelling.id)
    return own && { ...identityFor(spelling), ...own, id: spelling.id }
  }
  const distanceBetween = await distances(db)
  const changed: number[] = []
  for (const { spelling, candidates } of evaluated) {
    const variant = withFigures(spelling)
    if (!variant) continue
    const others = candidates.flatMap((candidate) => withFigures(candidate) ?? [])
    const join = findJoin(variant, others, distanceBetween)
    if ((join?.other.id ?? null) === spelling.joinedTo && (join?.rule ?? null) === spelling.rule) continue
    changed.push(...(await setJoin(db, spelling.id, join && { ...join, to: join.other.id })))
    // Those of which it is a candidate may be of use now.
    await queueSpellings(db, [spelling.id])
  }
  return changed
}

const identityFor = ({ form, country }: StoredSpelling) => ({ form, country: (country || null) as Iso | null })

/** Distances along a road by chainage, in km; stations of different roads have none. */
async function distances(db: Transaction): Promise<DistanceBetween> {
  const stations = new Map((await locations(db)).map((station) => [station.id, station]))
  return (from, to) => {
    const [one, other] = [stations.get(from), stations.get(to)]
    if (!one || !other || one.roadNumber !== other.roadNumber) return null
    const distance = Math.abs(kilometresOf(one.chainage) - kilometresOf(other.chainage))
    return Number.isNaN(distance) ? null : distance
  }
}

/** `12+300` is 12.3 km. */
const kilometresOf = (chainage: string): number => Number(chainage.replace('+', '.'))

/**
 * Evaluates joins again whose counts may have changed since, and deletes what is older than the vehicles, or than 24
 * months.
 */
export async function reviewOffenders(db: Pool, now: Date): Promise<void> {
  await db.transaction(async (db) => {
    await lockOffenders(db)
    await db.liftTimeLimit()
    const through = await lastExpiredDay(db, now)
    await expireDays(db, through)
    await queueReviewed(db)
    await deleteUnseen(db, through)
  })
  await deriveOffenders(db, now)
}

/** The last day of which vehicles may have been deleted, or that is older than 24 months. */
export async function lastExpiredDay(db: Database, now: Date): Promise<string> {
  const extent = await extentOf(db, 'vehicle')
  const dayBefore = new Date(Date.parse(firstDay(now)) - DAY_MS).toISOString().slice(0, 10)
  return extent && dateOf(extent.from) > dayBefore ? dateOf(extent.from) : dayBefore
}
