import { type Inspection, passage as passageSchema } from '@rogatka/contract/inspections.ts'
import { typesOfList } from '@rogatka/contract/options.ts'
import { inspectionNumber } from '@rogatka/domain/inspections/number.ts'
import type { InspectionStatus } from '@rogatka/domain/inspections/states.ts'
import { anonymise } from '@rogatka/domain/vehicle/anonymity.ts'
import { canUseList, markFor } from '@rogatka/domain/wanted/visibility.ts'
import { isAnonymised } from '../core/anonymity.ts'
import type { Database } from '../core/database.ts'
import { vehicleKey } from '../core/passage.ts'
import type { Session } from '../core/sessions.ts'
import { toImages } from '../vehicle/public-api.ts'
import { listMarks } from '../wanted/public-api.ts'
import { imagesOfInspections, photosOfInspections } from './file-queries.ts'
import { type InspectionRow, usernames } from './queries.ts'

export const statusOf = (row: InspectionRow): InspectionStatus => ({
  state: row.state,
  announcerId: row.announcedBy,
  officerId: row.officerId,
  formerOfficerIds: row.formerOfficerIds,
  passedByAt: row.passedByAt,
  isWeighed: row.weighing !== null,
})

export const numberOf = ({ sequence, year, code }: Pick<InspectionRow, 'sequence' | 'year' | 'code'>): string =>
  inspectionNumber(sequence, year, code)

type Plate = { plateLpr: string | null; nationality: string | null }

/** The plate of the vehicle: as measured, or as entered for one without a measurement. */
export function plateOf({ passage, enteredPlate, enteredNationality }: InspectionRow): Plate {
  const { plateLpr = null, nationality = null } = (passage ?? {}) as Partial<Plate>
  return passage ? { plateLpr, nationality } : { plateLpr: enteredPlate, nationality: enteredNationality }
}

/** Inspections with the names of their users and their files. */
export async function toInspections(db: Database, rows: readonly InspectionRow[]): Promise<Inspection[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const names = await usernames(db, [...new Set(rows.flatMap(usersOf))])
  const images = Map.groupBy(await imagesOfInspections(db, ids), ({ inspectionId }) => inspectionId)
  const photos = Map.groupBy(await photosOfInspections(db, ids), ({ inspectionId }) => inspectionId)
  const person = (id: number) => ({ id, username: names.get(id) ?? '' })
  const step = (at: Date | null, by: number | null) => (at && by !== null ? { at, by: person(by) } : null)
  return rows.map((row) => ({
    id: row.id,
    number: numberOf(row),
    version: row.version,
    state: row.state,
    selection: row.selection,
    location: { id: row.locationId, shortName: row.shortName },
    wim: row.passage
      ? { ...passageSchema.decode(row.passage as never), images: toImages(images.get(row.id) ?? []) }
      : null,
    ...plateOf(row),
    ctg8p1: row.ctg8p1,
    static: row.weighing,
    confirmed: row.confirmed,
    announced: { at: row.announcedAt, by: person(row.announcedBy) },
    officer: row.officerId === null ? null : person(row.officerId),
    takenOverAt: row.takenOverAt,
    weighed: step(row.weighedAt, row.weighedBy),
    closed: step(row.closedAt, row.closedBy),
    withdrawn: step(row.withdrawnAt, row.withdrawnBy),
    passedBy: row.passedByAt && { at: row.passedByAt, by: row.passedByBy === null ? null : person(row.passedByBy) },
    reopened: step(row.reopenedAt, row.reopenedBy),
    reason: row.reason,
    shift: { day: row.shiftDay, start: row.shiftStart },
    results: row.results,
    fineAmount: row.fineAmount,
    carrier: row.carrier,
    taxId: row.taxId,
    declaration: row.declaration,
    note: row.note,
    photos: (photos.get(row.id) ?? []).map(({ number, type, size }) => ({ number, type, size })),
  }))
}

export const toInspection = async (db: Database, row: InspectionRow): Promise<Inspection> =>
  (await toInspections(db, [row]))[0] as Inspection

export const usersOf = (row: InspectionRow): number[] =>
  [row.announcedBy, row.officerId, row.weighedBy, row.closedBy, row.withdrawnBy, row.passedByBy, row.reopenedBy].filter(
    (id) => id !== null,
  )

/** Inspections as this session may see them: masked, or with the list marks of their vehicles. */
export async function showInspections(db: Database, session: Session, found: Inspection[]): Promise<Inspection[]> {
  const keys = found.flatMap(({ wim }) => wim ?? []).map((it) => ({ ...it, locationId: it.location.id }))
  const canSeeMarks = typesOfList.some((type) => canUseList(session.permissions, type))
  const marks = Map.groupBy(canSeeMarks ? await listMarks(db, keys) : [], vehicleKey)
  return found.map((inspection) => {
    const wanted = inspection.wim && markFor(session, marks.get(vehicleKey(inspection.wim)) ?? [])
    return { ...maskFor(session, inspection), ...(wanted && { wanted }) }
  })
}

/** The inspection as this session may see it: for anonymised data without what identifies driver, carrier or vehicle. */
export function maskFor(session: Pick<Session, 'permissions'>, inspection: Inspection): Inspection {
  if (!isAnonymised(session)) return inspection
  const wim = inspection.wim && { ...anonymise(inspection.wim), images: [] }
  return {
    ...inspection,
    wim,
    plateLpr: wim?.plateLpr ?? null,
    nationality: wim?.nationality ?? null,
    reason: null,
    ...(inspection.steps && { steps: inspection.steps.map((step) => ({ ...step, reason: null })) }),
    carrier: null,
    taxId: null,
    declaration: null,
    note: null,
    photos: [],
  }
}
