import { BLACK } from '@rogatka/contract/options.ts'
import type { HitDetail, ListedHit } from '@rogatka/contract/wanted.ts'
import * as endpoints from '@rogatka/contract/wanted.ts'
import { hitStream, type OpenHit, openHits as openHitsEndpoint } from '@rogatka/contract/wanted-hits.ts'
import { opensHit, unansweredOutcome } from '@rogatka/domain/wanted/openHit.ts'
import { plateFor } from '../../core/anonymity.ts'
import { audit } from '../../core/audit.ts'
import type { Database } from '../../core/database.ts'
import { EncodedJson } from '../../core/encoded-json.ts'
import { isUnchanged, startEventStream } from '../../core/event-stream.ts'
import { tokenOf } from '../../core/known-tokens.ts'
import { notifyHitChanges, notifyMarks } from '../../core/live-events.ts'
import { type Look, shownOf } from '../../core/look.ts'
import { vehicleKey } from '../../core/passage.ts'
import { Refusal, refuseFields } from '../../core/refusal.ts'
import { type Api, type Call, route } from '../../core/route.ts'
import type { Session } from '../../core/sessions.ts'
import { warsawTime } from '../../core/warsaw.ts'
import { allowedOwner } from '../owner.ts'
import { vehicleTimes } from '../queries.ts'
import { maskFor } from '../search.ts'
import {
  closeHit,
  countMisreads,
  insertStep,
  type LatestRow,
  latestHitPage,
  listHitSteps,
  markFalse,
  messagesAbout,
  reopenHit,
  STEPS,
  takeHit,
} from './hit-queries.ts'
import {
  closingOf,
  findHit,
  type Hit,
  keyOf,
  numberOf,
  type ReadVehicles,
  reasonOf,
  showHit,
  visibleEntries,
} from './hits.ts'
import type { OpenHits } from './open-hits.ts'
import { createHitStreams, encodeHits } from './streams.ts'

type HitCall = Pick<Call<typeof endpoints.hit>, 'session' | 'params' | 'query'>

/** Registers the routes of open hits: list, stream, and what users do about one. */
export function deskRoutes(api: Api, openHits: OpenHits, readVehicles: ReadVehicles): void {
  const streams = createHitStreams(openHits, api.now)
  api.sessions.onChange(streams.checkSessions)
  api.http.addHook('preClose', async () => streams.stop())

  route(
    api,
    openHitsEndpoint,
    ({ session, now }) => new EncodedJson(Buffer.from(encodeHits(openHits.visibleTo(session, now)))),
  )

  route(api, hitStream, async ({ session, request, reply, now, look }) => {
    const recordLook = (hits: OpenHit[]) => look(lookAtHits(hits))
    // Refuses before the response begins.
    await recordLook(openHits.visibleTo(session, now))
    const token = tokenOf(request) as string
    streams.open({
      session,
      raw: startEventStream(reply),
      recordLook,
      isAllowed: async () => isUnchanged(await api.sessions.find(token, api.now()), session),
    })
  })

  route(api, endpoints.latestHits, async ({ db, session, query, now }) => {
    const { content, totalCount } = await latestHitPage(db, allowedOwner(session, undefined), query)
    const times = await vehicleTimes(db, content)
    const { shiftStarts } = api.config
    // Not by the open hits in memory, which a new one reaches a moment later.
    const listed = content.map((row) =>
      toListed(session, row, unansweredOutcome(shiftStarts, row.createdAt, times.get(vehicleKey(row)), now)),
    )
    return { content: listed, totalCount }
  })

  route(api, endpoints.misreads, ({ db, session, query: { dateTimeStart: from, dateTimeEnd: to } }) =>
    countMisreads(db, { userId: allowedOwner(session, undefined), from, to, misread: numberOf('misread') }),
  )

  /** A hit with the entries that the caller may see. @throws 404 if it has none */
  async function visibleHit(db: Database, { session, params, query }: HitCall) {
    const hit = await findHit(db, keyOf({ id: params.id, createdAt: query.createdAt }), readVehicles)
    const entries = hit ? visibleEntries(session, hit) : []
    if (!hit || entries.length === 0) throw new Refusal('hit-not-found', 404)
    const open = entries.filter(({ closed }) => closed === null)
    return { hit, closed: closingOf(hit, entries), entries: open.length > 0 ? open : entries }
  }

  async function detailOf(db: Database, call: HitCall): Promise<HitDetail> {
    const { hit, closed, entries } = await visibleHit(db, call)
    const owners = entries.map(({ user }) => user.id)
    const messages = await messagesAbout(db, owners, vehicleKey(hit))
    const shown = showHit(call.session, hit, entries)
    return {
      ...shown,
      closed,
      isLate: isLate(hit),
      notified: messages.length,
      course: await courseOf(db, hit, messages),
    }
  }

  route(api, endpoints.hit, (call) => detailOf(call.db, call))

  route(api, endpoints.openHitSheet, async (call) => {
    const { db, session, now } = call
    const { hit } = await visibleHit(db, call)
    await insertStep(db, keyOf(hit), { step: 'opened', userId: session.userId }, now)
    return detailOf(db, call)
  })

  route(api, endpoints.takeHit, async (call) => {
    const { db, session, now, body } = call
    return db.transaction(async (db) => {
      const { hit, closed } = await visibleHit(db, call)
      if (hit.taken?.by.id === session.userId && !closed) return detailOf(db, call)
      if (closed) throw new Refusal('hit-closed', 409)
      if (isLate(hit)) throw new Refusal('hit-late', 409)
      const key = keyOf(hit)
      const from = body.from ?? null
      if (!(await takeHit(db, key, { userId: session.userId, from }, now))) {
        const { hit: present, closed } = await visibleHit(db, call)
        if (closed || !present.taken) throw new Refusal('hit-closed', 409)
        // The same user in another tab.
        if (present.taken.by.id === session.userId) return detailOf(db, call)
        throw takenByOther(present.taken)
      }
      await insertStep(db, key, { step: 'taken', userId: session.userId }, now)
      await auditHit(db, call, hit, 'wanted-hit-taken', { takenFrom: hit.taken?.by.username ?? null })
      await notifyHitChanges(db, [key])
      return detailOf(db, call)
    })
  })

  route(api, endpoints.closeHit, async (call) => {
    const { db, session, now, body } = call
    return db.transaction(async (db) => {
      const { hit, closed, entries } = await visibleHit(db, call)
      const key = keyOf(hit)
      const reason = body.reason ?? null
      const number = reason && numberOf(reason)
      const { userId } = session
      const isClosed =
        closed === null &&
        (number === null
          ? await closeHit(db, key, userId, now)
          : await markFalse(db, key, { entries: entries.map(({ id }) => id), userId, reason: number }, now))
      if (isClosed) {
        await insertStep(db, key, { step: 'closed', userId, reason: number }, now)
        await auditHit(db, call, hit, 'wanted-hit-closed', { hitReason: reason })
        await notifyMarks(db, [key])
      }
      return detailOf(db, call)
    })
  })

  route(api, endpoints.reopenHit, async (call) => {
    const { db, session, now } = call
    return db.transaction(async (db) => {
      const { hit, closed } = await visibleHit(db, call)
      const key = keyOf(hit)
      const since = new Date(now.getTime() - endpoints.REOPEN_SECONDS * 1_000)
      if (closed === null) return detailOf(db, call)
      if (!(await reopenHit(db, key, session.userId, since))) throw new Refusal('hit-not-reopened', 409)
      await insertStep(db, key, { step: 'reopened', userId: session.userId }, now)
      await auditHit(db, call, hit, 'wanted-hit-reopened', {})
      await notifyMarks(db, [key])
      return detailOf(db, call)
    })
  })
}

