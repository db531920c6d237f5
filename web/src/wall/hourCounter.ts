import { HOUR_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'

/** Counts what happened within the last hour, by minutes. */
export function createHourCounter() {
  const minutes = new Map<number, number>()
  return {
    add: (at: number): void => {
      const minute = Math.floor(at / MINUTE_MS)
      minutes.set(minute, (minutes.get(minute) ?? 0) + 1)
    },
    count: (now: number): number => {
      let total = 0
      for (const [minute, number] of minutes) {
        if (minute * MINUTE_MS <= now - HOUR_MS) minutes.delete(minute)
        else total += number
      }
      return total
    },
  }
}
