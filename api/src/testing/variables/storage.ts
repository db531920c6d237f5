import { readdir, readFile, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { sql } from '../../core/statement.ts'
import { car, jpeg, send, sendImage } from '../../ingest/testing.ts'
import { startService } from '../services.ts'
import type { TestApi } from '../test-api.ts'
import { configured, createFolder, daysBefore, type Env, filled, NOW, shownToAll } from './configured.ts'
import type { VariableEffect } from './effects.ts'

/** Whether vehicles and images of these ages are accepted. */
async function takenOfAge(env: Env, daysOld: readonly number[]) {
  const api = await configured({ DATA_DIR: await createFolder(), DISK_RESERVE_MB: '0', ...env })
  const station = await api.station()
  const cars = daysOld.map((days, index) => car(index + 1, { createdAt: daysBefore(days) }))
  const { body } = await send(station, cars)
  const images: number[] = []
  for (const one of cars) images.push((await sendImage(station, one, 'front', await jpeg())).status)
  return { accepted: body.accepted, images }
}

/** The bounds of the partition of the first vehicle, from the catalogue. */
const boundsOf = async (api: TestApi) => {
  const [vehicle] = await api.db.query<{ day: string }>(
    sql`select to_char(min(created_at) at time zone 'UTC', 'YYYY-MM-DD') as day from vehicle`,
  )
  const partitions = await api.db.query<{ bounds: string }>(sql`
    select pg_get_expr(relpartbound, oid) as bounds from pg_inherits join pg_class on oid = inhrelid
    where inhparent = 'vehicle'::regclass`)
  const days = partitions.map(({ bounds }) => Array.from(bounds.matchAll(/\d{4}-\d\d-\d\d/g), ([day]) => day))
  return days.find(([from = '', to = '']) => vehicle && from <= vehicle.day && vehicle.day < to)
}

/** Effects of the variables of storage and retention. */
export const storageEffects: Record<string, VariableEffect> = {
  DATA_DIR: {
    title: 'stores the images',
    cases: [
      ['{folder}/one', ['one']],
      ['{folder}/other', ['other']],
    ],
    observe: async (env) => {
      const folder = await createFolder()
      const station = await (await configured({ DISK_RESERVE_MB: '0', ...filled(env, 'folder', folder) })).station()
      await send(station, [car(1)])
      expect((await sendImage(station, car(1), 'front', await jpeg())).status).toBe(204)
      const [image] = (await readdir(folder, { recursive: true })).filter((name) => /-[0-9a-f]{16}\.jpg$/.test(name))
      expect(await readFile(join(folder, image ?? ''))).toEqual(await jpeg())
      return readdir(folder)
    },
  },
  S3_URL: {
    title: 'stores the images in S3',
    cases: [
      [undefined, []],
      ['http://key:secret@{address}/bucket-7?region=eu-test-7', ['/bucket-7/images/2026-10']],
    ],
    observe: async (env) => {
      const store = await startService()
      const settings = { DATA_DIR: await createFolder(), DISK_RESERVE_MB: '0' }
      const station = await (await configured({ ...settings, ...filled(env, 'address', store.address) })).station()
      await send(station, [car(1)])
      expect((await sendImage(station, car(1), 'front', await jpeg())).status).toBe(204)
      const put = store.requests.filter(({ method }) => method === 'PUT')
      return put.slice(0, 1).map(({ path }) => path.slice(0, '/bucket-7/images/2026-10'.length))
    },
  },
  // Without DATABASE_URL the embedded database is on the same disk, so measurements are refused, too.
  DISK_RESERVE_MB: {
    title: 'reserves free disk space, and 0 none',
    cases: [
      ['{twice}', [503, 503]],
      ['{half}', [200, 204]],
      ['0', [200, 204]],
    ],
    observe: async (env) => {
      const folder = await createFolder()
      const { bavail, bsize } = await statfs(folder)
      const free = Math.floor((bavail * bsize) / 1024 ** 2)
      const settings = filled(filled(env, 'twice', String(free * 2)), 'half', String(Math.floor(free / 2)))
      const station = await (await configured({ DATA_DIR: folder, ...settings })).station()
      const measured = await send(station, [car(1)])
      return [measured.status, (await sendImage(station, car(1), 'front', await jpeg())).status]
    },
  },
  PARTITIONS: {
    title: 'sets how much time a new partition holds',
    cases: [
      [undefined, ['2026-10-01', '2026-11-01']],
      ['month', ['2026-10-01', '2026-11-01']],
      ['week', ['2026-10-19', '2026-10-26']],
    ],
    observe: async (env) => {
      const api = await configured(env)
      await send(await api.station(), [car(1)])
      return boundsOf(api)
    },
  },
  RETENTION_DAYS: {
    title: 'limits the age of accepted vehicles and images',
    cases: [
      [undefined, { accepted: 4, images: [204, 204, 204, 422, 422] }],
      ['30', { accepted: 2, images: [204, 204, 422, 422, 422] }],
      ['5', { accepted: 1, images: [204, 422, 422, 422, 422] }],
    ],
    observe: async (env) => takenOfAge(env, [4, 29, 89, 729, 731]),
  },
  IMAGE_RETENTION_DAYS: {
    title: 'limits the age of accepted images, and is public',
    cases: [
      [undefined, [90, { accepted: 4, images: [204, 204, 204, 422] }]],
      ['10', [10, { accepted: 4, images: [204, 422, 422, 422] }]],
    ],
    observe: async (env) => [(await shownToAll(env)).imageRetentionDays, await takenOfAge(env, [9, 11, 89, 91])],
  },
  INSPECTION_RETENTION_DAYS: {
    title: 'limits how long closed inspections are kept, and ended ones if it is shorter than a year',
    cases: [
      [undefined, ['closed 1824', 'withdrawn 364']],
      ['40', ['closed 39', 'passedBy 39']],
    ],
    observe: async (env) => {
      const api = await configured(env)
      await api.station()
      const ages = env.INSPECTION_RETENTION_DAYS
        ? { closed: [39, 41], withdrawn: [41], passedBy: [39] }
        : { closed: [1_824, 1_826], withdrawn: [364, 366], passedBy: [366] }
      const [user] = [await api.as('Inspections')]
      for (const [state, days] of Object.entries(ages))
        for (const age of days)
          await api.db.execute(sql`
            insert into inspection (code, year, sequence, state, selection, location_id, announced_at, announced_by, passes_at,
                                    closed_at, withdrawn_at, passed_by_at, shift_day, shift_start, idempotency_key, request_digest)
            values (${state}, 2020, ${age}, ${state}, 'random', 7, '2019-01-01', ${user.userId}, '2019-01-01',
                    ${daysBefore(age)}, ${daysBefore(age)}, ${daysBefore(age)}, '2019-01-01', '06:00', ${`${state}${age}`}, '')`)
      await api.app.jobs.recurring.find(({ name }) => name === 'delete-inspections')?.work()
      const kept = await api.db.query<{ kept: string }>(
        sql`select state || ' ' || sequence as kept from inspection order by state, sequence`,
      )
      return kept.map(({ kept }) => kept)
    },
  },
  ACTIVITY_RETENTION_DAYS: {
    title: 'limits how long the history keeps ended visits',
    cases: [
      [undefined, [39, 41, 729, null]],
      ['40', [39, null]],
    ],
    observe: async (env) => {
      const api = await configured(env)
      const began = daysBefore(732)
      for (const ended of [39, 41, 729, 731, null])
        await api.db.execute(sql`insert into activity (user_id, event_type, created_at, login_at, logout_at)
                      values (1, 1, ${began}, ${began}, ${ended === null ? null : daysBefore(ended)})`)
      await api.app.jobs.recurring.find(({ name }) => name === 'delete-old-history')?.work()
      const kept = await api.db.query<{ ended: Date | null }>(sql`select logout_at as ended from activity order by id`)
      return kept.map(({ ended }) => ended && (NOW - ended.getTime()) / 86_400_000)
    },
  },
}
