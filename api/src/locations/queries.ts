import { type Location, UNAVAILABLE_AFTER_MINUTES } from '@rogatka/contract/locations.ts'
import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import type { Station } from '@rogatka/domain/vehicle/derived.ts'
import polishLimits from '@rogatka/domain/vehicle/limits-pl.json' with { type: 'json' }
import type { Database } from '../core/database.ts'
import { hashToken, newToken } from '../core/sessions.ts'
import { json, sql, valuesOf } from '../core/statement.ts'
import { insertKey, notifyStationKeyChange } from './key-queries.ts'
import type { LimitsDocument } from './limits.ts'

/** All stations with their lanes, by descending id, so that the caller's reversed list ascends. */
export const locations = (db: Database) =>
  db.query<Location>(sql`
  select l.id, l.short_name as "shortName", l.name, l.road_number as "roadNumber", l.chainage, l.direction,
         l.distance_to_sign as "distanceToSign", l.distance_to_checkpoint as "distanceToCheckpoint",
         l.chainage_ascends as "chainageAscends", l.latitude, l.longitude, coalesce(l.silent_after, ${UNAVAILABLE_AFTER_MINUTES}) as "silentAfterMinutes",
         a.last_vehicle_time as "lastVehicleTime", l.closed_at as "closedAt",
         coalesce(json_agg(json_build_object(
           'laneNumber', n.lane_number,
           'accuracyClass', case when n.accuracy_class is not null then json_build_object('name', n.accuracy_class) end
         ) order by n.lane_number) filter (where n.lane_number is not null), '[]') as lanes
  from location l
  left join lane n on n.location_id = l.id
  left join location_activity a on a.location_id = l.id
  group by l.id, a.last_vehicle_time
  order by l.id desc`)

/** The stations that are not closed, by descending id. */
export const openLocations = async (db: Database): Promise<Location[]> =>
  (await locations(db)).filter(({ closedAt }) => closedAt === null)

/** When each open station last sent and was added, and after how long it counts as silent. */
export const stationSilence = (db: Database) =>
  db.query<{ id: number; lastVehicleTime: Date | null; addedAt: Date; silentAfterMinutes: number }>(sql`
  select l.id, a.last_vehicle_time as "lastVehicleTime", l.added_at as "addedAt",
         coalesce(l.silent_after, ${UNAVAILABLE_AFTER_MINUTES}) as "silentAfterMinutes"
  from location l
  left join location_activity a on a.location_id = l.id
  where l.closed_at is null`)

/** The stations as shown with vehicles. */
export const vehicleLocations = (db: Database) =>
  db.query<Vehicle['location']>(sql`
  select id, short_name as "shortName", name, road_number as "roadNumber", chainage, direction from location`)

/** Speed limits of light vehicles by station, km/h; null: none. */
export async function speedLimits(db: Database): Promise<Map<number, number | null>> {
  const rows = await db.query<{ id: number; speedLimit: number | null }>(sql`
    select id, speed_limit as "speedLimit" from location`)
  return new Map(rows.map(({ id, speedLimit }) => [id, speedLimit]))
}

/** Stations that ask for an alarm of overheight vehicles. */
export async function overheightAlarmStations(db: Database): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`select id from location where overheight_alarm and closed_at is null`)
  return rows.map(({ id }) => id)
}

/** The station data for derived values; undefined if it does not exist. */
export const findStation = async (db: Database, locationId: number): Promise<Station | undefined> => {
  const [station] = await db.query<Station>(sql`
    select l.id, l.speed_limit as "speedLimit", l.speed_limit_heavy as "speedLimitHeavy",
           l.distance_to_sign as "distanceToSign", l.distance_to_checkpoint as "distanceToCheckpoint",
           coalesce(json_agg(json_build_object('laneNumber', n.lane_number, 'accuracyClass', n.accuracy_class)
                    order by n.lane_number) filter (where n.lane_number is not null), '[]') as lanes
    from location l
    left join lane n on n.location_id = l.id
    where l.id = ${locationId}
    group by l.id`)
  return station
}

/** The legal limits of a station: its own before the common ones, later before earlier. Valid from midnight in Warsaw. */
export const listLegalLimits = (db: Database, locationId: number) =>
  db.query<LimitsDocument>(sql`
  select valid_from::timestamp at time zone 'Europe/Warsaw' as "validFrom", limits, source
  from legal_limits
  where location_id in (0, ${locationId})
  order by location_id desc, valid_from desc`)

