import type { PassageRecord } from '@rogatka/domain/evidence/passage.ts'
import type { Database } from '../core/database.ts'
import { type PassageKey, vehicleKey } from '../core/passage.ts'
import { identifier, sql } from '../core/statement.ts'

/** [from, to) of the time of receipt. */
export type ReceiptRange = { from: Date; to: Date }

/** A vehicle or an image that a station delivered, with its digest in hexadecimal digits; `type` null: a vehicle. */
export type ReceivedItem = PassageKey & { receivedAt: Date; type: number | null; digest: string }

type ReceivedVehicle = PassageKey & { receivedAt: Date }

/** Vehicles and images received in a time. `unrecorded`: vehicles that were stored without a record. */
export type ReceivedItems = { items: ReceivedItem[]; unrecorded: ReceivedVehicle[] }

/**
 * Vehicles and images received in a time. Details are read by key, some at a time: joined with many vehicles, the database
 * would read all of a partition.
 */
export async function receivedBetween(db: Database, { from, to }: ReceiptRange): Promise<ReceivedItems> {
  const vehicles = await db.query<ReceivedVehicle>(sql`
    select location_id as "locationId", created_at as "createdAt", id, received_at as "receivedAt"
    from vehicle
    where received_at >= ${from}::timestamptz and received_at < ${to}::timestamptz`)
  const images = await db.query<ReceivedItem>(sql`
    select location_id as "locationId", created_at as "createdAt", id, received_at as "receivedAt", type,
           encode(sha256, 'hex') as digest
    from vehicle_image
    where received_at >= ${from}::timestamptz and received_at < ${to}::timestamptz`)
  const digests = new Map<string, string>()
  await byKeys(vehicles, async (keys, { first, last }) => {
    const rows = await db.query<PassageKey & { digest: string }>(sql`
      select d.location_id as "locationId", d.created_at as "createdAt", d.id, encode(d.evidence, 'hex') as digest
      from ${unnestKeys(keys)}
      join vehicle_detail d using (location_id, created_at, id)
      where d.created_at >= ${first}::timestamptz and d.created_at <= ${last}::timestamptz and d.evidence is not null`)
    for (const { digest, ...key } of rows) digests.set(vehicleKey(key), digest)
  })
  const recorded: ReceivedItem[] = []
  const unrecorded: ReceivedVehicle[] = []
  for (const vehicle of vehicles) {
    const digest = digests.get(vehicleKey(vehicle))
    if (digest === undefined) unrecorded.push(vehicle)
    else recorded.push({ ...vehicle, type: null, digest })
  }
  return { items: [...recorded, ...images], unrecorded }
}

type MisdatedItem = Omit<ReceivedItem, 'digest'>

/**
 * A vehicle or image received after `latest`, or before `first` although the vehicle was measured since `measuredSince`.
 * A statement for each: with both in one, or with a limit that the planner knows, the database would read all partitions.
 */
export async function findMisdated(
  db: Database,
  { latest, first, measuredSince }: { latest: Date; first: Date; measuredSince: Date },
): Promise<MisdatedItem | undefined> {
  const isTooEarly = sql`created_at >= ${measuredSince}::timestamptz and received_at < ${first}::timestamptz`
  const isTooLate = sql`received_at > ${latest}::timestamptz`
  const type = { vehicle: sql`null::int as type`, vehicle_image: sql`type` }
  for (const table of ['vehicle', 'vehicle_image'] as const)
    for (const isMisdated of [isTooEarly, isTooLate]) {
      const [found] = await db.query<MisdatedItem>(sql`
        with misdated as materialized (
          select location_id as "locationId", created_at as "createdAt", id, received_at as "receivedAt", ${type[table]}
          from ${identifier(table)} where ${isMisdated}
        )
        select * from misdated limit 1`)
      if (found) return found
    }
  return undefined
}

/** Keys of a statement. */
const KEYS_PER_QUERY = 500

