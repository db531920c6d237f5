import { byteaArray, int4Array, int8Array, timestamptzArray } from '../core/binary-arrays.ts'
import type { Database } from '../core/database.ts'
import { type PassageKey, vehicleKey } from '../core/passage.ts'
import { sql } from '../core/statement.ts'

/* The keys of the vehicles of a file, in a temporary table: they show whether a row repeats an earlier one. */

export const createKeyTable = (db: Database) =>
  db.execute(sql`
  create temporary table import_key (
    location_id int, created_at timestamptz, id bigint, digest bytea, primary key (location_id, created_at, id))`)

export const dropKeyTable = (db: Database) => db.execute(sql`drop table if exists pg_temp.import_key`)

type KeyedVehicle = PassageKey & { digest: Buffer }

/** Adds keys, no two of them the same. Returns the digests of those that were there before, by `vehicleKey`. */
export async function addKeys(db: Database, vehicles: readonly KeyedVehicle[]): Promise<Map<string, Buffer>> {
  const added = await db.query<PassageKey>(sql`
    insert into pg_temp.import_key select * from ${unnested(vehicles)}
    on conflict do nothing
    returning location_id as "locationId", created_at as "createdAt", id`)
  // Few, if any: reading all keys of each batch would read the whole table each time.
  const isNew = new Set(added.map(vehicleKey))
  const repeated = vehicles.filter((vehicle) => !isNew.has(vehicleKey(vehicle)))
  if (repeated.length === 0) return new Map()
  const rows = await db.query<KeyedVehicle>(sql`
    select k.location_id as "locationId", k.created_at as "createdAt", k.id, k.digest
    from ${unnested(repeated)} join pg_temp.import_key k using (location_id, created_at, id)`)
  return new Map(rows.map((row) => [vehicleKey(row), row.digest]))
}

const unnested = (vehicles: readonly KeyedVehicle[]) => sql`
  unnest(
    ${int4Array(vehicles.map(({ locationId }) => locationId))}::int[],
    ${timestamptzArray(vehicles.map(({ createdAt }) => createdAt))}::timestamptz[],
    ${int8Array(vehicles.map(({ id }) => id))}::bigint[],
    ${byteaArray(vehicles.map(({ digest }) => digest))}::bytea[]
  ) as g (location_id, created_at, id, digest)`
