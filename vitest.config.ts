import { defineConfig } from 'vitest/config'

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
        test: { name: 'packages', include: ['{contract,domain,web,simulator,e2e,bench}/**/*.test.{ts,tsx}'] },
      },
      {
        extends: true,
        // Only these need a database: one for all of them, from which each file clones its own.
        test: { name: 'api', include: ['api/**/*.test.ts'], globalSetup: ['api/src/testing/setup.ts'] },
      },
    ],
  },
})
