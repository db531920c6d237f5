import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { type Random, seededRandom } from '@rogatka/domain/core/random.ts'
import { TEMPLATE_TIME } from '../setup.ts'
import { real } from './real.ts'

/** A process of the portal, or the outside. After its death none of its steps and timers run. */
export type Owner = { name: string; isAlive: boolean }

/** One event: a statement, an answer, a notification, a request. Steps of one lane run in their order. */
type Step = { owner: Owner; lane: object | null; label: string; run: () => unknown }

export type Timer = { owner: Owner; at: number; order: number; run: () => void; everyMs: number | null }

/** A violated invariant. */
export class Violation extends Error {}

/** Initial time: that of the partitions of the template database. */
export const START_MS = TEMPLATE_TIME.getTime() + 8 * 3_600_000
/** Steps of a history; more mean that it does not end. */
const MAX_STEPS = 60_000

/** In which owner's code we are: its timers, times and random numbers are simulated. */
export const owners = new AsyncLocalStorage<{ owner: Owner; world: World }>()

export type World = ReturnType<typeof createWorld>

/**
 * One history: a seed decides which of the waiting steps runs next, when time passes, and what fails. One step runs at a
 * time, and the next one is chosen when everything that it caused waits again.
 */
export function createWorld(seed: number, isTraced = false) {
  const random: Random = seededRandom(seed)
  /** What the portal draws, apart from the choices, so that one more draw changes no choice. */
  const drawn: Random = seededRandom(seed ^ 0x5bd1e995)
  const hash = createHash('sha256')
  const lines: string[] = []
  const steps: Step[] = []
  const timers: Timer[] = []
  const violations: string[] = []
  let nowMs = START_MS
  let order = 0
  let count = 0

  const record = (owner: Owner, text: string) => {
    const line = `${nowMs - START_MS} ${owner.name} ${text}`
    hash.update(`${line}\n`)
    if (isTraced) lines.push(line)
  }

  const run = <T>(owner: Owner, work: () => T): T => owners.run({ owner, world }, work)

  const addTimer = (owner: Owner, ms: number, callback: () => void, everyMs: number | null): Timer => {
    order += 1
    const timer = { owner, at: nowMs + Math.max(1, Math.ceil(ms || 0)), order, run: callback, everyMs }
    timers.push(timer)
    return timer
  }
  const removeTimer = (timer: Timer) => {
    const index = timers.indexOf(timer)
    if (index >= 0) timers.splice(index, 1)
  }

  /** The earliest timer of each owner that has one; timers of a process fire in their order. */
  const firstTimers = (): Timer[] => {
    const firsts = new Map<Owner, Timer>()
    for (const timer of timers) {
      const first = firsts.get(timer.owner)
      if (!first || timer.at < first.at || (timer.at === first.at && timer.order < first.order))
        firsts.set(timer.owner, timer)
    }
    return [...firsts.values()]
  }

  /** The first step of each lane. */
  const runnableSteps = (): Step[] => {
    const lanes = new Set<object>()
    return steps.filter(({ lane }) => {
      if (lane === null) return true
      if (lanes.has(lane)) return false
      lanes.add(lane)
      return true
    })
  }

  const fire = (timer: Timer) => {
    if (timer.everyMs === null) removeTimer(timer)
    else timer.at = Math.max(nowMs + 1, timer.at + timer.everyMs)
    run(timer.owner, timer.run)
  }

  /** Checks that are running; they use the real database. */
  const checks = new Set<Promise<unknown>>()

  /** Until what was started has been done as far as it goes without a further step. */
  const drain = async () => {
    do {
      for (let round = 0; round < 2; round++) await new Promise<void>((resolve) => real.setImmediate(resolve))
      await Promise.all(checks)
    } while (checks.size > 0)
  }

  const world = {
    random,
    drawn,
    violations,
    nowMs: () => nowMs,
    record,
    run,
    addTimer,
    removeTimer,
    drain,
    trace: () => lines,
    digest: () => hash.copy().digest('hex').slice(0, 16),

    /** Whether faults happen; none do while the end is awaited. */
    isCalm: false,

    violate: (text: string) => {
      if (violations.length < 20) violations.push(text)
    },

    /** Adds a step; it runs when it is chosen, unless its owner has died. */
    park: (owner: Owner, lane: object | null, label: string, work: () => unknown) => {
      if (owner.isAlive) steps.push({ owner, lane, label, run: work })
    },

    /** Does something in the outside world on behalf of a process, which waits for the result: never, once it has died. */
    call: <T>(owner: Owner, label: string, work: () => T | Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        const ifAlive =
          <V>(settle: (value: V) => void) =>
          (value: V) => {
            if (owner.isAlive) settle(value)
          }
        world.park(owner, null, label, () => Promise.resolve().then(work).then(ifAlive(resolve), ifAlive(reject)))
      }),

    /** Waits, as the outside. */
    wait: (owner: Owner, ms: number): Promise<void> =>
      new Promise((resolve) => void addTimer(owner, ms, resolve, null)),

    /** Nothing else happens until this is done: it is no part of the history. */
    await: (check: void | Promise<void>) => {
      if (!check) return
      checks.add(check)
      void check.finally(() => checks.delete(check))
    },

    /** What `fetch` of the simulated processes does. */
    fetch: undefined as typeof fetch | undefined,

    /** Called when the outside world has done what a process asked for, which does not know it yet, and may never. */
    onDone: (_owner: Owner): void => {},

    /** Ends a process at once: nothing of it happens any more. */
    kill: (owner: Owner) => {
      owner.isAlive = false
      for (let index = steps.length - 1; index >= 0; index--) if (steps[index]?.owner === owner) steps.splice(index, 1)
      for (let index = timers.length - 1; index >= 0; index--)
        if (timers[index]?.owner === owner) timers.splice(index, 1)
    },

    /** Runs steps until the condition holds; false if virtual time runs out before. The condition is checked every 250 ms. */
    runUntil: async (condition: () => boolean | Promise<boolean>, limitMs: number): Promise<boolean> => {
      const endAt = nowMs + limitMs
      let checkAt = nowMs
      await drain()
      while (violations.length === 0) {
        if (nowMs >= checkAt) {
          if (await condition()) return true
          checkAt = nowMs + 250
        }
        if (nowMs >= endAt) return false
        count += 1
        if (count > MAX_STEPS) throw new Violation(`the history does not end: ${count} steps`)
        const runnable = runnableSteps()
        const due = firstTimers().filter(({ at }) => at <= nowMs)
        const choices = runnable.length + due.length
        // Now and then time passes although something waits, as on a slow machine.
        if (choices === 0 || random.happens(0.02)) {
          const next = timers.map(({ at }) => at).filter((at) => at > nowMs)
          if (next.length === 0 && choices === 0) return false
          if (next.length > 0) nowMs = Math.min(...next)
          continue
        }
        const choice = random.below(choices)
        const step = runnable[choice]
        if (step) {
          steps.splice(steps.indexOf(step), 1)
          record(step.owner, step.label)
          await run(step.owner, step.run)
        } else {
          const timer = due[choice - runnable.length] as Timer
          record(timer.owner, 'timer')
          fire(timer)
        }
        await drain()
        nowMs += random.below(3)
      }
      return false
    },
  }
  return world
}
