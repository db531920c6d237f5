/** Minimum time between writes of a station's row: dead row versions stay until no snapshot needs them. */
const WRITE_INTERVAL_MS = 1_000

type LastTimes = {
  /** Whether the time is to be written with the vehicles now; if not, call `add` after them. */
  claim: (locationId: number) => boolean
  /** Releases a claim that was not written. */
  release: (locationId: number) => void
  add: (locationId: number, at: Date) => void
}

/** The last vehicle time of each station, as this process writes it. A crash may leave it a second behind. */
export function createLastTimes(write: (times: ReadonlyMap<number, Date>) => PromiseLike<unknown>): LastTimes {
  /** Next permitted write per station, in ms. */
  const nextWriteAt = new Map<number, number>()
  let pending = new Map<number, Date>()
  let isScheduled = false

  const keepLatest = (locationId: number, at: Date) => {
    const before = pending.get(locationId)
    if (!before || before < at) pending.set(locationId, at)
  }
  const flush = async () => {
    isScheduled = false
    const times = pending
    pending = new Map()
    const now = performance.now()
    for (const locationId of times.keys()) nextWriteAt.set(locationId, now + WRITE_INTERVAL_MS)
    try {
      await write(times)
    } catch {
      // Retried with the next flush.
      for (const [locationId, at] of times) keepLatest(locationId, at)
      schedule()
    }
  }
  const schedule = () => {
    if (!isScheduled) setTimeout(() => void flush(), WRITE_INTERVAL_MS).unref()
    isScheduled = true
  }

  return {
    claim: (locationId) => {
      const now = performance.now()
      if ((nextWriteAt.get(locationId) ?? 0) > now) return false
      nextWriteAt.set(locationId, now + WRITE_INTERVAL_MS)
      return true
    },
    release: (locationId) => void nextWriteAt.delete(locationId),
    add: (locationId, at) => {
      keepLatest(locationId, at)
      schedule()
    },
  }
}
