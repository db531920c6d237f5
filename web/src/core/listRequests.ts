import { createStore } from './store.ts'

/** Requests for a list since home was last reached: a fact for problem reports. */
const requests = createStore(0)

export const listRequests = (): number => requests.get()
export const countListRequest = (): void => requests.set((now) => now + 1)
export const resetListRequests = (): void => requests.set(0)
