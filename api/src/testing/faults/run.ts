import type { Base } from './base.ts'
import { checkEnd, checkSilence, type Observations, unsettled } from './checks.ts'
import { runOperator, runReporter, runViewer } from './clients.ts'
import type { LostConnections } from './connections.ts'
import { createHistory, type History } from './history.ts'
import { runStation, type SentItems } from './stations.ts'
import type { Owner } from './world.ts'

/** `violations` empty: all invariants hold. `digest`: hash of the history. */
export type Run = { seed: number; violations: string[]; digest: string; virtualMs: number; trace: readonly string[] }

/** Time in which everything has to come to rest once nothing fails any more: timeouts, leases and back-offs pass. */
const REST_MS = 600_000
const CHECK_MS = 2_000

/** Runs the history of a seed on a clean base. */
export async function runSeed(base: Base, seed: number, isTraced = false): Promise<Run> {
  await base.clean()
  const history = createHistory(base, seed, isTraced)
  const { world, scenario } = history
  const startMs = world.nowMs()
  const crash = (reason: unknown) =>
    world.violate(`a process would end by an unhandled rejection: ${(reason as Error)?.stack ?? reason}`)
  process.on('unhandledRejection', crash)
  try {
    await history.startAll()
    const sent: SentItems = { vehicles: new Map(), images: [] }
    const viewers = [false, true, true].map((stays, index) => runViewer(history, `viewer${index}`, stays))
    const observed: Observations = { sent, viewers, reported: [] }
    let running = 0
    const follow = (work: Promise<unknown>) => {
      running += 1
      void work.then(
        () => {
          running -= 1
        },
        (error: Error) => world.violate(`the simulation itself failed: ${error.stack}`),
      )
    }
    for (const station of base.stations) follow(runStation(history, station, sent))
    if (scenario.features.signs) follow(runOperator(history))
    if (scenario.features.tickets) follow(runReporter(history).then((reported) => observed.reported.push(...reported)))
    follow(runFate(history))

    await world.runUntil(() => false, scenario.chaosMs)
    world.isCalm = true
    await history.startAll()
    let checkAt = 0
    let reasons: string[] = []
    const isAtRest = async () => {
      if (world.nowMs() < checkAt) return false
      checkAt = world.nowMs() + CHECK_MS
      checkSilence(history)
      if (running > 0) return false
      reasons = await unsettled(history, observed)
      return reasons.length === 0
    }
    const rests = await world.runUntil(isAtRest, REST_MS)
    if (!rests && world.violations.length === 0)
      world.violate(
        running > 0 ? `${running} clients still wait for an answer` : `no rest: ${reasons.slice(0, 5).join('; ')}`,
      )
    if (rests) await checkEnd(history, observed)
  } catch (error) {
    world.violate(`the simulation itself failed: ${(error as Error).stack}`)
  } finally {
    for (const { owner } of history.living()) world.kill(owner)
    process.off('unhandledRejection', crash)
  }
  for (const violation of world.violations) world.record({ name: 'check', isAlive: true }, violation)
  return {
    seed,
    violations: world.violations,
    digest: world.digest(),
    virtualMs: world.nowMs() - startMs,
    trace: world.trace(),
  }
}

/** Processes die and start again, and connections fail as a whole. */
async function runFate(history: History): Promise<void> {
  const { world, scenario, connections, signs, base } = history
  const { random } = world
  const fate: Owner = { name: 'fate', isAlive: true }
  const within = () => random.below(scenario.chaosMs)
  const deaths = Array.from({ length: scenario.deaths }, () => ({ at: within(), kind: 'death' }))
  const losses = Array.from({ length: scenario.disconnections }, () => ({ at: within(), kind: 'loss' }))
  const offline = scenario.features.signs && random.happens(0.3) ? [{ at: within(), kind: 'offline' }] : []
  let at = 0
  for (const event of [...deaths, ...losses, ...offline].sort((a, b) => a.at - b.at)) {
    await world.wait(fate, event.at - at)
    at = event.at
    if (world.isCalm) return
    if (event.kind === 'death') {
      history.die(random.below(2))
    } else if (event.kind === 'offline') {
      const id = random.pick(base.signIds)
      signs.setOffline(id, true)
      void world.wait(fate, random.below(10_000)).then(() => signs.setOffline(id, false))
    } else {
      const owner = history.pick()?.owner
      const which: LostConnections = random.pick([
        { listening: true, ...(owner && { owner }) },
        { listening: true },
        { listening: true, isSilent: true, ...(owner && { owner }) },
        {},
      ])
      if (random.happens(0.5)) await overloadOthers(history, owner, fate)
      world.record(fate, `connections lost: ${JSON.stringify({ ...which, owner: owner?.name })}`)
      connections.lose(which)
      for (const { owner: process } of history.living())
        if (!which.owner || which.owner === process) connections.refuse(process, random.pick([0, 5_000, 15_000]))
    }
  }
}

/** The other processes get their answers late, some seconds before connections of this one fail. */
async function overloadOthers({ world, connections, living }: History, owner: Owner | undefined, fate: Owner) {
  for (const { owner: other } of living()) if (other !== owner) connections.overload(other, 10_000)
  await world.wait(fate, 1_000 + world.random.below(4_000))
}
