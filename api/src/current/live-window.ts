import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_ADDITIONAL_SECONDS } from '@rogatka/contract/current.ts'
import { locationOf } from '@rogatka/contract/ingest.ts'
import { isLive, LIVE_LOOKBACK_MS } from '@rogatka/domain/current/live.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from '../core/database.ts'
import { createListener } from '../core/listen.ts'
import { CHANNEL, type LiveEvent, parseLiveEvent } from '../core/live-events.ts'
import type { PassageKey } from '../core/passage.ts'
import { vehiclesByKeys } from '../vehicle/public-api.ts'
import { listMarks } from '../wanted/public-api.ts'
import { lastVehicleTimes, liveCandidateKeys } from './queries.ts'
import { createWindow, nameOf, type Window, type WindowVehicle } from './window.ts'

const EXPIRE_EVERY_MS = 5_000
const RETRY_MS = 500
/** A window that no longer keeps step answers so long, until the new one stands: an old list is better than none. */
const STALE_WINDOW_MS = 60_000
/** Vehicles read in one query. */
const BATCH_SIZE = 1_000

export type LiveWindow = {
  /**
   * The window, or undefined: at start until it is complete, and where it has not kept step for longer than
   * STALE_WINDOW_MS.
   */
  current: () => Window | undefined
  /** Starts to keep step; `ready` resolves when the window is complete for the first time. */
  follow: () => { ready: Promise<void>; stop: () => Promise<void> }
}

/**
 * The live window of this process. Once it follows, it is loaded from the database and then hears of every commit in
 * order. After a lost connection nobody knows what was missed, so a new one is loaded; until it stands the old one
 * answers.
 */
export function createLiveWindow(db: Pool, now: () => Date, log: Pick<FastifyBaseLogger, 'warn'>): LiveWindow {
  let window: Window | undefined
  /** When the window ceased to keep step; null while it does. */
  let lostAt: Date | null = null
  let waiting: LiveEvent[] = []
  let working: Promise<void> | undefined
  // Each rebuild is a new life: what an earlier one still had under way is dropped.
  let life = 0

  const workOff = async (target: Window, mine: number) => {
    while (waiting.length > 0 && mine === life) {
      const notices = waiting
      waiting = []
      try {
        await apply(db, target, notices, now, () => mine === life)
      } catch (error) {
        if (mine !== life) return
        log.warn({ err: error }, 'live window: vehicles could not be read, trying again')
        waiting = [...notices, ...waiting]
        await sleep(RETRY_MS)
      }
    }
  }
  const work = (target: Window) => {
    if (working || waiting.length === 0) return
    const mine = workOff(target, life).finally(() => {
      // A later life has work of its own under way.
      if (working !== mine) return
      working = undefined
      if (window === target) work(target)
    })
    working = mine
  }
  /** From here on notices wait for the next window; what the old one has under way is dropped. */
  const beginLife = () => {
    life++
    waiting = []
    working = undefined
    return life
  }

  const follow = () => {
    let isReady: () => void = () => {}
    const ready = new Promise<void>((resolve) => {
      isReady = resolve
    })
    let isLoading = true
    const listening = createListener(db, [CHANNEL], {
      onNotify: (_channel, payload) => {
        const notice = parseLiveEvent(payload)
        if (!notice) return
        waiting.push(notice)
        if (window && !isLoading) work(window)
      },
      onListening: async () => {
        isLoading = true
        const mine = beginLife()
        const { vehicles, times } = await load(db, now())
        if (mine !== life) return
        // The places of the old window go on: a poll that was answered by it asks this one for what came later.
        const next = createWindow(window?.end())
        next.load(vehicles, times)
        window = next
        lostAt = null
        isLoading = false
        isReady()
        work(next)
      },
      onDisconnect: (error) => {
        lostAt ??= now()
        log.warn({ err: error }, 'live window: the connection was lost, it will be rebuilt')
      },
    })
    const expiring = setInterval(() => window?.expire(now()), EXPIRE_EVERY_MS).unref()
    const stop = async () => {
      clearInterval(expiring)
      const underWay = working
      beginLife()
      window = undefined
      await listening.stop()
      await underWay
    }
    return { ready, stop }
  }

  /** Either way from now: a clock that was set back does not prolong it. */
  const isTooOld = () => lostAt !== null && Math.abs(now().getTime() - lostAt.getTime()) > STALE_WINDOW_MS
  return { current: () => (isTooOld() ? undefined : window), follow }
}

/** All that is live now, from the database. */
async function load(db: Pool, now: Date) {
  const keys = await liveCandidateKeys(
    db,
    new Date(now.getTime() - LIVE_LOOKBACK_MS),
    new Date(now.getTime() - MAX_ADDITIONAL_SECONDS * 1000),
  )
  const vehicles = (await read(db, keys)).filter(({ vehicle, receivedAt }) => isLive(vehicle, receivedAt, now))
  return { vehicles, times: await lastVehicleTimes(db) }
}

async function read(db: Pool, keys: readonly PassageKey[]): Promise<WindowVehicle[]> {
  const found: WindowVehicle[] = []
  for (let from = 0; from < keys.length; from += BATCH_SIZE) {
    const some = keys.slice(from, from + BATCH_SIZE)
    const [vehicles, marks] = await Promise.all([vehiclesByKeys(db, some), listMarks(db, some)])
    const byName = Map.groupBy(marks, nameOf)
    found.push(...vehicles.map((received) => ({ ...received, marks: byName.get(nameOf(received.vehicle)) ?? [] })))
  }
  return found
}

/** Brings the window up to date with what was announced, in that order; nothing is changed when a query fails. */
async function apply(db: Pool, window: Window, notices: LiveEvent[], now: () => Date, wanted: () => boolean) {
  const isNew = new Set<string>()
  const keys = notices.flatMap((notice) => {
    if (notice.kind === 'time') return []
    if (notice.kind === 'vehicles') for (const key of notice.keys) isNew.add(nameOf(key))
    // A picture or mark of a vehicle that is not live, or not there yet, changes nothing.
    return notice.keys.filter((key) => isNew.has(nameOf(key)) || window.has(key))
  })
  const distinct = new Map(keys.map((key) => [nameOf(key), { ...key, locationId: locationOf(key.id) }]))
  const vehicles = await read(db, [...distinct.values()])
  if (!wanted()) return
  const found = new Map(vehicles.map((received) => [nameOf(received.vehicle), received]))
  const at = now()
  for (const notice of notices) {
    if (notice.kind === 'time') {
      window.noteTime(notice.locationId, notice.at)
      continue
    }
    for (const key of notice.keys) {
      const received = found.get(nameOf(key))
      if (!received) continue
      if (notice.kind !== 'vehicles') window.change(received, at)
      else if (isLive(received.vehicle, received.receivedAt, at)) window.append(received)
    }
  }
}
