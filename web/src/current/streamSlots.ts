/** A browser allows six connections to an HTTP/1.1 server, which its tabs share: streams leave half of them free. */
const SLOTS = 3

/**
 * Runs a task while this tab holds one of the browser's streams.
 * @throws Error if other tabs hold all, or if that is unknown because the page was not loaded securely
 */
export async function withStreamSlot(task: () => Promise<void>): Promise<void> {
  for (let slot = 1; slot <= SLOTS; slot++) {
    const isRun = await navigator.locks.request(`rogatka-stream-${slot}`, { ifAvailable: true }, async (lock) => {
      if (lock) await task()
      return lock !== null
    })
    if (isRun) return
  }
  throw new Error('all streams are in use')
}
