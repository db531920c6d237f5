import type { Sql as Outer, TransactionSql } from 'postgres'
import { postgres } from './driver.ts'
import { watchedSockets, withQueryTimeout } from './query-timeout.ts'

/** A connection pool or a transaction: queries take it as an argument and never import it. */
export type Sql = Outer | TransactionSql
export type Pool = Outer

/** A little longer than the database lets a statement run. */
export const QUERY_TIMEOUT_MS = 65_000
const STATEMENT_TIMEOUT_MS = 60_000
/** Whose a token is has to be known before anything else is done, so nobody waits for it for long. */
export const SESSION_TIMEOUT_MS = 5_000

/**
 * Connects to PostgreSQL. A bigint becomes a number (all ids stay below 2^53) and a timestamptz a Date. A query fails
 * when it is not answered in time, whether it waits for a connection or for a database that says nothing.
 */
export function connect(url: string, max: number, timeoutMs = QUERY_TIMEOUT_MS): Pool {
  const sockets = watchedSockets(timeoutMs)
  const pool = postgres(url, {
    // The types of the driver leave it out.
    ...({ socket: sockets.open } as object),
    max,
    connect_timeout: 10,
    // Seconds between attempts to connect. The driver's own pauses grow to 20 s, for which everybody would wait on a
    // database that is long back.
    backoff: (retries: number) => Math.min(1, 0.05 * 2 ** retries),
    idle_timeout: 0,
    onnotice: () => {},
    connection: { application_name: 'rogatka', timezone: 'UTC', statement_timeout: STATEMENT_TIMEOUT_MS },
    types: {
      bigint: {
        to: 20,
        from: [20],
        serialize: (value: number) => String(value),
        parse: (text: string) => Number(text),
      },
    },
  })
  return withQueryTimeout(pool, timeoutMs, sockets)
}

/** Whether an error means that the database is away, takes too long or has no room left, rather than that it refused a statement. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: string }
  // FATAL is what PostgreSQL says when it gives up a connection or does not take one.
  if (severity === 'FATAL') return true
  return (
    typeof code === 'string' && /^(ECONN|ENOTFOUND|EPIPE|ETIMEDOUT|CONNECT_|CONNECTION_|08|53|57P0|57014)/.test(code)
  )
}
