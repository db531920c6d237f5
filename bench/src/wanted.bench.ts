import { readConfig } from '@rogatka/api/config.ts'
import type { Pool } from '@rogatka/api/core/database.ts'
import { daysBetween } from '@rogatka/api/core/partitions.ts'
import { sql } from '@rogatka/api/core/statement.ts'
import { createStationCache } from '@rogatka/api/ingest/station.ts'
import { createVehicleStore } from '@rogatka/api/ingest/store.ts'
import { addLocation } from '@rogatka/api/locations/queries.ts'
import { ensureAdministrator } from '@rogatka/api/users/administrator.ts'
import { ensureVehiclePartitions } from '@rogatka/api/vehicle/maintenance.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { normalisePlate } from '@rogatka/domain/vehicle/plate.ts'
import { misreadForm } from '@rogatka/domain/vehicle/plateMatch.ts'
import { type Comparison, isQuick } from './bench.ts'
import { benchDatabase } from './database.ts'
import { deriveVehicle } from './derive.ts'
import { benchRandom } from './random.ts'
import { benchStation, trafficFrom } from './traffic.ts'

const BATCH = 500
const BATCHES = isQuick ? 4 : 10
const WANTED = 100_000
/** Entries whose plates occur in the first batch, and repeatedly later. */
const MATCHING_ENTRIES = 5
const STATION = 1

export const bench: Comparison = {
  summary: `Vehicles of a station in batches of ${BATCH}, with ${WANTED} plates on black lists, against none. Left out: HTTP, validation, several stations at the same time, contacts to notify, and operators who are shown the hits`,
  goal: 'at least 0.9 of the speed without lists',
  unit: 'vehicles',
  rounds: 7,
  async prepare() {
    const [without, withLists] = [await prepareIngest(), await prepareIngest()]
    await fillLists(withLists.db, withLists.samplePlates)
    return {
      contenders: [
        { name: 'no plate on any list', run: without.run },
        { name: `${WANTED} plates, a few of them detected`, run: withLists.run },
      ],
      clear: async () => void (await Promise.all([without.drop(), withLists.drop()])),
    }
  },
}

/** Creates a database with a station; the traffic is equal on each. */
async function prepareIngest() {
  const { db, url, drop } = await benchDatabase()
  const { overloadBasis } = readConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent' })
  await ensureAdministrator(db, 'bench-bench-bench', readConfig({}), new Date())
  await addLocation(db, benchStation(STATION, 'wanted'))
  const begin = Date.now() - DAY_MS
  await ensureVehiclePartitions(db, daysBetween(new Date(begin), new Date()), 'month')
  const at = (sequence: number) => begin + sequence * 200
  const traffic = trafficFrom(8, at)
  const station = await createStationCache(db)(STATION, new Date())
  const storeVehicles = createVehicleStore(db, 'month')

  const batch = async () => {
    const vehicles = traffic(BATCH).map((wire) => deriveVehicle(wire, station, overloadBasis))
    await storeVehicles(STATION, vehicles, new Date())
  }
  const samplePlates = trafficFrom(8, at)(BATCH).flatMap(({ plateLpr }) => normalisePlate(plateLpr) ?? [])
  const run = async () => {
    for (let done = 0; done < BATCHES; done++) await batch()
    return BATCH * BATCHES
  }
  return { db, run, drop, samplePlates }
}

/** Inserts random plates, every other one also matching look-alike characters, and some that occur in the traffic. */
async function fillLists(db: Pool, passing: readonly string[]): Promise<void> {
  const random = benchRandom(45)
  const letters = 'ABCEFGHIJKLMNOPRSTUVWXYZ0123456789'
  const randomPlate = () =>
    Array.from({ length: 8 }, () => letters[Math.floor(random.next() * letters.length)]).join('')
  const plates = new Set(passing.slice(0, MATCHING_ENTRIES))
  while (plates.size < WANTED) plates.add(randomPlate())
  const list = [...plates]
  await db.execute(sql`
    insert into wanted_plate (created_at, user_id, type_of_list, allow_misread, plate, misread, description)
    select now(), (select min(id) from app_user), 0, g.n % 2 = 0, g.plate, g.misread, 'bench'
    from unnest(${list}::text[], ${list.map(misreadForm)}::text[]) with ordinality as g (plate, misread, n)`)
  await db.execute(sql`analyze wanted_plate`)
}
