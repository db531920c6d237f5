import pg from 'pg'
import { clientConfig } from '../../core/database.ts'
import { types } from '../../core/types.ts'
import { real } from './real.ts'

/** How long a statement waits for a lock before PostgreSQL looks for a deadlock. */
const DEADLOCK_MS = 1
/**
 * Rows without an order come in that of indexes and of parameters, whatever the tables held before; and no plan depends on how
 * often a connection has executed a statement.
 */
const PLANS = [
  'enable_seqscan=off',
  'enable_bitmapscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'enable_hashagg=off',
  'jit=off',
  'plan_cache_mode=force_generic_plan',
]
/** A statement that still waits after this time is blocked until another one ends. */
const BLOCKED_MS = 4

export type Query = { text: string; values?: unknown[]; name?: string; rowMode?: string }
export type Result = pg.QueryResult & pg.QueryArrayResult
/** What the database says; `blocked`: nothing yet, as it waits for a lock. */
export type Outcome = { result: Result } | { error: Error } | { blocked: Promise<Answer> }
export type Answer = Exclude<Outcome, { blocked: unknown }>

/** A real connection that the simulated ones use in turn. */
export type Backend = {
  run: (query: Query) => Promise<Outcome>
  /** Ends what it does, and what it holds. */
  reset: () => Promise<void>
  isListening: boolean
  /** Whether its transaction, or statement, has notified. */
  hasNotified: boolean
  /** Whether it is in a transaction. */
  isOpen: () => boolean
  onNotify: (message: pg.Notification) => void
  client: pg.Client
  pid: number
}

export type Backends = Awaited<ReturnType<typeof createBackends>>

/** Real connections to the database of the simulation, kept from history to history: opening one takes longer than most steps. */
export async function createBackends(url: string) {
  const open = async () => {
    const { options = '', ...address } = clientConfig(url)
    const client = new pg.Client({
      ...address,
      // The simulated clock of the database is found before its own.
      options: `-c TimeZone=UTC -c search_path=simulated,public,pg_catalog -c deadlock_timeout=${DEADLOCK_MS}ms ${PLANS.map((setting) => `-c ${setting}`).join(' ')} ${options}`,
      types,
    })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const control = await open()
  let last: Promise<unknown> = Promise.resolve()
  /** One statement after the other, on a connection of its own. */
  const ask = <Row>(text: string, values: unknown[] = []): Promise<Row[]> => {
    const answer = last.then(() => control.query(text, values))
    last = answer.catch(() => {})
    return answer.then(({ rows }) => rows as Row[])
  }
  const idle: Backend[] = []
  const busy = new Set<Backend>()
  /** Messages that have arrived: the simulation takes them when all have, so that it does not matter which is faster. */
  const inboxes = new Map<Backend, pg.Notification[]>()
  /** Statements that have not been answered. */
  const running = new Map<Backend, Promise<Answer>>()

  /** Whether a connection waits for a lock, and has done so long enough for the check of deadlocks. */
  const isWaiting = async (pid: number) =>
    (
      await ask(
        `select from pg_locks where pid = $1 and not granted and waitstart < clock_timestamp() - interval '${BLOCKED_MS} ms'`,
        [pid],
      )
    ).length > 0

  /** Whether another connection is in a transaction, for whose end a statement may have to wait. */
  const mayWait = (pid: number) =>
    [...busy].some((other) => other.pid !== pid && (other.isOpen() || running.has(other)))

  /** The answer, or that it is blocked. */
  async function settle(pid: number, answer: Promise<Answer>): Promise<Outcome> {
    if (!mayWait(pid)) return answer
    let settled: Answer | undefined
    const done = answer.then((it) => {
      settled = it
    })
    // Longer each time: on a busy machine most statements that take long wait for nothing.
    for (let ms = BLOCKED_MS; ; ms *= 2) {
      await Promise.race([done, new Promise((resolve) => real.setTimeout(resolve, ms))])
      if (settled) return settled
      if ((await isWaiting(pid)) && !settled) return { blocked: answer }
    }
  }

  async function create(): Promise<Backend> {
    const client = await open()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const pid = rows[0]?.pid as number
    const backend: Backend = {
      client,
      pid,
      isListening: false,
      hasNotified: false,
      isOpen: () => (client as unknown as { _txStatus: string | null })._txStatus !== 'I',
      onNotify: () => {},
      run: (query) => {
        if (/^listen /i.test(query.text)) backend.isListening = true
        backend.hasNotified ||= query.text.includes('pg_notify')
        const answer: Promise<Answer> = (client.query(query as pg.QueryConfig) as unknown as Promise<Result>).then(
          (result) => ({ result }),
          (error: Error) => ({ error }),
        )
        running.set(backend, answer)
        void answer.then(() => running.delete(backend))
        return settle(pid, answer)
      },
      reset: async () => {
        if (running.has(backend)) await ask('select pg_cancel_backend($1)', [pid])
        await running.get(backend)
        await client.query('rollback').catch(() => {})
        await client.query('select pg_advisory_unlock_all()')
        if (backend.isListening) await client.query('unlisten *')
        backend.isListening = false
        backend.hasNotified = false
        backend.onNotify = () => {}
        inboxes.get(backend)?.splice(0)
        if (busy.delete(backend)) idle.push(backend)
      },
    }
    inboxes.set(backend, [])
    client.on('notification', (message) => void inboxes.get(backend)?.push(message))
    return backend
  }

  return {
    ask,
    take: async (): Promise<Backend> => {
      const backend = idle.pop() ?? (await create())
      busy.add(backend)
      return backend
    },
    /** Whether a blocked statement still waits; resolves with its answer as soon as it has one. */
    stillBlocked: async (backend: Backend, answer: Promise<Answer>): Promise<Answer | null> => {
      const outcome = await settle(backend.pid, answer)
      return 'blocked' in outcome ? null : outcome
    },
    /** Until all connections that listen have received what has been notified, in the same order each time. */
    deliverNotifications: async () => {
      const listening = [...busy].filter((backend) => backend.isListening && !running.has(backend))
      // A connection that is idle passes on what was notified before it answers.
      for (const backend of listening) await backend.client.query('select')
      for (const backend of listening)
        for (const message of inboxes.get(backend)?.splice(0) ?? []) backend.onNotify(message)
    },
    setClock: (ms: number) => ask('update simulated.clock set at = $1', [new real.Date(ms)]),
    reset: async () => {
      for (const backend of [...busy]) await backend.reset()
    },
    end: async () => {
      for (const backend of [...busy, ...idle]) await backend.client.end()
      await control.end()
    },
  }
}
