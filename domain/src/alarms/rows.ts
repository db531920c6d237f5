import type { AlarmKind, AlarmPriority } from '@rogatka/contract/alarms.ts'
import { isVehicleKind } from './kinds.ts'

type Alarm = {
  id: number
  kind: AlarmKind
  priority: AlarmPriority
  location: { id: number; roadNumber: string } | null
}

/** What the alarms of a row have in common: a station, a road, or something behind all of them (the portal). */
export type AlarmCause = { by: 'station'; locationId: number } | { by: 'road'; roadNumber: string } | { by: 'portal' }

export type AlarmRow<A> = { cause: AlarmCause | null; kind: AlarmKind | null; alarms: [A, ...A[]] }

/** From this number on, alarms of one cause become one row. */
const MIN_GROUP = 5

/**
 * Rows of a list of alarms, in its order: alarms of one kind on one road, or everywhere, become one row from five on; those of
 * vehicles by station. In a flood all but high ones of a station become one row.
 */
export function alarmRows<A extends Alarm>(alarms: readonly A[], isFlood: boolean): AlarmRow<A>[] {
  const rowOf = new Map<A, AlarmRow<A>>()
  const ungrouped = () => alarms.filter((alarm) => !rowOf.has(alarm))
  const group = (
    keyOf: (alarm: A) => string | null,
    min: number,
    causeOf: (alarm: A) => AlarmCause,
    isOneKind = true,
  ) => {
    const groups = Map.groupBy(
      ungrouped().filter((alarm) => keyOf(alarm) !== null),
      keyOf,
    )
    for (const [first, ...others] of groups.values()) {
      if (!first || others.length + 1 < min) continue
      const row: AlarmRow<A> = {
        cause: causeOf(first),
        kind: isOneKind ? first.kind : null,
        alarms: [first, ...others],
      }
      for (const alarm of row.alarms) rowOf.set(alarm, row)
    }
  }
  const stationOf = ({ location }: A): AlarmCause => ({ by: 'station', locationId: location?.id ?? 0 })
  group((it) => (isVehicleKind(it.kind) && it.location ? `${it.kind} ${it.location.id}` : null), MIN_GROUP, stationOf)
  group(
    (it) => (!isVehicleKind(it.kind) && it.location ? `${it.kind} ${it.location.roadNumber}` : null),
    MIN_GROUP,
    ({ location }) => ({ by: 'road', roadNumber: location?.roadNumber ?? '' }),
  )
  group(
    (it) => (isVehicleKind(it.kind) ? null : it.kind),
    MIN_GROUP,
    () => ({ by: 'portal' }),
  )
  if (isFlood)
    group((it) => (it.priority !== 'high' && it.location ? String(it.location.id) : null), 2, stationOf, false)
  return [...new Set(alarms.map((alarm) => rowOf.get(alarm) ?? single(alarm, rowOf)))]
}

function single<A>(
  alarm: A & { kind: AlarmKind },
  rowOf: Map<A & { kind: AlarmKind }, AlarmRow<A & { kind: AlarmKind }>>,
) {
  const row: AlarmRow<A & { kind: AlarmKind }> = { cause: null, kind: alarm.kind, alarms: [alarm] }
  rowOf.set(alarm, row)
  return row
}
