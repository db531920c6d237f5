import { expect, test } from 'vitest'
import { importCycle } from './imports.ts'
import { divergingTexts, translationErrors } from './languages.ts'
import { importViolation } from './rules.ts'
import { withoutSql } from './sql.ts'
import { tablesAfter, tableViolations } from './tables.ts'
import { featuresIn, placeholdersByKey, textCallErrors, textCallsOf } from './text-calls.ts'
import { textUsesOf, unusedTexts, usesOfNamespace } from './text-uses.ts'

const fault = (from: string, specifier: string) => importViolation({ from, specifier, reExport: false })

test.each([
  ['contract/src/users.ts', 'zod'],
  ['contract/src/users.ts', './wire.ts'],
  ['domain/src/ingest/limits.ts', '@rogatka/contract/vehicle.ts'],
  ['domain/src/ingest/limits.test.ts', 'vitest'],
  ['simulator/src/station.ts', '@rogatka/domain/ingest/limits.ts'],
  ['simulator/src/image/image.ts', 'sharp'],
  ['api/src/current/routes.ts', '../core/route.ts'],
  ['api/src/current/routes.ts', '../vehicle/public-api.ts'],
  ['api/src/current/routes.ts', './window.ts'],
  ['api/src/current/current.test.ts', '../ingest/routes.ts'],
  ['api/src/core/error-mapping.ts', '@rogatka/contract/errors/pl.json'],
  ['api/src/app.ts', './current/routes.ts'],
  ['web/src/current/CurrentPage.tsx', '../ui/Plate.tsx'],
  ['web/src/current/CurrentPage.tsx', '../locations/publicApi.ts'],
  ['web/src/current/CurrentPage.tsx', '@tanstack/react-query'],
  ['web/src/routes.tsx', './current/CurrentPage.tsx'],
  ['web/src/ui/Plate.tsx', '@mantine/core'],
  ['web/vite.config.ts', 'node:fs'],
  ['e2e/src/database-proxy.ts', '@rogatka/api/testing/tcp-proxy.ts'],
  ['e2e/factors-providers.spec.ts', '@rogatka/api/testing/oidc-provider.ts'],
])('%s may import %s', (from, specifier) => {
  expect(fault(from, specifier)).toBeNull()
})

test.each([
  ['contract/src/users.ts', 'fastify'],
  ['contract/src/users.ts', 'node:fs'],
  ['contract/src/users.ts', '@rogatka/domain/session/passwordAge.ts'],
  ['domain/src/ingest/limits.ts', 'zod'],
  ['domain/src/ingest/limits.ts', 'node:fs'],
  ['domain/src/ingest/limits.ts', '@rogatka/api/config.ts'],
  ['e2e/src/portal.ts', '@rogatka/api/config.ts'],
  ['simulator/src/station.ts', '@rogatka/api/testing/tcp-proxy.ts'],
  ['simulator/src/station.ts', 'postgres'],
  ['simulator/src/station.ts', 'pg'],
  ['simulator/src/station.ts', '@rogatka/api/core/database.ts'],
  ['simulator/src/station.ts', '../../contract/src/vehicle.ts'],
  ['api/src/current/routes.ts', '../vehicle/routes.ts'],
  ['api/src/current/routes.ts', '../vehicle/queries.ts'],
  ['api/src/core/route.ts', '../users/public-api.ts'],
  ['web/src/current/CurrentPage.tsx', '../locations/useLocations.ts'],
  ['api/src/current/routes.ts', '../vehicle/shape.ts'],
  ['api/src/current/routes.ts', '../app.ts'],
  ['api/src/current/routes.ts', '@rogatka/simulator/station.ts'],
  ['api/src/current/routes.ts', '@rogatka/api/core/route.ts'],
  ['api/src/current/routes.ts', '../testing/test-api.ts'],
  ['api/src/current/routes.ts', '../core/route'],
  ['api/src/core/route.ts', '../users/queries.ts'],
  ['web/src/current/CurrentPage.tsx', '../vehicle/VehiclePage.tsx'],
  ['web/src/current/CurrentPage.tsx', '../routes.tsx'],
  ['web/src/current/CurrentPage.tsx', 'node:path'],
  ['web/src/current/CurrentPage.tsx', '@rogatka/api/config.ts'],
  ['web/src/core/Frame.tsx', '../current/useVehicles.ts'],
  ['web/src/ui/Plate.tsx', '../core/call.ts'],
  ['web/src/ui/Plate.tsx', '../current/useVehicles.ts'],
  ['web/src/ui/Plate.tsx', '@tanstack/react-router'],
])('%s may not import %s', (from, specifier) => {
  expect(fault(from, specifier)).toEqual(expect.any(String))
})

test('rejects re-exports', () => {
  expect(importViolation({ from: 'web/src/ui/all.ts', specifier: './Plate.tsx', reExport: true })).toContain(
    're-exports',
  )
})

