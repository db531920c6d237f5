/** Repeatable pseudo-random numbers: equal seeds give equal numbers. */
export type Random = {
  /** Uniform in [0, 1). */
  next: () => number
  /** Uniform integer in [0, end). */
  below: (end: number) => number
  happens: (probability: number) => boolean
  /** @throws if the list is empty */
  pick: <T>(of: readonly T[]) => T
}

/** mulberry32: small and fast, for traffic and tests; never for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  return {
    next,
    below,
    happens: (probability) => next() < probability,
    pick: <T>(of: readonly T[]): T => {
      if (of.length === 0) throw new Error('nothing to choose from')
      return of[below(of.length)] as T
    },
  }
}
