import { posix } from 'node:path'
import { errorCodes } from '@rogatka/contract/errors.ts'
import { languages } from '@rogatka/contract/languages.ts'
import { expect, test } from 'vitest'
import { exists, type Import, importCycle, importsOf, packageOf, targetOf } from './src/architecture/imports.ts'
import { divergingTexts, flat, PLURAL, translationErrors } from './src/architecture/languages.ts'
import { migrationViolations } from './src/architecture/migrations.ts'
import { importViolation } from './src/architecture/rules.ts'
import { correlatedIn, withoutSql } from './src/architecture/sql.ts'
import { tableAccess, tablesAfter, tableViolations } from './src/architecture/tables.ts'
import { featuresIn, placeholdersByKey, textCallErrors, textCallsOf } from './src/architecture/text-calls.ts'
import { joinUses, matchPattern, textUsesOf, unusedTexts, usesOfNamespace } from './src/architecture/text-uses.ts'
import { lazyPartsOf, pages, textsOf } from './src/architecture/texts.ts'
import {
  featureOf,
  features,
  filesBelow,
  isCode,
  isTest,
  packages,
  sharedParts,
  textOf,
} from './src/architecture/tree.ts'

const files = filesBelow('.').filter((path) => packages.includes(path.split('/')[0] ?? ''))
const code = files.filter(isCode)
const imports: Import[] = code.flatMap(importsOf)

const linesOf = (path: string) => textOf(path).split('\n')
const linesMatching = (paths: string[], pattern: RegExp) =>
  paths.flatMap((path) =>
    linesOf(path).flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1} ${line.trim()}`] : [])),
  )

test.each(Object.entries(sharedParts))('every part of %s is a feature or a shared part', (workspace, besides) => {
  const known = [...features, ...besides.names]
  const inPlace = workspace === 'e2e' ? files.filter((path) => /^e2e\/[^/]+\.spec\.ts$/.test(path)) : code
  // Tests outside of features cover several of them.
  const ofAll = (path: string) => workspace !== 'e2e' && isTest(path) && path.split('/').length === 3
  const unknown = inPlace.filter(
    (path) => path.startsWith(`${besides.folder}/`) && !known.includes(featureOf(path)) && !ofAll(path),
  )
  expect(unknown).toEqual([])
})

test('every import follows the architecture rules', () => {
  const violations = imports.flatMap((it) => {
    const violation = importViolation(it)
    return violation === null ? [] : [`${it.from}: '${it.specifier}' ${violation}`]
  })
  expect(violations).toEqual([])
})

test('every imported file exists', () => {
  const missing = imports.filter((it) => {
    const target = targetOf(it)
    return target !== null && !exists(target)
  })
  expect(missing.map(({ from, specifier }) => `${from}: ${specifier}`)).toEqual([])
})

test('every imported package is declared by the workspace that imports it', () => {
  const declared = new Map(
    [...packages, '.'].map((workspace) => {
      const manifest = JSON.parse(textOf(`${workspace}/package.json`))
      return [workspace, Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })]
    }),
  )
  const undeclared = imports.filter((it) => {
    const name = packageOf(it)
    const isTestTool = isTest(it.from) && declared.get('.')?.includes(name ?? '')
    return name !== null && !isTestTool && !declared.get(it.from.split('/')[0] ?? '')?.includes(name)
  })
  expect(undeclared.map(({ from, specifier }) => `${from}: ${specifier}`)).toEqual([])
})

test.each(packages)('every dependency of %s is used', (workspace) => {
  const { dependencies = {} } = JSON.parse(textOf(`${workspace}/package.json`))
  const sources = files.filter((path) => path.startsWith(`${workspace}/`) && /\.(tsx?|css)$/.test(path)).map(textOf)
  const isUsed = (name: string) => sources.some((text) => text.includes(name))
  expect(Object.keys(dependencies).filter((name) => !isUsed(name))).toEqual([])
})

test('no import cycles', () => {
  const graph = new Map(code.map((path) => [path, [] as string[]]))
  for (const it of imports) {
    const target = targetOf(it)
    if (target !== null) graph.get(it.from)?.push(target)
  }
  expect(importCycle(graph)?.join(' → ') ?? 'none').toBe('none')
})

/** The import graph of the features of a package, without tests and composition roots. */
function featureGraph(workspace: string): Map<string, string[]> {
  const graph = new Map(features.map((feature) => [feature, [] as string[]]))
  for (const it of imports) {
    const target = targetOf(it)
    if (!it.from.startsWith(`${workspace}/src/`) || !target?.startsWith(`${workspace}/src/`) || isTest(it.from))
      continue
    const [from, to] = [featureOf(it.from), featureOf(target)]
    if (from !== to && graph.has(to)) graph.get(from)?.push(to)
  }
  return graph
}

test.each(['contract', 'domain', 'api', 'web'])('features of %s form no cycle', (workspace) => {
  expect(importCycle(featureGraph(workspace))?.join(' → ') ?? 'none').toBe('none')
})

const server = code.filter((path) => path.startsWith('api/src/') && !isTest(path))

const TABLES = 'e2e/src/architecture/tables.ts'

test('every table has one owner, and no other part writes it', () => {
  const migrations = files.filter((path) => path.startsWith('api/migrations/')).toSorted()
  const tables = tablesAfter(migrations.map(textOf))
  const owned = Object.keys(tableAccess)
  const violations = server.flatMap((path) =>
    tableViolations(featureOf(path), textOf(path)).map((violation) => `${path} ${violation}`),
  )
  expect([
    ...tables.filter((table) => !owned.includes(table)).map((table) => `${table} has no owner: add it to ${TABLES}`),
    ...owned
      .filter((table) => !tables.includes(table))
      .map((table) => `${table} does not exist: remove it from ${TABLES}`),
    ...violations,
  ]).toEqual([])
  expect(owned).toEqual(owned.toSorted())
})

test('SQL of features is in query modules, which contain nothing else', () => {
  const isQueries = (path: string) => /(^|[/-])queries\.ts$/.test(path)
  const inFeatures = server.filter((path) => features.includes(featureOf(path)))
  const misplaced = inFeatures.filter((path) => !isQueries(path) && /\bsql`/.test(textOf(path)))
  expect(misplaced).toEqual([])
  expect(
    inFeatures.filter(isQueries).flatMap((path) => withoutSql(textOf(path)).map((name) => `${path} ${name}`)),
  ).toEqual([])
})

