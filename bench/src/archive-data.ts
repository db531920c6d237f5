import { updateDerived } from '@rogatka/api/archive/derived/maintenance.ts'
import type { Pool } from '@rogatka/api/core/database.ts'
import { daysBetween } from '@rogatka/api/core/partitions.ts'
import { identifier, raw, sql } from '@rogatka/api/core/statement.ts'
import { addLocation } from '@rogatka/api/locations/queries.ts'
import { ensureVehiclePartitions } from '@rogatka/api/vehicle/maintenance.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import { type Detection, detection, heightOf, shareOfHour } from './archive-traffic.ts'
import { copyWriter } from './copy.ts'
import { benchRandom, type Random } from './random.ts'

type Size = { vehicles: number; days: number; stations: number; until: Date }

/** The stations that the generator makes. */
export const stationIds = (stations: number) => Array.from({ length: stations }, (_, index) => index + 1)
const lanesOf = (station: number) => 2 + (station % 3)

/**
 * Fills an empty, migrated database through COPY, roll-up included, and brings up to date what is derived from it.
 * The same every time: its randomness has a fixed seed.
 */
export async function loadArchive(db: Pool, url: string, { vehicles, days, stations, until }: Size): Promise<void> {
  const end = Math.floor(until.getTime() / HOUR_MS) * HOUR_MS
  const start = end - days * 24 * HOUR_MS
  await ensureVehiclePartitions(db, daysBetween(new Date(start), new Date(end)), 'month')
  for (const id of stationIds(stations)) await addLocation(db, station(id))

  const indexes = await dropIndexes(db)
  await copyTraffic(url, start, end, stations, vehicles / (days * stations))
  const builder = await db.reserve()
  await builder.query(
    sql`select set_config('maintenance_work_mem', '512MB', false), set_config('statement_timeout', '0', false)`,
  )
  for (const definition of indexes) await builder.query(raw(definition))
  await builder.execute(sql`
    insert into arrival (location_id, hour, written_by)
    select distinct location_id, hour, pg_current_xact_id()::text::bigint from traffic_hour`)
  await builder.execute(sql`vacuum analyze`)
  await updateDerived(db)
  await builder.execute(sql`vacuum analyze plate, vehicle_day, arrival`)
  builder.release()
}

const station = (id: number) => ({
  id,
  shortName: `Stacja ${id}`,
  name: `Stacja ${id}`,
  roadNumber: `S${1 + (id % 19)}`,
  chainage: `${id * 7}+000`,
  direction: 'Warszawa',
  speedLimit: 120,
  speedLimitHeavy: 80,
  distanceToSign: 1_000,
  distanceToCheckpoint: 5_000,
  lanes: Array.from({ length: lanesOf(id) }, (_, index) => ({ laneNumber: index + 1, accuracyClass: 'B+(7)' })),
})

/** Building an index over all the rows costs a part of keeping it up with each. Answers what makes them again. */
async function dropIndexes(db: Pool): Promise<string[]> {
  const indexes = await db.query<{ name: string; definition: string }>(sql`
    select c.relname as name, replace(pg_get_indexdef(c.oid), ' ON ONLY ', ' ON ') as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'vehicle'::regclass and not i.indisprimary`)
  for (const { name } of indexes) await db.execute(sql`drop index ${identifier(name)}`)
  return indexes.map(({ definition }) => definition)
}

