import { Socket } from 'node:net'
import pg from 'pg'
import { parse, toClientConfig } from 'pg-connection-string'
import { removeValues } from './log-redaction.ts'
import { activeSpan, statementSpan } from './spans.ts'
import { raw, type Statement, sql, toParameter } from './statement.ts'
import { types } from './types.ts'

/** Runs statements: a pool, a transaction or a reserved connection. Passed as an argument, never imported. */
export type Database = {
  /** The rows of a statement. */
  query: <Row = Record<string, unknown>>(statement: Statement) => Promise<Row[]>
  /** The same as a prepared statement, planned once per connection: for frequent statements with few variants. */
  prepared: <Row = Record<string, unknown>>(statement: Statement) => Promise<Row[]>
  /** The rows as arrays, in column order. */
  arrays: <Row extends unknown[] = unknown[]>(statement: Statement) => Promise<Row[]>
  /** Number of rows inserted, updated or deleted. */
  execute: (statement: Statement) => Promise<number>
}

export type Transaction = Database & {
  /** Removes the timeouts of all following statements, in the client and the database. */
  liftTimeLimit: () => Promise<void>
}

/** A connection of the pool for exclusive use until released. */
export type ReservedConnection = Database & { release: () => void }

/** A connection outside the pool. */
export type Connection = Database & {
  /** Resolves when the connection has ended, for whatever reason. */
  closed: Promise<void>
  /** Closes it at once; running statements fail. */
  close: () => void
}

export type TransactionOptions = {
  /** As in `begin`: isolation level repeatable read read only. */
  mode?: string
  /**
   * Prepared statements are planned once, whatever their parameters: for the inserts of ingest. Not with Citus, which
   * plans statements of several steps by their parameters only.
   */
  genericPlans?: boolean
  /** On abort the connection is closed, which cancels its statement; the transaction fails. */
  signal?: AbortSignal | undefined
  /** `work` waits for a client between its statements, for as long as that reads: it is not ended for being idle. */
  mayIdle?: boolean
  /** Asked after `work` failed on a replica, directly before it runs again on the primary: whether it may; absent: yes. */
  isRepeatable?: () => boolean
}

export type Pool = Database & {
  /** Maximum number of connections. */
  max: number
  /** Key of limits and caches: the same for pools that stand in for each other, which are limited together. */
  limits: object
  /** Number of statements and transactions that wait for a connection. */
  waiting: () => number
  /**
   * Commits the statements of `work` and returns its result. Rolls back if `work` throws, if any statement fails, even
   * a caught one, or if the connection is lost.
   */
  transaction: <T>(work: (db: Transaction) => Promise<T> | T, options?: TransactionOptions) => Promise<T>
  /** Whether the database has Citus, which it gets before the portal starts; asked once. */
  hasCitus: () => Promise<boolean>
  reserve: () => Promise<ReservedConnection>
  /**
   * Opens a connection outside the pool. `onNotify` receives the notifications of its LISTEN channels. `limitMs`: for how
   * long its statements may run, instead of the usual time.
   */
  open: (onNotify?: (channel: string, payload: string) => void, limitMs?: number) => Promise<Connection>
  /** Closes all connections, after `graceMs` also those in use. */
  end: (graceMs?: number) => Promise<void>
}

/** A little longer than the statement timeout of the database. */
export const QUERY_TIMEOUT_MS = 65_000
const STATEMENT_TIMEOUT_MS = 60_000
/** Authentication precedes every request, so it has a shorter timeout. */
export const SESSION_TIMEOUT_MS = 5_000
const CONNECT_TIMEOUT_MS = 10_000
/** How often the database checks whether the client of a running statement is still connected. */
export const CLIENT_CHECK_MS = 1_000
/** The database ends a transaction whose next statement does not come for so long: its process hangs, and others wait for its locks. */
const IDLE_LIMIT_MS = 60_000
/** All statements of the transaction read one snapshot. */
export const SNAPSHOT = 'isolation level repeatable read read only'

/**
 * Parses a connection string, with `sslmode` as in libpq: `require` encrypts, `verify-full` also verifies the server.
 */
export const clientConfig = (connectionString: string): pg.ClientConfig =>
  toClientConfig(parse(connectionString, { useLibpqCompat: !connectionString.includes('uselibpqcompat') }))

/**
 * Sends the settings of a new connection, before its first statement: by them the database notices within half a minute
 * that the host of the connection is gone, and releases its locks. Not as options of the start, which connection poolers
 * refuse. Without effect on Unix sockets.
 */
export function sendSettings(client: pg.ClientBase, idleLimitMs = IDLE_LIMIT_MS): void {
  client
    .query(
      `set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3;
       set tcp_user_timeout = 20000; set idle_in_transaction_session_timeout = ${idleLimitMs}`,
    )
    .catch(() => {})
  // On its own, as it fails on systems without support for the check.
  client.query(`set client_connection_check_interval = ${CLIENT_CHECK_MS}`).catch(() => {})
}

