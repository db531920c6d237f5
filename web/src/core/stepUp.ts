import { session } from './session.ts'
import { createStore, type Store, useStore } from './store.ts'

/*
 * Calls that the server refuses until the user has been verified again. They wait here while a dialog asks, and are sent
 * once more. This module knows neither dialog nor call: the login page loads it, too.
 */

type Waiting = { resolve: (isVerified: boolean) => void }

/** The calls that wait; the dialog is open while there are any. */
export const waitingCalls: Store<readonly Waiting[]> = createStore<readonly Waiting[]>([])

const remove = (call: Waiting) => waitingCalls.set((calls) => calls.filter((other) => other !== call))

/**
 * Asks the user to prove who they are; several calls share one question. Returns false if they decline, the session ends or
 * the call is aborted.
 */
export function askStepUp(signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const call = { resolve }
    waitingCalls.set((calls) => [...calls, call])
    signal?.addEventListener('abort', () => {
      remove(call)
      resolve(false)
    })
  })
}

/** Whether a call waits for the user. */
export const useStepUpAsked = (): boolean => useStore(waitingCalls).length > 0

/** Lets the waiting calls go on, or fail. */
export function answerStepUp(isVerified: boolean): void {
  const calls = waitingCalls.get()
  waitingCalls.set([])
  for (const { resolve } of calls) resolve(isVerified)
}

session.subscribe(() => {
  if (session.get().token === null) answerStepUp(false)
})
