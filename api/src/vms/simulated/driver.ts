import { setTimeout as sleep } from 'node:timers/promises'
import { controlModes, type SignFault } from '@rogatka/contract/vms.ts'
import type { Database } from '../../core/database.ts'
import { type OpenDriver, SignError } from '../driver.ts'
import { showSimulated, simulatedStateOf } from './queries.ts'

/** So long a sign that is switched off is waited for. */
const OFFLINE_MS = 1_000

/**
 * Signs that are only pretended, for a portal without any and for training. What they show and how they misbehave lies
 * in the database, so that every process and every start finds the same.
 */
export const openSimulated =
  (db: Database, now: () => Date): OpenDriver =>
  ({ id }, onSilence) => {
    async function wait(signal: AbortSignal) {
      const behaviour = await simulatedStateOf(db, id)
      const { delayMs, offline } = behaviour
      await sleep(offline ? OFFLINE_MS : delayMs, undefined, { signal }).catch(() => {})
      if (!offline && !signal.aborted) return behaviour
      onSilence('switched off')
      throw new SignError('sign-did-not-answer', 'switched off')
    }

    async function command(signal: AbortSignal, shown: string, until: Date | null) {
      const { controlMode, rejects } = await wait(signal)
      if (controlMode === 'local') throw new SignError('sign-in-local-control', 'local control')
      if (rejects) throw new SignError('sign-rejected-message', 'rejected')
      await showSimulated(db, id, shown, until)
    }

    return {
      async status(signal) {
        const { shown, shownUntil, faults, controlMode } = await wait(signal)
        return {
          shown: shownUntil && shownUntil <= now() ? '' : shown,
          faults: faults as SignFault[],
          controlMode: controlModes.find((mode) => mode === controlMode) ?? 'other',
        }
      },
      show: ({ multi, minutes }, signal) =>
        command(signal, multi, minutes === null ? null : new Date(now().getTime() + minutes * 60_000)),
      clear: (signal) => command(signal, '', null),
      close: () => {},
    }
  }
