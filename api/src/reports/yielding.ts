import { setImmediate } from 'node:timers/promises'

/** So long at a stretch a report may keep the others waiting. */
const STRETCH_MS = 4

/** To be awaited often in long work: now and then it lets everybody else have their turn. */
export function createYielder(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < STRETCH_MS) return undefined
    return setImmediate().then(() => {
      since = performance.now()
    })
  }
}
