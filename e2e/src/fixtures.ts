import { type BrowserContext, test as base, expect } from '@playwright/test'
import { type Portal, startPortal } from './portal.ts'

/** What went wrong in the browser without a test asking: a test that ends with any of it fails. */
type ConsoleErrors = {
  /** This one is part of the test: matched against the text of an error or the address of a request. */
  expect: (pattern: RegExp) => void
}

type Fixtures = { complaints: ConsoleErrors }
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

  complaints: [
    async ({ context }, use) => {
      const expected: RegExp[] = []
      const heard = listen(context)
      await use({ expect: (pattern) => expected.push(pattern) })
      expect(heard.filter((complaint) => !expected.some((pattern) => pattern.test(complaint)))).toEqual([])
    },
    { auto: true },
  ],
})

function listen(context: BrowserContext): string[] {
  const heard: string[] = []
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      heard.push(`console: ${message.text()} ${message.location().url}`)
    }
  })
  context.on('weberror', (error) => heard.push(`page: ${error.error().stack ?? error.error().message}`))
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText
    // The page itself gave it up: it left, or asks something newer.
    if (reason !== 'net::ERR_ABORTED') heard.push(`request: ${reason} ${request.url()}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 400) heard.push(`answer: ${response.status()} ${response.url()}`)
  })
  return heard
}
