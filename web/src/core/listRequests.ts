import { createStore } from './store.ts'

/** List requests since the home page was last visited, for problem reports. */
const requests = createStore(0)

export const listRequests = (): number => requests.get()
export const countListRequest = (): void => requests.set((current) => current + 1)
export const resetListRequests = (): void => requests.set(0)
