import { accuracyClasses, UNAVAILABLE_AFTER_MINUTES } from '@rogatka/contract/locations.ts'
import {
  newStation,
  type StationValues,
  stationValues,
  type UpkeepStation,
} from '@rogatka/contract/locations-upkeep.ts'
import { z } from 'zod'
import type { Pool } from '../core/database.ts'
import { commandEditor } from '../core/editor.ts'
import {
  addKey,
  addStation,
  changeStation,
  closeStation,
  findStation,
  listKeys,
  listStations,
  reopenStation,
  revokeKey,
} from './upkeep.ts'

/* The commands of `npm run manage` for stations. Values are checked as those of the API; changes are those of the API. */

type Options = Record<string, string | undefined>
type Command = (db: Pool, options: Options, now: Date) => Promise<void>

const positiveInt = z.coerce.number().int().positive()
const plainNumber = z
  .string()
  .regex(/^[+-]?\d+(\.\d+)?$/)
  .transform(Number)
const yesOrNo = z.enum(['yes', 'no']).transform((text) => text === 'yes')
const removed = z.literal('-').transform(() => null)
/** A value, or `-` to remove it. */
const orRemoved = <T extends z.ZodType>(value: T) => z.union([removed, value]).optional()

/** Options of a station: text to values, which the contract checks. An absent one is unchanged, or null if it is new. */
const stationText = z.object({
  'short-name': z.string().optional(),
  name: z.string().optional(),
  road: z.string().optional(),
  chainage: z.string().optional(),
  direction: z.string().optional(),
  lanes: z
    .string()
    .transform((text) => text.split(',').map((name) => (name.trim() === '-' ? null : name.trim())))
    .pipe(z.array(z.enum(accuracyClasses).nullable()))
    .optional(),
  'speed-limit': orRemoved(plainNumber),
  'speed-limit-heavy': orRemoved(plainNumber),
  'to-sign': orRemoved(plainNumber),
  'to-checkpoint': orRemoved(plainNumber),
  latitude: orRemoved(plainNumber),
  longitude: orRemoved(plainNumber),
  'chainage-grows': orRemoved(yesOrNo),
  'silent-after': orRemoved(plainNumber),
})

/** Options with a value on the command line. */
export const stationOptions = [...Object.keys(stationText.shape), 'id', 'alarm', 'key', 'reason', 'until']

