import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

/**
 * The modules of these packages keep only caches and an idle thread for charts between tests: files share them, as loading
 * them takes a third of the time.
 */
const shared = { isolate: false, restoreMocks: true }

const webTests = globSync('web/src/**/*.test.{ts,tsx}', { cwd: import.meta.dirname })
/** Those that replace modules, timers or globals: the state of their modules must not reach other files. */
const replacing = webTests.filter((file) => /\bvi\b/.test(readFileSync(new URL(file, import.meta.url), 'utf8')))

export default defineConfig({
  test: {
    // Times are shown and counted in Warsaw whatever the machine's clock says, so tests run elsewhere on purpose.
    env: { TZ: 'America/St_Johns' },
    // Tests of the API mostly wait for the database: four workers take 0.6 of the time of two on two cores.
    maxWorkers: 4,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: { name: 'packages', include: ['{simulator,e2e}/**/*.test.ts', ...replacing] },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: 'pure',
          include: ['{contract,domain}/**/*.test.ts', ...webTests.filter((file) => !replacing.includes(file))],
        },
      },
      {
        extends: true,
        // Only these need a database: one for all of them, from which each test clones its own.
        test: {
          ...shared,
          name: 'api',
          include: ['{api,bench}/**/*.test.ts'],
          globalSetup: ['api/src/testing/setup.ts'],
        },
      },
    ],
  },
})