/** The same, with the time zone and the limit of statements of the portal's own connections. */
function sendLimits(client: pg.ClientBase, idleLimitMs: number, statementMs = STATEMENT_TIMEOUT_MS): void {
  client.query(`set timezone = 'UTC'; set statement_timeout = ${statementMs}`).catch(() => {})
  sendSettings(client, idleLimitMs)
}

/**
 * Creates a connection pool. A query fails after `timeoutMs`, whether it waits for a connection or for a response of
 * the database; its connection is then closed. The database ends transactions that are idle for `idleLimitMs`.
 */
export function connect(
  connectionString: string,
  max: number,
  timeoutMs = QUERY_TIMEOUT_MS,
  onConnect: (client: pg.Client) => void = () => {},
  idleLimitMs = IDLE_LIMIT_MS,
): Pool {
  const config: pg.ClientConfig = {
    application_name: 'rogatka',
    ...clientConfig(connectionString),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    pipeline: true,
    types,
  }
  const sockets = new WeakMap<pg.ClientBase, Socket>()
  /** Does not use the settings of the pool, whose connect timeout is that of waiting for a connection. */
  class Client extends pg.Client {
    constructor() {
      const socket = new Socket()
      super({ ...config, stream: () => socket })
      sockets.set(this, socket)
      // Its queries fail anyway; without a listener the process would exit.
      this.on('error', () => {})
      onConnect(this)
    }
  }
  const destroy = (client: pg.ClientBase) => sockets.get(client)?.destroy()
  const pool = new pg.Pool({ max, idleTimeoutMillis: 0, connectionTimeoutMillis: timeoutMs, Client })
  const clients = new Set<pg.PoolClient>()
  pool.on('error', () => {})
  pool.on('remove', (client) => clients.delete(client))
  pool.on('connect', (client) => {
    clients.add(client)
    sendLimits(client, idleLimitMs)
  })

  /** Takes a connection from the pool; `release(true)` closes it. */
  const checkOut = async () => {
    const client = await pool.connect().catch(throwWithCode)
    let isReleased = false
    const run = async (statement: Statement, ms: number, options?: RunOptions) => {
      // The connection may be in use by others now.
      if (isReleased) throw connectionLost()
      return runOn(client, statement, ms, options)
    }
    const release = (isBroken = false) => {
      isReleased = true
      client.release(isBroken)
    }
    return { client, run, release }
  }

  const runOnce: Run = async (statement, options) => {
    const { run, release } = await checkOut()
    try {
      const result = await run(statement, timeoutMs, options)
      release()
      return result
    } catch (error) {
      // Only an error from the database itself leaves the connection usable.
      release(!(error instanceof pg.DatabaseError))
      throw error
    }
  }

  let foundCitus: Promise<boolean> | undefined
  const hasCitus = (): Promise<boolean> => {
    const asked =
      foundCitus ??
      runOnce(raw(`select from pg_extension where extname = 'citus'`)).then(({ rowCount }) => rowCount === 1)
    foundCitus = asked
    // A database that does not answer is asked again.
    asked.catch(() => {
      foundCitus = undefined
    })
    return asked
  }

  async function transaction<T>(
    work: (db: Transaction) => Promise<T> | T,
    { mode = '', genericPlans = false, mayIdle = false, signal }: TransactionOptions = {},
  ): Promise<T> {
    const idling = mayIdle ? '; set local idle_in_transaction_session_timeout = 0' : ''
    const planning = genericPlans && !(await hasCitus()) ? '; set local plan_cache_mode = force_generic_plan' : ''
    const { client, run, release } = await checkOut()
    let limitMs = timeoutMs
    let firstError: { error: unknown } | undefined
    const runInside: Run = (statement, options) =>
      run(statement, limitMs, options).catch((error: unknown) => {
        firstError ??= { error }
        throw error
      })
    const db = {
      ...databaseOf(runInside),
      liftTimeLimit: async () => {
        limitMs = 0
        await runInside(sql`select set_config('statement_timeout', '0', true)`)
      },
    }
    // A transaction that only reads has nothing to commit: nobody waits for its begin and its end.
    const isReading = mode === SNAPSHOT
    const steps = async () => {
      const begun = runInside(raw(`begin ${mode}${planning}${idling}`))
      if (isReading) begun.catch(() => {})
      else await begun
      const result = await work(db)
      if (isReading && !firstError) return result
      // COMMIT of a failed transaction rolls back, which PostgreSQL does not report as an error.
      const { command } = firstError ? { command: '' } : await runInside(raw('commit'))
      if (command === 'COMMIT') return result
      throw (firstError as { error: unknown } | undefined)?.error ?? new Error('The transaction has failed')
    }
    const watch = watchConnection(client, signal)
    try {
      const result = await Promise.race([steps(), watch.promise])
      if (isReading)
        run(raw('commit'), timeoutMs).then(
          () => release(),
          () => release(true),
        )
      else release()
      return result
    } catch (error) {
      const isRolledBack = !watch.isLost() && (await succeeds(run(raw('rollback'), timeoutMs)))
      release(!isRolledBack)
      throw error
    } finally {
      watch.stop()
    }
  }

  /** Rejects when the connection is lost, even while idle, or closed on abort. */
  function watchConnection(client: pg.ClientBase, signal: AbortSignal | undefined) {
    const { promise, reject } = Promise.withResolvers<never>()
    promise.catch(() => {})
    let isLost = false
    const onLost = () => {
      isLost = true
      reject(signal?.aborted ? signal.reason : connectionLost())
    }
    const abort = () => {
      destroy(client)
      onLost()
    }
    client.once('end', onLost)
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) abort()
    return {
      promise,
      isLost: () => isLost,
      stop: () => {
        client.off('end', onLost)
        signal?.removeEventListener('abort', abort)
      },
    }
  }

  return {
    ...databaseOf(runOnce),
    max,
    limits: {},
    waiting: () => pool.waitingCount,
    transaction,
    hasCitus,
    reserve: async () => {
      const { run, release } = await checkOut()
      return { ...databaseOf((statement, options) => run(statement, timeoutMs, options)), release: () => release() }
    },
    open: async (onNotify, limitMs) => {
      const client = new Client()
      const closed = new Promise<void>((resolve) => client.once('end', resolve))
      client.on('notification', ({ channel, payload = '' }) => onNotify?.(channel, payload))
      await client.connect().catch(throwWithCode)
      sendLimits(client, idleLimitMs, limitMs)
      // The database ends a statement first, so that its error is known.
      const answerMs = limitMs === undefined ? timeoutMs : limitMs + QUERY_TIMEOUT_MS - STATEMENT_TIMEOUT_MS
      return {
        ...databaseOf((statement, options) => runOn(client, statement, answerMs, options)),
        closed,
        close: () => destroy(client),
      }
    },
    end: async (graceMs = timeoutMs) => {
      const timer = setTimeout(() => {
        for (const client of clients) destroy(client)
      }, graceMs)
      await pool.end().finally(() => clearTimeout(timer))
    },
  }
}

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

