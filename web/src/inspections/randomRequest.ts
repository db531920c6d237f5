import { add } from '@rogatka/contract/inspections.ts'
import type { z } from 'zod'
import { readStored, writeStored } from '../core/browserStorage.ts'
import { call } from '../core/call.ts'
import { session } from '../core/session.ts'
import { newIdempotencyKey } from './idempotencyKey.ts'
import { isRefusal } from './refusal.ts'
import { isFresh, randomKeyOf } from './storedWork.ts'
import { work } from './work.ts'

/*
 * The request for an inspection without an announcement, on the device until it was answered: repeated with its key,
 * also after a reload, it opens no second inspection.
 */

type Body = z.input<(typeof add)['body']>
type Request = { key: string; body: string; savedAt: string }

function storedRequest(userId: number): Request | null {
  try {
    const request = JSON.parse(readStored('local', randomKeyOf(userId)) ?? 'null') as Request | null
    return request && isFresh(request.savedAt) ? request : null
  } catch {
    return null
  }
}

/** The key for a request with this body; `isRepeated`: an earlier one was not answered. */
function requestKey(userId: number, body: Body): { key: string; isRepeated: boolean } {
  const text = JSON.stringify(body)
  const stored = storedRequest(userId)
  if (stored?.body === text) return { key: stored.key, isRepeated: true }
  const request: Request = { key: newIdempotencyKey(), body: text, savedAt: new Date().toISOString() }
  writeStored('local', randomKeyOf(userId), JSON.stringify(request))
  return { key: request.key, isRepeated: false }
}

/** Takes over a vehicle that nobody announced; returns the id of its inspection. */
export async function openRandom(body: Body): Promise<number> {
  const { userId } = session.get()
  if (userId === null) throw new Error('There is no session.')
  const { key, isRepeated } = requestKey(userId, body)
  const clearRequest = () => writeStored('local', randomKeyOf(userId), null)
  try {
    const { id, version } = await call(add, { body, idempotencyKey: key })
    clearRequest()
    // Opened by the earlier attempt and worked on since: this is another vehicle.
    const isOther = isRepeated && (version > 1 || work.get().all[id] !== undefined)
    return isOther ? openRandom(body) : id
  } catch (error) {
    if (isRefusal(error)) clearRequest()
    throw error
  }
}
