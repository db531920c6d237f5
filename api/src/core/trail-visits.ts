import { hash } from 'node:crypto'
import { MAX_SHOWN_PLATES } from '@rogatka/contract/looks.ts'
import type { DatabaseClock } from './clock.ts'
import type { Database } from './database.ts'
import {
  isExemptFromTrail,
  type LiveList,
  type Look,
  type LookSource,
  sessionKeyAt,
  sessionOf,
  type Viewer,
} from './look.ts'
import type { Session } from './sessions.ts'
import { shownMacs } from './trail-macs.ts'
import { retireVisitsOfSession, type SeenVisit, type TrailRow, updateTrailVisits } from './trail-queries.ts'
import { type OpenedVisit, VISIT_TIMEOUT_MS, type VisitOpening } from './trail-visit-lines.ts'

type Visit = {
  /** `key` of the session. */
  session: string
  seenAt: Date
  opened: Promise<unknown>
  /** Of its line; null: it is not written yet. Another process may have opened another visit with the same key since. */
  id: number | null
  /** When the purpose that its line has ends; null: it has none. */
  purposeUntil: Date | null
  isChanged: boolean
  shown: Set<string> | null
}

type Deps = {
  db: Database
  now: () => Date
  databaseClock: DatabaseClock
  key: () => Promise<Buffer>
  createRow: (source: LookSource, look: Look, at: Date) => Promise<TrailRow>
  openVisit: (opening: VisitOpening) => Promise<OpenedVisit>
  /** @throws 503 if the write fails or takes too long */
  waitForWrite: (write: Promise<unknown>) => Promise<void>
  /** An answer of a live list is about to be sent. */
  watch: (viewer: Viewer, visitKey: string, list: LiveList, at: Date) => void
}

