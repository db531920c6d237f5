import type { WireInspection } from '@rogatka/contract/inspections.ts'
import * as endpoints from '@rogatka/contract/inspections.ts'
import { call, callRaw } from '../core/call.ts'
import { localNow, serverNowAtLeast } from '../core/clock.ts'
import type { ApiFailure } from '../core/failure.ts'
import { queryClient } from '../core/queryClient.ts'
import { session } from '../core/session.ts'
import { lastTakenAt } from './lastTakenAt.ts'
import { deletePhotos, isBeingWritten, readPhoto } from './photoStore.ts'
import { isRefusal } from './refusal.ts'
import { dropWork, hasUnsent, type StepRefusal, type UnsentStep, updateWork, type Work, work } from './work.ts'

/*
 * Sends unsent steps in their order, one at a time. A step that was not answered is sent again, the same with the same
 * version, which the server recognises; one that was refused waits for the officer.
 */

/** Pauses after attempts without an answer: doubled from the first to the last. */
const RETRY_MS = { first: 1_000, last: 5_000 }
/** An attempt without an answer ends after this time, ms. */
const TIMEOUT_MS = { step: 20_000, photo: 120_000 }
/** How long the version in a response counts as the present one of an inspection. */
const RECENT_MS = 30_000
/** Code of a photo that cannot be sent, as it is not on the device any more. */
export const PHOTO_LOST = 'photo-lost'
const CALLS = { 'take-over': endpoints.takeOver, weighing: endpoints.weigh, close: endpoints.close } as const

/** Query key of an inspection. */
export const inspectionKey = (id: number) => ['inspections', 'one', id] as const

let timer: ReturnType<typeof setTimeout> | undefined
let isSending = false
let retryMs: number = RETRY_MS.first
/** The next attempt after one without an answer, by the clock of the device, ms. */
let retryAt = 0

const pending = (): [number, Work][] =>
  Object.entries(work.get().userId === session.get().userId ? work.get().all : {})
    .map(([id, it]): [number, Work] => [Number(id), it])
    .filter(([, it]) => hasUnsent(it) && it.refused === null)

/** Sends what is unsent, at once or after the pause that follows an attempt without an answer. */
export function sendUnsent(): void {
  clearTimeout(timer)
  if (isSending || session.get().token === null || pending().length === 0) return
  const pauseMs = Math.min(retryAt - localNow(), RETRY_MS.last)
  if (pauseMs > 0) timer = setTimeout(sendNow, pauseMs)
  else sendNow()
}

/** Only one tab at a time, as each step must be sent once. */
function sendNow(): void {
  if (isSending || session.get().token === null) return
  isSending = true
  const sending = withLock(sendAll).catch((error: unknown) => {
    console.warn('Inspections could not be sent.', error)
    return false
  })
  void sending.then((isReached) => {
    isSending = false
    if (!isReached) {
      retryAt = localNow() + retryMs
      retryMs = Math.min(2 * retryMs, RETRY_MS.last)
    } else {
      retryAt = 0
      retryMs = RETRY_MS.first
    }
    sendUnsent()
  })
}

/** Without TLS there are no locks: a step that two tabs send is one for the server. */
const withLock = (send: () => Promise<boolean>): Promise<boolean> =>
  navigator.locks ? navigator.locks.request('send-inspections', send) : send()

/** Whether the server answered all requests. An inspection that it does not take delays no other one. */
async function sendAll(): Promise<boolean> {
  const { token, userId } = session.get()
  const isSignedIn = () => session.get().token === token
  if (userId === null) return true
  let isReached = true
  for (const [id] of pending()) {
    let next = work.get().all[id]
    while (next && isSignedIn() && hasUnsent(next) && next.refused === null) {
      if (!(await sendNext({ id, userId, isSignedIn }, next))) {
        isReached = false
        break
      }
      next = work.get().all[id]
    }
  }
  return isReached
}

/** The inspection and whose work it is; `isSignedIn`: the session is still that of the user. */
type Sending = { id: number; userId: number; isSignedIn: () => boolean }

