import { API_BASE } from '@rogatka/contract/endpoint.ts'
import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import { addStation as addNewStation, addStationKey, stations } from '@rogatka/contract/locations-upkeep.ts'
import { call, tokenOf } from './call.ts'
import { recordPlates } from './plates.ts'
import type { Portal } from './portal.ts'

/** A test station, which sends over HTTP with its own key. */
export type Station = {
  id: number
  shortName: string
  /** Sends a vehicle measured now, with `change` applied. Returns the measurement. */
  send: (change?: Partial<WireMeasurement>) => Promise<WireMeasurement>
  /** Sends vehicles in one batch that differ only in their plates: the prefix and three digits. */
  sendMany: (count: number, platePrefix: string) => Promise<void>
  /** Sends a measurement again, like a station after a lost response. */
  repeat: (measured: WireMeasurement) => Promise<void>
  sendImage: (sequence: number, createdAt: string, type: string, jpeg: Uint8Array) => Promise<void>
}

const stationValues = {
  roadNumber: 'S8',
  chainage: '1+000',
  direction: 'Warszawa',
  speedLimit: 120,
  speedLimitHeavy: 80,
  distanceToSign: 1_000,
  chainageAscends: null,
  latitude: null,
  longitude: null,
  silentAfterMinutes: null,
  overheightAlarm: false,
  lanes: ['B+(7)' as const, 'B+(7)' as const],
}

/** Names of the added stations, by portal and number. */
const added = new Map<string, string>()

/** Adds a station without simulated traffic. `distanceToCheckpoint` in m; default: 100 s at 90 km/h. */
export async function addStation(
  portal: Portal,
  id: number,
  shortName: string,
  distanceToCheckpoint = 2_500,
): Promise<Station> {
  const known = added.get(`${portal.url} ${id}`) ?? shortName
  if (known !== shortName) throw new Error(`station ${id} is ${known} of another test file, not ${shortName}`)
  added.set(`${portal.url} ${id}`, shortName)
  const token = await tokenOf(portal)
  // Another test file may have added it before.
  if ((await call(portal, token, stations)).every((station) => station.id !== id))
    await call(portal, token, addNewStation, {
      body: { ...stationValues, id, shortName, name: shortName, distanceToCheckpoint },
    })
  const { secret: key } = await call(portal, token, addStationKey, { params: { id }, body: {} })
  // Another test file may have added the station before: sequences continue.
  let sequence = Date.now() - Date.UTC(2026, 0)

  const request = async (method: string, path: string, type: string, body: string | Uint8Array<ArrayBuffer>) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': type }
    const response = await fetch(`${portal.url}${API_BASE}${path}`, { method, headers, body })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response
  }

  const next = (change: Partial<WireMeasurement>): WireMeasurement => {
    sequence += 1
    return { ...articulated(), sequence, createdAt: new Date().toISOString(), ...change }
  }
  const post = async (...measured: WireMeasurement[]) => {
    recordPlates(measured)
    const response = await request('POST', '/measurements', 'application/json', JSON.stringify(measured))
    return (await response.json()) as { accepted: number; duplicates: number; rejected: unknown[] }
  }

  return {
    id,
    shortName,
    async send(change = {}) {
      const measured = next(change)
      const { accepted, rejected } = await post(measured)
      if (accepted !== 1) throw new Error(`Not accepted: ${JSON.stringify(rejected)}`)
      return measured
    },
    async sendMany(count, platePrefix) {
      const plates = Array.from({ length: count }, (_, at) => platePrefix + String(at).padStart(3, '0'))
      const { accepted } = await post(...plates.map((plateLpr) => next({ plateLpr })))
      if (accepted !== count) throw new Error(`Only ${accepted} of ${count} were accepted.`)
    },
    async repeat(measured) {
      const { duplicates } = await post(measured)
      if (duplicates !== 1) throw new Error('Not taken for a duplicate.')
    },
    async sendImage(number, createdAt, type, jpeg) {
      const path = `/measurements/${number}/images/${type}?createdAt=${encodeURIComponent(createdAt)}`
      await request('PUT', path, 'image/jpeg', new Uint8Array(jpeg))
    },
  }
}

/** An articulated lorry of 39.4 t with five axles, 10 km/h over the speed limit and within all other limits. */
const articulated = () => ({
  laneNumber: 1,
  plateLpr: 'WGM4K281',
  nationality: 'PL',
  speed: 90,
  vehLength: 1_640,
  vehHeight: 398,
  ctg8p1: 9,
  ctg323: 5,
  wrongDirection: false,
  overlane: false,
  axles: [
    { type: 1, leftWeight: 3_500, rightWeight: 3_500, gap: 0 },
    { type: 1, leftWeight: 5_400, rightWeight: 5_400, gap: 370 },
    { type: 3, leftWeight: 3_600, rightWeight: 3_600, gap: 560 },
    { type: 3, leftWeight: 3_600, rightWeight: 3_600, gap: 131 },
    { type: 3, leftWeight: 3_600, rightWeight: 3_600, gap: 131 },
  ],
  shapeSamples: null,
  euro: {
    make: 'DAF',
    model: 'XF 480',
    veh_type: 'N3',
    euro_norm: 'EURO 6',
    production_date: '2021-05-14',
    fuel_type: 'diesel',
    catalogue_number: 'DAF-480-21',
  },
})
