import type { Pool } from '../core/database.ts'
import { writeLastTimes } from './queries.ts'

/** The row of a station is written at most so often: each version of it stays until no snapshot can see it. */
const WRITE_EVERY_MS = 1_000

type LastTimes = {
  /** Whether the time is to be written with the vehicles now; else `add` it afterwards. */
  claim: (locationId: number) => boolean
  /** The claimed time was not written after all. */
  release: (locationId: number) => void
  add: (locationId: number, at: Date) => void
}

const byPool = new WeakMap<Pool, LastTimes>()

/** When each station sent its last vehicle, as this process writes it. A crash may leave it a second behind. */
export function lastTimesOf(db: Pool): LastTimes {
  const known = byPool.get(db)
  if (known) return known
  const made = createLastTimes((times) => writeLastTimes(db, times))
  byPool.set(db, made)
  return made
}

export function createLastTimes(write: (times: ReadonlyMap<number, Date>) => PromiseLike<unknown>): LastTimes {
  /** When (ms) each station may be written again. */
  const until = new Map<number, number>()
  let waiting = new Map<number, Date>()
  let isScheduled = false

  const note = (locationId: number, at: Date) => {
    const before = waiting.get(locationId)
    if (!before || before < at) waiting.set(locationId, at)
  }
  const flush = async () => {
    isScheduled = false
    const times = waiting
    waiting = new Map()
    const now = performance.now()
    for (const locationId of times.keys()) until.set(locationId, now + WRITE_EVERY_MS)
    try {
      await write(times)
    } catch {
      // The next flush, or the next vehicle, brings it.
      for (const [locationId, at] of times) note(locationId, at)
      schedule()
    }
  }
  const schedule = () => {
    if (!isScheduled) setTimeout(() => void flush(), WRITE_EVERY_MS).unref()
    isScheduled = true
  }

  return {
    claim: (locationId) => {
      const now = performance.now()
      if ((until.get(locationId) ?? 0) > now) return false
      until.set(locationId, now + WRITE_EVERY_MS)
      return true
    },
    release: (locationId) => void until.delete(locationId),
    add: (locationId, at) => {
      note(locationId, at)
      schedule()
    },
  }
}
