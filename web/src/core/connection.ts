import { createStore } from './store.ts'

/** Failures that come closer together than this count as one: a page asks for several things at once. */
const SEPARATE_MS = 1_000
const FAILURES = 2
const RESTORED_MS = 5_000

/** Doubted: one call failed. Restored: connected again, and so for the 5 s in which the screen says it. */
type Connection = {
  state: 'connected' | 'doubted' | 'lost' | 'restored'
  /** When the server last answered, ms since the epoch by this machine's clock. */
  lastAnswer: number
}

/** Whether the server answers, as judged by all calls of this page. */
export const connection = createStore<Connection>({ state: 'connected', lastAnswer: Date.now() })

let lastAnswer = Date.now()
let lastFailure = 0
let failures = 0

/** The server answered a call, whatever it said. */
export function recordAnswer(now = Date.now()): void {
  lastAnswer = now
  failures = 0
  const { state } = connection.get()
  if (state === 'connected' || state === 'restored') return
  connection.set({ state: state === 'lost' ? 'restored' : 'connected', lastAnswer })
  if (state !== 'lost') return
  setTimeout(() => {
    if (connection.get().state === 'restored') connection.set({ state: 'connected', lastAnswer })
  }, RESTORED_MS)
}

/** A call got no answer, or one that says that the server is away. */
export function recordFailure(now = Date.now()): void {
  if (failures > 0 && now - lastFailure < SEPARATE_MS) return
  lastFailure = now
  failures++
  connection.set((before) => {
    if (before.state === 'lost') return before
    return { state: failures < FAILURES ? 'doubted' : 'lost', lastAnswer }
  })
}