/** Calls `read` for some keys at a time, in order of time, with their first and last time, for partition pruning. */
async function byKeys(
  keys: readonly PassageKey[],
  read: (keys: readonly PassageKey[], range: { first: Date; last: Date }) => Promise<void>,
): Promise<void> {
  const sorted = keys.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
  for (let at = 0; at < sorted.length; at += KEYS_PER_QUERY) {
    const part = sorted.slice(at, at + KEYS_PER_QUERY)
    const [first, last] = [part[0], part.at(-1)] as [PassageKey, PassageKey]
    await read(part, { first: first.createdAt, last: last.createdAt })
  }
}

/** Until when rows were sealed, and searched for late ones. Locked until the end of the transaction. */
export async function sealingState(db: Database): Promise<{ sealedUntil: Date; sweptUntil: Date } | undefined> {
  const [state] = await db.query<{ sealedUntil: Date; sweptUntil: Date }>(sql`
    select sealed_until as "sealedUntil", swept_until as "sweptUntil" from passage_sealing for update`)
  return state
}

export const saveSealingState = (db: Database, { sealedUntil, sweptUntil }: { sealedUntil: Date; sweptUntil: Date }) =>
  db.execute(sql`
    insert into passage_sealing (sealed_until, swept_until)
    values (${sealedUntil}::timestamptz, ${sweptUntil}::timestamptz)
    on conflict (is_only) do update set sealed_until = excluded.sealed_until, swept_until = excluded.swept_until`)

/** A seal of what a station delivered in a minute. `lines`: deflated text. */
export type PassageSeal = {
  locationId: number
  number: number
  minute: Date
  vehicles: number
  images: number
  seal: Buffer
  lines: Buffer
}

const COLUMNS = sql`location_id as "locationId", number, minute, vehicles, images, seal, lines`

/** @throws if a number was given already, as another process was faster */
export const insertPassageSeals = (db: Database, seals: readonly PassageSeal[]) =>
  db.execute(sql`
    insert into passage_seal (location_id, number, minute, vehicles, images, seal, lines)
    select location_id, number, minute, vehicles, images, decode(seal, 'hex'), decode(lines, 'hex')
    from unnest(
      ${seals.map(({ locationId }) => locationId)}::int[], ${seals.map(({ number }) => number)}::int[],
      ${seals.map(({ minute }) => minute)}::timestamptz[], ${seals.map(({ vehicles }) => vehicles)}::int[],
      ${seals.map(({ images }) => images)}::int[], ${seals.map(({ seal }) => seal.toString('hex'))}::text[],
      ${seals.map(({ lines }) => lines.toString('hex'))}::text[]
    ) as s (location_id, number, minute, vehicles, images, seal, lines)`)

/** Seals of minutes in a range. */
export const sealsOfMinutes = (db: Database, { from, to }: ReceiptRange) =>
  db.query<PassageSeal>(sql`
  select ${COLUMNS} from passage_seal
  where minute >= ${from}::timestamptz and minute < ${to}::timestamptz
  order by location_id, number`)

/** Seals of a station after the number `after`, in order. */
export const passageSealsAfter = (db: Database, locationId: number, after: number, limit: number) =>
  db.query<PassageSeal>(sql`
  select ${COLUMNS} from passage_seal
  where location_id = ${locationId} and number > ${after}
  order by number limit ${limit}`)

