import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { createLruCache } from '../core/lru-cache.ts'

/** After this time without a request the next one begins another sequence. */
const SEQUENCE_MS = 60_000
/** However often it is continued, a sequence ends after this time: one line does not stand for a whole shift. */
const MAX_SEQUENCE_MS = 5 * MINUTE_MS
/** Sessions in memory; the sequence of an evicted one may be recorded twice, never missed. */
const MAX_SESSIONS = 10_000
/** More whole plates begin another sequence. */
const MAX_RECORDED = 20

type Sequence = { recorded: Set<string>; startedAt: number; lastAt: number }

export type Lookup = { sessionKey: string; beginning: string; plates: readonly string[]; now: Date }

/**
 * Finds the line of a beginning that grows with every key: whatever begins with a recorded text is a part of what was
 * recorded. A plate that was typed in full is recorded, too. In memory: another API process records the same sequence
 * again.
 */
export function createRecordedBeginnings() {
  const sequences = createLruCache<Sequence>(MAX_SESSIONS)

  const sequenceOf = (sessionKey: string, now: number): Sequence => {
    const current = sequences.get(sessionKey)
    const isCurrent = (at: Sequence) =>
      now - at.lastAt < SEQUENCE_MS && now - at.startedAt < MAX_SEQUENCE_MS && at.recorded.size < MAX_RECORDED
    if (current && isCurrent(current)) return current
    const next = { recorded: new Set<string>(), startedAt: now, lastAt: now }
    sequences.set(sessionKey, next)
    return next
  }

  /** Returns the recorded text to which a lookup belongs, and when its sequence started. */
  return ({ sessionKey, beginning, plates, now }: Lookup): { text: string; startedAt: Date } => {
    const sequence = sequenceOf(sessionKey, now.getTime())
    const { recorded } = sequence
    sequence.lastAt = now.getTime()
    const covering = [...recorded].find((text) => beginning.startsWith(text))
    const text = plates.includes(beginning) ? beginning : (covering ?? beginning)
    recorded.add(text)
    return { text, startedAt: new Date(sequence.startedAt) }
  }
}
