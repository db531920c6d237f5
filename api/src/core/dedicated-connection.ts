import type { Connection, Pool } from './database.ts'
import type { Statement } from './statement.ts'
import { withDatabaseTimeout } from './timeout.ts'

export type DedicatedConnection = {
  /** The rows of a statement. @throws if it fails or has no answer in time */
  query: <Row = Record<string, unknown>>(statement: Statement) => Promise<Row[]>
  /** Closes it, also one that is still being opened, without waiting for that. Later statements fail. */
  close: () => void
}

/**
 * A connection outside the pool, for statements that must not wait for others. It is opened by its first statement, and
 * again after it was lost. One without an answer for `timeoutMs` is closed: the answer may never come, and the next
 * statement must not wait behind it. `onLost` is called when it has ended, for whatever reason.
 */
export function createDedicatedConnection(
  pool: Pick<Pool, 'open'>,
  timeoutMs: number,
  onLost: () => void = () => {},
): DedicatedConnection {
  let connection: Promise<Connection> | undefined
  /** Why a connection was closed: what else waits on it fails for that reason. */
  const reasons = new WeakMap<Promise<Connection>, unknown>()

  let isClosed = false

  const drop = () => {
    const last = connection
    connection = undefined
    void last?.then((opened) => opened.close()).catch(() => {})
  }
  const open = () => {
    const opening = pool.open()
    const clear = () => {
      if (connection !== opening) return
      connection = undefined
      onLost()
    }
    opening.then(({ closed }) => closed.then(clear)).catch(() => {})
    return opening
  }

  return {
    query: async <Row>(statement: Statement) => {
      if (isClosed) throw new Error('The connection is closed')
      connection ??= open()
      const current = connection
      const answer = current.then((opened) => opened.query<Row>(statement))
      try {
        return await withDatabaseTimeout(answer, timeoutMs)
      } catch (error) {
        if (connection === current) {
          reasons.set(current, error)
          drop()
        }
        throw reasons.get(current) ?? error
      }
    },
    close: () => {
      isClosed = true
      drop()
    },
  }
}
