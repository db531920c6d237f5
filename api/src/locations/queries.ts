import type { Location } from '@rogatka/contract/locations.ts'
import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import type { Station } from '@rogatka/domain/vehicle/derived.ts'
import polishLimits from '@rogatka/domain/vehicle/limits-pl.json' with { type: 'json' }
import type { Database } from '../core/database.ts'
import { hashToken, newToken } from '../core/sessions.ts'
import { json, sql, valuesOf } from '../core/statement.ts'
import type { LimitsDocument } from './limits.ts'

/** All stations with their lanes, id descending: the caller's reversed list ascends. */
export const locations = (db: Database) =>
  db.query<Location>(sql`
  select l.id, l.short_name as "shortName", l.name, l.road_number as "roadNumber", l.chainage, l.direction,
         l.distance_to_sign as "distanceToSign", l.distance_to_checkpoint as "distanceToCheckpoint",
         a.last_vehicle_time as "lastVehicleTime",
         coalesce(json_agg(json_build_object(
           'laneNumber', n.lane_number,
           'accuracyClass', case when n.accuracy_class is not null then json_build_object('name', n.accuracy_class) end
         ) order by n.lane_number) filter (where n.lane_number is not null), '[]') as lanes
  from location l
  left join lane n on n.location_id = l.id
  left join location_activity a on a.location_id = l.id
  group by l.id, a.last_vehicle_time
  order by l.id desc`)

/** The stations as vehicles tell of theirs. */
export const placesOfVehicles = (db: Database) =>
  db.query<Vehicle['location']>(sql`
  select id, short_name as "shortName", name, road_number as "roadNumber", chainage, direction from location`)

/** What the derivations need of a station; undefined when there is none. */
export const stationOf = async (db: Database, locationId: number): Promise<Station | undefined> => {
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

/** The legal limits of a station: its own documents go before the common ones, later ones before earlier. */
export const legalLimitsOf = (db: Database, locationId: number) =>
  db.query<LimitsDocument>(sql`
  select valid_from as "validFrom", limits, source
  from legal_limits
  where location_id in (0, ${locationId})
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
}

/** Adds a station with its lanes; one that stands already stays as it is. */
export async function addLocation(db: Database, { lanes, ...place }: NewLocation): Promise<void> {
  const l = {
    id: place.id,
    short_name: place.shortName,
    name: place.name,
    road_number: place.roadNumber,
    chainage: place.chainage,
    direction: place.direction,
    speed_limit: place.speedLimit,
    speed_limit_heavy: place.speedLimitHeavy,
    distance_to_sign: place.distanceToSign,
    distance_to_checkpoint: place.distanceToCheckpoint,
  }
  await db.execute(sql`insert into location ${valuesOf(l)} on conflict (id) do nothing`)
  const rows = lanes.map((n) => ({
    location_id: place.id,
    lane_number: n.laneNumber,
    accuracy_class: n.accuracyClass,
  }))
  if (rows.length > 0) await db.execute(sql`insert into lane ${valuesOf(rows)} on conflict do nothing`)
}

/** Makes a station's key and stores its hash; the key itself is told this once. Earlier keys end with `alone`. */
export async function newStationKey(db: Database, locationId: number, now: Date, alone = false): Promise<string> {
  const key = newToken()
  if (alone) await db.execute(sql`delete from station_key where location_id = ${locationId}`)
  await db.execute(
    sql`insert into station_key (key_hash, location_id, created_at) values (${hashToken(key)}, ${locationId}, ${now}::timestamptz)`,
  )
  return key
}

/** On this channel the demo is told that a lane falls silent, or is heard again. */
export const DEMO_LANES = 'demo_lanes'

export const notifyDemoLane = (db: Database, order: { location: number; lane: number; silent: boolean }) =>
  db.query(sql`
  select pg_notify(${DEMO_LANES}, ${JSON.stringify(order)})`)

/** From this day the document that comes with the product holds; an authority adds later ones beside it. */
const VALID_FROM = '2000-01-01'

/** Inserts the legal limits that come with the product, once; a document that exists stays as it is. */
export const seedLegalLimits = (db: Database) =>
  db.execute(sql`
  insert into legal_limits (location_id, valid_from, limits, source)
  values (0, ${VALID_FROM}, ${json(polishLimits)}, ${polishLimits.source})
  on conflict do nothing`)
