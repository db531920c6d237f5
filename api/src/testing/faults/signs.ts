import { type OpenDriver, SignError, type SignStatus } from '../../vms/driver.ts'
import type { Owner, World } from './world.ts'

export type SignFaults = { lost: number; unanswered: number; late: number; rejected: number }

/** How long a request without an answer takes, including its retries. */
const TIMEOUT_MS = 3_000
/** A request may arrive this much later than it was given up. */
const MAX_LATE_MS = 8_000

/** What happened to a sign: what it showed since when. */
type Sign = { shown: string; isOffline: boolean; hadLateRequest: boolean; history: { atMs: number; shown: string }[] }

/** Signs beside the road. Requests get lost, or their answers, or arrive when nobody waits any more. */
export function createSigns(world: World, faults: SignFaults) {
  const signs = new Map<number, Sign>()
  const road: Owner = { name: 'road', isAlive: true }
  const signOf = (id: number): Sign => {
    const sign = signs.get(id) ?? { shown: '', isOffline: false, hadLateRequest: false, history: [] }
    signs.set(id, sign)
    return sign
  }
  const happens = (probability: number) => !world.isCalm && world.random.happens(probability)
  const show = (id: number, shown: string) => {
    const sign = signOf(id)
    sign.shown = shown
    sign.history.push({ atMs: world.nowMs(), shown })
    world.record(road, `sign ${id} shows ${JSON.stringify(shown)}`)
  }

  const open =
    (owner: Owner): OpenDriver =>
    ({ id }, onNoAnswer) => {
      const noAnswer = async (signal: AbortSignal): Promise<never> => {
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve(), { once: true })
          setTimeout(resolve, TIMEOUT_MS)
        })
        onNoAnswer('no answer')
        throw new SignError('sign-did-not-answer', 'no answer')
      }
      const request = async (
        signal: AbortSignal,
        label: string,
        execute: () => void,
        isChange = true,
      ): Promise<void> => {
        if (signal.aborted) return noAnswer(signal)
        const outcome = await world.call(owner, `sign ${id} ${label}`, () => {
          if (signOf(id).isOffline || happens(faults.lost)) return 'lost'
          if (happens(faults.rejected)) return 'rejected'
          if (happens(faults.late)) {
            signOf(id).hadLateRequest ||= isChange
            world.addTimer(road, TIMEOUT_MS + world.random.below(MAX_LATE_MS), execute, null)
            return 'lost'
          }
          execute()
          if (isChange) world.onDone(owner)
          return happens(faults.unanswered) ? 'lost' : 'done'
        })
        if (outcome === 'rejected') throw new SignError('sign-rejected-message', 'rejected')
        if (outcome === 'lost') return noAnswer(signal)
      }
      return {
        status: async (signal) => {
          let shown = ''
          const read = () => {
            shown = signOf(id).shown
          }
          await request(signal, 'status', read, false)
          return { shown, faults: [], controlMode: 'central' } satisfies SignStatus
        },
        show: ({ multi }, signal) => request(signal, `show ${multi}`, () => show(id, multi)),
        clear: (signal) => request(signal, 'clear', () => show(id, '')),
        close: () => {},
      }
    }

  return {
    open,
    signs,
    shownBy: (id: number) => signOf(id).shown,
    /** Whether a request may have arrived after later ones. */
    hadLateRequest: (id: number) => signOf(id).hadLateRequest,
    /** Whether the sign has shown it within this time. */
    hasShown: (id: number, shown: string, sinceMs: number) =>
      signOf(id).shown === shown || signOf(id).history.some((it) => it.shown === shown && it.atMs >= sinceMs),
    setOffline: (id: number, isOffline: boolean) => {
      signOf(id).isOffline = isOffline
      world.record(road, `sign ${id} ${isOffline ? 'offline' : 'online'}`)
    },
  }
}

export type Signs = ReturnType<typeof createSigns>
