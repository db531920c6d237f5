import type { Breaker } from '@rogatka/domain/vms/circuit.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from '../../core/database.ts'
import type { OpenDriver, SignDriver, SignStatus } from '../driver.ts'
import type { SignRow } from '../queries.ts'

type Drivers = Record<SignRow['driver'], OpenDriver>

/** Dependencies of the sign controller. */
export type ControllerContext = {
  db: Pool
  now: () => Date
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>
  drivers: Drivers
  intervals: PollIntervals
}

/** Poll interval, and retry interval of an unavailable sign. */
export type PollIntervals = { pollMs: number; retryMs: number }

/** The connection to one sign. */
export type SignConnection = {
  sign: SignRow
  driver: SignDriver
  breaker: Breaker
  /** The last status; null until the first one. */
  status: SignStatus | null
}

/** Back-off before a plate that could not be removed is tried again: doubled up to the maximum. */
export const RETRY_DELAY_MS = 1_000
export const MAX_RETRY_DELAY_MS = 8_000

/** A connection with its schedule. */
export type ScheduledSign = SignConnection & {
  isBusy: boolean
  /** The last write of its status, after which the next one begins. */
  storing: Promise<unknown>
  pollAt: number
  restoreAt: number
  /** Next attempt to remove a plate, in ms. */
  plateRetry: { at: number; delayMs: number }
}
