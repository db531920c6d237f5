import { resolve } from 'node:path'
import { defineConfig } from '@playwright/test'
import { browserLaunch } from './src/browser.ts'

export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: '*.spec.ts',
  globalSetup: resolve(import.meta.dirname, 'src/build-page.ts'),
  outputDir: resolve(import.meta.dirname, '../test-results'),
  // Each worker has its own server; the tests of a file share its state. Tests wait more than they compute: three workers are
  // faster than two on two cores.
  workers: 3,
  // Only in CI, where machines may stall. Flaky tests are listed.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    launchOptions: await browserLaunch(),
    locale: 'pl-PL',
    timezoneId: 'Europe/Warsaw',
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
  },
})