/** The hours one after another, in each the vehicles in the order of time: as they would have come. */
async function copyTraffic(url: string, start: number, end: number, stations: number, perDay: number): Promise<void> {
  const random = benchRandom(20_261_020)
  const sequences = new Map<number, number>()
  const thin = await copyWriter(
    url,
    `vehicle (location_id, id, created_at, received_at, checkpoint_time, lane_number, speed, speed_limit, total_load,
      limit_total_load, overload_sa, overload_ma, overload_tl, veh_length, veh_height, limit_height, number_of_axles,
      ctg8p1, ctg323, violations, plate_lpr, nationality)`,
  )
  const fat = await copyWriter(url, 'vehicle_detail (location_id, id, created_at, accuracy_class, axles, axle_groups)')
  const hours = await copyWriter(
    url,
    `traffic_hour (location_id, hour, lane_number, ctg8p1, violations, speed_range, overspeed_range, vehicles, speeds,
      speed_sum, speed_min, speed_max, slowness_sum, loads, load_sum, load_min, load_max)`,
  )
  for (let hour = start; hour < end; hour += HOUR_MS) {
    const passed = stationIds(stations).flatMap((id) => detectionsOf(id, hour, perDay, random))
    passed.sort((a, b) => a.at - b.at)
    for (const it of passed) {
      const sequence = (sequences.get(it.station) ?? 0) + 1
      sequences.set(it.station, sequence)
      const key = `${it.station}\t${vehicleId(it.station, sequence)}\t${new Date(it.at).toISOString()}`
      thin.add(`${key}\t${thinRow(it)}`)
      fat.add(`${key}\t${fatRow(it)}`)
    }
    for (const row of hourRows(passed, hour)) hours.add(row)
    await Promise.all([thin.flush(), fat.flush(), hours.flush()])
  }
  await Promise.all([thin.end(), fat.end(), hours.end()])
}

type DetectionRow = Detection & { station: number }

function detectionsOf(station: number, hour: number, perDay: number, random: Random): DetectionRow[] {
  // No two stations are alike.
  const expected = perDay * shareOfHour((hour / HOUR_MS) % 24) * (0.6 + ((station * 7) % 9) / 10)
  const count = Math.max(0, random.normal(expected, Math.sqrt(expected)))
  return Array.from({ length: count }, () => ({
    ...detection(hour + random.below(HOUR_MS), lanesOf(station), random),
    station,
  }))
}

const orNull = (value: number | string | null) => (value === null ? '\\N' : value)

function thinRow(it: DetectionRow): string {
  const at = new Date(it.at).toISOString()
  const checkpoint = new Date(it.at + Math.round(18_000_000 / it.speed)).toISOString()
  const loads = it.load === null ? '\\N\t\\N\t\\N' : `0\t0\t${it.overload}`
  return (
    `${at}\t${checkpoint}\t${it.lane}\t${it.speed}\t${it.speedLimit}\t${orNull(it.load)}\t${it.limit}\t${loads}\t` +
    `${it.length}\t${heightOf(it)}\t400\t${it.axles}\t${it.ctg8p1}\t${orNull(it.ctg323)}\t${it.violations}\t` +
    `${orNull(it.plate)}\t${orNull(it.nationality)}\n`
  )
}

/** Axles and groups as the domain packs them. */
function fatRow({ axles, load, length, limit }: DetectionRow): string {
  const wheel = Math.round((load ?? 0) / axles / 2)
  const gap = Math.round((length * 0.7) / axles)
  const packed = Array.from({ length: axles }, (_, index) => `1,${wheel},${wheel},${index === 0 ? 0 : gap},10000,0`)
  const groups = packed.map((_, index) => `${index + 1},1,${wheel * 2},10000,0`)
  return limit > 0 ? `B+(7)\t{${packed.join(',')}}\t{${groups.join(',')}}\n` : ''
}

type Sum = { first: DetectionRow; vehicles: number; speeds: number[]; loads: number[] }

function* hourRows(passed: readonly DetectionRow[], hour: number): Generator<string> {
  const sums = new Map<string, Sum>()
  for (const it of passed) {
    const key = `${it.station}\t${new Date(hour).toISOString()}\t${it.lane}\t${it.ctg8p1}\t${it.violations}\t${it.speedRange}\t${it.overspeedRange}`
    const sum = sums.get(key) ?? { first: it, vehicles: 0, speeds: [], loads: [] }
    sum.vehicles++
    sum.speeds.push(it.speed)
    if (it.load !== null) sum.loads.push(it.load)
    sums.set(key, sum)
  }
  for (const [key, { vehicles, speeds, loads }] of sums) {
    const slowness = speeds.reduce((sum, speed) => sum + Math.round(1_000_000 / speed), 0)
    yield [
      key,
      vehicles,
      speeds.length,
      total(speeds),
      Math.min(...speeds),
      Math.max(...speeds),
      slowness,
      loads.length,
    ]
      .concat([total(loads), ...(loads.length ? [Math.min(...loads), Math.max(...loads)] : ['\\N', '\\N'])])
      .join('\t')
      .concat('\n')
  }
}

const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)
