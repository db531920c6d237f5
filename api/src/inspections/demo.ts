import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { numberYear, stationCode } from '@rogatka/domain/inspections/number.ts'
import type { PastInspection } from '@rogatka/domain/inspections/pastInspection.ts'
import { shiftAt } from '@rogatka/domain/inspections/shift.ts'
import { lockScale, markScaleUsed } from '../certificates/public-api.ts'
import type { Database, Pool } from '../core/database.ts'
import { limitsDocumentAt, listLegalLimits, locations } from '../locations/public-api.ts'
import { markInspected } from '../offenders/public-api.ts'
import { vehicleByKey } from '../vehicle/public-api.ts'
import { passageCopy } from './copy.ts'
import { updateFigures } from './figure-row-queries.ts'
import { hasInspectionLike, insertFinished, takeNumbers } from './queries.ts'
import { measuredOf, weighingColumns } from './weighing.ts'

/** Days of history with inspections, at most. */
export const DEMO_INSPECTION_DAYS = 14
const KEY_START = 'history:'
/** Rows per statement. */
const BATCH = 100

/** Whether the demo still needs its history of inspections. */
export const needsDemoInspections = async (db: Database): Promise<boolean> => !(await hasInspectionLike(db, KEY_START))

/** When the history begins that has inspections. */
export const demoInspectionsFrom = (now: Date, backfillDays: number): Date =>
  new Date(now.getTime() - Math.min(DEMO_INSPECTION_DAYS, backfillDays) * DAY_MS)

const dateOrNull = (at: string | null): Date | null => (at === null ? null : new Date(at))

/**
 * Stores the inspections of the simulated officers before the start, which the API refuses as too old, numbered in order
 * of time. `officers`: user ids by username. Vehicles that were not stored are left out. Returns how many were stored.
 */
export function insertPastInspections(
  db: Pool,
  past: readonly PastInspection[],
  { officers, shiftStarts, now }: { officers: ReadonlyMap<string, number>; shiftStarts: readonly string[]; now: Date },
): Promise<number> {
  return db.transaction(async (db) => {
    if (!(await needsDemoInspections(db))) return 0
    const context = await contextOf(db, past, now)
    const rows: { code: string; year: number; columns: object }[] = []
    for (const inspection of past.toSorted((a, b) => Date.parse(a.announcedAt) - Date.parse(b.announcedAt))) {
      const location = context.stations.get(inspection.locationId)
      const userId = officers.get(inspection.officer)
      const columns = userId && (await columnsOf(db, inspection, { ...context, userId, shiftStarts }))
      if (!location || !columns) continue
      const code = stationCode(location.shortName, location.id)
      rows.push({ code, year: numberYear(new Date(inspection.announcedAt)), columns })
    }
    const numbered: object[] = []
    for (const ofStation of Map.groupBy(rows, ({ code, year }) => `${code}/${year}`).values()) {
      const { code, year } = ofStation[0] as (typeof rows)[number]
      const last = await takeNumbers(db, code, year, ofStation.length)
      const first = last - ofStation.length + 1
      numbered.push(...ofStation.map(({ columns }, index) => ({ code, year, sequence: first + index, ...columns })))
    }
    for (let from = 0; from < numbered.length; from += BATCH) {
      const ids = await insertFinished(db, numbered.slice(from, from + BATCH))
      await updateFigures(db, ids)
      await markInspected(db, ids)
    }
    return numbered.length
  })
}

/** Stations, their legal limits, and the scales in use. */
async function contextOf(db: Database, past: readonly PastInspection[], now: Date) {
  const stations = new Map((await locations(db)).map((location) => [location.id, location]))
  const legalLimits = new Map<number, Awaited<ReturnType<typeof listLegalLimits>>>()
  for (const id of stations.keys()) legalLimits.set(id, await listLegalLimits(db, id))
  const scales = new Map<number, NonNullable<Awaited<ReturnType<typeof lockScale>>>>()
  for (const id of new Set(past.flatMap(({ weighing }) => weighing?.scaleId ?? []))) {
    const scale = await lockScale(db, id, now)
    if (!scale) continue
    scales.set(id, scale)
    await markScaleUsed(db, id, now)
  }
  return { stations, legalLimits, scales }
}

type Context = Awaited<ReturnType<typeof contextOf>> & { userId: number; shiftStarts: readonly string[] }

/** The columns of an inspection except its number; undefined without its vehicle. */
async function columnsOf(
  db: Database,
  inspection: PastInspection,
  { legalLimits, scales, userId, shiftStarts }: Context,
) {
  const { locationId, state, weighing, selection } = inspection
  const key = { locationId, id: inspection.vehicleId, createdAt: new Date(inspection.createdAt) }
  const vehicle = await vehicleByKey(db, key)
  if (!vehicle) return undefined
  const [announcedAt, takenOverAt] = [new Date(inspection.announcedAt), dateOrNull(inspection.takenOverAt)]
  const endedAt = new Date(inspection.endedAt)
  const passage = passageCopy(vehicle)
  const shift = shiftAt(shiftStarts, takenOverAt ?? announcedAt)
  const scale = weighing && scales.get(weighing.scaleId)
  const limits = limitsDocumentAt(legalLimits.get(locationId) ?? [], key.createdAt)?.limits ?? null
  const weighed =
    scale &&
    weighingColumns(
      { axles: weighing.axles, gaps: null, groups: null, gross: null },
      { measured: measuredOf(passage), ctg8p1: vehicle.ctg8p1, limits, scale, at: new Date(inspection.weighedAt ?? 0) },
    )
  const isClosed = state === 'closed'
  return {
    state,
    version: (inspection.isAnnounced ? 2 : 1) + (weighed ? 1 : 0) + (isClosed ? 1 : 0),
    selection,
    was_announced: inspection.isAnnounced,
    location_id: locationId,
    vehicle_id: key.id,
    vehicle_created_at: key.createdAt,
    passage: JSON.stringify(passage),
    lane_number: vehicle.lane.laneNumber,
    was_overload: vehicle.overload,
    announced_at: announcedAt,
    announced_by: userId,
    officer_id: takenOverAt && userId,
    taken_over_at: takenOverAt,
    weighed_by: weighed ? userId : null,
    weighed_at: weighed?.weighed_at ?? null,
    ctg8p1: vehicle.ctg8p1,
    scale_id: weighed?.scale_id ?? null,
    static_gross: weighed?.static_gross ?? null,
    confirmed: weighed?.confirmed ?? null,
    weighing: weighed ? JSON.stringify(weighed.weighing) : null,
    closed_at: isClosed ? endedAt : null,
    closed_by: isClosed ? userId : null,
    withdrawn_at: state === 'withdrawn' ? endedAt : null,
    withdrawn_by: state === 'withdrawn' ? userId : null,
    passes_at: endedAt,
    passed_by_at: state === 'passedBy' ? endedAt : null,
    reason: inspection.reason,
    shift_day: shift.day,
    shift_start: shift.start,
    results: inspection.results.map(String),
    fine_amount: inspection.fineAmount,
    carrier: inspection.carrier,
    tax_id: inspection.taxId,
    declaration: inspection.declaration,
    idempotency_key: `${KEY_START}${key.id}`,
    request_digest: '',
  }
}
