import { check, counters, list, openSearch, saveSearch, stream } from '@rogatka/contract/current.ts'
import { type Tag, type Vehicle, type VehicleFilters, vehicleFilters } from '@rogatka/contract/vehicle.ts'
import { createMatch } from '@rogatka/domain/current/match.ts'
import { comparator } from '@rogatka/domain/current/order.ts'
import { markFor } from '@rogatka/domain/wanted/visibility.ts'
import type { FastifyRequest } from 'fastify'
import { assertPlateQueryAllowed, isAnonymised } from '../core/anonymity.ts'
import type { Pool } from '../core/database.ts'
import { EncodedJson } from '../core/encoded-json.ts'
import { isUnchanged, startCompressedStream } from '../core/event-stream.ts'
import { tokenOf } from '../core/known-tokens.ts'
import { type Look, questionOf } from '../core/look.ts'
import { vehicleKey } from '../core/passage.ts'
import { plateSearchHandlers } from '../core/plate-search-handlers.ts'
import { resolveSearch } from '../core/plate-searches.ts'
import { isPurposeGiven, requirePurpose } from '../core/purpose.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, type Call, route } from '../core/route.ts'
import type { Session } from '../core/sessions.ts'
import { isUser, stationsOf, withinStations } from '../core/station-scope.ts'
import { type ImageAddresses, tagsBetween } from '../vehicle/public-api.ts'
import { createCheckCache } from './check-cache.ts'
import { watchedStations } from './counters.ts'
import type { LiveWindow } from './live-window.ts'
import { createPollTimes } from './poll-times.ts'
import { createPolledCounters } from './polled-counters.ts'
import { createStreams } from './streams.ts'
import { createVehicleJson } from './vehicle-json.ts'
import type { Visits } from './visits.ts'
import type { Window } from './window.ts'

const LIVE_LIST = { page: 'current', filters: vehicleFilters }

/**
 * Registers the routes of the live list: check for changes, counters and vehicles. Devices and systems open no visits:
 * they are always on.
 */
