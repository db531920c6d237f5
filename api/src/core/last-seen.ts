/** Minimum interval between updates of a time. */
const TOUCH_MS = 60_000
/** Far above the number of tokens; beyond it the memory is cleared. */
const MAX_KEPT = 10_000

/** A token was seen; `key`: its hash in base64. */
export type TokenUse = { key: string; at: Date }

export type LastSeen = {
  /** Takes over a stored time. */
  load: (key: string, at: Date) => void
  /** Records a use, at most once a minute. */
  touch: (key: string, at: Date) => void
  /** Writes what was recorded; what fails is kept for the next call. */
  write: () => Promise<void>
}

/** When tokens that have no session were last used: kept in memory, written together. */
export function createLastSeen(
  save: (seen: TokenUse[]) => Promise<unknown>,
  onError: (error: unknown) => void,
): LastSeen {
  /** Times by token, unless they are written already. */
  let unwritten = new Map<string, Date>()
  /** When a token was last seen, written or not. */
  const seen = new Map<string, Date>()
  return {
    load: (key, at) => void seen.set(key, at),
    touch: (key, at) => {
      const last = seen.get(key)
      // A time in the future, from before a clock was set back, is replaced.
      if (last && Math.abs(at.getTime() - last.getTime()) <= TOUCH_MS) return
      if (seen.size >= MAX_KEPT) seen.clear()
      seen.set(key, at)
      unwritten.set(key, at)
    },
    write: async () => {
      if (unwritten.size === 0) return
      const before = unwritten
      unwritten = new Map()
      await save([...before].map(([key, at]) => ({ key, at }))).catch((error: unknown) => {
        onError(error)
        unwritten = new Map([...before, ...unwritten])
      })
    },
  }
}
