import type { Breaker } from '@rogatka/domain/vms/circuit.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from '../../core/database.ts'
import type { OpenDriver, Reading, SignDriver } from '../driver.ts'
import type { SignRow } from '../queries.ts'

type Drivers = Record<SignRow['driver'], OpenDriver>

/** What whoever speaks to the signs needs. */
export type Keeper = {
  sql: Pool
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
