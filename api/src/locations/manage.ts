import { accuracyClasses } from '@rogatka/contract/locations.ts'
import { z } from 'zod'
import type { Pool } from '../core/database.ts'
import {
  addLocation,
  type Coordinates,
  changeLocation,
  createStationKey,
  locations,
  setOverheightAlarm,
} from './queries.ts'

/* The commands of `npm run manage` for stations. */

type Command = (db: Pool, options: Record<string, string | undefined>, now: Date) => Promise<void>

const positiveInt = z.coerce.number().int().positive()
const degrees = (max: number) =>
  z
    .string()
    .regex(/^[+-]?\d+(\.\d+)?$/)
    .transform(Number)
    .pipe(z.number().min(-max).max(max))
/** Whether the chainage grows in the direction of travel. */
const growth = z.enum(['yes', 'no']).transform((text) => text === 'yes')
const newStation = z.object({
  id: positiveInt.max(8191),
  'short-name': z.string().min(1),
  name: z.string().min(1),
  road: z.string().min(1),
  chainage: z.string().min(1),
  direction: z.string().min(1),
  lanes: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum([...accuracyClasses, '-'])).min(1)),
  'speed-limit': positiveInt.optional(),
  'speed-limit-heavy': positiveInt.optional(),
  'to-sign': positiveInt.optional(),
  'to-checkpoint': positiveInt.optional(),
  latitude: degrees(90).optional(),
  longitude: degrees(180).optional(),
  'chainage-grows': growth.optional(),
})

/** Options of a station that can be changed: a value, or `-` to remove it. */
const removed = z.literal('-').transform(() => null)
const changedStation = z.object({
  id: positiveInt,
  latitude: z.union([removed, degrees(90)]).optional(),
  longitude: z.union([removed, degrees(180)]).optional(),
  'silent-after': z.union([removed, positiveInt.max(1_440)]).optional(),
  'chainage-grows': z.union([removed, growth]).optional(),
})

/** Both coordinates, or null if both are removed; undefined without any. */
function coordinatesOf(
  latitude: number | null | undefined,
  longitude: number | null | undefined,
): Coordinates | null | undefined {
  if (latitude == null && latitude === longitude) return latitude
  if (latitude == null || longitude == null) throw new Error('Give both --latitude and --longitude')
  return { latitude, longitude }
}

/** Options with a value on the command line. */
export const stationOptions = [
  ...new Set([...Object.keys(newStation.shape), ...Object.keys(changedStation.shape), 'alarm']),
]

export const stationCommands: Record<string, Command> = {
  'station list': async (db) => {
    for (const { id, shortName, lanes, lastVehicleTime } of (await locations(db)).toReversed())
      console.log(
        `${id}\t${shortName}\t${lanes.length} lanes\tlast vehicle ${lastVehicleTime?.toISOString() ?? 'never'}`,
      )
  },

  'station add': async (db, options, now) => {
    const o = newStation.parse(options)
    await addLocation(db, {
      id: o.id,
      shortName: o['short-name'],
      name: o.name,
      roadNumber: o.road,
      chainage: o.chainage,
      direction: o.direction,
      speedLimit: o['speed-limit'] ?? null,
      speedLimitHeavy: o['speed-limit-heavy'] ?? o['speed-limit'] ?? null,
      distanceToSign: o['to-sign'] ?? null,
      distanceToCheckpoint: o['to-checkpoint'] ?? null,
      coordinates: coordinatesOf(o.latitude, o.longitude) ?? null,
      chainageAscends: o['chainage-grows'] ?? null,
      lanes: o.lanes.map((name, i) => ({ laneNumber: i + 1, accuracyClass: name === '-' ? null : name })),
    })
    console.log(`Key of station ${o.id}: ${await createStationKey(db, o.id, now)}`)
  },

  'station key': async (db, options, now) => {
    const id = positiveInt.parse(options.id)
    console.log(`Key of station ${id}: ${await createStationKey(db, id, now, true)}`)
  },

  'station overheight': async (db, options) => {
    const id = positiveInt.parse(options.id)
    const isOn = z.enum(['yes', 'no']).parse(options.alarm) === 'yes'
    if (!(await setOverheightAlarm(db, id, isOn))) throw new Error(`Station ${id} not found`)
    console.log(`Station ${id}: ${isOn ? 'alarm' : 'no alarm'} for overheight vehicles`)
  },

  'location show': async (db, options) => showLocation(db, positiveInt.parse(options.id)),

  'location set': async (db, options) => {
    const o = changedStation.parse(options)
    const coordinates = coordinatesOf(o.latitude, o.longitude)
    const silentAfterMinutes = o['silent-after']
    const chainageAscends = o['chainage-grows']
    const changes = {
      ...(coordinates !== undefined && { coordinates }),
      ...(silentAfterMinutes !== undefined && { silentAfterMinutes }),
      ...(chainageAscends !== undefined && { chainageAscends }),
    }
    if (Object.keys(changes).length === 0)
      throw new Error('Give --latitude and --longitude, --chainage-grows, or --silent-after')
    if (!(await changeLocation(db, o.id, changes))) throw new Error(`Station ${o.id} not found`)
    await showLocation(db, o.id)
  },
}

async function showLocation(db: Pool, id: number): Promise<void> {
  const station = (await locations(db)).find((one) => one.id === id)
  if (!station) throw new Error(`Station ${id} not found`)
  const { shortName, chainage, chainageAscends, latitude, longitude, silentAfterMinutes } = station
  const place = latitude === null ? 'no coordinates' : `${latitude} N, ${longitude} E`
  const growth = chainageAscends === null ? '' : chainageAscends ? ' grows' : ' falls'
  console.log(`${id}\t${shortName}\t${chainage}${growth}\t${place}\tsilent after ${silentAfterMinutes} min`)
}