/** Groups repeated responses to one query of a session into one line of the access trail, a visit. */
export function createTrailVisits({ db, now, databaseClock, key, createRow, openVisit, waitForWrite, watch }: Deps) {
  /** Visits whose polls this process has seen, by key. */
  const visits = new Map<string, Visit>()
  /** Those that are over for this process and whose last polls are not written yet, with their keys. */
  const ended = new Map<Visit, string>()

  function endVisit(visitKey: string, visit: Visit): void {
    if (visits.get(visitKey) === visit) visits.delete(visitKey)
    if (visit.isChanged) ended.set(visit, visitKey)
  }

  /**
   * Writes a line for the first answer of a visit before it is sent, and keeps in memory what later ones show. A visit
   * ends after a minute without answers; that of a device, a system or a webhook, which may not end, is divided by hours.
   * A line has one role and one purpose: another role is another visit, and so is what follows after the end of the
   * purpose.
   * @throws 503
   */
  async function recordVisit(source: LookSource, look: Look): Promise<void> {
    if (isExemptFromTrail(source, look)) return
    // Before the visit is read, which may end meanwhile.
    const macs = shownMacs(await key(), look.shown)
    const at = now()
    const visitKey = visitKeyOf(source, look, at)
    let current = visits.get(visitKey)
    if (!current || hasEnded(current, at)) {
      // One that was only idle here may go on in another process.
      const openedBefore = current && isPurposeOver(current, at) ? current.purposeUntil : null
      if (current) endVisit(visitKey, current)
      const opened = createRow(source, look, at).then((row) =>
        openVisit({ key: visitKey, row, openedBefore, live: look.live }),
      )
      current = startVisit(visitKey, source.session, at, opened)
    }
    current.seenAt = at
    current.isChanged = true
    addShown(current, macs)
    await waitForWrite(current.opened)
    if (look.live) watch(source.session, visitKey, look.live, at)
  }

  /** Keeps a visit in memory while its line is being written; deletes it if that fails. */
  function startVisit(visitKey: string, session: Viewer, at: Date, opened: Promise<OpenedVisit>): Visit {
    const visit: Visit = {
      session: session.key,
      seenAt: at,
      opened,
      id: null,
      purposeUntil: null,
      isChanged: false,
      shown: new Set(),
    }
    visits.set(visitKey, visit)
    opened.then(
      ({ id, purposeUntil }) => {
        visit.id = id
        visit.purposeUntil = purposeUntil
      },
      () => {
        if (visits.get(visitKey) === visit) visits.delete(visitKey)
        ended.delete(visit)
      },
    )
    return visit
  }

  /**
   * Ends the visits of a session, whose purpose has changed: their next answer writes a line. Other processes notice
   * when they next write its polls.
   */
  async function divideVisits(session: Session): Promise<void> {
    // First of all: what is shown from now on belongs to the next visit.
    const opened = endVisitsOf(session)
    await Promise.allSettled(opened)
    await sync()
    await retireVisitsOfSession(db, sessionOf(session))
    // Answers meanwhile may have continued a visit that is retired by now.
    endVisitsOf(session)
  }

  function endVisitsOf(session: Session): Promise<unknown>[] {
    const own = [...visits].filter(([, visit]) => visit.session === session.key)
    for (const [visitKey, visit] of own) endVisit(visitKey, visit)
    return own.map(([, { opened }]) => opened)
  }

  /**
   * Writes the polls of visits since the last call, and forgets those that have ended: also those that another process
   * has closed or replaced meanwhile, so that their next answer writes a line.
   */
  async function sync(): Promise<void> {
    const at = now().getTime()
    for (const [visitKey, visit] of visits)
      if (at - visit.seenAt.getTime() >= VISIT_TIMEOUT_MS && !(visit.isChanged && visit.id !== null))
        visits.delete(visitKey)
    // One after the other: a visit may be continued with the id of one that has ended.
    await writePolls([...ended].map(([visit, visitKey]) => [visitKey, visit]))
    await writePolls([...visits])
  }

  async function writePolls(seen: readonly [string, Visit][]): Promise<void> {
    const changed = seen.flatMap(([key, visit]) =>
      visit.isChanged && visit.id !== null ? [{ key, visit, id: visit.id }] : [],
    )
    if (changed.length === 0) return
    for (const { visit } of changed) visit.isChanged = false
    try {
      await databaseClock.measure()
      const polls = changed.map(({ key, id, visit: { seenAt, shown } }): SeenVisit => {
        return { key, id, seenAt: databaseClock.timeAt(seenAt), shown: shown && [...shown] }
      })
      const open = await updateTrailVisits(db, polls, MAX_SHOWN_PLATES)
      for (const { key, visit, id } of changed) {
        if (!visit.isChanged) ended.delete(visit)
        if (!open.has(id)) endVisit(key, visit)
      }
    } catch (error) {
      for (const { visit } of changed) visit.isChanged = true
      throw error
    }
  }

  return { recordVisit, divideVisits, sync }
}

/** Answers to the same question with the same role, from the same address, belong to one visit. */
function visitKeyOf({ session, ip }: LookSource, { kind, criteria, asked, vehicle }: Look, at: Date): string {
  const question = JSON.stringify([sessionKeyAt(session, at), session.roleId, ip, kind, criteria, asked, vehicle])
  return hash('sha256', question, 'hex')
}

const hasEnded = (visit: Visit, at: Date): boolean =>
  Math.abs(at.getTime() - visit.seenAt.getTime()) >= VISIT_TIMEOUT_MS || isPurposeOver(visit, at)

const isPurposeOver = ({ purposeUntil }: Visit, at: Date): boolean => purposeUntil !== null && at >= purposeUntil

function addShown(visit: Visit, macs: readonly string[] | null): void {
  if (macs === null) visit.shown = null
  if (macs === null || !visit.shown) return
  for (const mac of macs) visit.shown.add(mac)
  if (visit.shown.size > MAX_SHOWN_PLATES) visit.shown = null
}
