import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_OPEN_HITS, type OpenHit } from '@rogatka/contract/wanted-hits.ts'
import { isApproaching, MAX_OPEN_MS, opensHit, openUntil } from '@rogatka/domain/wanted/openHit.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from '../../core/database.ts'
import type { NotifiedCache } from '../../core/listen.ts'
import { HIT_CHANNEL, parseHitEvent } from '../../core/live-events.ts'
import { type PassageKey, vehicleKey } from '../../core/passage.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Session } from '../../core/sessions.ts'
import { ofSeenLocations } from '../../core/station-scope.ts'
import { hitsOfVehicles, unclosedHits } from './hit-queries.ts'
import { closingOf, type Hit, keyOf, type ReadVehicles, showHit, toHits, visibleEntries } from './hits.ts'

const RETRY_DELAY_MS = 500

export type OpenHits = NotifiedCache & {
  /**
   * The open hits of a session: those before the checkpoint, soonest first, then the newest; `MAX_OPEN_HITS` at most.
   * @throws Refusal 503 before they were loaded
   */
  visibleTo: (session: Session, now: Date) => OpenHit[]
  /** Resolves when they are loaded for the first time. */
  ready: Promise<void>
  /** Whether they were loaded. */
  isLoaded: () => boolean
  /** Calls back after each change. */
  onChange: (callback: () => void) => void
}

type Options = {
  db: Pool
  now: () => Date
  log: Pick<FastifyBaseLogger, 'warn'>
  shiftStarts: readonly string[]
  readVehicles: ReadVehicles
}

/**
 * The open hits of all lists, in memory: loaded when LISTEN connects, then updated by the notifications of ingest and of
 * other processes, in their order.
 */
export function createOpenHits({ db, now, log, shiftStarts, readVehicles }: Options): OpenHits {
  let hits: Map<string, Hit> | undefined
  /** Vehicles to read again; null: all. */
  let pending: Map<string, PassageKey> | null = new Map()
  let isListening = false
  let isRunning = false
  const callbacks: (() => void)[] = []
  const firstLoad = Promise.withResolvers<void>()

  const isOpen = (hit: Hit, at: Date) => hit.closed === null && openUntil(shiftStarts, hit) > at.getTime()

  const loadAll = async () => {
    const since = new Date(now().getTime() - MAX_OPEN_MS)
    const loaded = await toHits(db, await unclosedHits(db, since), readVehicles)
    hits = new Map(loaded.filter(isOpenNow).map((hit) => [vehicleKey(hit), hit]))
    firstLoad.resolve()
  }

  const isOpenNow = (hit: Hit) => opensHit(hit.createdAt, hit.receivedAt) && isOpen(hit, now())

  const loadSome = async (keys: readonly PassageKey[]) => {
    const read = await toHits(db, await hitsOfVehicles(db, keys), readVehicles)
    const byKey = new Map(read.map((hit) => [vehicleKey(hit), hit]))
    for (const key of keys.map(vehicleKey)) {
      const hit = byKey.get(key)
      if (hit && isOpenNow(hit)) hits?.set(key, hit)
      else hits?.delete(key)
    }
  }

  const run = async () => {
    if (isRunning) return
    isRunning = true
    while (isListening && (pending === null || pending.size > 0)) {
      const work: Map<string, PassageKey> | null = pending
      pending = new Map()
      try {
        if (work === null) await loadAll()
        else await loadSome([...work.values()])
        for (const callback of callbacks) callback()
      } catch (error) {
        log.warn({ err: error }, 'open hits: could not be read, retrying')
        pending = work === null || pending === null ? null : new Map([...work, ...pending])
        await sleep(RETRY_DELAY_MS, undefined, { ref: false })
      }
    }
    isRunning = false
  }

  const removeEnded = (at: Date) => {
    for (const [key, hit] of hits ?? []) if (!isOpen(hit, at)) hits?.delete(key)
  }

  return {
    channel: HIT_CHANNEL,
    clear: (payload) => {
      for (const key of parseHitEvent(payload)) pending?.set(vehicleKey(key), keyOf(key))
      void run()
    },
    setListening: (isConnected) => {
      isListening = isConnected
      // Notifications in between are lost.
      if (isConnected) pending = null
      void run()
    },
    visibleTo: (session, at) => {
      if (!hits) throw new Refusal('unavailable', 503, null, 1)
      removeEnded(at)
      const shown = ofSeenLocations(session, [...hits.values()], ({ location }) => location.id).flatMap((hit) => {
        const entries = visibleEntries(session, hit).filter(({ closed }) => closed === null)
        return entries.length === 0 || closingOf(hit, entries) ? [] : [showHit(session, hit, entries)]
      })
      return shown.toSorted(bySoonest(at)).slice(0, MAX_OPEN_HITS)
    },
    ready: firstLoad.promise,
    isLoaded: () => hits !== undefined,
    onChange: (callback) => void callbacks.push(callback),
  }
}

/** Those before their checkpoint, soonest first; then the others, newest first. */
const bySoonest = (now: Date) => (a: OpenHit, b: OpenHit) => {
  const [approaching, other] = [isApproaching(a, now), isApproaching(b, now)]
  if (approaching !== other) return approaching ? -1 : 1
  const [first, second] = approaching ? [a, b] : [b, a]
  return (
    (first.checkpointTime ?? first.createdAt).getTime() - (second.checkpointTime ?? second.createdAt).getTime() ||
    a.id - b.id
  )
}
