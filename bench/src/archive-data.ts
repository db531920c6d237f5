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
import { withoutTimeLimit } from './database.ts'
import { benchRandom, type Random } from './random.ts'

type Size = {
  vehicles: number
  days: number
  stations: number
  until: Date
  /** Share of all vehicles that pass the last station; without, it has as many as the others. */
  skew?: number
}

/** Ids of the generated stations. */
export const stationIds = (stations: number) => Array.from({ length: stations }, (_, index) => index + 1)
const lanesOf = (station: number) => 2 + (station % 3)

/**
 * Fills an empty, migrated database through COPY, including roll-ups, and updates derived data. The random seed is
 * constant, so the data are reproducible.
 */
export async function loadArchive(
  db: Pool,
  url: string,
  { vehicles, days, stations, until, skew = 0 }: Size,
): Promise<void> {
  const end = Math.floor(until.getTime() / HOUR_MS) * HOUR_MS
  const start = end - days * 24 * HOUR_MS
  await ensureVehiclePartitions(db, daysBetween(new Date(start), new Date(end)), 'month')
  for (const id of stationIds(stations)) await addLocation(db, station(id))

  const indexes = await dropIndexes(db)
  await copyTraffic(url, start, end, volumes(stations, vehicles / days, skew))
  await withoutTimeLimit(url, async (db) => {
    await db.query(sql`select set_config('maintenance_work_mem', '512MB', false)`)
    for (const definition of indexes) await db.execute(raw(definition))
    await db.execute(sql`
      insert into arrival (location_id, hour, written_by)
      select distinct location_id, hour, pg_current_xact_id()::text::bigint from traffic_hour`)
    await db.execute(sql`vacuum analyze`)
  })
  await updateDerived(db)
  await withoutTimeLimit(url, (db) => db.execute(sql`vacuum analyze plate, vehicle_day, arrival`))
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

/** Vehicles per day of each station. */
function volumes(stations: number, perDay: number, skew: number): Map<number, number> {
  const ids = stationIds(stations)
  if (!skew) return new Map(ids.map((id) => [id, (perDay / stations) * (0.6 + ((id * 7) % 9) / 10)]))
  return new Map(ids.map((id) => [id, perDay * (id === stations ? skew : (1 - skew) / (stations - 1))]))
}

/** Drops the indexes, as building them after COPY is faster. Returns the statements that create them. */
async function dropIndexes(db: Pool): Promise<string[]> {
  const indexes = await db.query<{ name: string; definition: string }>(sql`
    select c.relname as name, replace(pg_get_indexdef(c.oid), ' ON ONLY ', ' ON ') as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'vehicle'::regclass and not i.indisprimary`)
  for (const { name } of indexes) await db.execute(sql`drop index ${identifier(name)}`)
  return indexes.map(({ definition }) => definition)
}

/** Copies vehicles in order of time, hour by hour. */
async function copyTraffic(
  url: string,
  start: number,
  end: number,
  perDay: ReadonlyMap<number, number>,
): Promise<void> {
  const random = benchRandom(20_261_020)
  const sequences = new Map<number, number>()
  const vehicleWriter = await copyWriter(
    url,
    `vehicle (location_id, id, created_at, received_at, checkpoint_time, lane_number, speed, speed_limit, total_load,
      limit_total_load, overload_sa, overload_ma, overload_tl, veh_length, veh_height, limit_height, number_of_axles,
      ctg8p1, ctg323, violations, plate_lpr, nationality)`,
  )
  const detailWriter = await copyWriter(
    url,
    'vehicle_detail (location_id, id, created_at, accuracy_class, axles, axle_groups)',
  )
  const hourWriter = await copyWriter(
    url,
    `traffic_hour (location_id, hour, lane_number, ctg8p1, violations, speed_range, overspeed_range, vehicles, speeds,
      speed_sum, speed_min, speed_max, slowness_sum, loads, load_sum, load_min, load_max)`,
  )
  for (let hour = start; hour < end; hour += HOUR_MS) {
    const detections = [...perDay].flatMap(([id, count]) => detectionsOf(id, hour, count, random))
    detections.sort((a, b) => a.at - b.at)
    for (const vehicle of detections) {
      const sequence = (sequences.get(vehicle.station) ?? 0) + 1
      sequences.set(vehicle.station, sequence)
      const key = `${vehicle.station}\t${vehicleId(vehicle.station, sequence)}\t${new Date(vehicle.at).toISOString()}`
      vehicleWriter.add(`${key}\t${vehicleRow(vehicle)}`)
      detailWriter.add(`${key}\t${detailRow(vehicle)}`)
    }
    for (const row of hourRows(detections, hour)) hourWriter.add(row)
    await Promise.all([vehicleWriter.flush(), detailWriter.flush(), hourWriter.flush()])
  }
  await Promise.all([vehicleWriter.end(), detailWriter.end(), hourWriter.end()])
}

type DetectionRow = Detection & { station: number }

function detectionsOf(station: number, hour: number, perDay: number, random: Random): DetectionRow[] {
  const expected = perDay * shareOfHour((hour / HOUR_MS) % 24)
  const count = Math.max(0, random.normal(expected, Math.sqrt(expected)))
  return Array.from({ length: count }, () => ({
    ...detection(hour + random.below(HOUR_MS), lanesOf(station), random),
    station,
  }))
}

const orNull = (value: number | string | null) => (value === null ? '\\N' : value)

function vehicleRow(vehicle: DetectionRow): string {
  const at = new Date(vehicle.at).toISOString()
  const checkpoint = new Date(vehicle.at + Math.round(18_000_000 / vehicle.speed)).toISOString()
  const loads = vehicle.load === null ? '\\N\t\\N\t\\N' : `0\t0\t${vehicle.overload}`
  return (
    `${at}\t${checkpoint}\t${vehicle.lane}\t${vehicle.speed}\t${vehicle.speedLimit}\t${orNull(vehicle.load)}\t${vehicle.limit}\t${loads}\t` +
    `${vehicle.length}\t${heightOf(vehicle)}\t400\t${vehicle.axles}\t${vehicle.ctg8p1}\t${orNull(vehicle.ctg323)}\t${vehicle.violations}\t` +
    `${orNull(vehicle.plate)}\t${orNull(vehicle.nationality)}\n`
  )
}

/** Gaps within a group of axles, cm. */
const GROUP_GAP = 131

/** Axles and axle groups in the packed format of the domain; the last three axles of five are a group. */
function detailRow({ axles, load, length, limit }: DetectionRow): string {
  if (limit <= 0) return ''
  const wheel = Math.round((load ?? 0) / axles / 2)
  const gap = Math.round((length * 0.7) / axles)
  const single = axles === 5 ? 2 : axles
  const packed = Array.from({ length: axles }, (_, index) => {
    const before = index === 0 ? 0 : index > single ? GROUP_GAP : gap
    return `1,${wheel},${wheel},${before},10000,0`
  })
  const groups = Array.from({ length: single }, (_, index) => `${index + 1},1,${wheel * 2},10000,0`)
  if (single < axles) groups.push(`${single + 1},${axles - single},${wheel * 2 * (axles - single)},24000,0`)
  return `B+(7)\t{${packed.join(',')}}\t{${groups.join(',')}}\n`
}

type Sum = { first: DetectionRow; vehicles: number; speeds: number[]; loads: number[] }

function* hourRows(detections: readonly DetectionRow[], hour: number): Generator<string> {
  const sums = new Map<string, Sum>()
  for (const vehicle of detections) {
    const key = `${vehicle.station}\t${new Date(hour).toISOString()}\t${vehicle.lane}\t${vehicle.ctg8p1}\t${vehicle.violations}\t${vehicle.speedRange}\t${vehicle.overspeedRange}`
    const sum = sums.get(key) ?? { first: vehicle, vehicles: 0, speeds: [], loads: [] }
    sum.vehicles++
    sum.speeds.push(vehicle.speed)
    if (vehicle.load !== null) sum.loads.push(vehicle.load)
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