/** A look at open hits, as in their list. */
const lookAtHits = (hits: OpenHit[]): Look | null =>
  hits.length === 0
    ? null
    : {
        kind: 'hits',
        results: hits.length,
        shown: shownOf(hits.flatMap((hit) => [hit.plateLpr, ...hit.entries.map(({ plateLpr }) => plateLpr)])),
      }

/** A hit as listed to a session. `unanswered`: its outcome if nobody took or closed it. */
function toListed(session: Session, row: LatestRow, unanswered: ListedHit['outcome']): ListedHit {
  const { id, createdAt, locationId, shortName, laneNumber, nationality, falseReason } = row
  const outcome = row.isFalse ? 'false' : row.closedBy ? 'closed' : row.takenBy ? 'taken' : unanswered
  const entry = { plateLpr: row.entryPlate, description: row.description }
  return {
    id,
    createdAt,
    location: { id: locationId, shortName },
    laneNumber,
    plateLpr: plateFor(session, row.plateLpr),
    nationality,
    entry: { id: row.entryId, typeOfList: BLACK, ...maskFor(session, entry) },
    outcome,
    by: row.isFalse ? row.falseBy : (row.closedBy ?? row.takenBy),
    reason: reasonOf(falseReason),
  }
}

const takenByOther = ({ by, at }: NonNullable<Hit['taken']>) =>
  refuseFields(409, [{ path: null, code: 'hit-taken', params: { user: by.username, time: warsawTime(at) } }])

/** Whether the vehicle was received too late for a hit to open. */
const isLate = ({ createdAt, receivedAt }: Hit): boolean => !opensHit(createdAt, receivedAt)

type Change = { session: Session; request: Call<typeof endpoints.takeHit>['request']; now: Date }

function auditHit(
  db: Database,
  { session, request, now }: Change,
  { plateLpr, createdAt }: Hit,
  action: 'wanted-hit-taken' | 'wanted-hit-closed' | 'wanted-hit-reopened',
  after: Record<string, unknown>,
) {
  return audit(db, { session, request, now }, { action, subject: plateLpr, after: { plateLpr, createdAt, ...after } })
}

const stepNames = new Map<number, keyof typeof STEPS>(
  Object.entries(STEPS).map(([name, number]) => [number, name as keyof typeof STEPS]),
)

/** Everything that was done about a hit, in order of time. */
async function courseOf(
  db: Database,
  hit: Hit,
  messages: readonly { createdAt: Date; sentAt: Date | null }[],
): Promise<HitDetail['course']> {
  const byPortal = { by: null, reason: null }
  const enqueued = messages.map(({ createdAt }) => createdAt)
  const delivered = messages.flatMap(({ sentAt }) => sentAt ?? [])
  const course: HitDetail['course'] = [{ ...byPortal, step: 'read', at: hit.createdAt, count: null }]
  if (enqueued.length > 0) course.push({ ...byPortal, step: 'sent', at: earliest(enqueued), count: enqueued.length })
  // When the last of them was accepted.
  if (delivered.length > 0)
    course.push({ ...byPortal, step: 'delivered', at: latest(delivered), count: delivered.length })
  for (const { step, at, by, reason } of await listHitSteps(db, keyOf(hit))) {
    const name = stepNames.get(step)
    if (name) course.push({ step: name, at, by, count: null, reason: reasonOf(reason) })
  }
  return course.toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

const earliest = (times: readonly Date[]) => new Date(Math.min(...times.map(Number)))
const latest = (times: readonly Date[]) => new Date(Math.max(...times.map(Number)))