type RunOptions = { name?: string; rowMode?: 'array' }
type Run = (statement: Statement, options?: RunOptions) => Promise<pg.QueryArrayResult & pg.QueryResult>

const databaseOf = (run: Run): Database => ({
  query: async <Row>(statement: Statement) => (await run(statement)).rows as Row[],
  prepared: async <Row>(statement: Statement) => (await run(statement, { name: nameOf(statement) })).rows as Row[],
  arrays: async <Row>(statement: Statement) => (await run(statement, { rowMode: 'array' })).rows as Row[],
  execute: async (statement) => (await run(statement)).rowCount ?? 0,
})

async function runOn(client: pg.ClientBase, { text, values }: Statement, timeoutMs: number, options: RunOptions = {}) {
  const query = { text, values: values.map(toParameter), query_timeout: timeoutMs, ...options }
  const run = () => client.query(query).catch(throwWithCode) as Promise<pg.QueryArrayResult & pg.QueryResult>
  const parent = activeSpan()
  return parent ? statementSpan(parent, text, run) : run()
}

/** Names of prepared statements by their text. A connection never deletes one, so there must be few. */
const names = new Map<string, string>()

function nameOf({ text }: Statement): string {
  const name = names.get(text) ?? `s${names.size}`
  names.set(text, name)
  return name
}

const connectionLost = () =>
  Object.assign(new Error('The connection to the database was lost'), { code: 'CONNECTION_LOST' })

/** Adds a code to the driver's errors for lost connections and timeouts, and removes values from those of the database. @throws always */
function throwWithCode(error: Error & { code?: string }): never {
  if (error.constructor === Error && error.code === undefined)
    error.code = /timeout/.test(error.message) ? 'CONNECTION_TIMEOUT' : 'CONNECTION_LOST'
  throw removeValues(error)
}

/** Whether the database is unavailable, too slow or out of resources, as opposed to rejecting the statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: string }
  // FATAL: PostgreSQL closes or refuses a connection.
  if (severity === 'FATAL') return true
  return typeof code === 'string' && /^(ECONN|ENOTFOUND|EPIPE|ETIMEDOUT|CONNECTION_|08|53|57P0|57014)/.test(code)
}
