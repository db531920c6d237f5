import { createStore } from './store.ts'

/** Numbers beside navigation links, by path. */
export const navCounts = createStore<Readonly<Record<string, number>>>({})
