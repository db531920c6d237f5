import { setTimeout } from 'node:timers/promises'
import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import { type Random, seededRandom } from '@rogatka/domain/core/random.ts'
import type { Pool } from '../core/database.ts'
import { daysBetween } from '../core/partitions.ts'
import { sql } from '../core/statement.ts'
import { send } from '../ingest/testing.ts'
import { addLocation, type NewLocation } from '../locations/queries.ts'
import { testApi, testStation } from '../testing/test-api.ts'
import { ensureVehiclePartitions } from '../vehicle/maintenance.ts'
import { currentState, updateDerived } from './derived/maintenance.ts'

/** The test station with another id. */
export const stationWithId = (id: number): NewLocation => ({ ...testStation, id, shortName: `Test ${id}` })

const PLATES = ['WX', 'WO', 'KR', 'B', '%', '_', 'ŻÓ']

/** A random measurement, some values missing, at one of 2,000 instants. */
export function anyMeasurement(sequence: number, from: Date, to: Date, random: Random): WireMeasurement {
  // Few enough instants for ties.
  const step = Math.floor((to.getTime() - from.getTime()) / 2_000)
  const maybe = <T>(value: T) => (random.happens(0.08) ? null : value)
  const heavy = random.happens(0.4)
  const axles = heavy ? 2 + random.below(4) : 2
  return {
    sequence,
    createdAt: new Date(from.getTime() + random.below(2_000) * step).toISOString(),
    laneNumber: 1 + random.below(2),
    plateLpr: maybe(`${random.pick(PLATES)}${random.pick(['0', 'O', '1', 'I', '7'])}${100 + random.below(40)}`),
    nationality: ['PL', 'PL', 'LT', null][sequence % 4],
    speed: maybe(40 + random.below(110)),
    vehLength: maybe(heavy ? 700 + random.below(1_300) : 350 + random.below(200)),
    vehHeight: maybe(heavy ? 300 + random.below(140) : 140 + random.below(60)),
    ctg8p1: random.pick([null, 2, 3, 5, 6, 7, 7, 7, 8, 9, 10, 11]),
    ctg323: random.pick([null, 1, 2, 5]),
    wrongDirection: random.happens(0.03),
    overlane: random.happens(0.05),
    axles: random.happens(0.1)
      ? null
      : Array.from({ length: axles }, (_, index) => {
          const wheel = heavy ? 2_000 + random.below(5_500) : 300 + random.below(200)
          return { leftWeight: wheel, rightWeight: wheel, gap: index === 0 ? 0 : random.pick([130, 260, 400]) }
        }),
  }
}

/** Crosses the end of a month (UTC), so that two partitions are searched. */
export const [FROM, TO] = [new Date('2026-09-29T10:00:00Z'), new Date('2026-10-03T22:00:00Z')]
export const EVERYWHERE = { dateTimeStart: FROM.toISOString(), dateTimeEnd: TO.toISOString(), locations: [3, 5, 7] }

/** Three stations with 400 random vehicles each, sent through the API. */
export async function filledApi() {
  const api = await testApi()
  const random = seededRandom(20_261_020)
  for (const id of EVERYWHERE.locations) {
    const station = await api.station(stationWithId(id))
    const sent = Array.from({ length: 400 }, (_, index) => anyMeasurement(index + 1, FROM, TO, random))
    const { body } = await send(station, sent)
    if (body.accepted !== 400) throw new Error('not every vehicle was accepted')
  }
  return api
}

/**
 * Inserts evenly spread vehicles by SQL, with derived rows: enough for the planner to choose its plans as in
 * production.
 */
export async function fillArchive(db: Pool, vehicles: number, stations: number, from: Date, to: Date): Promise<void> {
  await ensureVehiclePartitions(db, daysBetween(from, to), 'month')
  for (let id = 1; id <= stations; id++) await addLocation(db, stationWithId(id))
  // On one connection, as the seed is per session.
  await db.transaction(async (db) => {
    await db.query(sql`select setseed(0.5)`)
    await db.execute(sql`
      insert into vehicle (location_id, id, created_at, lane_number, speed, total_load, ctg8p1, violations, plate_lpr)
      select 1 + n % ${stations}, (1 + n % ${stations})::bigint * ${2 ** 40} + n,
             ${from}::timestamptz + n * ((${to}::timestamptz - ${from}::timestamptz) / ${vehicles}), 1 + n % 2,
             60 + 80 * random(), 1000 + 40000 * random() ^ 4,
             (array[7, 7, 7, 7, 7, 11, 3, 9, 0, 10])[1 + floor(10 * random())::int],
             case when random() < 0.1 then 4 when random() < 0.004 then 1 when random() < 0.0005 then 16 else 0 end,
             chr(65 + floor(26 * random())::int) || chr(65 + floor(26 * random())::int)
               || lpad(floor(100000 * random())::text, 5, '0')
      from generate_series(0, ${vehicles - 1}) as n`)
  })
  await db.execute(sql`
    insert into traffic_hour (location_id, hour, lane_number, ctg8p1, violations, speed_range, overspeed_range,
                              vehicles, speeds, speed_sum, slowness_sum, loads, load_sum)
    select location_id, date_trunc('hour', created_at, 'UTC'), lane_number, ctg8p1, violations, 0, 0,
           count(*), 0, 0, 0, 0, 0
    from vehicle
    group by 1, 2, 3, 4, 5`)
  await db.execute(sql`
    insert into arrival (location_id, hour, written_by)
    select distinct location_id, hour, pg_current_xact_id()::text::bigint from traffic_hour`)
  await derive(db)
  await db.execute(sql`vacuum analyze`)
}

/** Repeats until all is derived: open transactions of other tests defer it. */
async function derive(db: Pool): Promise<void> {
  while (true) {
    await updateDerived(db)
    const { underived } = await currentState(db)
    if ((await underived).length === 0) return
    await setTimeout(50)
  }
}
