import { satisfies } from 'semver'
import { expect, test } from 'vitest'
import { floors, textOf } from './src/house/tree.ts'

/* What stands in the files around the code agrees with the code and with each other. */

const json = (path: string) => JSON.parse(textOf(path))

type LockedPackage = {
  version?: string
  engines?: Record<string, string>
  optional?: boolean
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

const manifest = json('package.json')
const locked: Record<string, LockedPackage> = json('package-lock.json').packages
const installed = Object.entries(locked).filter(([path]) => path.startsWith('node_modules/'))

/** The Node.js that the portal and its tests run on. */
const runtime: string = manifest.dependencies.node

test('the runtime is at least the lowest secure release of its line', () => {
  const { lowestSecureNode } = manifest.config
  expect(satisfies(runtime, `^${lowestSecureNode}`)).toBe(true)
})

test('every file that names the runtime names the same one', () => {
  expect(textOf('.nvmrc').trim()).toBe(runtime)
  expect(locked['node_modules/node']?.version).toBe(runtime)
  const [major] = runtime.split('.')
  expect(manifest.devDependencies['@types/node']).toMatch(new RegExp(`^${major}\\.`))
})

// Optional packages are for other systems, and are not installed where they do not fit.
test.each([
  '20.20.2',
  '22.12.0',
  '22.17.0',
  '22.18.0',
  '22.23.3',
  '23.11.0',
  '24.0.0',
  '24.21.0',
  '25.9.0',
  '26.0.0',
  '26.10.0',
])('engines allow Node.js %s if every dependency does', (version) => {
  const refusing = installed.flatMap(([path, { engines, optional }]) =>
    optional || !engines?.node || satisfies(version, engines.node) ? [] : [`${path} needs ${engines.node}`],
  )
  expect(satisfies(version, manifest.engines.node), refusing.join(', ')).toBe(refusing.length === 0)
})

test.each(['', ...floors])('the lock file has what the manifest of /%s asks for', (workspace) => {
  const { dependencies, devDependencies } = json(`${workspace || '.'}/package.json`)
  const inLock = locked[workspace]
  expect({ dependencies: inLock?.dependencies, devDependencies: inLock?.devDependencies }).toEqual({
    dependencies,
    devDependencies,
  })
})

test('the version of the release is named in package.json alone', () => {
  expect(manifest.version).toMatch(/^\d+\.\d+\.\d+$/)
  expect(floors.filter((floor) => json(`${floor}/package.json`).version !== undefined)).toEqual([])
})

test('the newest release of the change log is the version of package.json', () => {
  const [newest] = [...textOf('CHANGELOG.md').matchAll(/^## (\d\S*)/gm)].map(([, version]) => version)
  expect(newest).toBe(manifest.version)
})
