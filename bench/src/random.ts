/** Repeatable randomness: the same seed gives the same numbers. */
export function seededRandom(seed: number) {
  let state = seed >>> 0

  /** 0 up to, but not including, 1 (mulberry32). */
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  return {
    next,
    below: (end: number) => Math.floor(next() * end),
    chance: (share: number) => next() < share,
    /** Whole and about normal: the sum of four even draws. */
    normal: (mean: number, deviation: number) =>
      Math.round(mean + (next() + next() + next() + next() - 2) * 1.732 * deviation),
  }
}

export type Random = ReturnType<typeof seededRandom>
