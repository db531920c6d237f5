import { defineConfig } from 'vitest/config'

/**
 * The modules of these packages keep only caches and an idle thread for charts between tests: files share them, as loading
 * them takes a third of the time.
 */
const shared = { isolate: false, restoreMocks: true }

export default defineConfig({
  test: {
    // Times are shown and counted in Warsaw whatever the machine's clock says, so tests run elsewhere on purpose.
    env: { TZ: 'America/St_Johns' },
    // Tests of the API mostly wait for the database: four workers take 0.6 of the time of two on two cores.
    maxWorkers: 4,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: { name: 'packages', include: ['{web,simulator,e2e}/**/*.test.{ts,tsx}'] },
      },
      {
        extends: true,
        test: { ...shared, name: 'domain', include: ['{contract,domain}/**/*.test.ts'] },
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
