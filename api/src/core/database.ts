import type { Sql as Outer, TransactionSql } from 'postgres'
import { postgres } from './driver.ts'

/** A connection pool or a transaction: queries take it as an argument and never import it. */
export type Sql = Outer | TransactionSql
export type Pool = Outer

/**
 * Connects to PostgreSQL. A bigint becomes a number (all ids stay below 2^53) and a timestamptz a Date.
 * A query that waits for a connection fails after 10 s instead of hanging for ever.
 */
export const connect = (url: string, max: number): Pool =>
  postgres(url, {
    max,
    connect_timeout: 10,
    // Seconds between attempts to connect. The driver's own pauses grow to 20 s, for which everybody would wait on a
    // database that is long back.
    backoff: (retries: number) => Math.min(1, 0.05 * 2 ** retries),
    idle_timeout: 0,
    onnotice: () => {},
    connection: { application_name: 'rogatka', timezone: 'UTC', statement_timeout: 60_000 },
    types: {
      bigint: {
        to: 20,
        from: [20],
        serialize: (value: number) => String(value),
        parse: (text: string) => Number(text),
      },
    },
  })

/** Whether an error means that the database is away or has no room left, rather than that it refused a statement. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: string }
  // FATAL is what PostgreSQL says when it gives up a connection or does not take one.
  if (severity === 'FATAL') return true
  return typeof code === 'string' && /^(ECONN|ENOTFOUND|EPIPE|ETIMEDOUT|CONNECT_|CONNECTION_|08|53|57P0)/.test(code)
}