/** The values that options give. */
function valuesOf(options: Options): Partial<StationValues> {
  const o = stationText.parse(options)
  const values = {
    shortName: o['short-name'],
    name: o.name,
    roadNumber: o.road,
    chainage: o.chainage,
    direction: o.direction,
    lanes: o.lanes,
    speedLimit: o['speed-limit'],
    speedLimitHeavy: o['speed-limit-heavy'],
    distanceToSign: o['to-sign'],
    distanceToCheckpoint: o['to-checkpoint'],
    latitude: o.latitude,
    longitude: o.longitude,
    chainageAscends: o['chainage-grows'],
    silentAfterMinutes: o['silent-after'],
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

/** Changes some values of a station in a transaction. */
const change = (db: Pool, now: Date, id: number, values: Partial<StationValues>): Promise<UpkeepStation> =>
  db.transaction(async (db) => {
    const {
      id: _id,
      closedAt: _,
      addedAt: _at,
      lastVehicleTime: _last,
      validKeys: _keys,
      version,
      ...current
    } = await findStation(db, id, now)
    return changeStation(db, commandEditor(now), id, stationValues.parse({ ...current, ...values }), version)
  })

export const stationCommands: Record<string, Command> = {
  'station list': async (db, _, now) => {
    for (const { id, shortName, lanes, lastVehicleTime, validKeys, closedAt } of await listStations(db, now))
      console.log(
        `${id}\t${shortName}\t${lanes.length} lanes\tlast vehicle ${lastVehicleTime?.toISOString() ?? 'never'}\t` +
          `${validKeys} keys${closedAt ? `\tclosed ${closedAt.toISOString()}` : ''}`,
      )
  },

  'station add': async (db, options, now) => {
    const values = valuesOf(options)
    const { speedLimit = null } = values
    const absent = { distanceToSign: null, distanceToCheckpoint: null, latitude: null, longitude: null }
    const unset = { ...absent, chainageAscends: null, silentAfterMinutes: null, overheightAlarm: false }
    const id = positiveInt.parse(options.id)
    const station = newStation.parse({ ...unset, speedLimit, speedLimitHeavy: speedLimit, ...values, id })
    const isKnown = (await listStations(db, now)).some((one) => one.id === id)
    const { secret } = await db.transaction(async (db) => {
      // An existing station is unchanged and gets another key.
      if (!isKnown) await addStation(db, commandEditor(now), station)
      return addKey(db, commandEditor(now), id, null)
    })
    console.log(`Key of station ${id}: ${secret}`)
  },

  'station key': async (db, options, now) => {
    const id = positiveInt.parse(options.id)
    const until = z.iso.date().optional().parse(options.until)
    const { secret } = await db.transaction(async (db) => {
      for (const key of await listKeys(db, id, now))
        if (!key.revoked) await revokeKey(db, commandEditor(now), id, key.id, null)
      return addKey(db, commandEditor(now), id, until ?? null)
    })
    console.log(`Key of station ${id}: ${secret}`)
  },

  'station keys': async (db, options, now) => {
    for (const { id, created, validUntil, lastUsedAt, state } of await listKeys(db, positiveInt.parse(options.id), now))
      console.log(
        `${id}\t${state}\tcreated ${created.at.toISOString()}\tuntil ${validUntil ?? 'revoked'}\t` +
          `last used ${lastUsedAt?.toISOString() ?? 'never'}`,
      )
  },

  'station revoke-key': async (db, options, now) => {
    const [id, key] = [positiveInt.parse(options.id), positiveInt.parse(options.key)]
    await db.transaction((db) => revokeKey(db, commandEditor(now), id, key, options.reason ?? null))
    console.log(`Key ${key} of station ${id} is revoked`)
  },

  'station close': async (db, options, now) => {
    const id = positiveInt.parse(options.id)
    const reason = z.string().trim().min(1).parse(options.reason)
    await db.transaction((db) => closeStation(db, commandEditor(now), id, reason))
    console.log(`Station ${id} is closed`)
  },

  'station reopen': async (db, options, now) => {
    const id = positiveInt.parse(options.id)
    await db.transaction((db) => reopenStation(db, commandEditor(now), id))
    console.log(`Station ${id} is open`)
  },

  'station overheight': async (db, options, now) => {
    const id = positiveInt.parse(options.id)
    const overheightAlarm = yesOrNo.parse(options.alarm)
    await change(db, now, id, { overheightAlarm })
    console.log(`Station ${id}: ${overheightAlarm ? 'alarm' : 'no alarm'} for overheight vehicles`)
  },

  'location show': async (db, options, now) => showLocation(await findStation(db, positiveInt.parse(options.id), now)),

  'location set': async (db, options, now) => {
    const id = positiveInt.parse(options.id)
    const values = valuesOf(options)
    if ('latitude' in values !== 'longitude' in values) throw new Error('Give both --latitude and --longitude')
    if (Object.keys(values).length === 0) throw new Error('Give at least one value to set, such as --silent-after')
    showLocation(await change(db, now, id, values))
  },
}

function showLocation(station: UpkeepStation): void {
  const { id, shortName, chainage, chainageAscends, latitude, longitude, silentAfterMinutes } = station
  const place = latitude === null ? 'no coordinates' : `${latitude} N, ${longitude} E`
  const growth = chainageAscends === null ? '' : chainageAscends ? ' grows' : ' falls'
  const silence = silentAfterMinutes ?? UNAVAILABLE_AFTER_MINUTES
  console.log(`${id}\t${shortName}\t${chainage}${growth}\t${place}\tsilent after ${silence} min`)
}
