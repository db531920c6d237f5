import { answered, CLOSED, failed, trying } from '@rogatka/domain/vms/circuit.ts'
import { keepLeading, type Term } from '../../core/lead.ts'
import type { Reading } from '../driver.ts'
import { addCommands, CHANNEL, contents, type SignRow, signById, signs } from '../queries.ts'
import { baseOf } from '../shows.ts'
import type { Keeper, Line } from './line.ts'
import { perform } from './perform.ts'
import { duePlates, nextCommand, notePlateEnded, waitingSigns, wasPlate, writeStatus } from './queries.ts'

/** Names the lock of whoever speaks to the signs. */
const LOCK = 1_203

/** So often the keeper looks for what is to be done. */
const TICK_MS = 250
/** Signs that were put up or moved are found at the latest so soon. */
const LOOK_AGAIN_MS = 5_000
/** Before a plate that could not be taken down is tried again; each time twice as long, up to the most. */
const AGAIN_MS = 1_000
const AGAIN_MOST_MS = 8_000
/** So long a sign may take to show what it has accepted. */
const SWITCHES_MS = 20_000
/** A sign that lost its content gets it back at most so often. */
const RESTORE_EVERY_MS = 60_000
/** The portal's own commands are given up after so long, and come again. */
const OWN_DEADLINE_MS = 20_000

type Watched = Line & {
  busy: boolean
  pollAt: number
  restoreAt: number
  /** Of a plate that is to come down. */
  again: { at: number; pause: number }
}
/**
 * Speaks to the signs: one process of all at a time, and with each sign one thing at a time. It polls them, does what
 * they were commanded, and takes plates down in time. Whatever it has to know lies in the database, so that another
 * process goes on where this one ends.
 */
export const keepSigns = (keeper: Keeper): { stop: () => Promise<void> } =>
  keepLeading(keeper.sql, { lock: LOCK, channel: CHANNEL }, () => beginTerm(keeper))

function beginTerm(keeper: Keeper): Term {
  const { sql, now, log, pace } = keeper
  const ending = new AbortController()
  const { signal } = ending
  const lines = new Map<number, Watched>()
  const working = new Set<Promise<void>>()
  let looking: Promise<void> | undefined
  let lookAt = 0
  let wanted = true

  /** Opens lines to signs that are new or have moved, closes those of signs that are gone. */
  async function findSigns() {
    const found = await signs(sql)
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
    await write(line, null, reason).catch((error) => log.warn({ err: error, signId }, 'signs: status not written'))
  }

  const write = (line: Watched, reading: Reading | null, error: string | null) => {
    const { circuit, failures } = line.breaker
    const at = now()
    return writeStatus(sql, {
      signId: line.sign.id,
      checkedAt: at,
      answeredAt: reading && at,
      shown: reading?.shown ?? null,
      controlMode: reading?.controlMode ?? null,
      faults: reading?.faults ?? [],
      circuit,
      failures,
      error,
    })
  }

  async function poll(line: Watched) {
    const attempt = trying(line.breaker, new Date())
    if (!attempt) return
    line.breaker = attempt
    if (attempt.circuit === 'half-open') await write(line, null, 'no answer')
    try {
      line.reading = await line.driver.status(signal)
      line.breaker = answered()
      await write(line, line.reading, null)
    } catch (error) {
      if (signal.aborted) return
      line.breaker = failed(line.breaker, new Date(), pace.tryAgainMs)
      await write(line, null, (error as Error).message)
      return
    }
    await compare(line, line.reading)
  }

  /** What the sign says against what it should show. */
  async function compare(line: Watched, { shown, controlMode }: Reading) {
    const sign = await signById(sql, line.sign.id)
    if (!sign || sign.busy) return
    const { plate } = sign
    if (plate) {
      // It stood there and does not any more, or was to come down and has: by the sign's own clock, or by hand.
      const since = plate.endingAt ?? (plate.shownAt && new Date(plate.shownAt.getTime() + SWITCHES_MS))
      if (shown === plate.shown || !since || since > now()) return
      await sql.begin((sql) => notePlateEnded(sql, plate.id, 'taken-down', now()))
    } else if (shown !== '' && (await wasPlate(sql, sign.id, shown))) {
      // Taken for gone, and there it is: a sign that was slow, or was told by somebody else.
      if (line.again.at > performance.now()) return
      line.again.at = performance.now() + AGAIN_MOST_MS
      return void (await restore(sign.id, undefined))
    }
    const base = baseOf(sign, await contents(sql))
    const lost = base !== '' && shown === '' && controlMode !== 'local'
    if (!lost || (line.restoreAt > performance.now() && !plate)) return
    line.restoreAt = performance.now() + RESTORE_EVERY_MS
    await restore(sign.id, undefined)
  }

  const restore = (signId: number, plateId: number | undefined) => {
    const askedAt = now()
    const deadline = new Date(askedAt.getTime() + OWN_DEADLINE_MS)
    const command = { signId, kind: 'restore', userId: null, ip: null, askedAt, deadline } as const
    return addCommands(sql, [plateId === undefined ? command : { ...command, plateId }])
  }

  async function takeDownDuePlates() {
    for (const { id, signId } of await duePlates(sql, now())) {
      const line = lines.get(signId)
      if (line?.breaker.circuit !== 'closed' || line.again.at > performance.now()) continue
      line.again.at = performance.now() + line.again.pause
      line.again.pause = Math.min(AGAIN_MOST_MS, line.again.pause * 2)
      await restore(signId, id)
      wanted = true
    }
  }

  /** Does what waits for a sign, and asks it when it is time. */
  async function serve(line: Watched) {
    for (;;) {
      const command = signal.aborted ? undefined : await nextCommand(sql, line.sign.id, now())
      if (!command) break
      const outcome = await perform(keeper, line, command, signal)
      if (outcome === undefined) return
      if (outcome === 'done') line.again = { at: 0, pause: AGAIN_MS }
      if (line.reading && outcome === 'done') await write(line, line.reading, null)
      if (outcome === 'sign-did-not-answer') {
        line.breaker = failed(line.breaker, new Date(), pace.tryAgainMs)
        await write(line, null, 'no answer to a command')
      }
      line.pollAt = 0
    }
    if (!signal.aborted && line.pollAt <= performance.now()) {
      line.pollAt = performance.now() + pace.pollMs
      await poll(line)
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
    const waiting = new Set((await waitingSigns(sql)).map(({ signId }) => signId))
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
    heard: () => {
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
