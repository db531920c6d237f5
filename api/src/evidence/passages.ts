import { hash } from 'node:crypto'
import { deflateSync, inflateSync } from 'node:zlib'
import { imageTypes } from '@rogatka/contract/vehicle.ts'
import { HOUR_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { type SealedItem, sealLines, sealText } from '@rogatka/domain/evidence/passageSeal.ts'
import type { Database, Pool } from '../core/database.ts'
import { lastSeals } from './anchor-queries.ts'
import { FIRST_HASH } from './chains.ts'
import {
  insertPassageSeals,
  type PassageSeal,
  type ReceiptRange,
  type ReceivedItem,
  receivedBetween,
  saveSealingState,
  sealingState,
  sealsOfMinutes,
} from './passage-queries.ts'
import { tryLockSealing } from './seal-queries.ts'

/** Transactions that store vehicles end within 30 s. */
const SEAL_AFTER_MS = 2 * MINUTE_MS
/** Minutes that are read at a time. */
const SLICE_MS = 10 * MINUTE_MS
/** How far back late rows are looked for, every hour: those of a process whose clock was set back. */
export const SWEEP_MS = 3 * HOUR_MS

/** The beginning of the minute. */
export const floorMinute = (ms: number) => new Date(Math.floor(ms / MINUTE_MS) * MINUTE_MS)

/** The text of the lines of a seal. @throws if they were changed so that they cannot be inflated */
export const linesOf = ({ lines }: Pick<PassageSeal, 'lines'>): string => inflateSync(lines).toString()

/** The SHA-256 of the text of a seal. */
export const sealHash = (
  { locationId, minute, number }: Pick<PassageSeal, 'locationId' | 'minute' | 'number'>,
  previous: Buffer,
  lines: string,
): Buffer =>
  hash('sha256', sealText({ locationId, minute, number, previous: previous.toString('hex') }, lines), 'buffer')

/** One line of a seal, to compare. */
export const lineOf = (item: SealedItem): string => sealLines([item]).trimEnd()

export const toSealedItem = ({ id, createdAt, type, digest }: ReceivedItem): SealedItem => ({
  id,
  createdAt,
  type: type === null ? null : (imageTypes[type - 1] ?? null),
  digest,
})

/** Appends seals of these items to the chains of their stations: one for each station and minute. */
async function sealItems(db: Database, items: readonly ReceivedItem[]): Promise<void> {
  if (items.length === 0) return
  const stations = Map.groupBy(items, ({ locationId }) => locationId)
  const last = new Map((await lastSeals(db, [...stations.keys()])).map((seal) => [seal.locationId, seal]))
  const seals: PassageSeal[] = []
  for (const [locationId, ofStation] of stations) {
    let { number, seal: previous } = last.get(locationId) ?? { number: 0, seal: FIRST_HASH }
    const minutes = Map.groupBy(ofStation, ({ receivedAt }) => floorMinute(receivedAt.getTime()).getTime())
    for (const [minute, received] of [...minutes].sort(([a], [b]) => a - b)) {
      number += 1
      const lines = sealLines(received.map(toSealedItem))
      const header = { locationId, minute: new Date(minute), number }
      previous = sealHash(header, previous, lines)
      const images = received.filter(({ type }) => type !== null).length
      const counts = { vehicles: received.length - images, images }
      seals.push({ ...header, ...counts, seal: previous, lines: deflateSync(lines) })
    }
  }
  await insertPassageSeals(db, seals)
}

/** Seals rows whose minute is sealed, and that are in no seal: they were committed too late. */
async function sealLate(db: Database, range: ReceiptRange): Promise<void> {
  const { items } = await receivedBetween(db, range)
  if (items.length === 0) return
  const sealed = new Set((await sealsOfMinutes(db, range)).flatMap((seal) => linesOf(seal).split('\n')))
  await sealItems(
    db,
    items.filter((item) => !sealed.has(lineOf(toSealedItem(item)))),
  )
}

/** Seals the next minutes of all stations in one transaction. Returns whether more are due. */
const sealSlice = (db: Pool, now: Date): Promise<boolean> =>
  db.transaction(async (db) => {
    if (!(await tryLockSealing(db))) return false
    const due = floorMinute(now.getTime() - SEAL_AFTER_MS)
    const state = await sealingState(db)
    // Nothing before is sealed; vehicles of an older version have no record.
    const begin = new Date(due.getTime() - HOUR_MS)
    const { sealedUntil, sweptUntil } = state ?? { sealedUntil: begin, sweptUntil: begin }
    // The clock was set back: what is received now belongs to minutes that are sealed.
    if (sealedUntil > now) {
      await saveSealingState(db, { sealedUntil: due, sweptUntil: due })
      return false
    }
    if (sealedUntil < due) {
      const to = new Date(Math.min(due.getTime(), sealedUntil.getTime() + SLICE_MS))
      const { items } = await receivedBetween(db, { from: sealedUntil, to })
      await sealItems(db, items)
      await saveSealingState(db, { sealedUntil: to, sweptUntil })
      return to < due || due.getTime() - sweptUntil.getTime() >= HOUR_MS
    }
    if (due.getTime() - sweptUntil.getTime() < HOUR_MS) return false
    for (let from = new Date(sweptUntil.getTime() - SWEEP_MS); from < due; ) {
      const to = new Date(Math.min(due.getTime(), from.getTime() + SLICE_MS))
      await sealLate(db, { from, to })
      from = to
    }
    await saveSealingState(db, { sealedUntil, sweptUntil: due })
    return false
  })

/** Seals what stations delivered in minutes that ended two minutes ago. Several processes may do so at a time. */
export async function sealPassages(db: Pool, now: Date, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await sealSlice(db, now)));
}
