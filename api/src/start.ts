import './core/threads.ts'
import { spawn } from 'node:child_process'
import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { limitMemory } from './core/memory-limits.ts'

/* `npm start`: builds the page if its sources are newer than the build, while the server starts. */

// Before the build starts, whose exit code a restarted process would not receive.
limitMemory()

const root = fileURLToPath(new URL('../..', import.meta.url))
const buildFile = join(root, 'web/dist/index.html')

function isStale(): boolean {
  if (!existsSync(buildFile)) return true
  const since = statSync(buildFile).mtimeMs
  const sources = globSync(['web/**/*', 'contract/src/**/*', 'domain/src/**/*', 'package-lock.json'], {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist)(\/|$)/.test(path),
  })
  return sources.some((path) => statSync(join(root, path)).mtimeMs > since)
}

// An installation without development dependencies serves the build that it was given.
const vite = join(root, 'node_modules/vite/bin/vite.js')
if (existsSync(vite) && isStale()) {
  const build = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: join(root, 'web'),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  build.on('exit', (code) => {
    if (code !== 0) console.error('The page could not be built; the server runs without it.')
  })
}
await import('./main.ts')
