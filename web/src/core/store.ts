import { useSyncExternalStore } from 'react'

export type Store<T> = {
  get: () => T
  set: (next: T | ((now: T) => T)) => void
  subscribe: (listener: () => void) => () => void
}

/** Observable value outside React, for example session, sound, messages. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      const now = typeof next === 'function' ? (next as (now: T) => T)(value) : next
      if (Object.is(now, value)) return
      value = now
      for (const listener of [...listeners]) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.subscribe, store.get)
