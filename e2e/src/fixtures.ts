import { type BrowserContext, test as base, expect } from '@playwright/test'
import { type Portal, startPortal } from './portal.ts'

/** Unexpected errors and warnings of the browser: console, exceptions, failed requests. They fail the test. */
type ConsoleErrors = {
  /** Ignores errors with a matching text or URL. */
  expect: (pattern: RegExp) => void
}

type Fixtures = { consoleErrors: ConsoleErrors }
type WorkerFixtures = { portal: Portal }

export const test = base.extend<Fixtures, WorkerFixtures>({
  portal: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const portal = await startPortal()
      await use(portal)
      await portal.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  baseURL: async ({ portal }, use) => use(portal.url),

  consoleErrors: [
    async ({ context }, use) => {
      const expected: RegExp[] = []
      const errors = collectErrors(context)
      await use({ expect: (pattern) => expected.push(pattern) })
      expect(errors.filter((text) => !expected.some((pattern) => pattern.test(text)))).toEqual([])
    },
    { auto: true },
  ],
})

function collectErrors(context: BrowserContext): string[] {
  const errors: string[] = []
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      errors.push(`console: ${message.text()} ${message.location().url}`)
    }
  })
  context.on('weberror', (error) => errors.push(`page: ${error.error().stack ?? error.error().message}`))
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText
    // Aborted by the page: navigation, or a newer request.
    if (reason !== 'net::ERR_ABORTED') errors.push(`request: ${reason} ${request.url()}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 400) errors.push(`response: ${response.status()} ${response.url()}`)
  })
  return errors
}
