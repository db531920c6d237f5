import { CLOSED, onNoAnswer } from '@rogatka/domain/vms/circuit.ts'
import { type Leadership, runAsLeader } from '../../core/leader.ts'
import { LOCKS } from '../../core/locks.ts'
import { CHANNEL, type SignRow, signs } from '../queries.ts'
import { type ControllerContext, MAX_RETRY_DELAY_MS, RETRY_DELAY_MS, type ScheduledSign } from './connection.ts'
import { executeCommand } from './execute.ts'
import { enqueueRestore, poll, storeStatus } from './poll.ts'
import { expiredPlates, hasUnsettled, nextCommand, signsWithPendingCommands } from './queries.ts'

/** Interval of the main loop. */
const TICK_MS = 250
/** Interval at which added and moved signs are found. */
const RELOAD_MS = 5_000

/**
 * Controls the signs, as leader: one process at a time, and one operation per sign at a time. Polls them, executes
 * commands, and removes plates in time. All state is in the database, so that another process can take over.
 */
export const runSignController = (context: ControllerContext): { stop: () => Promise<void> } =>
  runAsLeader(context.db, { lock: LOCKS.signController, channel: CHANNEL }, () => startLeading(context))

function startLeading(context: ControllerContext): Leadership {
  const { db, now, log, intervals } = context
  const stopController = new AbortController()
  const { signal } = stopController
  const connections = new Map<number, ScheduledSign>()
  const running = new Set<Promise<void>>()
  let updating: Promise<void> | undefined
  let reloadAt = 0
  let isDirty = true

  /** Opens connections to added and moved signs, closes those of removed ones. */
  async function findSigns() {
    const found = await signs(db)
    const existing = new Set(found.map(({ id }) => id))
    for (const [id, { driver, isBusy }] of connections) {
      if (existing.has(id) || isBusy) continue
      driver.close()
      connections.delete(id)
    }
    for (const sign of found) {
      const connection = connections.get(sign.id)
      if (connection && (connection.isBusy || addressOf(connection.sign) === addressOf(sign))) {
        if (!connection.isBusy) connection.sign = sign
        continue
      }
      connection?.driver.close()
      connections.set(sign.id, open(sign, connection?.storing))
    }
  }

  /** `storing`: the last write of the status by the connection that it replaces. */
  const open = (sign: SignRow, storing: Promise<unknown> = Promise.resolve()): ScheduledSign => {
    const handleNoAnswer = (reason: string) => void reportNoAnswer(sign.id, reason)
    return {
      sign,
      driver: context.drivers[sign.driver](sign, handleNoAnswer),
      breaker: CLOSED,
      status: null,
      isBusy: false,
      storing,
      pollAt: 0,
      restoreAt: 0,
      plateRetry: { at: 0, delayMs: RETRY_DELAY_MS },
    }
  }

  /** Stores a missing answer at once, so that screens show it before the last attempt of a command or poll has failed. */
  async function reportNoAnswer(signId: number, reason: string) {
    const connection = connections.get(signId)
    if (!connection || signal.aborted) return
    await storeStatus(context, connection, null, reason).catch((error) =>
      log.warn({ err: error, signId }, 'signs: status not written'),
    )
  }

  async function removeExpiredPlates() {
    for (const { id, signId } of await expiredPlates(db, now())) {
      const connection = connections.get(signId)
      if (connection?.breaker.circuit !== 'closed' || connection.plateRetry.at > performance.now()) continue
      connection.plateRetry.at = performance.now() + connection.plateRetry.delayMs
      connection.plateRetry.delayMs = Math.min(MAX_RETRY_DELAY_MS, connection.plateRetry.delayMs * 2)
      await enqueueRestore(context, signId, id)
      isDirty = true
    }
  }

  /** Executes the pending commands of a sign, and polls it when due. */
  async function processSign(connection: ScheduledSign) {
    for (;;) {
      const command = signal.aborted ? undefined : await nextCommand(db, connection.sign.id, now())
      if (!command) break
      // Checks the outcome of an unanswered command before the next one replaces it.
      if (connection.breaker.circuit === 'closed' && (await hasUnsettled(db, connection.sign.id)))
        await poll(context, connection, signal, command.kind !== 'restore')
      const outcome = await executeCommand(context, connection, command, signal)
      if (outcome === undefined) return
      if (outcome === 'done') connection.plateRetry = { at: 0, delayMs: RETRY_DELAY_MS }
      if (connection.status && outcome === 'done') await storeStatus(context, connection, connection.status, null)
      if (outcome === 'sign-did-not-answer') {
        connection.breaker = onNoAnswer(connection.breaker, new Date(), intervals.retryMs)
        await storeStatus(context, connection, null, 'no answer to a command')
      }
      connection.pollAt = 0
    }
    if (!signal.aborted && connection.pollAt <= performance.now()) {
      connection.pollAt = performance.now() + intervals.pollMs
      await poll(context, connection, signal)
    }
  }

  const start = (connection: ScheduledSign) => {
    if (connection.isBusy || signal.aborted) return
    connection.isBusy = true
    const work = processSign(connection)
      .catch((error) => {
        if (!signal.aborted)
          log.warn({ err: error, signId: connection.sign.id }, 'signs: command or poll failed, retrying')
      })
      .finally(() => {
        connection.isBusy = false
        running.delete(work)
      })
    running.add(work)
  }

  async function update() {
    const at = performance.now()
    if (isDirty || reloadAt <= at) {
      isDirty = false
      reloadAt = at + RELOAD_MS
      await findSigns()
    }
    if (connections.size === 0) return
    await removeExpiredPlates()
    const pending = new Set((await signsWithPendingCommands(db)).map(({ signId }) => signId))
    for (const [id, connection] of connections) {
      const tryAt = connection.breaker.tryAt?.getTime() ?? Infinity
      if (tryAt <= Date.now()) connection.pollAt = 0
      if (pending.has(id) || connection.pollAt <= performance.now()) start(connection)
    }
  }

  const tick = () => {
    if (updating || signal.aborted) return
    updating = update()
      .catch((error) => {
        if (!signal.aborted) log.warn({ err: error }, 'signs: update failed, retrying')
      })
      .finally(() => {
        updating = undefined
      })
  }
  const timer = setInterval(tick, TICK_MS).unref()
  tick()

  return {
    onNotify: () => {
      isDirty = true
      tick()
    },
    stop: async () => {
      clearInterval(timer)
      stopController.abort()
      await updating
      await Promise.allSettled(running)
      // The next leader must not be overwritten.
      await Promise.all(Array.from(connections.values(), ({ storing }) => storing))
      for (const { driver } of connections.values()) driver.close()
    },
  }
}

const addressOf = ({ driver, host, port, community }: SignRow) => [driver, host, port, community].join(' ')
