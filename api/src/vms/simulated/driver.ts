import { setTimeout as sleep } from 'node:timers/promises'
import { controlModes, type SignFault } from '@rogatka/contract/vms.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import type { Database } from '../../core/database.ts'
import { type OpenDriver, SignError } from '../driver.ts'
import { showSimulated, simulatedStateOf } from './queries.ts'

/** Timeout for an offline sign. */
const OFFLINE_TIMEOUT_MS = 1_000

/**
 * Simulated signs, for training and portals without signs. Their state and faults are in the database, shared by all
 * processes.
 */
export const openSimulated =
  (db: Database, now: () => Date): OpenDriver =>
  ({ id }, onNoAnswer) => {
    async function wait(signal: AbortSignal) {
      const state = await simulatedStateOf(db, id)
      const { delayMs, offline } = state
      await sleep(offline ? OFFLINE_TIMEOUT_MS : delayMs, undefined, { signal }).catch(() => {})
      if (!offline && !signal.aborted) return state
      onNoAnswer('switched off')
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
        command(signal, multi, minutes === null ? null : new Date(now().getTime() + minutes * MINUTE_MS)),
      clear: (signal) => command(signal, '', null),
      close: () => {},
    }
  }
