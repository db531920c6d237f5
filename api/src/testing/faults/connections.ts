import type pg from 'pg'
import type { Answer, Backend, Backends, Query } from './backends.ts'
import type { Owner, World } from './world.ts'

type State = {
  owner: Owner
  backend: Backend | null
  isLost: boolean
  /** Since then neither side hears the other, and neither knows; null: they do. */
  silentSince: number | null
  rejectAll: Set<(error: Error) => void>
  lose: (error: Error) => void
}

type BlockedStatement = {
  state: State
  backend: Backend
  answer: Promise<Answer>
  deliver: (answer: Answer) => Promise<void> | void
}

/** How likely each fault of a statement is, while faults happen. */
export type DatabaseFaults = {
  lostBefore: number
  lostAfter: number
  failed: number
  silent: number
  slow: number
  refused: number
}

/** Which connections fail: those that listen, of a process, or all; `isSilent`: nobody notices at once. */
export type LostConnections = { listening?: boolean; owner?: Owner; isSilent?: boolean }

/** Errors after which a transaction may be repeated, or must be given up: PostgreSQL raises them itself. */
const FAILURES = ['40001', '40P01', '53100', '57014']
/** Answers of what is committed get lost this many times as often: nobody can know from outside whether it was. */
const LOST_COMMITS = 3
/** Statements that store something, or end what does. */
const STORES = /^\s*(insert|update|delete|with|commit)\b/i
/** Answers that are late are so by up to this time: some more than the timeout of a statement. */
const MAX_SLOW_MS = [50, 500, 5_000, 70_000]
/** Those to an overloaded process are up to this time late. */
const MAX_OVERLOAD_MS = 4_000

const terminated = () => new Error('Connection terminated unexpectedly')

/**
 * The connections of simulated processes to the real database. Each statement is a step; what the database answers may be
 * late or lost, and so may the connection, before or after the statement was executed.
 */