test('lets only a public API re-export, and only its own feature', () => {
  const from = 'api/src/users/public-api.ts'
  expect(importViolation({ from, specifier: './queries.ts', reExport: true })).toBeNull()
  expect(importViolation({ from, specifier: '../roles/public-api.ts', reExport: true })).toContain('own feature')
})

test('names the tables that a part may not write or read', () => {
  const access = { ticket: { owner: 'tickets', readers: ['activity'] }, audit: { owner: 'core' } }
  const update = 'sql`update ticket set version = 2`'
  const join = 'sql`select 1 from ticket t join audit a on a.ticket_id = t.id` // from nothing'
  expect(tableViolations('tickets', update, access)).toEqual([])
  expect(tableViolations('activity', update, access)).toEqual(['writes ticket, which tickets owns'])
  expect(tableViolations('activity', join, access)).toEqual(['reads audit and is not among its readers'])
  expect(tableViolations('core', 'sql`delete from ticket t using audit a`', access)).toEqual([
    'writes ticket, which tickets owns',
  ])
})

test.each([
  ['select 1 from ticket t, audit a where a.ticket_id = t.id', true],
  ['select 1 from (select id from ticket where id in (1, 2)) t, only audit', true],
  [`select 1 from unnest(\${ids}::int[], \${times}) as t (id, at), audit a`, true],
  ["select 1 from ticket t join tag g on g.name = 'a, b' and g.id in (1, 2), audit a", true],
  ['delete from tag t using ticket, audit a', true],
  ['update tag set id = 1 from ticket t, audit a', true],
  ['select 1 from ticket t where t.id in (select 1), audit', false],
  ['select a is distinct from b, audit from ticket', false],
  ['select extract(year from at), audit from ticket order by id, audit', false],
  ['insert into tag (id) select id from ticket on conflict (id) do update set id = 1, audit = 2', false],
])('finds each table of a list in %s', (text, isRead) => {
  const access = { ticket: { owner: 'tickets' }, tag: { owner: 'tickets' }, audit: { owner: 'core' } }
  const found = isRead ? ['reads audit and is not among its readers'] : []
  expect(tableViolations('tickets', `sql\`${text}\``, access)).toEqual(found)
})

test('lists the tables that migrations leave', () => {
  const migrations = [
    '-- create table never\ncreate table a (x int); create unlogged table b (y int);',
    'alter table a rename to c; drop table if exists b; create table c_2026 partition of c default',
  ]
  expect(tablesAfter(migrations)).toEqual(['c'])
})

test('finds what is no SQL in a query module', () => {
  const file = `
    export const count = (db: Database) => db.query(sql\`select 1\`)
    export const part = (table: Statement): Statement => sql\`from \${table}\`
    export function normalise(text: string) { return text.trim() }
    export const LIMIT = 5`
  expect(withoutSql(file)).toEqual(['normalise'])
})

test('finds and names an import cycle', () => {
  const graph = new Map([
    ['start', ['a']],
    ['a', ['b', 'c']],
    ['b', []],
    ['c', ['b', 'a']],
  ])
  expect(importCycle(graph)).toEqual(['a', 'c', 'a'])
  graph.set('c', ['b'])
  expect(importCycle(graph)).toBeNull()
})

test('reports missing keys, empty texts, plural forms and placeholders', () => {
  const good = {
    greeting: 'Hi {{name}}',
    cars_one: '{{count}}',
    cars_few: '{{count}}',
    cars_many: '{{count}}',
    cars_other: '{{count}}',
  }
  const { cars_many: _, ...withoutMany } = good
  const byLanguage = {
    pl: withoutMany,
    en: { ...good, greeting: ' ' },
    lt: good,
    de: { ...good, greeting: 'Hallo' },
    ro: good,
  }
  expect(translationErrors({ ...byLanguage, pl: good, en: good, de: good })).toEqual([])
  expect(translationErrors(byLanguage)).toEqual([
    'en: greeting has no text',
    'de: greeting has other {{…}} than pl',
    'pl: cars_many has no text',
  ])
})

test('reports texts that are the same in Polish and English, but not in another language', () => {
  const stations = { pl: { state: 'Stan' }, en: { state: 'State' }, lt: { state: 'Būsena' }, de: { state: 'Zustand' } }
  const imports = { ...stations, de: { state: 'Status' } }
  const otherEnglish = { ...imports, en: { state: 'Condition' } }
  const features = (...all: Record<string, Record<string, string>>[]) =>
    all.map((byLanguage, at) => ({ feature: `feature-${at}`, byLanguage }))
  expect(divergingTexts(features(stations, otherEnglish, stations))).toEqual([])
  expect(divergingTexts(features(stations, imports))).toEqual([
    {
      language: 'de',
      source: 'Stan | State',
      error: 'de: Stan | State: Zustand (feature-0:state), Status (feature-1:state)',
    },
  ])
})

