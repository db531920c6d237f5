import type { WireInspection } from '@rogatka/contract/inspections.ts'
import * as endpoints from '@rogatka/contract/inspections.ts'
import { call, callRaw } from '../core/call.ts'
import { serverNow } from '../core/clock.ts'
import { ApiFailure, Unavailable } from '../core/failure.ts'
import { queryClient } from '../core/queryClient.ts'
import { session } from '../core/session.ts'
import { deletePhotos, readPhoto } from './photoStore.ts'
import { changeWork, dropWork, hasUnsent, type Refused, type UnsentStep, type Work, work } from './work.ts'

/*
 * Sends unsent steps in their order, one at a time. A step that was not answered is sent again, the same with the same
 * version, which the server recognises; one that was refused waits for the officer.
 */

/** Pauses after attempts without an answer: doubled from the first to the last. */
const RETRY_MS = { first: 1_000, last: 5_000 }
/** A step says when it was entered if it is sent this much later. */
const LATE_MS = 10_000
const CALLS = { 'take-over': endpoints.takeOver, weighing: endpoints.weigh, close: endpoints.close } as const

/** Query key of an inspection. */
export const inspectionKey = (id: number) => ['inspections', 'one', id] as const

let timer: ReturnType<typeof setTimeout> | undefined
let isSending = false
let retryMs: number = RETRY_MS.first

const pending = (): [number, Work][] =>
  Object.entries(work.get().all)
    .map(([id, it]): [number, Work] => [Number(id), it])
    .filter(([, it]) => hasUnsent(it) && it.refused === null)

/** Sends what is unsent, now; only one tab at a time, as each step must be sent once. */
export function sendUnsent(): void {
  clearTimeout(timer)
  if (isSending || session.get().token === null || pending().length === 0) return
  isSending = true
  void withLock(sendAll).then((isReached) => {
    isSending = false
    if (!isReached) {
      timer = setTimeout(sendUnsent, retryMs)
      retryMs = Math.min(2 * retryMs, RETRY_MS.last)
      return
    }
    retryMs = RETRY_MS.first
    if (pending().length > 0) sendUnsent()
  })
}

/** Without TLS there are no locks: a step that two tabs send is one for the server. */
const withLock = (send: () => Promise<boolean>): Promise<boolean> =>
  navigator.locks ? navigator.locks.request('send-inspections', send) : send()

/** Whether the server answered all requests. */
async function sendAll(): Promise<boolean> {
  for (const [id] of pending()) {
    let next = work.get().all[id]
    while (next && hasUnsent(next) && next.refused === null) {
      if (!(await sendNext(id, next))) return false
      next = work.get().all[id]
    }
  }
  return true
}

/** Sends the next step or photo of an inspection; false without an answer. */
async function sendNext(id: number, { unsent, photos }: Work): Promise<boolean> {
  const [step] = unsent
  const [photo] = photos
  const isPhoto = photo !== undefined && (step === undefined || step.step === 'close')
  try {
    const stored = isPhoto ? await sendPhoto(id, photo) : await sendStep(id, step as UnsentStep)
    // An older answer on its way must not replace this one.
    await queryClient.cancelQueries({ queryKey: inspectionKey(id) })
    if (stored) queryClient.setQueryData(inspectionKey(id), stored)
    if (isPhoto) {
      changeWork(id, (it) => ({ photos: it.photos.filter((key) => key !== photo) }))
      await deletePhotos([photo])
    } else if (step?.step === 'close') dropWork(id)
    else changeWork(id, (it) => ({ unsent: it.unsent.slice(1) }))
    void queryClient.invalidateQueries({ queryKey: ['inspections', 'list'] })
    return true
  } catch (error) {
    const isRefused = error instanceof ApiFailure && error.status < 500 && error.status !== 429 && error.status !== 401
    if (!isRefused && !(error instanceof Unavailable) && !(error instanceof ApiFailure)) throw error
    if (!isRefused) return false
    changeWork(id, () => ({ refused: refusedOf(isPhoto ? 'photo' : (step as UnsentStep).step, error) }))
    void queryClient.invalidateQueries({ queryKey: ['inspections'] })
    return true
  }
}

const refusedOf = (step: Refused['step'], { errors, message }: ApiFailure): Refused => ({
  step,
  code: errors[0]?.code ?? null,
  text: errors[0]?.userMessage ?? message,
})

/** Its first attempt decides version and time, which are kept before it is sent. */
async function sendStep(id: number, step: UnsentStep): Promise<WireInspection> {
  const attempt = step.version === null ? await firstAttempt(id, step) : step
  changeWork(id, ({ unsent: [_, ...others] }) => ({ unsent: [attempt, ...others] }))
  const body = { ...attempt.body, version: attempt.version } as never
  return call(CALLS[step.step], { params: { id }, body, background: true })
}

/** A step that is sent later than it was entered says when that was, but not before the step that is stored. */
async function firstAttempt(id: number, step: UnsentStep): Promise<UnsentStep> {
  const stored =
    queryClient.getQueryData<WireInspection>(inspectionKey(id)) ??
    (await call(endpoints.read, { params: { id }, background: true }))
  const { announced, takenOverAt, weighed, reopened } = stored
  const times = [announced.at, takenOverAt, weighed?.at, reopened?.at].map((at) => (at ? Date.parse(at) : 0))
  const isLate = serverNow() - step.enteredAt > LATE_MS
  const at = isLate ? { at: new Date(Math.max(step.enteredAt, ...times)).toISOString() } : {}
  return { ...step, body: { ...step.body, ...at }, version: stored.version } as UnsentStep
}

/** Null if the device has lost the photo. */
async function sendPhoto(id: number, key: string): Promise<WireInspection | null> {
  const photo = await readPhoto(key)
  if (!photo) return null
  const form = new FormData()
  form.append('attachment', photo)
  return callRaw(endpoints.addPhotos, form, { params: { id } })
}

/** Tries a refused step again, for the present state of the inspection. */
export async function retryRefused(id: number): Promise<void> {
  await queryClient.refetchQueries({ queryKey: inspectionKey(id) })
  changeWork(id, ({ unsent: [first, ...others] }) => ({
    unsent: first ? [{ ...first, version: null }, ...others] : others,
    refused: null,
  }))
  sendUnsent()
}

/** Gives up what was refused, with the steps after it; what was typed stays. */
export const discardRefused = (id: number): void =>
  changeWork(id, ({ refused, photos }) =>
    refused?.step === 'photo' ? { photos: photos.slice(1), refused: null } : { unsent: [], refused: null },
  )
