import { type BrowserContext, test as base, expect } from '@playwright/test'
import { watchPlates } from './plates.ts'
import { type Portal, startPortal } from './portal.ts'
import { removeEntries } from './wanted.ts'

/** Unexpected errors and warnings of the browser: console, exceptions, failed requests. They fail the test. */
type ConsoleErrors = {
  /** Ignores errors with a matching text or URL. */
  expect: (pattern: RegExp) => void
}

/** Plates in addresses, referrers, titles, history, storage, console and log lines. They fail the test. */
type KeptPlates = {
  /** Ignores lines with a matching text: old addresses that the test itself opens. */
  expect: (pattern: RegExp) => void
}

type Fixtures = { endedRoutes: null; consoleErrors: ConsoleErrors; keptPlates: KeptPlates; wantedEntries: null }
type WorkerFixtures = { portal: Portal }

export const test = base.extend<Fixtures, WorkerFixtures>({
  portal: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => servePortal(use),
    { scope: 'worker', timeout: 120_000 },
  ],

  baseURL: async ({ portal }, use) => use(portal.url),

  // The first of the automatic ones: it ends last, when the errors of the test are known.
  endedRoutes: [
    async ({ context }, use) => {
      await use(null)
      // A handler that is asking the server when its page is closed would fail the test.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
      await context.unrouteAll({ behavior: 'ignoreErrors' })
    },
    { auto: true },
  ],

  // Ends after the errors are known: an open sheet of a hit finds it no more.
  wantedEntries: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      await use(null)
      await removeEntries()
    },
    { auto: true },
  ],

  consoleErrors: [
    async ({ context }, use) => {
      const errors = collectErrors(context)
      await expectNone(use, () => errors)
    },
    { auto: true },
  ],

  keptPlates: [
    async ({ context, portal }, use) => expectNone(use, await watchPlates(context, portal.log)),
    { auto: true },
  ],
})

/** Tests on a portal of their own with these settings. */
export const testWith = (env: Record<string, string>) =>
  test.extend<object, WorkerFixtures>({
    portal: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
      async ({}, use) => servePortal(use, env),
      { scope: 'worker', timeout: 120_000 },
    ],
  })

async function servePortal(use: (portal: Portal) => Promise<void>, env: Record<string, string> = {}) {
  const portal = await startPortal(env, { inMemory: true })
  await use(portal)
  await portal.stop()
}

/** Fails a test after which there are texts that it does not expect. */
async function expectNone(use: (found: ConsoleErrors) => Promise<void>, found: () => string[]): Promise<void> {
  const expected: RegExp[] = []
  await use({ expect: (pattern) => expected.push(pattern) })
  expect(found().filter((text) => !expected.some((pattern) => pattern.test(text)))).toEqual([])
}

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
