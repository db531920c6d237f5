import { type OverviewPart, type OverviewSigns, overviewStation } from '@rogatka/contract/overview.ts'
import { silentSince } from '@rogatka/domain/locations/availability.ts'
import { signsInShort } from '@rogatka/domain/overview/signs.ts'
import type { FastifyBaseLogger } from 'fastify'
import { createCachedRead } from '../core/cached-read.ts'
import type { Database, Pool } from '../core/database.ts'
import type { Window } from '../current/public-api.ts'
import { openLocations } from '../locations/public-api.ts'
import { openTickets } from '../tickets/public-api.ts'
import { contents, groupViews } from '../vms/public-api.ts'
import { compareTraffic, readHistories, readTraffic } from './traffic.ts'

/** How often each part is read at most, and the state put together from them. */
const AGES_MS = {
  state: 1_500,
  stations: 10_000,
  traffic: 10_000,
  /** The job that counts quarters runs every minute. */
  usual: 60_000,
  tickets: 5_000,
  signs: 5_000,
}

/** The condition of all stations, for all viewers of this process. */
export type OverviewState = {
  at: Date
  missing: Exclude<OverviewPart, 'wanted'>[]
  /** By ascending id. The JSON ends before the fields that depend on the viewer. */
  stations: { locationId: number; json: string }[]
  /** Open tickets by station; undefined: unknown. */
  tickets: ReadonlyMap<number, number> | undefined
  /** Encoded responses, by what depends on the viewer. */
  responses: Map<string, Buffer>
}

/** The fields of a station that are the same for all viewers. */
const sharedFields = overviewStation.omit({ wanted: true, tickets: true })

/** Signs in short by station. The texts are the same for all viewers. */
async function readSigns(db: Database, now: Date): Promise<Map<number, OverviewSigns | null>> {
  const [groups, known] = await Promise.all([groupViews(db, { permissions: [] }, now), contents(db)])
  const descriptions = new Map(known.map(({ id, description }) => [id, description]))
  const byStation = Map.groupBy(groups, ({ group }) => group.location.id)
  return new Map(
    [...byStation].map(([id, ofStation]) => [
      id,
      signsInShort(
        ofStation.flatMap(({ vms }) => vms),
        descriptions,
      ),
    ]),
  )
}

/**
 * Returns a function that puts the state of the overview together, at most once in some seconds for all viewers.
 * Undefined while the stations are unknown.
 */
export function createOverviewState(db: Pool, organization: string | null, log: Pick<FastifyBaseLogger, 'warn'>) {
  const part = <T>(name: keyof typeof AGES_MS, load: (now: Date) => Promise<T>) =>
    createCachedRead(load, AGES_MS[name], (error) => log.warn({ err: error }, `overview: ${name} not read`))
  const parts = {
    stations: part('stations', () => openLocations(db)),
    traffic: part('traffic', (now) => readTraffic(db, now)),
    usual: part('usual', (now) => readHistories(db, now)),
    tickets: part('tickets', () => openTickets(db, organization)),
    signs: part('signs', (now) => readSigns(db, now)),
  }

  /** The comparison of the last state, which is the same until one of its parts is read again. */
  let compared:
    | {
        traffic: Awaited<ReturnType<typeof readTraffic>> | undefined
        usual: Awaited<ReturnType<typeof readHistories>> | undefined
        figuresOf: ReturnType<typeof compareTraffic>
      }
    | undefined
  const compose = async (window: Window, now: Date): Promise<OverviewState | undefined> => {
    const [stations, traffic, usual, tickets, signs] = await Promise.all([
      parts.stations.read(now),
      parts.traffic.read(now),
      parts.usual.read(now),
      parts.tickets.read(now),
      parts.signs.read(now),
    ])
    if (!stations) return undefined
    const found = { traffic, usual, tickets, signs }
    if (!compared || !traffic || compared.traffic !== traffic || compared.usual !== usual)
      compared = { traffic, usual, figuresOf: compareTraffic(traffic, usual, now) }
    const { figuresOf } = compared
    return {
      at: now,
      missing: (Object.keys(found) as (keyof typeof found)[]).filter((name) => found[name] === undefined),
      stations: stations.toReversed().map(({ id, silentAfterMinutes }) => {
        const lastMessageAt = window.lastTimes().get(id) ?? null
        const silent = silentSince(lastMessageAt, silentAfterMinutes, now)
        const station = sharedFields.encode({
          locationId: id,
          lastMessageAt,
          silentSince: silent,
          silentAfterMinutes,
          ...figuresOf(id, silent !== null),
          signs: signs?.get(id) ?? null,
        })
        return { locationId: id, json: JSON.stringify(station).slice(0, -1) }
      }),
      tickets,
      responses: new Map(),
    }
  }

  let last: OverviewState | undefined
  let composing: Promise<OverviewState | undefined> | undefined
  return async (window: Window, now: Date): Promise<OverviewState | undefined> => {
    if (last && Math.abs(now.getTime() - last.at.getTime()) < AGES_MS.state) return last
    composing ??= compose(window, now).finally(() => {
      composing = undefined
    })
    last = await composing
    return last
  }
}
