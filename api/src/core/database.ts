import postgres from 'postgres'

/** A connection pool or a transaction: queries take it as an argument and never import it. */
export type Sql = postgres.Sql | postgres.TransactionSql
export type Pool = postgres.Sql

/**
 * Connects to PostgreSQL. A bigint becomes a number (all ids stay below 2^53) and a timestamptz a Date.
 * A query that waits for a connection fails after 10 s instead of hanging for ever.
 */
export const connect = (url: string, max: number): Pool =>
  postgres(url, {
    max,
    connect_timeout: 10,
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

/** Whether an error means that the database is away, rather than that it refused a statement. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: string }
  // FATAL is what PostgreSQL says when it gives up a connection or does not take one.
  if (severity === 'FATAL') return true
  return typeof code === 'string' && /^(ECONN|ENOTFOUND|EPIPE|ETIMEDOUT|CONNECT_|CONNECTION_|08|57P0)/.test(code)
}
