import * as endpoints from '@rogatka/contract/alarms.ts'
import { type AlarmKind, alarmKinds, MAX_ALARM_DAYS } from '@rogatka/contract/alarms.ts'
import { alarmFigures, isStanding, mostFrequent } from '@rogatka/domain/alarms/figures.ts'
import { isShelved, shelfError } from '@rogatka/domain/alarms/state.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { audit } from '../core/audit.ts'
import type { Database } from '../core/database.ts'
import { EncodedJson } from '../core/encoded-json.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { storable } from '../core/text.ts'
import { hitTimes } from '../wanted/public-api.ts'
import type { AlarmBoard } from './board.ts'
import {
  type AlarmRow,
  acknowledgeAlarm,
  alarmHistory,
  countAlarms,
  lockAlarm,
  notifyAlarms,
  openAlarms,
  raisedAlarms,
  returnAlarm,
  shelveAlarm,
} from './queries.ts'
import { alarmView, type Viewer, visibleKinds } from './view.ts'

/** Registers the routes of alarms. */
export function alarmsRoutes(api: Api, board: AlarmBoard): void {
  const requireList = (viewer: Viewer) => {
    const list = board.list(viewer)
    if (!list) throw new Refusal('unavailable', 503, null, 1)
    return list
  }

  route(api, endpoints.list, ({ session }) => new EncodedJson(requireList(session).json))

  route(api, endpoints.check, ({ session, query }) => ({ refresh: requireList(session).version !== query.version }))

  route(api, endpoints.history, async ({ db, now, session, query }) => {
    const { page, limit, kinds, locations } = query
    const visible = visibleKinds(session)
    const search = {
      ...checkedRange(query),
      kinds: kinds?.length ? visible.filter((kind) => kinds.includes(kind)) : visible,
      locations,
    }
    const rows = await alarmHistory(db, search, { offset: (page - 1) * limit, limit })
    return {
      content: rows.map((row) => alarmView(row, session, false, now)),
      totalCount: await countAlarms(db, search),
    }
  })

  route(api, endpoints.figures, async ({ db, now, session, query }) => {
    const { from, to } = checkedRange(query)
    const kinds = visibleKinds(session)
    const raised = await raisedAlarms(db, { from, to, kinds, locations: undefined })
    const hits = kinds.length === alarmKinds.length ? await hitTimes(db, from, to) : []
    const hitAlarms = hits.map((raisedAt) => ({
      priority: 'high' as const,
      raisedAt,
      acknowledgedAt: null,
      isMissed: false,
    }))
    const standing = (await openAlarms(db)).filter((row) => kinds.includes(row.kind) && isStanding(row, now))
    return {
      ...alarmFigures([...raised, ...hitAlarms], from, to),
      mostFrequent: mostFrequent(raised).map(({ kind, locationId, shortName, alarms }) => ({
        kind,
        location: locationId === null ? null : { id: locationId, shortName: shortName ?? '' },
        alarms,
      })),
      standing: standing
        .filter(({ clearedAt }) => clearedAt === null)
        .map((row) => alarmView(row, session, false, now)),
    }
  })

  route(api, endpoints.acknowledge, async ({ db, now, session, request, params }) => {
    const answer = await db.transaction(async (db) => {
      const alarm = await lockVisible(db, params.id, session)
      if (alarm.acknowledgedAt) return { isFirst: false, by: alarm.acknowledgedBy ?? '', at: alarm.acknowledgedAt }
      if (alarm.closedAt) throw new Refusal('alarm-not-found', 404)
      await acknowledgeAlarm(db, alarm.id, session.username, now)
      const after = { alarm: alarm.kind }
      await audit(db, { session, request, now }, { action: 'alarm-acknowledged', subject: subjectOf(alarm), after })
      await notifyAlarms(db)
      return { isFirst: true, by: session.username, at: now }
    })
    await board.refresh()
    return answer
  })

  route(api, endpoints.shelve, async ({ db, now, session, request, params, body }) => {
    await db.transaction(async (db) => {
      const alarm = await lockOpen(db, params.id, session)
      const error = shelfError(alarm.kind, body.until, now)
      if (error) throw new Refusal(error, 422, error === 'alarm-never-shelved' ? null : 'until')
      const reason = storable(body.reason)
      await shelveAlarm(db, alarm.id, { until: body.until, by: session.username, reason })
      const after = { alarm: alarm.kind, to: body.until, reason }
      await audit(db, { session, request, now }, { action: 'alarm-shelved', subject: subjectOf(alarm), after })
      await notifyAlarms(db)
    })
    await board.refresh()
  })

  route(api, endpoints.unshelve, async ({ db, now, session, request, params }) => {
    await db.transaction(async (db) => {
      const alarm = await lockOpen(db, params.id, session)
      if (!isShelved(alarm, now)) return
      await returnAlarm(db, alarm.id, now)
      const before = { alarm: alarm.kind, to: alarm.shelvedUntil, reason: alarm.shelfReason }
      await audit(db, { session, request, now }, { action: 'alarm-unshelved', subject: subjectOf(alarm), before })
      await notifyAlarms(db)
    })
    await board.refresh()
  })
}

/** @throws 400 if the range is reversed or too long */
function checkedRange({ dateTimeStart: from, dateTimeEnd: to }: { dateTimeStart: Date; dateTimeEnd: Date }) {
  if (from > to) throw new Refusal('start-after-end', 400, 'dateTimeStart')
  if (to.getTime() - from.getTime() > MAX_ALARM_DAYS * DAY_MS) throw new Refusal('value-too-large', 400, 'dateTimeEnd')
  return { from, to }
}

/** Locks an alarm until the transaction ends. @throws 404 if it does not exist for this session */
async function lockVisible(db: Database, id: number, viewer: Viewer): Promise<AlarmRow> {
  const kinds: readonly AlarmKind[] = visibleKinds(viewer)
  const alarm = await lockAlarm(db, id)
  if (!alarm || !kinds.includes(alarm.kind)) throw new Refusal('alarm-not-found', 404)
  return alarm
}

/** @throws 404 if it does not exist for this session, or has left the list */
async function lockOpen(db: Database, id: number, viewer: Viewer): Promise<AlarmRow> {
  const alarm = await lockVisible(db, id, viewer)
  if (alarm.closedAt) throw new Refusal('alarm-not-found', 404)
  return alarm
}

/** Subject of audit entries: the station or scale; the kind of alarm if it has none. */
const subjectOf = ({ shortName, name, kind }: AlarmRow): string => shortName ?? name ?? kind
