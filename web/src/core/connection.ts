import { createStore } from './store.ts'

/** Failures closer together count as one, because a page sends several requests at once. */
const MIN_FAILURE_INTERVAL_MS = 1_000
const MAX_FAILURES = 2
/** Without any response for this long one failure is enough. */
const MAX_SILENCE_MS = 10_000
const RESTORED_MS = 5_000

/** Uncertain: one call failed. Restored: connected again, shown for 5 s. */
type Connection = {
  state: 'connected' | 'uncertain' | 'lost' | 'restored'
  /** Last response of the server, local ms since the epoch. */
  lastResponseAt: number
}

/** Connection to the server, derived from all calls of this page. */
export const connection = createStore<Connection>({ state: 'connected', lastResponseAt: Date.now() })

let lastResponseAt = Date.now()
let lastFailure = 0
let failures = 0

/** Records a response, whatever its status. */
export function recordResponse(now = Date.now()): void {
  lastResponseAt = now
  failures = 0
  const { state } = connection.get()
  if (state === 'connected' || state === 'restored') return
  connection.set({ state: state === 'lost' ? 'restored' : 'connected', lastResponseAt })
  if (state !== 'lost') return
  setTimeout(() => {
    if (connection.get().state === 'restored') connection.set({ state: 'connected', lastResponseAt })
  }, RESTORED_MS)
}

/**
 * Records a call without a response, or with a status that means the server is down; `waitedMs`: how long it waited for
 * the response.
 */
export function recordFailure(waitedMs = 0, now = Date.now()): void {
  if (failures > 0 && now - lastFailure < MIN_FAILURE_INTERVAL_MS) return
  lastFailure = now
  // A hanging call proves nothing while others are answered.
  const isSilent = waitedMs >= MAX_SILENCE_MS && now - lastResponseAt >= MAX_SILENCE_MS
  failures = isSilent ? MAX_FAILURES : failures + 1
  connection.set((before) => {
    if (before.state === 'lost') return before
    return { state: failures < MAX_FAILURES ? 'uncertain' : 'lost', lastResponseAt }
  })
}
