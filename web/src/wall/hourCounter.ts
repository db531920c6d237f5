import { HOUR_MS } from '@rogatka/domain/core/time.ts'

/** Counts what happened within the last hour, each key once, however often it is added. */
export function createHourCounter() {
  const times = new Map<string, number>()
  return {
    add: (key: string, at: number): void => {
      if (!times.has(key)) times.set(key, at)
    },
    count: (now: number): number => {
      for (const [key, at] of times) if (at <= now - HOUR_MS) times.delete(key)
      return times.size
    },
  }
}
