import type { Database } from '../core/database.ts'
import { changedHours, type State } from './derived/queries.ts'
import { type Filter, isCountable } from './filter.ts'
import { createMemory } from './memory.ts'
import { countsByHour, countsBySpan, type Wanted } from './queries.ts'
import { type Counted, cut, HOUR_MS, joined, type Span } from './spans.ts'

/** Hours so scattered are not counted anew one by one. */
const MOST_RUNS = 20
/** Spans of all remembered counts together: a search over a year by hours has 8,760. */
const MOST_SPANS = 200_000

/** `unfinished`: what older transactions wrote is counted. */
type Remembered = { counted: Counted[]; unfinished: number }

/**
 * Counts the vehicles of a search by spans of time, exactly. A count is remembered by its filter; the next time only
 * the hours are counted anew for which something has arrived since.
 */
export function createCounts() {
  const memory = createMemory<Remembered>(MOST_SPANS, ({ counted }) => counted.length)

  return async (db: Database, wanted: Wanted, state: State): Promise<Counted[]> => {
    const key = JSON.stringify(wanted.filter)
    const known = memory.get(key)
    const counted = known && known.unfinished <= state.unfinished ? await renew(db, wanted, state, known) : undefined
    const result = counted ?? (await count(db, wanted, state, gridOf(wanted.filter)))
    memory.put(key, { counted: result, unfinished: state.unfinished })
    return result
  }
}

const gridOf = (filter: Filter): Span[] => {
  const [from, to] = [filter.from.getTime(), filter.to.getTime()]
  return isCountable(filter) ? cut(from, to) : [{ from, to }]
}

async function count(db: Database, wanted: Wanted, state: State, spans: readonly Span[]): Promise<Counted[]> {
  const { filter } = wanted
  if (isCountable(filter)) {
    const counts = await countsBySpan(db, filter, spans, state.underived)
    const vehicles = new Map(counts.map(({ start, vehicles }) => [start.getTime(), vehicles]))
    return spans.map((span) => ({ ...span, vehicles: vehicles.get(span.from) ?? 0 }))
  }
  const counts = await countsByHour(db, wanted, spans)
  return counts.map(({ start, vehicles }) => ({ ...hourOf(filter, start), vehicles }))
}

/** The part of an hour that lies within the range. */
const hourOf = ({ from, to }: Filter, start: Date): Span => ({
  from: Math.max(from.getTime(), start.getTime()),
  to: Math.min(to.getTime(), start.getTime() + HOUR_MS),
})

/** Undefined where it is easier to count all anew. */
async function renew(db: Database, wanted: Wanted, state: State, known: Remembered): Promise<Counted[] | undefined> {
  const { filter } = wanted
  const changed = await changedHours(db, known.unfinished, filter)
  const hours = [...new Set(changed.map(({ hour }) => +hour))].map((start) => hourOf(filter, new Date(start)))
  if (hours.length === 0) return known.counted
  const holds = ({ from, to }: Span) => hours.some((hour) => hour.from >= from && hour.from < to)
  const stale = isCountable(filter) ? known.counted.filter(holds) : hours
  if (joined(stale).length > MOST_RUNS) return undefined
  const fresh = await count(db, wanted, state, stale)
  return [...known.counted.filter((span) => !holds(span)), ...fresh].sort((a, b) => a.from - b.from)
}
