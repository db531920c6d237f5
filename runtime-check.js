/*
 * Loaded by `npm start` and `npm test` before everything else, on any Node.js: with `ignore-scripts` npm installs neither the
 * portal's own Node.js nor PostgreSQL, and says nothing.
 */

import { readFileSync } from 'node:fs'

const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
if (process.version !== `v${dependencies.node}`) {
  console.error(
    `This is Node.js ${process.version.slice(1)} instead of ${dependencies.node}, which the installation brings unless npm is set to ` +
      'ignore-scripts. Install again: npm ci --ignore-scripts=false',
  )
  process.exit(1)
}
