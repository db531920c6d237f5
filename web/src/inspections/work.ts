import type * as endpoints from '@rogatka/contract/inspections.ts'
import type { InspectionResult } from '@rogatka/contract/inspections.ts'
import type { z } from 'zod'
import { readStored, writeStored } from '../core/browserStorage.ts'
import { serverNow } from '../core/clock.ts'
import { session } from '../core/session.ts'
import { createStore } from '../core/store.ts'
import { newIdempotencyKey } from './idempotencyKey.ts'
import { deletePhotos } from './photoStore.ts'
import { isFresh, workKeyOf } from './storedWork.ts'
import type { WeightEntry } from './weightEntry.ts'

/*
 * What an officer has entered for inspections and not yet sent, in the localStorage of the device, so that it survives
 * a lost connection, a reload and a sign-out. Of each user their own, shown and sent only while they are signed in; after
 * 24 hours it is deleted (storedWork.ts).
 */

type BodyOf<E extends { body: z.ZodType }> = Omit<z.input<E['body']>, 'version'>

export type Step =
  | { step: 'take-over'; body: BodyOf<typeof endpoints.takeOver> }
  | { step: 'weighing'; body: BodyOf<typeof endpoints.weigh> }
  | { step: 'close'; body: BodyOf<typeof endpoints.close> }

/**
 * `key`: identifies the step. `version`: that of its first attempt, so that a repeated one is the same; null before.
 * `enteredAt`: server time, ms since the epoch.
 */
export type UnsentStep = Step & { key: string; version: number | null; enteredAt: number }

export type Outcome = {
  /** Null, like the next ones: not changed yet. */
  results: InspectionResult[] | null
  /** In złoty, as typed. */
  fineAmount: string | null
  carrier: string | null
  taxId: string | null
  note: string | null
  declaration: string | null
  reason: string
}

export const NO_OUTCOME: Outcome = {
  results: null,
  fineAmount: null,
  carrier: null,
  taxId: null,
  note: null,
  declaration: null,
  reason: '',
}

/** Why the server refused a step: the code of the error and its text. */
export type StepRefusal = { step: Step['step'] | 'photo'; code: string | null; text: string }

export type Work = {
  entry: WeightEntry | null
  scaleId: number | null
  /** Rows of which the difference was questioned. */
  questioned: number[]
  outcome: Outcome
  unsent: UnsentStep[]
  /** Keys of photos that are not sent yet. */
  photos: string[]
  refused: StepRefusal | null
  /** ISO 8601 */
  savedAt: string
}

const NO_WORK: Omit<Work, 'savedAt'> = {
  entry: null,
  scaleId: null,
  questioned: [],
  outcome: NO_OUTCOME,
  unsent: [],
  photos: [],
  refused: null,
}

type AllWork = Readonly<Record<number, Work>>
type State = { userId: number | null; all: AllWork }

const NOBODY: State = { userId: null, all: {} }

/** Work of the signed-in user, by id of the inspection. */
export const work = createStore<State>(NOBODY)

function readAll(userId: number): AllWork {
  try {
    const stored = JSON.parse(readStored('local', workKeyOf(userId)) ?? '{}') as AllWork
    return Object.fromEntries(Object.entries(stored).filter(([, { savedAt }]) => isFresh(savedAt)))
  } catch {
    return {}
  }
}

/** Shows the work of the signed-in user, and of nobody else: after a sign-in or sign-out, or a change in another tab. */
export function reloadWork(): void {
  const { userId } = session.get()
  if (userId !== null) work.set({ userId, all: currentOf(userId) })
  else if (work.get().userId !== null) work.set(NOBODY)
}

/** By user, work that the browser cannot store, as in some private windows: kept in memory until the page is left. */
const unstored = new Map<number, AllWork>()

const currentOf = (userId: number): AllWork => unstored.get(userId) ?? readAll(userId)

function write(userId: number, all: AllWork) {
  const text = Object.keys(all).length === 0 ? null : JSON.stringify(all)
  writeStored('local', workKeyOf(userId), text)
  if (readStored('local', workKeyOf(userId)) === text) unstored.delete(userId)
  else unstored.set(userId, all)
  if (session.get().userId === userId) work.set({ userId, all })
}

export const workOf = ({ all }: State, id: number): Work => all[id] ?? { ...NO_WORK, savedAt: '' }

/** Changes what the signed-in user enters for an inspection. The stored state is read first: another tab may have changed it. */
export function changeWork(id: number, change: (before: Work) => Partial<Work>): void {
  const { userId } = session.get()
  if (userId === null) return
  const all = currentOf(userId)
  const before = workOf({ userId, all }, id)
  write(userId, { ...all, [id]: { ...before, ...change(before), savedAt: new Date().toISOString() } })
}

/**
 * Changes what became of the work of an inspection. It counts from when it was entered: sending it again and again does
 * not keep it. Work that is gone, or too old, stays so.
 */
export function updateWork(id: number, change: (before: Work) => Partial<Work>, userId: number): void {
  const all = currentOf(userId)
  const before = all[id]
  write(userId, before ? { ...all, [id]: { ...before, ...change(before) } } : all)
}

/** Deletes what was entered for an inspection. */
export function dropWork(id: number, userId: number): void {
  const { [id]: dropped, ...others } = currentOf(userId)
  if (dropped) void deletePhotos(dropped.photos)
  write(userId, others)
}

/** Appends a step. One of the same kind that was not tried yet, or was refused, is replaced. */
export const appendStep = (id: number, step: Step): void =>
  changeWork(id, ({ unsent, refused }) => {
    const pending = refused && refused.step === unsent[0]?.step ? unsent.slice(1) : unsent
    const kept = pending.filter((it) => it.version !== null || it.step !== step.step)
    const added = { ...step, key: newIdempotencyKey(), version: null, enteredAt: serverNow() }
    return { unsent: [...kept, added], refused: null }
  })

export const hasUnsent = ({ unsent, photos }: Pick<Work, 'unsent' | 'photos'>): boolean =>
  unsent.length + photos.length > 0

/** Follows the session, and changes by other tabs. */
export function followWork(): () => void {
  reloadWork()
  const unsubscribe = session.subscribe(reloadWork)
  const onStorage = ({ key }: StorageEvent) => {
    if (key === null || key === workKeyOf(session.get().userId ?? 0)) reloadWork()
  }
  addEventListener('storage', onStorage)
  return () => {
    unsubscribe()
    removeEventListener('storage', onStorage)
    work.set(NOBODY)
  }
}
