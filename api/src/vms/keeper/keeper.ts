import { CLOSED, onNoAnswer } from '@rogatka/domain/vms/circuit.ts'
import { type Leadership, runAsLeader } from '../../core/leader.ts'
import { LOCKS } from '../../core/locks.ts'
import { CHANNEL, type SignRow, signs } from '../queries.ts'
import { AGAIN_MOST_MS, AGAIN_MS, type Keeper, type Watched } from './line.ts'
import { perform } from './perform.ts'
import { poll, restore, writeReading } from './poll.ts'
import { duePlates, hasUnsettled, nextCommand, waitingSigns } from './queries.ts'

/** So often the keeper looks for what is to be done. */
const TICK_MS = 250
/** Signs that were put up or moved are found at the latest so soon. */
const LOOK_AGAIN_MS = 5_000

/**
 * Speaks to the signs: one process of all at a time, and with each sign one thing at a time. It polls them, does what
 * they were commanded, and takes plates down in time. Whatever it has to know lies in the database, so that another
 * process goes on where this one ends.
 */
export const keepSigns = (keeper: Keeper): { stop: () => Promise<void> } =>
  runAsLeader(keeper.db, { lock: LOCKS.signController, channel: CHANNEL }, () => beginTerm(keeper))

function beginTerm(keeper: Keeper): Leadership {
  const { db, now, log, pace } = keeper
  const ending = new AbortController()
  const { signal } = ending
  const lines = new Map<number, Watched>()
  const working = new Set<Promise<void>>()
  let looking: Promise<void> | undefined
  let lookAt = 0
  let wanted = true

  /** Opens lines to signs that are new or have moved, closes those of signs that are gone. */
  async function findSigns() {
    const found = await signs(db)
    const kept = new Set(found.map(({ id }) => id))
    for (const [id, { driver, busy }] of lines) {
      if (kept.has(id) || busy) continue
      driver.close()
      lines.delete(id)
    }
    for (const sign of found) {
      const line = lines.get(sign.id)
      if (line && (line.busy || addressOf(line.sign) === addressOf(sign))) {
        if (!line.busy) line.sign = sign
        continue
      }
      line?.driver.close()
      lines.set(sign.id, open(sign))
    }
  }

  const open = (sign: SignRow): Watched => {
    const silent = (reason: string) => void reportSilence(sign.id, reason)
    return {
      sign,
      driver: keeper.drivers[sign.driver](sign, silent),
      breaker: CLOSED,
      reading: null,
      busy: false,
      pollAt: 0,
      restoreAt: 0,
      again: { at: 0, pause: AGAIN_MS },
    }
  }

  /** What is known now, before a command or a poll has failed for good. */
  async function reportSilence(signId: number, reason: string) {
    const line = lines.get(signId)
    if (!line || signal.aborted) return
    await writeReading(keeper, line, null, reason).catch((error) =>
      log.warn({ err: error, signId }, 'signs: status not written'),
    )
  }

  async function takeDownDuePlates() {
    for (const { id, signId } of await duePlates(db, now())) {
      const line = lines.get(signId)
      if (line?.breaker.circuit !== 'closed' || line.again.at > performance.now()) continue
      line.again.at = performance.now() + line.again.pause
      line.again.pause = Math.min(AGAIN_MOST_MS, line.again.pause * 2)
      await restore(keeper, signId, id)
      wanted = true
    }
  }

  /** Does what waits for a sign, and asks it when it is time. */
  async function serve(line: Watched) {
    for (;;) {
      const command = signal.aborted ? undefined : await nextCommand(db, line.sign.id, now())
      if (!command) break
      // What became of an unanswered command is looked up before the next one hides it.
      if (line.breaker.circuit === 'closed' && (await hasUnsettled(db, line.sign.id)))
        await poll(keeper, line, signal, command.kind !== 'restore')
      const outcome = await perform(keeper, line, command, signal)
      if (outcome === undefined) return
      if (outcome === 'done') line.again = { at: 0, pause: AGAIN_MS }
      if (line.reading && outcome === 'done') await writeReading(keeper, line, line.reading, null)
      if (outcome === 'sign-did-not-answer') {
        line.breaker = onNoAnswer(line.breaker, new Date(), pace.tryAgainMs)
        await writeReading(keeper, line, null, 'no answer to a command')
      }
      line.pollAt = 0
    }
    if (!signal.aborted && line.pollAt <= performance.now()) {
      line.pollAt = performance.now() + pace.pollMs
      await poll(keeper, line, signal)
    }
  }

  const start = (line: Watched) => {
    if (line.busy || signal.aborted) return
    line.busy = true
    const work = serve(line)
      .catch((error) => {
        if (!signal.aborted) log.warn({ err: error, signId: line.sign.id }, 'signs: trying again')
      })
      .finally(() => {
        line.busy = false
        working.delete(work)
      })
    working.add(work)
  }

  async function look() {
    const at = performance.now()
    if (wanted || lookAt <= at) {
      wanted = false
      lookAt = at + LOOK_AGAIN_MS
      await findSigns()
    }
    if (lines.size === 0) return
    await takeDownDuePlates()
    const waiting = new Set((await waitingSigns(db)).map(({ signId }) => signId))
    for (const [id, line] of lines) {
      const tryAt = line.breaker.tryAt?.getTime() ?? Infinity
      if (tryAt <= Date.now()) line.pollAt = 0
      if (waiting.has(id) || line.pollAt <= performance.now()) start(line)
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
      for (const { driver } of lines.values()) driver.close()
    },
  }
}

const addressOf = ({ driver, host, port, community }: SignRow) => [driver, host, port, community].join(' ')
