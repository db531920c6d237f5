import { hasRight } from '@rogatka/contract/access.ts'
import { type Alarm, type AlarmKind, alarmKinds } from '@rogatka/contract/alarms.ts'
import { isRepeating } from '@rogatka/domain/alarms/engine.ts'
import { isSilent } from '@rogatka/domain/alarms/flood.ts'
import { equipmentKinds } from '@rogatka/domain/alarms/kinds.ts'
import { alarmState, isShelved, maxShelfMinutes } from '@rogatka/domain/alarms/state.ts'
import { maskPlate } from '@rogatka/domain/vehicle/anonymity.ts'
import { isAnonymised } from '../core/anonymity.ts'
import type { Session } from '../core/sessions.ts'
import type { AlarmRow } from './queries.ts'

export type Viewer = Pick<Session, 'permissions'>

/** The kinds that a session may see: operators all of them, users who maintain equipment those about it. */
export function visibleKinds({ permissions }: Viewer): readonly AlarmKind[] {
  if (hasRight(permissions, 'CurrentMeasurements')) return alarmKinds
  return hasRight(permissions, 'UsersAdmin') || hasRight(permissions, 'Tickets') ? equipmentKinds : []
}

/** An alarm as visible to this session. */
export function alarmView(row: AlarmRow, viewer: Viewer, isFlood: boolean, now: Date): Alarm {
  const masked = isAnonymised(viewer)
  const repeating = isRepeating(row.raisedTimes, now)
  return {
    id: row.id,
    kind: row.kind,
    priority: row.priority,
    state: alarmState(row, now),
    location:
      row.locationId === null
        ? null
        : { id: row.locationId, shortName: row.shortName ?? '', roadNumber: row.roadNumber ?? '' },
    laneNumber: row.laneNumber,
    sign: row.signId === null ? null : { id: row.signId, number: row.signNumber ?? 0 },
    vehicle:
      row.vehicleId === null || row.vehicleCreatedAt === null
        ? null
        : {
            id: row.vehicleId,
            createdAt: row.vehicleCreatedAt,
            plateLpr: row.plateLpr !== null && masked ? maskPlate(row.plateLpr) : row.plateLpr,
            nationality: row.nationality,
          },
    name: row.name,
    value: row.value,
    raisedAt: row.raisedAt,
    count: row.count,
    isRepeating: repeating,
    isSilent: isSilent({ priority: row.priority, isRepeating: repeating }, isFlood),
    endsAt: row.endsAt,
    clearedAt: row.clearedAt,
    isMissed: row.isMissed,
    acknowledged: row.acknowledgedAt ? { by: row.acknowledgedBy ?? '', at: row.acknowledgedAt } : null,
    shelved:
      isShelved(row, now) && row.shelvedUntil
        ? { by: row.shelvedBy ?? '', until: row.shelvedUntil, reason: masked ? null : row.shelfReason }
        : null,
    maxShelfMinutes: hasRight(viewer.permissions, 'AlarmShelving') ? maxShelfMinutes(row.kind) : null,
  }
}