test('no file is a barrel', () => {
  expect(code.filter((path) => /\/index\.tsx?$/.test(path))).toEqual([])
})

/** Split, so that this file contains none of them. */
const TODO_MARKERS = ['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX']

test(`has no ${TODO_MARKERS[0]} comments`, () => {
  const marker = new RegExp(`\\b(${TODO_MARKERS.join('|')})\\b`)
  expect(
    linesMatching(
      files.filter((path) => /\.(tsx?|sql|css|html)$/.test(path)),
      marker,
    ),
  ).toEqual([])
})

test('no file has conflict markers', () => {
  const texts = filesBelow('.').filter((path) => /\.(tsx?|js|json|ya?ml|md|sql|css|html|cfg|conf|service)$/.test(path))
  expect(texts.length).toBeGreaterThan(1_000)
  expect(linesMatching(texts, /^(<{7}|>{7}) /)).toEqual([])
})

test('permissions appear by number only where rights are defined', () => {
  const numbered = code.filter((path) => path !== 'contract/src/access.ts' && !isTest(path))
  expect(linesMatching(numbered, /\bROLE_\d/)).toEqual([])
})

const migrations = filesBelow('api/migrations').toSorted()
const numberOf = (migration: string) => Number(/\/(\d{4})-/.exec(migration)?.[1])
const lastBeforeRules = Number(/LAST_BEFORE_RULES = (\d+)/.exec(textOf('api/src/core/migration-order.ts'))?.[1])

test('every migration has a unique number and a sentence as its name', () => {
  expect(migrations.filter((path) => !/\/\d{4}(-[a-z0-9]+){2,}\.sql$/.test(path))).toEqual([])
  const sameNumber = [...Map.groupBy(migrations, numberOf).values()].filter((paths) => paths.length > 1)
  expect(sameNumber).toEqual([])
})

test('every migration after 0068 has the number after the one before it', () => {
  expect(lastBeforeRules).toBe(68)
  const numbers = migrations.map(numberOf).filter((number) => number >= lastBeforeRules)
  expect(numbers).toEqual(numbers.map((_, place) => lastBeforeRules + place))
})

