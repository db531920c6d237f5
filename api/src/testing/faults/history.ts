import type { Base } from './base.ts'
import { type Connections, createConnections } from './connections.ts'
import { createDisk } from './disk.ts'
import { type Deliveries, runJobs, schedule } from './jobs.ts'
import { createMailServer } from './mail-server.ts'
import { createNetwork } from './network.ts'
import { type Portal, startPortal } from './portal.ts'
import { createScenario, type Scenario } from './scenario.ts'
import { createSigns } from './signs.ts'
import { createTicketService } from './ticket-service.ts'
import { createWorld, type Owner, type World } from './world.ts'

/** All that takes part in a history. */
export type History = ReturnType<typeof createHistory>

/** Processes of the portal on one database. */
const PROCESSES = 2
/** A process that has died starts again within one of these times. */
const RESTART_MS = [500, 4_000, 30_000]

/** The portal's processes and what surrounds them, as the seed has it. */
export function createHistory(base: Base, seed: number, isTraced: boolean) {
  const world: World = createWorld(seed, isTraced)
  const scenario: Scenario = createScenario(world.random)
  const { backends } = base
  const connections: Connections = createConnections(world, backends, scenario.database)
  const deliveries: Deliveries = new Map()
  const mail = createMailServer(world, backends, deliveries, scenario.mail)
  const disk = createDisk(world, scenario.disk)
  const signs = createSigns(world, scenario.signs)
  const tickets = createTicketService(world, scenario.tickets)
  world.fetch = tickets.fetch
  const send = createNetwork(world, scenario.network)
  const clock: Owner = { name: 'clock', isAlive: true }
  const portals: (Portal | undefined)[] = Array.from({ length: PROCESSES })
  let starts = 0

  const living = () => portals.filter((portal) => portal !== undefined)
  const pick = (): Portal | undefined => {
    const all = living()
    return all.length > 0 ? world.random.pick(all) : undefined
  }

  const start = async (place: number) => {
    starts += 1
    const owner: Owner = { name: `portal${place}.${starts}`, isAlive: true }
    world.record(owner, 'starts')
    const outside = { files: disk.files, mailer: mail.mailer, openSign: signs.open }
    const portal = await startPortal(world, owner, connections, outside, scenario.features)
    portals[place] = portal
    runJobs(world, backends, portal, deliveries)
  }
  const kill = (place: number) => {
    const portal = portals[place]
    if (!portal) return
    portals[place] = undefined
    world.record(portal.owner, 'dies')
    world.kill(portal.owner)
    connections.drop(portal.owner)
  }

  /** A process dies, and starts again seconds later. */
  const die = (place: number) => {
    kill(place)
    void world.wait(clock, world.random.below(world.random.pick(RESTART_MS))).then(() => world.await(startAll()))
  }
  /** Starts the processes that are not running. */
  const startAll = async () => {
    for (const [place, portal] of portals.entries()) if (!portal) await start(place)
  }
  world.onDone = (owner) => {
    const place = portals.findIndex((portal) => portal?.owner === owner)
    if (place >= 0 && !world.isCalm && world.random.happens(scenario.deathsAfterRequest)) die(place)
  }

  schedule(world, clock, pick, scenario.features.tickets)
  return {
    base,
    world,
    scenario,
    connections,
    mail,
    disk,
    signs,
    tickets,
    send,
    living,
    pick,
    start,
    die,
    startAll,
  }
}