test('compares all plural forms of a text at once', () => {
  const lorries = { pl: { n_one: 'tir', n_other: 'tiry' }, en: { n_one: 'lorry', n_other: 'lorries' } }
  const [one, other] = [
    { n_one: 'Lkw', n_other: 'Lkw' },
    { n_one: 'Lkw', n_other: 'Laster' },
  ]
  const features = [one, other].map((de, at) => ({ feature: `feature-${at}`, byLanguage: { ...lorries, de } }))
  expect(divergingTexts(features).map(({ error }) => error)).toEqual([
    'de: tir / tiry | lorry / lorries: Lkw / Lkw (feature-0:n), Lkw / Laster (feature-1:n)',
  ])
})

const texts = new Map([
  [
    'users',
    placeholdersByKey([
      new Map([
        ['greeting', 'Hi {{name}}'],
        ['cars_other', '{{count}} cars'],
        ['state-ok', 'OK'],
      ]),
    ]),
  ],
  ['core', placeholdersByKey([new Map([['save', 'Save']])])],
])

test.each([
  ["t('greeting', { name })", []],
  ["t('greeting', { name: user.name, extra })", []],
  ["t('greeting', values)", []],
  ["t('core:save')", []],
  ["t('cars', { count: 3 })", []],
  [`t(\`state-\${state}\`)`, []],
  ['t(computed)', []],
  ["t('greting')", ['users:greting has no text']],
  ["t('save')", ['users:save has no text']],
  ["t('users:save')", ['users:save has no text']],
  [`t(\`status-\${state}\`)`, ['users:status-* has no text']],
  ["t('greeting')", ['users:greeting has no value for name']],
  ["t('greeting', { nam: 1 })", ['users:greeting has no value for name']],
  ["t('cars', { shown })", ['users:cars has no value for count']],
  ["t(isNew ? 'state-ok' : 'state-old')", ['users:state-old has no text']],
  ["t(isNew ? 'state-ok' : 'greeting')", ['users:greeting has no value for name']],
])('the text call %s has the errors %j', (call, errors) => {
  const source = `const A = () => {\n  const { t } = useTranslation('users')\n  return ${call}\n}`
  const calls = textCallsOf('web/src/users/A.tsx', source, () => [])
  expect(calls).toHaveLength(1)
  expect(calls.flatMap((one) => textCallErrors(one, texts))).toEqual(
    errors.map((error) => `web/src/users/A.tsx:3: ${error}`),
  )
})

test('finds text calls by the name and the feature of their function', () => {
  const source = `
    function Outer({ feature }) {
      const { t: core } = useTranslation()
      const { t } = useTranslation(feature)
      return <b title={core('save')}>{list.map(() => t('greeting'))}</b>
    }
    const other = t('outside')`
  const calls = textCallsOf('web/src/ui/Outer.tsx', source, (name) => (name === 'Outer' ? ['users', 'roles'] : []))
  expect(calls.map(({ namespaces, keys }) => [namespaces, keys])).toEqual([
    [['core'], ['save']],
    [['users', 'roles'], ['greeting']],
  ])
  expect(featuresIn('<Outer\n  label="a"\n  feature="users" /><Outer rows={() => rows} feature="roles">')).toEqual([
    ['Outer', 'users'],
    ['Outer', 'roles'],
  ])
})

const words = new Set(['open', 'of', 'axles'])
const keys = ['title', 'state-open', 'state-lost', 'menu.title', 'menu.axles']

test.each([
  ["import a from 'title'; let b: 'state-open'", []],
  ["t(isNew ? 'title' : 'other')", ['title']],
  [`t(\`state-\${state}\`)`, ['state-open']],
  [`t(\`\${about}-\${state}\`)`, []],
  ["format('menu.axles')", ['menu.axles']],
  ['menu[key]', ['menu.axles']],
  ["texts['menu'].title", ['title', 'menu.title']],
  ['const { menu: { axles } } = texts', ['menu.axles']],
])('the code %s uses the texts %j', (source, used) => {
  const uses = textUsesOf('api/src/users/a.ts', source, { readsObjects: true })
  expect(keys.filter((key) => !unusedTexts(keys, uses, words).includes(key))).toEqual(used)
})

test('uses a text of another namespace by its prefix alone', () => {
  const uses = textUsesOf('web/src/a.ts', "t('users:title')", { readsObjects: false })
  expect(unusedTexts(['title'], uses, words)).toEqual(['title'])
  expect(unusedTexts(['title'], usesOfNamespace(uses, 'users'), words)).toEqual([])
  expect(unusedTexts(['title'], usesOfNamespace(uses, 'roles'), words)).toEqual(['title'])
})
