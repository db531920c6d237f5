import { check, counters, list } from '@rogatka/contract/current.ts'
import type { Tag, Vehicle } from '@rogatka/contract/vehicle.ts'
import { matches } from '@rogatka/domain/current/match.ts'
import { comparator } from '@rogatka/domain/current/order.ts'
import { selectFields } from '@rogatka/domain/vehicle/selectFields.ts'
import { markFor } from '@rogatka/domain/wanted/visibility.ts'
import { anonymiseFor, assertPlateQueryAllowed } from '../core/anonymity.ts'
import type { Pool } from '../core/database.ts'
import { vehicleKey } from '../core/passage.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, type Call, route } from '../core/route.ts'
import { tagsBetween } from '../vehicle/public-api.ts'
import { createCheckCache } from './check-cache.ts'
import type { LiveWindow } from './live-window.ts'
import type { Visits } from './visits.ts'
import type { Window } from './window.ts'

/** Registers the routes of the live list: check for changes, counters and vehicles. */
export function currentRoutes(api: Api, live: LiveWindow, visits: Visits): void {
  const requireWindow = (): Window => {
    const window = live.current()
    if (!window) throw new Refusal('unavailable', 503, null, 1)
    return window
  }
  /** The selected stations, or all that have ever sent vehicles. */
  const watchedStations = (window: Window, chosen: number[] | undefined) =>
    chosen && chosen.length > 0 ? [...new Set(chosen)] : [...window.lastTimes().keys()]

  const checkCache = createCheckCache()
  route(api, check, ({ now, query, session, request }) => {
    const window = requireWindow()
    assertPlateQueryAllowed(session, query, [])
    visits.touch(watcherOf(session, request), watchedStations(window, query.locations), now)
    const cacheKey = `${session.key} ${request.url}`
    for (const vehicle of window.since(query.lastId, now, checkCache.get(cacheKey)))
      if (matches(vehicle, query)) return { refresh: true }
    checkCache.set(cacheKey, window.end())
    return { refresh: false }
  })

  route(api, counters, ({ now, query, session }) => {
    const window = requireWindow()
    assertPlateQueryAllowed(session, query, [])
    const vehicles = new Map<number, number>()
    for (const vehicle of window.since(undefined, now)) {
      const { id } = vehicle.location
      if (matches(vehicle, query)) vehicles.set(id, (vehicles.get(id) ?? 0) + 1)
    }
    return watchedStations(window, query.locations)
      .toSorted((a, b) => a - b)
      .map((locationId) => ({
        locationId,
        vehicles: vehicles.get(locationId) ?? 0,
        lastVehicleTime: window.lastTimes().get(locationId) ?? null,
      }))
  })

  route(api, list, async ({ db, now, query, session, request }) => {
    const window = requireWindow()
    assertPlateQueryAllowed(session, query, [query.orderByColumnName])
    const vehicles = [...window.since(query.lastId, now)].filter((vehicle) => matches(vehicle, query))
    // Read synchronously with the vehicles: later ones are returned by the next poll.
    const lastId = window.lastId(now)
    await visits.open(watcherOf(session, request), watchedStations(window, query.locations), now)
    vehicles.sort(comparator(query.orderByColumnName, query.orderDirection))
    const tags = await tagsByVehicle(db, session.userId, query.withTags ? vehicles : [])
    return {
      content: vehicles.map((vehicle) => {
        const wanted = markFor(session, window.marksOf(vehicle))
        const shown = selectFields(anonymiseFor(session, vehicle), query, tags.get(vehicleKey(vehicle)) ?? [])
        return wanted ? { ...shown, wanted } : shown
      }),
      lastId,
    }
  })
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
