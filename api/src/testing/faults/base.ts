import { permissionsOf } from '@rogatka/contract/access.ts'
import { EMAIL } from '@rogatka/contract/wanted.ts'
import { toMulti } from '@rogatka/domain/vms/multi.ts'
import { connect } from '../../core/database.ts'
import { DELIVER_JOBS } from '../../core/outbox.ts'
import { insertSession } from '../../core/session-queries.ts'
import { hashToken } from '../../core/sessions.ts'
import { raw, sql } from '../../core/statement.ts'
import { jpeg } from '../../ingest/testing.ts'
import { insertKey } from '../../locations/key-queries.ts'
import { addLocation, type NewLocation } from '../../locations/queries.ts'
import { setRole } from '../../roles/user-role-queries.ts'
import { recordSignIn } from '../../users/credential-queries.ts'
import { insertUser } from '../../users/queries.ts'
import { insertGroup, insertSign, upsertContent } from '../../vms/queries.ts'
import { insertContact } from '../../wanted/contact-queries.ts'
import { databaseAt } from '../setup.ts'
import { createBackends } from './backends.ts'
import { START_MS } from './world.ts'

/** The time at which every history starts. */
const START = new Date(START_MS)
const LOCATIONS = [7, 8]
const TOKEN = 'simulated-user'

const STATION: Omit<NewLocation, 'id' | 'shortName'> = {
  lanes: [1, 2].map((laneNumber) => ({ laneNumber, accuracyClass: null })),
  distanceToCheckpoint: 5_000,
  distanceToSign: 1_000,
  speedLimit: 120,
  speedLimitHeavy: 80,
  direction: 'Warszawa',
  chainage: '1+000',
  roadNumber: 'S8',
  name: 'Simulated',
}

export const WANTED_PLATE = 'WANTED1'
export const ORGANIZATION = 'Simulated'
export const CONTACT = 'officer@example.org'

export type Base = Awaited<ReturnType<typeof createBase>>

/**
 * A database for histories, cloned from that of the address `template`, with two stations, a user, a black list and two
 * signs; `clean` removes all that a history has left, so that each begins the same.
 */
