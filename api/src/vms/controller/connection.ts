import type { Breaker } from '@rogatka/domain/vms/circuit.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from '../../core/database.ts'
import type { OpenDriver, SignDriver, SignStatus } from '../driver.ts'
import type { SignRow } from '../queries.ts'

type Drivers = Record<SignRow['driver'], OpenDriver>

/** What whoever speaks to the signs needs. */
export type ControllerContext = {
  db: Pool
  now: () => Date
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>
  drivers: Drivers
  intervals: PollIntervals
}

/** So often every sign is asked, and one that is left alone is tried. */
export type PollIntervals = { pollMs: number; retryMs: number }

/** The connection to one sign. */
export type SignConnection = {
  sign: SignRow
  driver: SignDriver
  breaker: Breaker
  /** The last answer; null while there is none. */
  reading: SignStatus | null
}

/** Before a plate that could not be taken down is tried again; each time twice as long, up to the most. */
export const RETRY_DELAY_MS = 1_000
export const MAX_RETRY_DELAY_MS = 8_000

/** A connection with what is to be done on it, and when. */
export type ScheduledSign = SignConnection & {
  busy: boolean
  pollAt: number
  restoreAt: number
  /** Of a plate that is to come down. */
  again: { at: number; pause: number }
}
