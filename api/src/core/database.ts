import { Socket } from 'node:net'
import pg from 'pg'
import { parse, toClientConfig } from 'pg-connection-string'
import { raw, type Statement, sql, toParameter } from './statement.ts'
import { types } from './types.ts'

/** Runs statements: a pool, a transaction or a reserved connection. Functions take it as an argument and never import it. */
export type Database = {
  /** The rows of a statement. */
  query: <Row = Record<string, unknown>>(statement: Statement) => Promise<Row[]>
  /** The same, planned once for each connection: for hot statements whose text hardly varies. */
  prepared: <Row = Record<string, unknown>>(statement: Statement) => Promise<Row[]>
  /** The rows as arrays, in the order of the columns. */
  arrays: <Row extends unknown[] = unknown[]>(statement: Statement) => Promise<Row[]>
  /** How many rows a statement inserted, updated or deleted. */
  execute: (statement: Statement) => Promise<number>
}

export type Transaction = Database & {
  /** Lifts the time limits of the statements that follow, here and in the database. */
  liftTimeLimit: () => Promise<void>
}

/** A connection of the pool that nobody else uses until it is released. */
export type Reserved = Database & { release: () => void }

/** A connection outside the pool. */
export type Connection = Database & {
  /** Resolves when the connection has ended, whoever ended it. */
  closed: Promise<void>
  /** Ends it at once; statements under way fail. */
  close: () => void
}

export type TransactionOptions = {
  /** As `begin` takes it: isolation level repeatable read read only. */
  mode?: string
  /** Once aborted, the connection is closed, which ends its statement; the transaction fails. */
  signal?: AbortSignal | undefined
}

export type Pool = Database & {
  /** Connections at most. */
  max: number
  /**
   * Commits what `work` does and returns its result. All is undone when `work` throws, when a statement fails, also one
   * whose error `work` catches, or when the connection is lost.
   */
  transaction: <T>(work: (db: Transaction) => Promise<T> | T, options?: TransactionOptions) => Promise<T>
  reserve: () => Promise<Reserved>
  /** Opens a connection of its own, outside the pool. `onNotify` hears what is announced on the channels it listens to. */
  open: (onNotify?: (channel: string, payload: string) => void) => Promise<Connection>
  /** Closes all connections; after `graceMs` also those in use. */
  end: (graceMs?: number) => Promise<void>
}

/** A little longer than the database lets a statement run. */
export const QUERY_TIMEOUT_MS = 65_000
const STATEMENT_TIMEOUT_MS = 60_000
/** Whose a token is has to be known before anything else is done, so nobody waits for it for long. */
export const SESSION_TIMEOUT_MS = 5_000
const CONNECT_TIMEOUT_MS = 10_000
/** The database looks so often whether the client of a running statement is still there. */
export const CLIENT_CHECK_MS = 1_000
/** Everything that a transaction reads, it reads of one moment. */
export const SNAPSHOT = 'isolation level repeatable read read only'

/** Where a connection string leads, with `sslmode` as libpq has it: `require` encrypts, `verify-full` checks the server, too. */
export const clientConfig = (connectionString: string): pg.ClientConfig =>
  toClientConfig(parse(connectionString, { useLibpqCompat: !connectionString.includes('uselibpqcompat') }))

/**
 * Connects to PostgreSQL. A query fails when it is not answered in time, whether it waits for a connection or for a
 * database that says nothing; the connection is closed then.
 */
