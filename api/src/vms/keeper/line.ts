import type { Breaker } from '@rogatka/domain/vms/circuit.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from '../../core/database.ts'
import type { OpenDriver, Reading, SignDriver } from '../driver.ts'
import type { SignRow } from '../queries.ts'

type Drivers = Record<SignRow['driver'], OpenDriver>

/** What whoever speaks to the signs needs. */
export type Keeper = {
  db: Pool
  now: () => Date
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>
  drivers: Drivers
  pace: Pace
}

/** So often every sign is asked, and one that is left alone is tried. */
export type Pace = { pollMs: number; tryAgainMs: number }

/** The line to one sign. */
export type Line = {
  sign: SignRow
  driver: SignDriver
  breaker: Breaker
  /** The last answer; null while there is none. */
  reading: Reading | null
}

/** Before a plate that could not be taken down is tried again; each time twice as long, up to the most. */
export const AGAIN_MS = 1_000
export const AGAIN_MOST_MS = 8_000

/** A line with what is to be done on it, and when. */
export type Watched = Line & {
  busy: boolean
  pollAt: number
  restoreAt: number
  /** Of a plate that is to come down. */
  again: { at: number; pause: number }
}