/** Number of vehicles and images in the seals of a station with a number in (after, until]. */
export async function countSealed(
  db: Database,
  { locationId, after, until }: { locationId: number; after: number; until: number },
): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select coalesce(sum(vehicles + images), 0)::int as count from passage_seal
    where location_id = ${locationId} and number > ${after} and number <= ${until}`)
  return row?.count ?? 0
}

/** Stations with seals of minutes since then, with the lowest number of these. */
export const sealedStations = (db: Database, since: Date | null) =>
  db.query<{ locationId: number; first: number }>(sql`
  select location_id as "locationId", min(number) as first
  from passage_seal
  ${since === null ? sql`` : sql`where minute >= ${since}::timestamptz`}
  group by 1 order by 1`)

/**
 * The first sealed minute, and the time before which late rows are looked for no more; nulls: nothing is sealed.
 * `reachMs`: how far back they are looked for.
 */
export async function sealedRange(db: Database, reachMs: number): Promise<{ first: Date | null; end: Date | null }> {
  const [row] = await db.query<{ first: Date | null; end: Date | null }>(sql`
    select (select min(minute) from passage_seal) as first,
           (select swept_until - make_interval(secs => ${reachMs / 1_000}) from passage_sealing) as end`)
  return row ?? { first: null, end: null }
}

/** A vehicle as stored, with the digest that was stored with it. */
export type StoredPassage = { record: PassageRecord; evidence: string | null }

/** The vehicles of these keys, unordered; those that do not exist are missing. */
export async function passageRecords(db: Database, keys: readonly PassageKey[]): Promise<StoredPassage[]> {
  const found: StoredPassage[] = []
  await byKeys(keys, async (keys, { first, last }) => {
    const rows = await db.query<PassageRecord & { evidence: string | null }>(sql`
      select v.location_id as "locationId", v.created_at as "createdAt", v.id, v.received_at as "receivedAt",
             v.checkpoint_time as "checkpointTime", v.vms_readable_at as "vmsReadableAt", v.total_load as "totalLoad",
             v.limit_total_load as "limitTotalLoad", v.overload_sa as "overloadSa", v.overload_ma as "overloadMa",
             v.overload_tl as "overloadTl", v.lane_number as "laneNumber", v.speed, v.speed_limit as "speedLimit",
             v.veh_length as "vehLength", v.veh_height as "vehHeight", v.limit_height as "limitHeight",
             v.limit_length as "limitLength", v.number_of_axles as "numberOfAxles", v.ctg8p1, v.ctg323, v.violations,
             v.plate_lpr as "plateLpr", v.nationality, v.hour_only as "hourOnly", v.import_id as "importId",
             d.accuracy_class as "accuracyClass", d.axles, d.axle_groups as "axleGroups",
             encode(d.shape, 'hex') as shape, d.euro, encode(d.digest, 'hex') as digest,
             encode(d.evidence, 'hex') as evidence
      from ${unnestKeys(keys)}
      join vehicle v using (location_id, created_at, id)
      join vehicle_detail d
        on d.location_id = v.location_id and d.created_at = v.created_at and d.id = v.id
        and d.created_at >= ${first}::timestamptz and d.created_at <= ${last}::timestamptz
      where v.created_at >= ${first}::timestamptz and v.created_at <= ${last}::timestamptz`)
    for (const { evidence, ...record } of rows) found.push({ record, evidence })
  })
  return found
}

/** An image as stored: its SHA-256 in hexadecimal digits. */
export type ImageOfVehicle = PassageKey & { type: number; sha256: string; receivedAt: Date }

/** The images of the vehicles with these keys, unordered. */
export async function imagesOfPassages(db: Database, keys: readonly PassageKey[]): Promise<ImageOfVehicle[]> {
  const found: ImageOfVehicle[] = []
  const distinct = [...new Map(keys.map((key) => [vehicleKey(key), key])).values()]
  await byKeys(distinct, async (keys, { first, last }) => {
    const rows = await db.query<ImageOfVehicle>(sql`
      select i.location_id as "locationId", i.created_at as "createdAt", i.id, i.type,
             encode(i.sha256, 'hex') as sha256, i.received_at as "receivedAt"
      from ${unnestKeys(keys)}
      join vehicle_image i using (location_id, created_at, id)
      where i.created_at >= ${first}::timestamptz and i.created_at <= ${last}::timestamptz`)
    found.push(...rows)
  })
  return found
}

const unnestKeys = (keys: readonly PassageKey[]) => sql`
  unnest(
    ${keys.map(({ locationId }) => locationId)}::int[], ${keys.map(({ createdAt }) => createdAt)}::timestamptz[],
    ${keys.map(({ id }) => id)}::bigint[]
  ) as w (location_id, created_at, id)`