export async function createBase(template: string, name: string) {
  const maintenance = connect(databaseAt(template, 'postgres'), 1)
  await maintenance.query(
    raw(`create database "${name}" template ${new URL(template).pathname.slice(1)} strategy file_copy`),
  )
  const url = databaseAt(template, name)
  const db = connect(url, 1)
  // Vacuum runs at a time of its own, and statements that change tables would wait for it.
  await db.query(
    raw(`do $$ declare name regclass; begin
      for name in select oid from pg_class where relkind = 'r' and relnamespace::regnamespace::text !~ '^(pg_|information_schema)' loop
        execute format('alter table %s set (autovacuum_enabled = off)', name);
      end loop; end $$`),
  )
  await db.query(raw('create schema simulated'))
  await db.query(raw('create table simulated.clock (at timestamptz not null)'))
  await db.query(sql`insert into simulated.clock values (${START}::timestamptz)`)
  // Statements say now() without its schema, so this one is found first by connections with this search path.
  await db.query(
    raw(`create function simulated.now() returns timestamptz stable language sql as 'select at from simulated.clock'`),
  )
  const keys = new Map<number, string>()
  for (const id of LOCATIONS) {
    await addLocation(db, { ...STATION, id, shortName: `S8 ${id}` })
    // A random one would make the history another one in each process.
    const key = `station-${id}`
    await insertKey(db, { keyHash: hashToken(key), locationId: id, createdBy: null, validUntil: null }, START)
    keys.set(id, key)
  }
  const permissions = (['Vms', 'WantedList', 'BlackList', 'Tickets'] as const).map(
    (right) => permissionsOf(right)[0] as string,
  )
  const [role] = await db.query<{ id: number }>(
    sql`insert into role (name, permissions) values ('simulated', ${permissions}) returning id`,
  )
  const person = { username: 'simulated', firstName: 'Test', lastName: 'Test', email: null, passwordHash: 'none' }
  const userId = await insertUser(db, person, START)
  await setRole(db, userId, role?.id as number)
  await recordSignIn(db, userId, person.passwordHash, START)
  await insertSession(db, { tokenHash: hashToken(TOKEN), userId, ip: '127.0.0.1', userAgent: null }, START)
  await insertContact(db, { userId, typeOfContact: EMAIL, contact: CONTACT, description: '', quietHours: null }, START)
  await db.execute(sql`
    insert into wanted_plate (created_at, user_id, type_of_list, plate, misread, description)
    values (${START}::timestamptz, ${userId}, 0, ${WANTED_PLATE}, translate(${WANTED_PLATE}, 'O', '0'), 'Simulated')`)

  const groupId = await insertGroup(db, { locationId: 7, description: 'Simulated', variants: ['One', 'Two'] })
  const texts = [['KONTROLA'], ['ZJAZD', 'NA WAGE']]
  const contentIds: number[] = []
  for (const lines of texts)
    contentIds.push(await upsertContent(db, { description: lines.join(' '), pictogram: null, graphic: null, lines }))
  const place = {
    groupId,
    roadNumber: 'S8',
    driver: 'simulated',
    host: '10.1.1.1',
    port: 161,
    community: 'public',
  } as const
  const signIds: number[] = []
  for (const chainage of ['1+900', '2+000'])
    signIds.push(await insertSign(db, { ...place, chainage, showsPlates: false, contentIds }))

  await db.execute(sql`insert into organization (name) values (${ORGANIZATION})`)
  for (const column of ['run_at', 'created_at', 'updated_at'])
    await db.query(raw(`alter table graphile_worker._private_jobs alter ${column} set default simulated.now()`))
  // As the workers do when they start.
  for (const task of Object.values(DELIVER_JOBS))
    await db.execute(
      sql`insert into graphile_worker._private_tasks (identifier) values (${task}) on conflict do nothing`,
    )
  const sequences = await db.query<{ name: string; at: number }>(sql`
    select quote_ident(schemaname) || '.' || quote_ident(sequencename) as name, last_value as at
    from pg_sequences where last_value is not null`)
  await db.end()
  const backends = await createBackends(url)
  const tablesWithRows = async (): Promise<string[]> => {
    const tables = await backends.ask<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname = 'public' order by 1`,
    )
    const [found = {}] = await backends.ask<Record<string, boolean>>(
      `select ${tables.map(({ name: table }) => `exists (select from ${table}) as "${table}"`).join(', ')}`,
    )
    return Object.keys(found).filter((table) => found[table])
  }
  const filled = await tablesWithRows()
  const images = await Promise.all([80, 120, 160].map((shade) => jpeg(shade)))

  return {
    backends,
    stations: LOCATIONS.map((id) => ({ id, key: keys.get(id) as string })),
    token: TOKEN,
    images,
    groupId,
    signIds,
    /** What a sign shows in a variant, from 1. */
    contents: texts.map((lines) => toMulti({ graphic: null, lines })),
    clean: async () => {
      await backends.reset()
      await backends.ask(CLEAN)
      await backends.ask(
        `select setval(quote_ident(schemaname) || '.' || quote_ident(sequencename), coalesce(k.at, start_value), k.at is not null)
         from pg_sequences left join unnest($1::text[], $2::bigint[]) as k (name, at)
           on k.name = quote_ident(schemaname) || '.' || quote_ident(sequencename)
         where last_value is not null`,
        [sequences.map(({ name: sequence }) => sequence), sequences.map(({ at }) => at)],
      )
    },
    /** @throws if histories have written a table that `clean` does not know */
    assertClean: async () => {
      const left = (await tablesWithRows()).filter((table) => !filled.includes(table))
      if (left.length > 0) throw new Error(`histories write these tables too: ${left.join(', ')}; add them to WRITTEN`)
    },
    end: async () => {
      await backends.end()
      await maintenance.query(raw(`drop database "${name}" with (force)`))
      await maintenance.end()
    },
  }
}

/** Tables that histories write. */
const WRITTEN = [
  'vehicle',
  'vehicle_detail',
  'vehicle_image',
  'traffic_hour',
  'traffic_mark',
  'arrival',
  'location_activity',
  'wanted_hit',
  'outbox',
  'quarantine',
  'vms_command',
  'vms_status',
  'vms_plate',
  'activity',
  'audit',
  'log_unsealed',
  'ticket_service',
  'ticket_lease',
  'ticket_service_progress',
  'ticket_attachment',
  'ticket',
  'graphile_worker._private_jobs',
]

/** Without the triggers that keep these rows from being deleted. */
const CLEAN = `
  set session_replication_role = replica;
  ${WRITTEN.map((table) => `delete from ${table};`).join('\n')}
  update vms_sign set enabled_variant = null, enabled_by = null, enabled_at = null, activity_id = null;
  update vms_group set selected_variant = 1;
  update session set last_seen_at = created_at;
  set session_replication_role = origin`