/** The same of several stations; `locationId` 0: common ones. */
export const listLimitsOfStations = (db: Database, ids: readonly number[]) =>
  db.query<LimitsDocument & { locationId: number }>(sql`
  select location_id as "locationId", valid_from::timestamp at time zone 'Europe/Warsaw' as "validFrom", limits, source
  from legal_limits
  where location_id = 0 or location_id = any(${[...ids]}::int[])
  order by location_id desc, valid_from desc`)

export type NewLocation = {
  id: number
  shortName: string
  name: string
  roadNumber: string
  chainage: string
  direction: string
  speedLimit: number | null
  speedLimitHeavy: number | null
  distanceToSign: number | null
  distanceToCheckpoint: number | null
  lanes: { laneNumber: number; accuracyClass: string | null }[]
  /** Degrees north and east (WGS 84). */
  coordinates?: Coordinates | null
  /** Whether the chainage grows in the direction of travel. */
  chainageAscends?: boolean | null
}

/** Degrees north and east (WGS 84). */
export type Coordinates = { latitude: number; longitude: number }

/** Inserts a station with its lanes; an existing one is unchanged. */
export async function addLocation(
  db: Database,
  { lanes, coordinates, chainageAscends, ...station }: NewLocation,
): Promise<void> {
  const l = {
    id: station.id,
    short_name: station.shortName,
    name: station.name,
    road_number: station.roadNumber,
    chainage: station.chainage,
    direction: station.direction,
    speed_limit: station.speedLimit,
    speed_limit_heavy: station.speedLimitHeavy,
    distance_to_sign: station.distanceToSign,
    distance_to_checkpoint: station.distanceToCheckpoint,
    latitude: coordinates?.latitude ?? null,
    longitude: coordinates?.longitude ?? null,
    chainage_ascends: chainageAscends ?? null,
  }
  const inserted = await db.execute(sql`insert into location ${valuesOf(l)} on conflict (id) do nothing`)
  if (inserted === 0) return
  const rows = lanes.map((n) => ({
    location_id: station.id,
    lane_number: n.laneNumber,
    accuracy_class: n.accuracyClass,
  }))
  if (rows.length > 0) await db.execute(sql`insert into lane ${valuesOf(rows)} on conflict do nothing`)
}

/** Gives a station coordinates and the direction of its chainage unless it has them. */
export async function addCoordinates(
  db: Database,
  id: number,
  { coordinates, chainageAscends }: { coordinates: Coordinates; chainageAscends: boolean },
): Promise<void> {
  const { latitude, longitude } = coordinates
  await db.execute(sql`
    update location set latitude = ${latitude}, longitude = ${longitude} where id = ${id} and latitude is null`)
  await db.execute(sql`
    update location set chainage_ascends = ${chainageAscends} where id = ${id} and chainage_ascends is null`)
}

/**
 * Creates a station key and stores its hash; the key cannot be read again. `replaces`: deletes earlier keys that nobody made
 * on screen.
 */
export async function createStationKey(db: Database, locationId: number, now: Date, replaces = false): Promise<string> {
  const key = newToken()
  if (replaces) await db.execute(sql`delete from station_key where location_id = ${locationId} and created_by is null`)
  await insertKey(db, { keyHash: hashToken(key), locationId, createdBy: null, validUntil: null }, now)
  await notifyStationKeyChange(db)
  return key
}

/** NOTIFY channel by which the demo silences a lane or lets it send again. */
export const DEMO_LANES = 'demo_lanes'

export const notifyDemoLane = (db: Database, command: { location: number; lane: number; silent: boolean }) =>
  db.query(sql`
  select pg_notify(${DEMO_LANES}, ${JSON.stringify(command)})`)

/** Start of the built-in limits; an authority may add later ones. */
const VALID_FROM = '2000-01-01'

/** Inserts the built-in legal limits unless they exist. */
export const seedLegalLimits = (db: Database) =>
  db.execute(sql`
  insert into legal_limits (location_id, valid_from, limits, source)
  values (0, ${VALID_FROM}, ${json(polishLimits)}, ${polishLimits.source})
  on conflict do nothing`)