test('every migration after 0068 follows the rules of docs/migrations.md', () => {
  const releases = Array.from(textOf('CHANGELOG.md').matchAll(/^## (\d\S*)/gm), ([, version]) => version ?? '')
  const violations = migrations
    .filter((path) => numberOf(path) > lastBeforeRules)
    .flatMap((path) => migrationViolations(textOf(path), releases).map((violation) => `${path}: ${violation}`))
  expect(violations).toEqual([])
})

test('docs/operations.md documents every environment variable, and no other', () => {
  const read = [...textOf('api/src/config.ts').matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name)
  const documented = [...textOf('docs/operations.md').matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|/gm)].map(([, name]) => name)
  expect([
    ...read.filter((name) => !documented.includes(name)).map((name) => `${name}: add a row to docs/operations.md`),
    ...documented.filter((name) => !read.includes(name)).map((name) => `${name}: not read by api/src/config.ts`),
  ]).toEqual([])
})

/** The anchors of the headings of a document, as GitHub makes them. */
const anchorsOf = (path: string) =>
  Array.from(textOf(path).matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

test('every link between documents resolves, with its heading', () => {
  const documents = filesBelow('.').filter((path) => path.endsWith('.md'))
  const missing = documents.flatMap((path) =>
    [...textOf(path).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].flatMap(([, link, anchor]) => {
      const target = link ? posix.join(posix.dirname(path), link) : path
      const resolves = exists(target) && (!anchor || anchorsOf(target).includes(anchor))
      return resolves ? [] : [`${path}: ${link}${anchor ? `#${anchor}` : ''}`]
    }),
  )
  expect(missing).toEqual([])
})

test('every source file that documents name exists', () => {
  const superseded = /^\*\*Status\*\* superseded/m
  const documents = filesBelow('.').filter((path) => path.endsWith('.md') && !superseded.test(textOf(path)))
  const named = documents.flatMap((path) =>
    Array.from(textOf(path).matchAll(/`(?!\/)([\w./-]+\.(?:tsx?|css|sql))`/g), ([, name = '']) => ({ path, name })),
  )
  expect(named.length).toBeGreaterThan(100)
  const all = filesBelow('.')
  const missing = named.filter(
    ({ name }) => !name.includes('NNNN') && !all.some((file) => `/${file}`.endsWith(`/${name}`)),
  )
  expect(missing.map(({ path, name }) => `${path}: ${name}`)).toEqual([])
})

const languageFolders = [
  ...new Set(
    files.filter((path) => /\/(pl|en|lt|de|ro)\.json$/.test(path)).map((path) => path.replace(/\/[^/]+$/, '')),
  ),
]

test.each(languageFolders)('%s has the same keys, plural forms and placeholders in five languages', (folder) => {
  const missing = languages.filter((language) => !files.includes(`${folder}/${language}.json`))
  expect(missing).toEqual([])
  const texts = languages.map((language) => [language, JSON.parse(textOf(`${folder}/${language}.json`))])
  expect(translationErrors(Object.fromEntries(texts))).toEqual([])
})

/** Texts whose translations into a language differ, by `language: Polish | English`, and why. */
const DIVERGING_TEXTS: Record<string, string> = {
  'lt: wszystkie | all': 'gender: entries and events are masculine, stations and lanes feminine',
  'lt: nic | nothing': 'case: instrumental after "Palyginti su"',
  'lt: Wyloguj | Sign out': 'reflexive for the own session, transitive for another one',
  'lt: średnie | medium': 'number and gender: alarms, or one password',
  'ro: średnie | medium': 'number and gender: alarms, or one password',
  'ro: unieważniony | revoked': 'gender: a key is feminine, a system and a device are neuter',
  'lt: zamknięta | closed': 'two verbs: an inspection is completed, a station is shut',
  'de: zamknięta | closed': 'two verbs: an inspection is completed, a station is shut',
  'ro: zamknięta | closed': 'two verbs: an inspection is completed, a station is shut',
  'de: Okres | Period': 'two nouns: a range of time, or one slot of a chart',
  'de: Prędkość [km/h] | Speed [km/h]': 'abbreviated at the head of a narrow row',
  'lt: Pojazdy | Vehicles': 'abbreviated at the head of a narrow column',
  'lt: Przejazdy | Detections': 'abbreviated at the head of a narrow column',
}

test('a text that is the same in Polish and English is the same in each other language', () => {
  const all = languageFolders.map((folder) => ({
    feature: folder.replace('/src/', '/'),
    byLanguage: Object.fromEntries(
      languages.map((language) => [language, JSON.parse(textOf(`${folder}/${language}.json`))]),
    ),
  }))
  const found = divergingTexts(all).map(({ language, source, error }) => ({ key: `${language}: ${source}`, error }))
  expect(found.flatMap(({ key, error }) => (key in DIVERGING_TEXTS ? [] : [error]))).toEqual([])
  const diverging = found.map(({ key }) => key)
  expect(Object.keys(DIVERGING_TEXTS).filter((key) => !diverging.includes(key))).toEqual([])
})

test('every text call of the web client has a key with a text, and a value for each of its placeholders', () => {
  const sources = code.filter((path) => path.startsWith('web/src/') && !isTest(path))
  const uses = sources.flatMap((path) => featuresIn(textOf(path)))
  const featuresOf = (component: string) => [
    ...new Set(uses.flatMap(([name, feature]) => (name === component ? feature : []))),
  ]
  const texts = new Map(
    languageFolders.map((folder) => [
      folder.split('/').at(-1) ?? '',
      placeholdersByKey(languages.map((language) => flat(JSON.parse(textOf(`${folder}/${language}.json`))))),
    ]),
  )
  const calls = sources.flatMap((path) => textCallsOf(path, textOf(path), featuresOf))
  expect(calls.length).toBeGreaterThan(1_000)
  expect(calls.flatMap((call) => textCallErrors(call, texts))).toEqual([])
})

/** Texts whose key begins with an expression or with a prefix from a table. */
const COMPUTED_TEXTS = [
  'activity:shows-*',
  'activity:value-*',
  'core:nav-*-short',
  'vehicle:*-in',
  'wanted:no-*-anonymised',
]

/** Words of the code: values of expressions in keys. */
const words = new Set(
  code.filter((path) => !isTest(path)).flatMap((path) => textOf(path).match(/-?[\p{L}\d][\p{L}\d_-]*/gu) ?? []),
)

/** Unused texts of a package. `isUser`: whether a file of another feature may use texts of a namespace without its prefix. */
function unusedIn(workspace: 'api' | 'web', isUser: (path: string, namespace: string) => boolean): string[] {
  // Charts of the domain read texts of the API as objects.
  const readsObjects = workspace === 'api'
  const sources = code.filter(
    (path) => (readsObjects ? /^(api|domain)\/src\//.test(path) : path.startsWith('web/src/')) && !isTest(path),
  )
  const uses = new Map(sources.map((path) => [path, textUsesOf(path, textOf(path), { readsObjects })]))
  return languageFolders
    .filter((folder) => folder.startsWith(`${workspace}/`))
    .flatMap((folder) => {
      const namespace = featureOf(`${folder}/pl.json`)
      const keys = [...flat(JSON.parse(textOf(`${folder}/pl.json`))).keys()].map((key) => key.replace(PLURAL, ''))
      const own = [...uses].filter(([path]) => featureOf(path) === namespace || isUser(path, namespace))
      const all = [...own.map(([, one]) => one), ...[...uses.values()].map((one) => usesOfNamespace(one, namespace))]
      return unusedTexts([...new Set(keys)], joinUses(all), words).map((key) => `${namespace}:${key}`)
    })
}

test('every text of the web client is used, and every pattern of computed keys', () => {
  const components = code.filter((path) => path.startsWith('web/src/')).flatMap((path) => featuresIn(textOf(path)))
  const unused = unusedIn('web', (path, namespace) => {
    const hook = namespace === 'core' ? 'useTranslation()' : `useTranslation('${namespace}')`
    const isShown = ([name, feature]: [string, string]) => feature === namespace && path.endsWith(`/${name}.tsx`)
    return textOf(path).includes(hook) || components.some(isShown)
  })
  const computed = (key: string) => COMPUTED_TEXTS.filter((pattern) => matchPattern(pattern, key))
  expect(unused.filter((key) => computed(key).length === 0)).toEqual([])
  expect([...new Set(unused.flatMap(computed))].toSorted()).toEqual(COMPUTED_TEXTS)
})

test('every text of the API is used', () => {
  const registered = server.flatMap((path) =>
    Array.from(textOf(path).matchAll(/^export const (\w+) = createTexts\('(\w+)'/gm), ([, name = '', of]) => ({
      name,
      of,
    })),
  )
  expect(registered.length).toBeGreaterThan(5)
  const unused = unusedIn('api', (path, namespace) =>
    registered.some(({ name, of }) => of === namespace && textOf(path).includes(name)),
  )
  expect(unused).toEqual([])
})

const lazyParts = code
  .filter((path) => path.startsWith('web/src/') && path !== 'web/src/pages.tsx')
  .flatMap(lazyPartsOf)

test.each([...pages(), ...lazyParts])('$name loads only the texts of the features that it uses', ({ loads, files }) => {
  expect(loads.toSorted()).toEqual(textsOf(files))
})

test.each(languages)('every error code has a text in %s, and every text its code', (language) => {
  const texts = flat(JSON.parse(textOf(`contract/src/errors/${language}.json`)))
  const codes = [...texts.keys()].map((key) => key.replace(/_(one|few|many|other)$/, ''))
  expect([...new Set(codes)].sort()).toEqual([...errorCodes].sort())
})

/** Pages by the right that opens them; null: any signed-in user, or the public pages of the session. */
const PAGE_RIGHTS: Record<string, string | null> = {
  '/': null,
  '/account-security': null,
  '/alarms': 'CurrentMeasurements,UsersAdmin,Tickets',
  '/shift-report': 'CurrentMeasurements,UsersAdmin,Tickets,Vms,WantedList,BlackList,Inspections,InspectionReview',
  '/evidence': null,
  '/factor-setup': null,
  '/archival': 'ArchiveMeasurements',
  '/archival/result': 'ArchiveMeasurements',
  '/stat': 'Stat',
  '/offenders': 'Offenders',
  '/imports': 'Exchange',
  '/overview': 'CurrentMeasurements',
  '/inspections': 'Inspections,InspectionReview',
  '/inspections/$id': 'Inspections,InspectionReview',
  '/vms': 'Vms',
  '/user-management': 'UserManagement',
  '/user-activity': 'UserManagement',
  '/access-trail': 'PlateAccess',
  '/role-group-management': 'UserManagement',
  '/calibration': 'UserManagement',
  '/calibration-deviation': 'UserManagement',
  '/tickets': 'Tickets',
  '/tickets/$id': 'Tickets',
  '/tickets/$id/edit': 'Tickets',
  '/station-health': 'UsersAdmin,Tickets',
  '/scale-certificates': 'ScaleCertificates,InspectionReview,Inspections',
  '/devices': 'UsersAdmin',
  '/systems': 'Exchange',
  '/webhooks': 'Exchange',
  '/stations': 'UsersAdmin',
  '/sign-groups': 'UsersAdmin',
  '/statistics/traffic': 'Stat',
  '/statistics/loads': 'Stat',
  '/statistics/effectiveness': 'Stat',
  '/black-list': 'WantedList',
  '/white-list': 'WantedList',
  '/contact': 'WantedList',
  '/vehicle/$id/$locationId': 'CurrentMeasurements',
  '/vehicleArch/$id/$locationId/$createdAt': 'ArchiveMeasurements',
  '/preference': 'SelfConfig',
  '/users': 'UsersAdmin',
  '/$': null,
  '/login': null,
  '/logout': null,
  '/password-expired': null,
  '/reset-password': null,
  '/reset-password/reset/$email': null,
  '/reset-password/reset': null,
}

test('every page is opened by its right and by no other', () => {
  const routes = textOf('web/src/routes.tsx').split('createRoute({').slice(1)
  const rights = routes.flatMap((route): [string, string | null][] => {
    const path = /\bpath: '([^']+)'/.exec(route)?.[1]
    const needed = Array.from(
      route.matchAll(/\brequiresAnyOf\(([^)]*)\)/g),
      ([, names]) => names?.replaceAll("'", '') ?? '',
    )
    return path ? [[path, needed.join(' and ') || null]] : []
  })
  expect(Object.fromEntries(rights)).toEqual(PAGE_RIGHTS)
  expect(rights).toHaveLength(Object.keys(PAGE_RIGHTS).length)
})

test('no query of ingest, search, reports or plates has a correlated subquery or LATERAL', () => {
  // docs/operations.md, Citus: it rejects them over distributed tables. Accounts, tickets, signs and ends of chains stay local.
  const local =
    /^api\/src\/((core|users|roles|session|preferences|activity|tickets|vms|wanted\/messages)\/|evidence\/anchor-queries)/
  const inScope = code.filter((path) => path.startsWith('api/src/') && !local.test(path) && !isTest(path))
  expect(inScope.flatMap((path) => correlatedIn(textOf(path)).map((query) => `${path}: ${query}`))).toEqual([])
})

test('finds only subqueries that reference an outer table', () => {
  const count = '(select count(*) from hit h where h.plate_id = p.id)'
  expect(correlatedIn(`select ${count} from plate p`)).toHaveLength(1)
  expect(correlatedIn('select from plate p, lateral (select p.id) x')).toHaveLength(2)
  expect(
    correlatedIn('select from p join (select h.id from hit h, other as o where o.id = h.id) x on x.id = p.id'),
  ).toEqual([])
  // biome-ignore lint/suspicious/noTemplateCurlyInString: SQL as in a source file.
  expect(correlatedIn('(select h.id from hit h where h.at > ${now.value(({ a }) => a.b)})')).toEqual([])
})