export function connect(
  connectionString: string,
  max: number,
  timeoutMs = QUERY_TIMEOUT_MS,
  onConnect: (client: pg.Client) => void = () => {},
): Pool {
  const { options = '', ...place } = clientConfig(connectionString)
  const config: pg.ClientConfig = {
    application_name: 'rogatka',
    ...place,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    options: `-c TimeZone=UTC ${options}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    pipeline: true,
    types,
  }
  const sockets = new WeakMap<pg.ClientBase, Socket>()
  /** Not made of the settings of the pool, whose time limit to connect is that of waiting for a connection. */
  class Client extends pg.Client {
    constructor() {
      const socket = new Socket()
      super({ ...config, stream: () => socket })
      sockets.set(this, socket)
      // Its queries fail; without a listener the process would end.
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
    // Goes ahead of what it was opened for. Systems that cannot look refuse it.
    client.query(`set client_connection_check_interval = ${CLIENT_CHECK_MS}`).catch(() => {})
  })

  /** A connection of the pool, for whoever took it until it is released; `isBroken` closes it. */
  const take = async () => {
    const client = await pool.connect().catch(fail)
    let isReleased = false
    const run = async (statement: Statement, ms: number, options?: RunOptions) => {
      // Others may have the connection by now.
      if (isReleased) throw connectionLost()
      return runOn(client, statement, ms, options)
    }
    const release = (isBroken = false) => {
      isReleased = true
      client.release(isBroken)
    }
    return { client, run, release }
  }

  const runAlone: Run = async (statement, options) => {
    const { run, release } = await take()
    try {
      const result = await run(statement, timeoutMs, options)
      release()
      return result
    } catch (error) {
      // Only what the database itself says leaves the connection as it was.
      release(!(error instanceof pg.DatabaseError))
      throw error
    }
  }

  async function transaction<T>(
    work: (db: Transaction) => Promise<T> | T,
    { mode = '', signal }: TransactionOptions = {},
  ): Promise<T> {
    const { client, run, release } = await take()
    let limitMs = timeoutMs
    let failed: { error: unknown } | undefined
    const runInside: Run = (statement, options) =>
      run(statement, limitMs, options).catch((error: unknown) => {
        failed ??= { error }
        throw error
      })
    const db = {
      ...databaseOf(runInside),
      liftTimeLimit: async () => {
        limitMs = 0
        await runInside(sql`select set_config('statement_timeout', '0', true)`)
      },
    }
    const steps = async () => {
      await runInside(raw(`begin ${mode}`))
      const result = await work(db)
      // To commit what has failed undoes it, and PostgreSQL does not call that an error.
      const { command } = failed ? { command: '' } : await runInside(raw('commit'))
      if (command === 'COMMIT') return result
      throw (failed as { error: unknown } | undefined)?.error ?? new Error('The transaction has failed')
    }
    const end = endOf(client, signal)
    try {
      const result = await Promise.race([steps(), end.promise])
      release()
      return result
    } catch (error) {
      const isUndone = !end.isOver() && (await succeeds(run(raw('rollback'), timeoutMs)))
      release(!isUndone)
      throw error
    } finally {
      end.forget()
    }
  }

  /** Rejects once a connection is lost, or closed because its work was aborted: also while it has nothing to do. */
  function endOf(client: pg.ClientBase, signal: AbortSignal | undefined) {
    const { promise, reject } = Promise.withResolvers<never>()
    promise.catch(() => {})
    let isOver = false
    const lose = () => {
      isOver = true
      reject(signal?.aborted ? signal.reason : connectionLost())
    }
    const abort = () => {
      destroy(client)
      lose()
    }
    client.once('end', lose)
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) abort()
    return {
      promise,
      isOver: () => isOver,
      forget: () => {
        client.off('end', lose)
        signal?.removeEventListener('abort', abort)
      },
    }
  }

  return {
    ...databaseOf(runAlone),
    max,
    transaction,
    reserve: async () => {
      const { run, release } = await take()
      return { ...databaseOf((statement, options) => run(statement, timeoutMs, options)), release: () => release() }
    },
    open: async (onNotify) => {
      const client = new Client()
      const closed = new Promise<void>((resolve) => client.once('end', resolve))
      client.on('notification', ({ channel, payload = '' }) => onNotify?.(channel, payload))
      await client.connect().catch(fail)
      return {
        ...databaseOf((statement, options) => runOn(client, statement, timeoutMs, options)),
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
  return (await client.query(query).catch(fail)) as pg.QueryArrayResult & pg.QueryResult
}

/** Names of prepared statements, by their text. A connection never forgets one, so there must not be many. */
const names = new Map<string, string>()

function nameOf({ text }: Statement): string {
  const name = names.get(text) ?? `s${names.size}`
  names.set(text, name)
  return name
}

const connectionLost = () =>
  Object.assign(new Error('The connection to the database was lost'), { code: 'CONNECTION_LOST' })

/** Gives the errors of lost connections and of time limits, which the driver throws without one, a code. @throws always */
function fail(error: Error & { code?: string }): never {
  if (error.constructor === Error && error.code === undefined)
    error.code = /timeout/.test(error.message) ? 'CONNECTION_TIMEOUT' : 'CONNECTION_LOST'
  throw error
}

/** Whether an error means that the database is away, takes too long or has no room left, rather than that it refused a statement. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: string }
  // FATAL is what PostgreSQL says when it gives up a connection or does not take one.
  if (severity === 'FATAL') return true
  return typeof code === 'string' && /^(ECONN|ENOTFOUND|EPIPE|ETIMEDOUT|CONNECTION_|08|53|57P0|57014)/.test(code)
}
