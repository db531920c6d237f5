import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { eventually, testApi } from '../testing/test-api.ts'
import { assertSupported, migrate } from './migrate.ts'
import { MIGRATIONS, watchSchema } from './schema-version.ts'
import { sql } from './statement.ts'

test('refuses PostgreSQL below 16 and names its version', () => {
  expect(() => assertSupported(150018)).toThrow('DATABASE_URL: PostgreSQL 16 or newer is needed, this is 15.18')
  for (const version of [160000, 160004, 180001]) expect(() => assertSupported(version)).not.toThrow()
})

test('logs start and end of each migration, and only the start of a failed one', async () => {
  const api = await testApi()
  const folder = await mkdtemp(join(tmpdir(), 'rogatka-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(join(import.meta.dirname, '../../migrations'), folder, { recursive: true })
  const add = (name: string, content: string) => writeFile(join(folder, `${name}.sql`), content)
  const lines: string[] = []
  const log = (line: string) => lines.push(line.replace(/\d+ ms$/, '# ms'))

  await migrate(api.url, log, folder)
  expect(lines).toEqual([])
  await add('9997-add-a-table', 'create table added (id int);')
  await add('9998-fill-it', 'insert into added values (1);')
  await migrate(api.url, log, folder)
  await add('9999-fail', 'insert into missing values (1);')
  await expect(migrate(api.url, log, folder)).rejects.toThrow('missing')
  expect(lines).toEqual([
    'Migration 9997-add-a-table: started',
    'Migration 9997-add-a-table: done in # ms',
    'Migration 9998-fill-it: started',
    'Migration 9998-fill-it: done in # ms',
    'Migration 9999-fail: started',
  ])
})

test('refuses to start on an unknown migration, and reports one that appears later', async () => {
  const api = await testApi()
  await migrate(api.url)
  const noticed: string[] = []
  const folder = await mkdtemp(join(tmpdir(), 'rogatka-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(MIGRATIONS, folder, { recursive: true })
  const watch = watchSchema(api.db, (migration) => noticed.push(migration), 20, folder)
  onTestFinished(watch.stop)
  // An upgrade replaces the files while the old version still runs.
  await writeFile(join(folder, '9999-of-a-newer-version.sql'), '')
  const restore = await api.loseDatabase()
  await restore()
  expect(noticed).toEqual([])

  await eventually(() =>
    api.db.execute(sql`insert into migration (name, run_on) values ('9999-of-a-newer-version', now())`),
  )
  await eventually(() => expect(noticed).toEqual(['9999-of-a-newer-version']))
  await expect(migrate(api.url)).rejects.toThrow('9999-of-a-newer-version')
})
