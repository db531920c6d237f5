import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** Builds the page once before all browser tests, so that they test the current sources. */
export default function buildPage() {
  const { status } = spawnSync(
    process.execPath,
    [resolve(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
    {
      cwd: resolve(root, 'web'),
      stdio: 'inherit',
    },
  )
  if (status !== 0) throw new Error('The page could not be built.')
}
