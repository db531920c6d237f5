import { hasRight } from '@rogatka/contract/access.ts'
import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { isVisible } from '@rogatka/domain/inspections/states.ts'
import type { Database } from '../core/database.ts'
import { type PassageKey, vehicleKey } from '../core/passage.ts'
import type { Session } from '../core/sessions.ts'
import { inspectionById } from './queries.ts'
import { actorOf } from './steps.ts'
import { inspectionMarks, weighedInspectionOf } from './vehicle-queries.ts'
import { numberOf, statusOf } from './view.ts'

type OfVehicle = Pick<Vehicle, 'inspection' | 'weighing'>

/** What the detail of a vehicle shows of its inspections; nothing without one. */
export async function inspectionOfVehicle(db: Database, session: Session, key: PassageKey, now: Date) {
  const mark = (await inspectionMarks(db, [key])).get(vehicleKey(key))
  if (!mark?.id) return {}
  const row = await inspectionById(db, mark.id)
  const mayRead = (['Inspections', 'InspectionReview'] as const).some((right) => hasRight(session.permissions, right))
  const isOpenable = mayRead && row !== undefined && isVisible(statusOf(row), actorOf(session), now)
  const weighed = await weighedInspectionOf(db, key)
  const shown: OfVehicle = { inspection: { ...mark, isVisible: isOpenable } }
  if (weighed?.weighing && weighed.weighedAt)
    shown.weighing = { ...weighed.weighing, number: numberOf(weighed), at: weighed.weighedAt }
  return shown
}

/** The number of the inspection of a vehicle, if the user may open it; null without one. */
export async function inspectionNumber(db: Database, session: Session, key: PassageKey, now: Date) {
  const { inspection } = await inspectionOfVehicle(db, session, key, now)
  if (!inspection?.isVisible) return null
  const row = inspection.id === null ? undefined : await inspectionById(db, inspection.id)
  return row ? numberOf(row) : null
}