export function currentRoutes(api: Api, live: LiveWindow, visits: Visits, addresses: ImageAddresses): void {
  const json = createVehicleJson(addresses)
  const streams = createStreams(live, json, api.now)
  api.sessions.onChange(streams.checkSessions)
  api.http.addHook('preClose', async () => streams.stop())
  const requireWindow = (): Window => {
    const window = live.current()
    if (!window) throw new Refusal('unavailable', 503, null, 1)
    return window
  }
  /** Refuses a search by plate to sessions that see no plates or have given no purpose. */
  const assertAllowed = async (
    session: Session,
    query: VehicleFilters,
    columns: Parameters<typeof assertPlateQueryAllowed>[2],
    occasion: 'opening' | 'poll',
  ) => {
    assertPlateQueryAllowed(session, query, columns)
    if (query.plateLpr) await requirePurpose(api, session, occasion)
  }

  type AddressFilters = VehicleFilters & { search?: string | undefined }
  /** The filters of a call, with those of the saved search that it names, at the caller's stations. */
  const filtersOf = async <Q extends AddressFilters>(
    call: Pick<Call<typeof list>, 'session' | 'now'> & { query: Q },
  ) => {
    const { search: searchId, ...query } = call.query
    return withinStations(
      call.session,
      await resolveSearch(api, LIVE_LIST, call, { searchId, query, plates: ['plateLpr'] }),
    )
  }

  const { save, open } = plateSearchHandlers(api, LIVE_LIST)
  route(api, saveSearch, save)
  route(api, openSearch, open)

  const checkCache = createCheckCache()
  const pollTimes = createPollTimes()
  route(api, check, async (call) => {
    const { now, session, request, look } = call
    const query = await filtersOf(call)
    const window = requireWindow()
    await assertAllowed(session, query, [], 'poll')
    if (isUser(session)) visits.touch(watcherOf(session, request), watchedStations(window, query.locations), now)
    // Even whether a vehicle arrives discloses where a plate is.
    await look(query.plateLpr ? liveLook(window, query) : null)
    // The stations of a device or a system change without the address.
    const cacheKey = `${session.key} ${query.locations} ${request.url}`
    const poll = pollKey(session, query)
    const changesMs = pollTimes.ofCheck(poll, now)
    const news = window.since(query.lastId, now, { afterPosition: checkCache.get(cacheKey), changesMs })
    const refresh = news.some(createMatch(query))
    pollTimes.recordCheck(poll, now, refresh)
    if (!refresh) checkCache.set(cacheKey, window.end())
    return { refresh }
  })

  const countersJson = createPolledCounters()
  route(api, counters, async (call) => {
    const { now, session, look } = call
    const query = await filtersOf(call)
    const window = requireWindow()
    await assertAllowed(session, query, [], 'poll')
    await look(query.plateLpr ? liveLook(window, query) : null)
    return new EncodedJson(Buffer.from(countersJson(window, filtersIn(query), now)))
  })

  route(api, list, async (call) => {
    const { db, now, session, request, look } = call
    const query = await filtersOf(call)
    const window = requireWindow()
    await assertAllowed(session, query, [query.orderByColumnName], 'opening')
    const poll = pollKey(session, query)
    const vehicles = [...window.since(query.lastId, now, { changesMs: pollTimes.ofList(poll, now) })].filter(
      createMatch(query),
    )
    // Read synchronously with the vehicles: later ones are returned by the next poll.
    const lastId = window.lastId(now, stationsOf(session))
    if (isUser(session)) await visits.open(watcherOf(session, request), watchedStations(window, query.locations), now)
    await look(liveLook(window, query))
    vehicles.sort(comparator(query.orderByColumnName, query.orderDirection))
    const tags = await tagsByVehicle(db, session.userId, query.withTags ? vehicles : [])
    const encode = json.encoder(query, isAnonymised(session))
    const content = vehicles.map((vehicle) =>
      encode(vehicle, {
        tags: tags.get(vehicleKey(vehicle)) ?? [],
        wanted: markFor(session, window.marksOf(vehicle)),
      }),
    )
    pollTimes.recordList(poll, now)
    return new EncodedJson(Buffer.from(`{"content":[${content}],"lastId":${JSON.stringify(lastId)}}`))
  })

  route(api, stream, async (call) => {
    const { db, now, session, request, reply, look } = call
    const { withTags, ...query } = await filtersOf(call)
    await assertAllowed(session, query, [], 'opening')
    if (live.isDisconnected()) throw new Refusal('unavailable', 503, null, 1)
    const watcher = watcherOf(session, request)
    const token = tokenOf(request) as string
    if (isUser(session)) await visits.open(watcher, watchedStations(requireWindow(), query.locations), now)
    await look(liveLook(requireWindow(), query))
    const present = withTags ? [...requireWindow().since(undefined, now)] : []
    const tags = withTags ? await tagsByVehicle(db, session.userId, present) : undefined
    const window = requireWindow()
    const { raw, writer } = startCompressedStream(request, reply)
    streams.open(
      {
        session,
        query,
        isAnonymised: isAnonymised(session),
        raw,
        writer,
        tags,
        lastEventId: lastEventIdOf(request),
        watch: () => {
          look(liveLook(live.current() ?? window, query)).catch(() => raw.destroy())
          if (!isUser(session)) return
          visits.watch(watcher, watchedStations(live.current() ?? window, query.locations), api.now())
        },
        isAllowed: async () =>
          isUnchanged(await api.sessions.find(token, api.now()), session) &&
          (!query.plateLpr || (await isPurposeGiven(api, session))),
      },
      window,
    )
  })
}

const FILTERS = vehicleFilters.keyof().options

const filtersIn = (query: VehicleFilters): VehicleFilters =>
  Object.fromEntries(FILTERS.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])))

/** Identifies a live list that is polled: the checks and lists of a session with the same filters. */
const pollKey = ({ key }: Session, query: VehicleFilters) => `${key} ${JSON.stringify(filtersIn(query))}`

/** A visit to the live list: what it has shown is counted at its end. */
function liveLook(window: Window, query: VehicleFilters): Look {
  const filters = filtersIn(query)
  const { criteria, asked } = questionOf({ params: {}, query: filters })
  return {
    kind: 'live',
    ...(criteria && { criteria }),
    ...(asked && { asked }),
    results: 0,
    shown: { count: 0, plates: [] },
    live: { locationIds: watchedStations(window, query.locations), filters },
  }
}

const lastEventIdOf = ({ headers }: FastifyRequest): string | undefined => {
  const id = headers['last-event-id']
  return typeof id === 'string' ? id : undefined
}

const watcherOf = ({ userId, key }: Call<typeof list>['session'], { ip }: Call<typeof list>['request']) => ({
  userId,
  session: key,
  ip,
})

async function tagsByVehicle(db: Pool, userId: number, vehicles: readonly Vehicle[]): Promise<Map<string, Tag[]>> {
  const tags = new Map<string, Tag[]>()
  if (vehicles.length === 0) return tags
  const times = vehicles.map(({ createdAt }) => createdAt.getTime())
  const found = await tagsBetween(db, userId, new Date(Math.min(...times)), new Date(Math.max(...times) + 1))
  for (const { vehicleId, createdAt, ...tag } of found) {
    const key = vehicleKey({ id: vehicleId, createdAt })
    tags.set(key, [...(tags.get(key) ?? []), tag])
  }
  return tags
}
