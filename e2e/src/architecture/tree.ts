import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../../..')

/** All features; a feature has the same name in every package. */
export const features = [
  'session',
  'shifts',
  'preferences',
  'users',
  'roles',
  'activity',
  'locations',
  'ingest',
  'mqtt',
  'imports',
  'current',
  'archive',
  'vehicle',
  'views',
  'statistics',
  'traffic',
  'calibration',
  'vms',
  'wall',
  'wanted',
  'tickets',
  'certificates',
  'inspections',
  'offenders',
  'alarms',
  'overview',
  'devices',
  'systems',
  'trail',
  'datex',
  'webhooks',
  'evidence',
  'palette',
  'factors',
  'reports',
]

export const packages = ['contract', 'domain', 'api', 'web', 'simulator', 'e2e', 'bench']

/** Composition roots: they may import any feature, and no feature may import them. */
export const compositionRoots: Record<string, string[]> = {
  api: ['app', 'demo', 'main', 'manage', 'portal-jobs', 'server', 'serving', 'start', 'worker'],
  web: ['main', 'pages', 'portal', 'routes'],
}

/** Parts of a package that are no features: names of files (without extension) and folders in `folder`. */
export const sharedParts: Record<string, { folder: string; names: string[] }> = {
  contract: {
    folder: 'contract/src',
    names: ['access', 'endpoint', 'errors', 'languages', 'looks', 'options', 'reference', 'references', 'wire'],
  },
  domain: { folder: 'domain/src', names: ['core'] },
  api: { folder: 'api/src', names: [...(compositionRoots.api ?? []), 'config', 'core', 'testing'] },
  web: { folder: 'web/src', names: [...(compositionRoots.web ?? []), 'core', 'ui'] },
  e2e: { folder: 'e2e', names: ['browser', 'frame'] },
}

const IGNORED = new Set([
  'node_modules',
  '.git',
  'dist',
  'data',
  'test-results',
  'playwright-report',
  '.stryker-tmp',
  'mutation',
])

/** All files below a folder of the repository, as paths from its root with forward slashes. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (IGNORED.has(entry.name)) return []
    const path = folder === '.' ? entry.name : `${folder}/${entry.name}`
    return entry.isDirectory() ? filesBelow(path) : [path]
  })

export const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')

export const isCode = (path: string): boolean => /\.tsx?$/.test(path)

/** Tests and their helpers, which may import everything that tests need. */
export const isTest = (path: string): boolean =>
  /\.(test|spec)\.tsx?$|\/testing[^/]*\.ts$|^api\/src\/testing\//.test(path)

/** Feature or shared part of a file: `api/src/current/routes.ts` and `e2e/current-layout.spec.ts` → `current`. */
export function featureOf(path: string): string {
  const [, second = '', third = ''] = path.split('/')
  const name = (second === 'src' ? third : second).replace(/(-[^/]+)?\.spec\.ts$/, '').replace(/(\.test)?\.tsx?$/, '')
  return path.startsWith('contract/') ? name.replace(/-.+/, '') : name
}