export function createConnections(world: World, backends: Backends, faults: DatabaseFaults) {
  const states = new Set<State>()
  const server: Owner = { name: 'database', isAlive: true }
  /** Until when a process gets no further connection. */
  const refusedUntil = new WeakMap<Owner, number>()
  /** Until when a process is overloaded. */
  const overloadedUntil = new WeakMap<Owner, number>()
  let blocked: BlockedStatement[] = []
  let clockAt = 0

  const isUntil = (times: WeakMap<Owner, number>, owner: Owner) =>
    !world.isCalm && world.nowMs() < (times.get(owner) ?? 0)
  const happens = (probability: number) => !world.isCalm && probability > 0 && world.random.happens(probability)

  /** What followed from a statement: blocked ones that run on, and notifications. */
  async function handleConsequences(backend: Backend, endsTransaction: boolean) {
    if (!endsTransaction || (blocked.length === 0 && !backend.hasNotified)) return
    // What the process does with the answer comes first, however fast the others are.
    await world.drain()
    const waiting = blocked
    blocked = []
    for (const one of waiting) {
      const answer = await backends.stillBlocked(one.backend, one.answer)
      if (answer) await one.deliver(answer)
      else blocked.push(one)
    }
    if (!backend.hasNotified) return
    backend.hasNotified = false
    await backends.deliverNotifications()
  }

  /** The server notices that a client is gone, sooner or later; until then its locks stay. */
  const release = (state: State) => {
    const { backend } = state
    state.backend = null
    states.delete(state)
    if (!backend) return
    backend.onNotify = () => {}
    world.park(server, null, 'connection closed', async () => {
      blocked = blocked.filter((one) => one.state !== state)
      await backend.reset()
      await handleConsequences(backend, true)
    })
  }

  async function execute(state: State, query: Query, settle: (answer: Answer) => void) {
    const { backend, owner } = state
    if (state.isLost || !backend) return
    if (state.silentSince !== null) return
    const { text } = query
    const deliver = (answer: Answer, note: string) => {
      world.record(owner, `${note}${describe(answer)}`)
      settle(answer)
    }
    if (happens(faults.lostBefore)) {
      world.record(owner, 'fault: connection lost before')
      return state.lose(terminated())
    }
    if (/^commit|^rollback/.test(text) === false && happens(faults.failed)) {
      const code = world.random.pick(FAILURES)
      world.record(owner, `fault: ${code}`)
      const raise = `do $$ begin raise exception using errcode = '${code}', message = 'simulated'; end $$`
      const outcome = await backend.run({ text: raise })
      if ('error' in outcome) return deliver(outcome, '')
      throw new Error('a simulated failure did not fail')
    }
    if (/\bnow\(\)|graphile_worker/.test(text) && clockAt !== world.nowMs()) {
      clockAt = world.nowMs()
      await backends.setClock(clockAt)
    }
    const outcome = await backend.run(query)
    const isOpen = 'blocked' in outcome || backend.isOpen()
    if ('blocked' in outcome) {
      world.record(owner, 'waits for a lock')
      blocked.push({
        state,
        backend,
        answer: outcome.blocked,
        deliver: async (answer) => {
          if (!state.isLost && state.silentSince === null) deliver(answer, 'lock: ')
          await handleConsequences(backend, !backend.isOpen())
        },
      })
      return
    }
    const hasStored = !isOpen && STORES.test(text)
    if (happens(faults.lostAfter * (hasStored ? LOST_COMMITS : 1))) {
      world.record(owner, 'fault: connection lost after')
      state.lose(terminated())
    } else if (happens(faults.silent)) {
      world.record(owner, 'fault: connection silent')
      state.silentSince = world.nowMs()
    } else if (isUntil(overloadedUntil, owner) || happens(faults.slow)) {
      const maxMs = isUntil(overloadedUntil, owner) ? MAX_OVERLOAD_MS : world.random.pick(MAX_SLOW_MS)
      const ms = 1 + world.random.below(maxMs)
      world.record(owner, `fault: answer ${ms} ms late`)
      world.addTimer(
        server,
        ms,
        () => {
          if (owner.isAlive && !state.isLost && state.silentSince === null)
            world.run(owner, () => deliver(outcome, 'late: '))
        },
        null,
      )
    } else deliver(outcome, '')
    await handleConsequences(backend, !isOpen)
  }

  /** For `connect` of core/database.ts: the client uses no socket. */
  const simulate = (owner: Owner) => (client: pg.Client) => {
    const stream = (client as unknown as { connection: { stream: NodeJS.EventEmitter & { destroy: () => void } } })
      .connection.stream
    const internals = client as unknown as Record<string, unknown>
    const state: State = {
      owner,
      backend: null,
      isLost: false,
      silentSince: null,
      rejectAll: new Set(),
      lose: (error) => {
        if (state.isLost) return
        state.isLost = true
        internals._queryable = false
        release(state)
        if (!owner.isAlive) return
        world.run(owner, () => {
          for (const reject of state.rejectAll) reject(error)
          state.rejectAll.clear()
          client.emit('error', error)
          client.emit('end')
        })
      },
    }
    states.add(state)
    stream.once('close', () => state.lose(terminated()))

    // Of the socket, which it does not use.
    internals.ref = () => {}
    internals.unref = () => {}
    const connect = () =>
      new Promise<void>((resolve, reject) => {
        state.rejectAll.add(reject)
        world.park(owner, state, 'connect', async () => {
          if (state.isLost) return
          state.rejectAll.delete(reject)
          if (isUntil(refusedUntil, owner) || happens(faults.refused)) {
            state.isLost = true
            states.delete(state)
            world.record(owner, 'fault: connection refused')
            return reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
          }
          const backend = await backends.take()
          state.backend = backend
          // In order, and without gaps while the connection lasts.
          const lane = {}
          backend.onNotify = (message) =>
            world.park(owner, lane, `notified ${message.channel} ${message.payload}`, () => {
              if (!state.isLost && state.silentSince === null) client.emit('notification', message)
            })
          resolve()
        })
      })
    internals.connect = (callback?: (error: Error | null) => void) => {
      if (!callback) return connect()
      void connect().then(() => callback(null), callback)
    }
    internals.query = (config: (Query & { query_timeout?: number }) | string) => {
      const query = typeof config === 'string' ? { text: config } : config
      // Of the connection itself: no step.
      if (/^set (client_connection|tcp_keepalives)/.test(query.text)) return Promise.resolve()
      return new Promise((resolve, reject) => {
        if (state.isLost) return reject(new Error('Client has encountered a connection error and is not queryable'))
        const { query_timeout: timeoutMs, ...statement } = query as Query & { query_timeout?: number }
        const fail = (error: Error) => {
          clearTimeout(timer)
          state.rejectAll.delete(fail)
          reject(error)
        }
        const timer = timeoutMs
          ? setTimeout(() => {
              fail(new Error('Query read timeout'))
              // As the driver does: those behind would wait as well.
              stream.destroy()
            }, timeoutMs)
          : undefined
        state.rejectAll.add(fail)
        const settle = (answer: Answer) => {
          if ('error' in answer) return fail(answer.error)
          clearTimeout(timer)
          state.rejectAll.delete(fail)
          resolve(answer.result)
        }
        world.park(owner, state, labelOf(statement), () => execute(state, statement, settle))
      })
    }
    internals.end = (callback?: () => void) => {
      state.lose(new Error('Connection terminated'))
      callback?.()
      return Promise.resolve()
    }
  }

  const of = (owner: Owner) => [...states].filter((state) => state.owner === owner)

  return {
    simulate,
    /** Closes all connections of a process that has died. */
    drop: (owner: Owner) => {
      for (const state of of(owner)) {
        state.isLost = true
        release(state)
      }
    },
    /** Refuses new connections of a process for a time, as a database that has too many. */
    refuse: (owner: Owner, ms: number) => refusedUntil.set(owner, world.nowMs() + ms),
    /** Overloads a process for a time: all its answers are late. */
    overload: (owner: Owner, ms: number) => overloadedUntil.set(owner, world.nowMs() + ms),
    /** Connections that listen, and no longer hear anything. */
    silentListeners: () =>
      [...states].flatMap(({ owner, backend, silentSince }) =>
        backend?.isListening && silentSince !== null ? [{ owner, silentSince }] : [],
      ),
    /** Loses connections: those that listen, of one process, or all, as when the database restarts. */
    lose: (which: LostConnections) => {
      for (const state of states) {
        if (which.owner && state.owner !== which.owner) continue
        if (which.listening && !state.backend?.isListening) continue
        if (which.isSilent) state.silentSince ??= world.nowMs()
        else state.lose(terminated())
      }
    },
  }
}

export type Connections = ReturnType<typeof createConnections>

/** Statements are recorded by their beginning and their values. */
const labelOf = ({ text, values = [] }: Query) =>
  `sql ${text.trim().slice(0, 60).replaceAll(/\s+/g, ' ')} ${JSON.stringify(values.map((value) => (Buffer.isBuffer(value) ? value.toString('base64').slice(0, 40) : value))).slice(0, 300)}`

const describe = (answer: Answer): string =>
  'error' in answer
    ? `error ${(answer.error as { code?: string }).code} ${answer.error.message}`
    : // Several statements at once have several results. Rows may have no order.
      `rows ${answer.result.rowCount} ${(answer.result.rows ?? [])
        .map((row) => JSON.stringify(row).slice(0, 200))
        .sort()
        .join()}`
