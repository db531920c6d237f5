import type { Page } from '@playwright/test'
import type { WireAlarm } from '@rogatka/contract/alarms.ts'
import type { WireLocation } from '@rogatka/contract/locations.ts'
import type { WireOverview, WireOverviewStation } from '@rogatka/contract/overview.ts'

type Network = {
  locations: WireLocation[]
  stations: WireOverviewStation[]
  /** Age of the state, ms. */
  age?: number
  alarms?: WireAlarm[]
}

/** Roads of the network, in turn. */
const ROADS =
  'A1 A2 A4 S1 S2 S3 S5 S6 S7 S8 S11 S12 S14 S17 S19 S51 S61 S79 S86 DK2 DK7 DK12 DK50 DK61 DK79 DK92 DK94'.split(' ')

/** A network in which nothing is unusual. `change` makes a station unusual, by its number from 1. */
export function quietNetwork(
  count: number,
  change: (id: number) => Partial<WireOverviewStation> = () => ({}),
): Network {
  const ids = Array.from({ length: count }, (_, index) => index + 1)
  const now = Date.now()
  const locations = ids.map((id): WireLocation => {
    const roadNumber = ROADS[id % ROADS.length] as string
    const place = Math.floor(id / ROADS.length)
    return {
      id,
      shortName: `${roadNumber} Stacja ${id}`,
      name: `Stacja ${id}`,
      roadNumber,
      chainage: `${20 + 70 * place + (id % 7)}+400`,
      chainageAscends: true,
      direction: 'Warszawa',
      lanes: [{ laneNumber: 1, accuracyClass: { name: 'B+(7)' } }],
      lastVehicleTime: new Date(now).toISOString(),
      closedAt: null,
      distanceToSign: 1_500,
      distanceToCheckpoint: 6_000,
      latitude: 50.2 + 3.6 * ((id * 0.618) % 1),
      longitude: 16 + 6.5 * ((id * 0.414) % 1),
      silentAfterMinutes: 30,
    }
  })
  const stations = ids.map(
    (locationId): WireOverviewStation => ({
      locationId,
      lastMessageAt: new Date(now - 2_000).toISOString(),
      silentSince: null,
      silentAfterMinutes: 30,
      perHour: { vehicles: 700 + locationId, usual: { median: 720, low: 600, high: 900, days: 24 }, unusual: null },
      overloaded: { weighed: 200, percent: 7.9, usual: 8.1 },
      wanted: 0,
      tickets: 0,
      signs: { state: 'available', working: 3, total: 3, signNumber: null, faults: [], shows: null },
      ...change(locationId),
    }),
  )
  return { locations, stations }
}

/** An alarm of a station that nobody has acknowledged. */
export const stationAlarm = (
  { id, shortName, roadNumber }: WireLocation,
  about: Pick<WireAlarm, 'kind' | 'priority'>,
): WireAlarm => ({
  id,
  ...about,
  state: 'active',
  location: { id, shortName, roadNumber },
  laneNumber: null,
  sign: null,
  vehicle: null,
  name: null,
  value: null,
  raisedAt: new Date().toISOString(),
  count: 1,
  isRepeating: false,
  isSilent: true,
  endsAt: null,
  clearedAt: null,
  isMissed: false,
  acknowledged: null,
  shelved: null,
  maxShelfMinutes: null,
})

/** Shows the page this network instead of that of the server, without hits and vehicles. */
export async function showNetwork(page: Page, network: () => Network) {
  const answer = (path: string, json: () => unknown) =>
    page.route(new RegExp(`/api/v1/${path}(\\?|$)`), (route) => route.fulfill({ json: json() }))
  await answer('locations', () => network().locations)
  await answer('overview', (): WireOverview => {
    const { stations, age = 0 } = network()
    return { at: new Date(Date.now() - age).toISOString(), missing: [], stations }
  })
  const alarms = { version: 'none', lastTenMinutes: 0, isFlood: false, emptySince: null }
  await answer('alarms', () => {
    const shiftEndsAt = new Date(Date.now() + 3_600_000).toISOString()
    return { ...alarms, content: network().alarms ?? [], shiftEndsAt }
  })
  await answer('alarms/check', () => ({ refresh: false }))
  await answer('wanted-hits/open', () => ({ content: [] }))
  for (const path of ['wanted-hits/stream', 'current-vehicles/stream'])
    await page.route(`**/api/v1/${path}*`, (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: 'retry: 100000\n\n' }),
    )
}