/** Sends the next step or photo of an inspection; false without an answer. */
async function sendNext(sending: Sending, { unsent, photos }: Work): Promise<boolean> {
  const { id, userId } = sending
  const [step] = unsent
  const [photo] = photos
  const isPhoto = photo !== undefined && (step === undefined || step.step === 'close')
  try {
    const stored = isPhoto ? await sendPhoto(sending, photo) : await sendStep(sending, step as UnsentStep)
    if (isPhoto && stored === null) {
      updateWork(id, () => ({ refused: { step: 'photo', code: PHOTO_LOST, text: '' } }), userId)
      return true
    }
    // An older answer on its way must not replace this one.
    await queryClient.cancelQueries({ queryKey: inspectionKey(id) })
    if (stored) queryClient.setQueryData(inspectionKey(id), stored)
    if (isPhoto) {
      updateWork(id, (it) => ({ photos: it.photos.filter((key) => key !== photo) }), userId)
      void deletePhotos([photo])
    } else if (stored && step?.step === 'close') dropWork(id, userId)
    else if (stored) updateWork(id, (it) => ({ unsent: it.unsent.filter(({ key }) => key !== step?.key) }), userId)
    void queryClient.invalidateQueries({ queryKey: ['inspections', 'list'] })
    void queryClient.invalidateQueries({ queryKey: ['vehicle'] })
    return true
  } catch (error) {
    if (!isRefusal(error)) return false
    const refused = refusedOf(isPhoto ? 'photo' : (step as UnsentStep).step, error)
    updateWork(id, () => ({ refused }), userId)
    void queryClient.invalidateQueries({ queryKey: ['inspections'] })
    return true
  }
}

const refusedOf = (step: StepRefusal['step'], { errors, message }: ApiFailure): StepRefusal => ({
  step,
  code: errors[0]?.code ?? null,
  text: errors[0]?.userMessage ?? message,
})

/**
 * Its first attempt decides version and time, which are kept before it is sent. Null if the step was replaced meanwhile.
 */
async function sendStep({ id, userId, isSignedIn }: Sending, step: UnsentStep): Promise<WireInspection | null> {
  const attempt = step.version === null ? await firstAttempt(id, step) : step
  if (!isSignedIn()) throw new Error('The session has ended.')
  let isPending = false
  const keepAttempt = ({ unsent: [first, ...others] }: Work) => {
    isPending = first?.key === step.key
    return { unsent: isPending ? [attempt, ...others] : first ? [first, ...others] : others }
  }
  updateWork(id, keepAttempt, userId)
  if (!isPending) return null
  const body = { ...attempt.body, version: attempt.version } as never
  const signal = AbortSignal.timeout(TIMEOUT_MS.step)
  return call(CALLS[step.step], { params: { id }, body, background: true, signal })
}

/** The inspection as the last seconds have shown it, else as it is now. */
async function seenInspection(id: number): Promise<WireInspection> {
  const seen = queryClient.getQueryState<WireInspection>(inspectionKey(id))
  const isRecent = seen?.data && !seen.isInvalidated && Date.now() - seen.dataUpdatedAt < RECENT_MS
  if (isRecent && seen.data) return seen.data
  const signal = AbortSignal.timeout(TIMEOUT_MS.step)
  return call(endpoints.read, { params: { id }, background: true, signal })
}

/**
 * A step says when it was entered, also at once: a later attempt is the same. The time is not before what is stored, and
 * not ahead of the server, whose time is known to a second or so.
 */
async function firstAttempt(id: number, step: UnsentStep): Promise<UnsentStep> {
  const stored = await seenInspection(id)
  const { wim, announced, weighed, reopened } = stored
  const stepTimes = [announced.at, lastTakenAt(stored), weighed?.at, reopened?.at]
  const [measuredAt = 0, ...times] = [wim?.createdAt, ...stepTimes].map((at) => (at ? Date.parse(at) : 0))
  const enteredAt = Math.min(Math.max(step.enteredAt, measuredAt), Math.floor(serverNowAtLeast()))
  const at = new Date(Math.max(enteredAt, ...times)).toISOString()
  return { ...step, body: { ...step.body, at }, version: stored.version } as UnsentStep
}

/** Null if the device has lost the photo. */
async function sendPhoto({ id, isSignedIn }: Sending, key: string): Promise<WireInspection | null> {
  const photo = await readPhoto(key)
  if (!isSignedIn()) throw new Error('The session has ended.')
  if (!photo && isBeingWritten(key)) throw new Error('The photo is not written yet.')
  if (!photo) return null
  const form = new FormData()
  form.append('attachment', photo)
  return callRaw(endpoints.addPhotos, form, { params: { id }, signal: AbortSignal.timeout(TIMEOUT_MS.photo) })
}

/** Tries a refused step again, for the present state of the inspection. */
export async function retryRefused(id: number): Promise<void> {
  await queryClient.refetchQueries({ queryKey: inspectionKey(id) })
  updateOwn(id, ({ unsent: [first, ...others] }) => ({
    unsent: first ? [{ ...first, version: null }, ...others] : others,
    refused: null,
  }))
  sendUnsent()
}

/** Gives up what was refused, with the steps after it; what was typed stays. */
export const discardRefused = (id: number): void =>
  updateOwn(id, ({ refused, photos }) => {
    if (refused?.step !== 'photo') return { unsent: [], refused: null }
    void deletePhotos(photos.slice(0, 1))
    return { photos: photos.slice(1), refused: null }
  })

function updateOwn(id: number, change: Parameters<typeof updateWork>[1]): void {
  const { userId } = session.get()
  if (userId !== null) updateWork(id, change, userId)
}
