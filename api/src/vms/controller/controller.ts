import { CLOSED, onNoAnswer } from '@rogatka/domain/vms/circuit.ts'
import { type Leadership, runAsLeader } from '../../core/leader.ts'
import { LOCKS } from '../../core/locks.ts'
import { CHANNEL, type SignRow, signs } from '../queries.ts'
import { type ControllerContext, MAX_RETRY_DELAY_MS, RETRY_DELAY_MS, type ScheduledSign } from './connection.ts'
import { executeCommand } from './execute.ts'
import { poll, restore, writeReading } from './poll.ts'
import { expiredPlates, hasUnsettled, nextCommand, waitingSigns } from './queries.ts'

/** So often the context looks for what is to be done. */
const TICK_MS = 250
/** Signs that were put up or moved are found at the latest so soon. */
const RELOAD_MS = 5_000

/**
 * Speaks to the signs: one process of all at a time, and with each sign one thing at a time. It polls them, does what
 * they were commanded, and takes plates down in time. Whatever it has to know lies in the database, so that another
 * process goes on where this one ends.
 */
export const runSignController = (context: ControllerContext): { stop: () => Promise<void> } =>
  runAsLeader(context.db, { lock: LOCKS.signController, channel: CHANNEL }, () => startLeading(context))

function startLeading(context: ControllerContext): Leadership {
  const { db, now, log, intervals } = context
  const ending = new AbortController()
  const { signal } = ending
  const connections = new Map<number, ScheduledSign>()
  const working = new Set<Promise<void>>()
  let looking: Promise<void> | undefined
  let lookAt = 0
  let wanted = true

  /** Opens lines to signs that are new or have moved, closes those of signs that are gone. */
  async function findSigns() {
    const found = await signs(db)
    const kept = new Set(found.map(({ id }) => id))
    for (const [id, { driver, busy }] of connections) {
      if (kept.has(id) || busy) continue
      driver.close()
      connections.delete(id)
    }
    for (const sign of found) {
      const connection = connections.get(sign.id)
      if (connection && (connection.busy || addressOf(connection.sign) === addressOf(sign))) {
        if (!connection.busy) connection.sign = sign
        continue
      }
      connection?.driver.close()
      connections.set(sign.id, open(sign))
    }
  }

  const open = (sign: SignRow): ScheduledSign => {
    const silent = (reason: string) => void reportSilence(sign.id, reason)
    return {
      sign,
      driver: context.drivers[sign.driver](sign, silent),
      breaker: CLOSED,
      reading: null,
      busy: false,
      pollAt: 0,
      restoreAt: 0,
      again: { at: 0, pause: RETRY_DELAY_MS },
    }
  }

  /** What is known now, before a command or a poll has failed for good. */
  async function reportSilence(signId: number, reason: string) {
    const connection = connections.get(signId)
    if (!connection || signal.aborted) return
    await writeReading(context, connection, null, reason).catch((error) =>
      log.warn({ err: error, signId }, 'signs: status not written'),
    )
  }

  async function takeDownDuePlates() {
    for (const { id, signId } of await expiredPlates(db, now())) {
      const connection = connections.get(signId)
      if (connection?.breaker.circuit !== 'closed' || connection.again.at > performance.now()) continue
      connection.again.at = performance.now() + connection.again.pause
      connection.again.pause = Math.min(MAX_RETRY_DELAY_MS, connection.again.pause * 2)
      await restore(context, signId, id)
      wanted = true
    }
  }

  /** Does what waits for a sign, and asks it when it is time. */
  async function serve(connection: ScheduledSign) {
    for (;;) {
      const command = signal.aborted ? undefined : await nextCommand(db, connection.sign.id, now())
      if (!command) break
      // What became of an unanswered command is looked up before the next one hides it.
      if (connection.breaker.circuit === 'closed' && (await hasUnsettled(db, connection.sign.id)))
        await poll(context, connection, signal, command.kind !== 'restore')
      const outcome = await executeCommand(context, connection, command, signal)
      if (outcome === undefined) return
      if (outcome === 'done') connection.again = { at: 0, pause: RETRY_DELAY_MS }
      if (connection.reading && outcome === 'done') await writeReading(context, connection, connection.reading, null)
      if (outcome === 'sign-did-not-answer') {
        connection.breaker = onNoAnswer(connection.breaker, new Date(), intervals.retryMs)
        await writeReading(context, connection, null, 'no answer to a command')
      }
      connection.pollAt = 0
    }
    if (!signal.aborted && connection.pollAt <= performance.now()) {
      connection.pollAt = performance.now() + intervals.pollMs
      await poll(context, connection, signal)
    }
  }

  const start = (connection: ScheduledSign) => {
    if (connection.busy || signal.aborted) return
    connection.busy = true
    const work = serve(connection)
      .catch((error) => {
        if (!signal.aborted) log.warn({ err: error, signId: connection.sign.id }, 'signs: trying again')
      })
      .finally(() => {
        connection.busy = false
        working.delete(work)
      })
    working.add(work)
  }

  async function look() {
    const at = performance.now()
    if (wanted || lookAt <= at) {
      wanted = false
      lookAt = at + RELOAD_MS
      await findSigns()
    }
    if (connections.size === 0) return
    await takeDownDuePlates()
    const waiting = new Set((await waitingSigns(db)).map(({ signId }) => signId))
    for (const [id, connection] of connections) {
      const tryAt = connection.breaker.tryAt?.getTime() ?? Infinity
      if (tryAt <= Date.now()) connection.pollAt = 0
      if (waiting.has(id) || connection.pollAt <= performance.now()) start(connection)
    }
  }

  const tick = () => {
    if (looking || signal.aborted) return
    looking = look()
      .catch((error) => {
        if (!signal.aborted) log.warn({ err: error }, 'signs: could not look, trying again')
      })
      .finally(() => {
        looking = undefined
      })
  }
  const timer = setInterval(tick, TICK_MS).unref()
  tick()

  return {
    onNotify: () => {
      wanted = true
      tick()
    },
    stop: async () => {
      clearInterval(timer)
      ending.abort()
      await looking
      await Promise.allSettled(working)
      for (const { driver } of connections.values()) driver.close()
    },
  }
}

const addressOf = ({ driver, host, port, community }: SignRow) => [driver, host, port, community].join(' ')
