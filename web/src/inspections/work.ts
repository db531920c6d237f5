import type * as endpoints from '@rogatka/contract/inspections.ts'
import type { InspectionResult } from '@rogatka/contract/inspections.ts'
import type { z } from 'zod'
import { readStored, writeStored } from '../core/browserStorage.ts'
import { serverNow } from '../core/clock.ts'
import { session } from '../core/session.ts'
import { createStore } from '../core/store.ts'
import { deletePhotos } from './photoStore.ts'
import type { WeightEntry } from './weightEntry.ts'

/*
 * What an officer has entered for inspections and not yet sent, in the localStorage of the device, so that it survives
 * a lost connection and a reload. Of each user their own.
 */

type BodyOf<E extends { body: z.ZodType }> = Omit<z.input<E['body']>, 'version'>

export type Step =
  | { step: 'take-over'; body: BodyOf<typeof endpoints.takeOver> }
  | { step: 'weighing'; body: BodyOf<typeof endpoints.weigh> }
  | { step: 'close'; body: BodyOf<typeof endpoints.close> }

/**
 * `version`: that of its first attempt, so that a repeated one is the same; null before. `enteredAt`: server time, ms
 * since the epoch.
 */
export type UnsentStep = Step & { version: number | null; enteredAt: number }

export type Outcome = {
  results: InspectionResult[]
  /** In złoty, as typed. */
  fineAmount: string
  /** Null: not changed yet. */
  carrier: string | null
  taxId: string | null
  note: string | null
  declaration: string | null
  reason: string
}

export const NO_OUTCOME: Outcome = {
  results: [],
  fineAmount: '',
  carrier: null,
  taxId: null,
  note: null,
  declaration: null,
  reason: '',
}

/** Why the server refused a step: the code of the error and its text. */
export type Refused = { step: Step['step'] | 'photo'; code: string | null; text: string }

export type Work = {
  entry: WeightEntry | null
  scaleId: number | null
  /** The weights of the last step, so that the same ones are sent once; null: none yet. */
  weighed: string | null
  /** Rows of which the difference was questioned. */
  questioned: number[]
  outcome: Outcome
  unsent: UnsentStep[]
  /** Keys of photos that are not sent yet. */
  photos: string[]
  refused: Refused | null
  /** ISO 8601 */
  savedAt: string
}

const NO_WORK: Omit<Work, 'savedAt'> = {
  entry: null,
  scaleId: null,
  weighed: null,
  questioned: [],
  outcome: NO_OUTCOME,
  unsent: [],
  photos: [],
  refused: null,
}

type AllWork = Readonly<Record<number, Work>>
type State = { userId: number | null; all: AllWork }

const keyOf = (userId: number) => `inspections:${userId}`
/** Older work is dropped: steps can be entered up to 24 hours back. */
const MAX_AGE_MS = 24 * 3_600_000

/** Work of the signed-in user, by id of the inspection. */
export const work = createStore<State>({ userId: null, all: {} })

function readAll(userId: number): AllWork {
  try {
    const stored = JSON.parse(readStored('local', keyOf(userId)) ?? '{}') as AllWork
    const isFresh = ([, { savedAt }]: [string, Work]) => Date.now() - Date.parse(savedAt) < MAX_AGE_MS
    return Object.fromEntries(Object.entries(stored).filter(isFresh))
  } catch {
    return {}
  }
}

/** Reads the work of the signed-in user again: after the sign-in, and after a change in another tab. */
export function reloadWork(): void {
  const { userId } = session.get()
  if (userId !== null) work.set({ userId, all: readAll(userId) })
}

function write(userId: number, all: AllWork) {
  writeStored('local', keyOf(userId), Object.keys(all).length === 0 ? null : JSON.stringify(all))
  work.set({ userId, all })
}

export const workOf = ({ all }: State, id: number): Work => all[id] ?? { ...NO_WORK, savedAt: '' }

/** Changes the work of an inspection, of which the stored state is read first: another tab may have changed it. */
export function changeWork(id: number, change: (before: Work) => Partial<Work>): void {
  const { userId } = session.get()
  if (userId === null) return
  const all = readAll(userId)
  const before = workOf({ userId, all }, id)
  write(userId, { ...all, [id]: { ...before, ...change(before), savedAt: new Date().toISOString() } })
}

/** Forgets what was entered for an inspection. */
export function dropWork(id: number): void {
  const { userId } = session.get()
  if (userId === null) return
  const { [id]: dropped, ...others } = readAll(userId)
  if (dropped) void deletePhotos(dropped.photos)
  write(userId, others)
}

/** Appends a step. A weighing that was not tried yet is replaced. */
export const appendStep = (id: number, step: Step): void =>
  changeWork(id, ({ unsent }) => {
    const kept = unsent.filter((it) => it.version !== null || it.step !== step.step)
    return { unsent: [...kept, { ...step, version: null, enteredAt: serverNow() }], refused: null }
  })

export const hasUnsent = ({ unsent, photos }: Pick<Work, 'unsent' | 'photos'>): boolean =>
  unsent.length + photos.length > 0

/** Follows changes by other tabs. */
export function followWork(): () => void {
  reloadWork()
  const onStorage = ({ key }: StorageEvent) => {
    if (key === null || key.startsWith('inspections:')) reloadWork()
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}
