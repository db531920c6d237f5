import { session } from './session.ts'
import { createStore, type Store } from './store.ts'

/*
 * Questions of the server that only the user can answer. The calls that it refuses meanwhile wait here while a dialog asks,
 * and are sent once more. This module imports neither dialogs nor calls, as the login page loads it, too.
 */

type WaitingCall<About> = { about: About; resolve: (isAnswered: boolean) => void }

type Question<About> = {
  /** The calls that wait; the dialog is open while there are any. */
  waiting: Store<readonly WaitingCall<About>[]>
  /**
   * Asks the user; several calls share one question. Returns false if they decline, the session ends or the call is
   * aborted.
   */
  ask: (about: About, signal?: AbortSignal) => Promise<boolean>
  /** Lets the waiting calls go on, or fail. */
  answer: (isAnswered: boolean) => void
}

/** A question; `About`: what its dialog shows of a call. */
export function createQuestion<About>(): Question<About> {
  const waiting = createStore<readonly WaitingCall<About>[]>([])
  const answer = (isAnswered: boolean) => {
    const calls = waiting.get()
    waiting.set([])
    for (const { resolve } of calls) resolve(isAnswered)
  }
  session.subscribe(() => {
    if (session.get().token === null) answer(false)
  })
  return {
    waiting,
    answer,
    ask: (about, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve(false)
        const call = { about, resolve }
        waiting.set((calls) => [...calls, call])
        signal?.addEventListener('abort', () => {
          waiting.set((calls) => calls.filter((other) => other !== call))
          resolve(false)
        })
      }),
  }
}
