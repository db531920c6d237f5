import { Socket } from 'node:net'
import type { Sql as Outer, TransactionSql } from 'postgres'

type Sql = Outer | TransactionSql

/** As errors of the network, so that callers answer 503. */
const timedOut = (ms: number) =>
  Object.assign(new Error(`The database did not answer within ${ms} ms`), { code: 'CONNECTION_TIMEOUT' })

/** Rejects when the promise takes longer; what it waits for goes on. */
export async function withTimeout<T>(promise: PromiseLike<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(timedOut(ms)), ms)
  })
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer))
}

const POLLS = 20

/**
 * Opens the sockets of a pool and knows which of them wait for an answer. A host that vanished says nothing, and the
 * system would wait for it for a quarter of an hour.
 */
export function watchedSockets(timeoutMs: number) {
  /** By socket: bytes seen, and since when (ms) it waits for an answer. */
  const sockets = new Map<Socket, { read: number; written: number; since: number | null }>()
  const look = () => {
    const now = performance.now()
    for (const [socket, seen] of sockets) {
      const { bytesRead: read, bytesWritten: written } = socket
      if (socket.destroyed) sockets.delete(socket)
      // Read and written since the last look: which of them came last is not known.
      else if (written !== seen.written && (seen.since === null || read !== seen.read))
        sockets.set(socket, { read, written, since: now })
      else if (read !== seen.read) sockets.set(socket, { read, written, since: null })
    }
  }
  let timer: NodeJS.Timeout | undefined
  let attempts = 0
  const watch = <S extends Socket>(socket: S): S => {
    sockets.set(socket, { read: 0, written: 0, since: null })
    timer ??= setInterval(look, timeoutMs / POLLS).unref()
    return socket
  }

  return {
    open: ({ host, port, path }: { host: string[]; port: number[]; path?: string | false }): Socket => {
      const place = attempts++ % host.length
      const socket = Object.assign(new Socket(), { host: host[place], port: port[place] })
      if (path) socket.connect(path)
      else socket.connect(port[place] as number, host[place] as string)
      return watch(socket)
    },
    /** A socket that another driver connects. */
    create: () => watch(new Socket()),
    /** Closes the sockets that have waited for an answer for so long; their queries fail, the next ones connect anew. */
    closeSilent: () => {
      look()
      const before = performance.now() - timeoutMs * (1 - 2 / POLLS)
      for (const [socket, { since }] of sockets)
        if (since !== null && since <= before) socket.destroy(timedOut(timeoutMs))
    },
    stop: () => clearInterval(timer),
  }
}

/** What the types of the driver leave out of a query. */
type Query = {
  handle: () => unknown
  executed: boolean
  state: unknown
  cursorRows?: number
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
  cancel: () => void
}

const isQuery = (value: unknown): value is Query => typeof (value as Query | undefined)?.handle === 'function'

/** Transactions whose statements may take as long as they like. */
const unlimited = new WeakSet<Sql>()

/** Lifts the time limits of the statements of a transaction, here and in the database. */
export async function liftTimeLimit(sql: Sql): Promise<void> {
  unlimited.add(sql)
  await sql`select set_config('statement_timeout', '0', true)`
}

/**
 * A pool whose queries fail when their answer takes longer, the wait for a connection included. The limit of the
 * database itself is shorter; this one is for a database that says nothing. A cursor is limited by its reader instead.
 */
export function withQueryTimeout(pool: Outer, timeoutMs: number, sockets: ReturnType<typeof watchedSockets>): Outer {
  const guarded = <S extends Sql>(sql: S): S => {
    const limited = (result: unknown) => {
      if (!isQuery(result)) return result
      const { handle, resolve, reject } = result
      result.handle = () => {
        if (!result.executed && result.cursorRows === undefined && !unlimited.has(self)) {
          const timer = setTimeout(() => {
            result.reject(timedOut(timeoutMs))
            // One that was never sent must not be done later.
            if (!result.state) result.cancel()
            sockets.closeSilent()
          }, timeoutMs)
          result.resolve = (value) => {
            clearTimeout(timer)
            resolve(value)
          }
          result.reject = (error) => {
            clearTimeout(timer)
            reject(error)
          }
        }
        return handle.call(result)
      }
      return result
    }
    const unsafe = (...given: Parameters<S['unsafe']>) =>
      limited((sql.unsafe as (...all: unknown[]) => unknown)(...given))
    const self: S = new Proxy(sql, {
      apply: (target, _this, given) => limited(Reflect.apply(target as never, undefined, given)),
      get: (target, name) => {
        if (name === 'unsafe') return unsafe
        if (name === 'begin') return begin
        if (name === 'end') return end
        return Reflect.get(target, name)
      },
    })
    return self
  }

  const begin = (...given: unknown[]) => {
    const work = given.pop() as (sql: TransactionSql) => unknown
    return new Promise((resolve, reject) => {
      let isGivenUp = false
      const timer = setTimeout(() => {
        isGivenUp = true
        reject(timedOut(timeoutMs))
        sockets.closeSilent()
      }, timeoutMs)
      const begun = (sql: TransactionSql) => {
        clearTimeout(timer)
        if (isGivenUp) throw timedOut(timeoutMs)
        return work(guarded(sql))
      }
      ;(pool.begin as (...all: unknown[]) => Promise<unknown>)(...given, begun)
        .finally(() => clearTimeout(timer))
        .then(resolve, reject)
    })
  }

  const end = (options?: { timeout?: number }) => {
    sockets.stop()
    return pool.end(options)
  }

  return guarded(pool)
}
