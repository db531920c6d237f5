import { expect, type Locator, type Page } from '@playwright/test'
import { permissionsOf, type Right } from '@rogatka/contract/access.ts'
import { type Language, languages } from '@rogatka/contract/languages.ts'
import { add as addRole } from '@rogatka/contract/roles.ts'
import { add as addUser } from '@rogatka/contract/users.ts'
import { COLOR_RULES, violationsOf } from './axe.ts'
import { call, tokenOf } from './call.ts'
import { ADMIN, type Portal } from './portal.ts'

export type Account = { username: string; password: string }

/** Submits the login form of the current page and waits until it is left. */
export async function signIn(page: Page, { username, password }: Account = ADMIN) {
  await page.locator('[autocomplete="username"]').fill(username)
  await page.locator('[autocomplete="current-password"]').fill(password)
  await page.locator('[type="submit"]').click()
  await expect(page).not.toHaveURL(/\/login/)
}

/** Signs out, and waits until that is done: opening another page before would break it off. */
export async function signOut(page: Page) {
  await page.goto('/logout')
  await expect(page).toHaveURL(/\/login/)
}

/**
 * Signs the page in without the login page; the next page it opens belongs to the session. Tests of the login itself use
 * `signIn`.
 */
export async function signInByApi(page: Page, portal: Portal, account: Account = ADMIN) {
  const token = await tokenOf(portal, account)
  const session = { origin: new URL(portal.url).origin, token }
  await page.addInitScript(({ origin, token }) => {
    if (location.origin !== origin) return
    // Once for the tab, so that a later sign-out holds.
    const used = sessionStorage.getItem('usedTokens') ?? ''
    if (used.includes(token)) return
    sessionStorage.setItem('usedTokens', `${used} ${token}`)
    sessionStorage.setItem('cvToken', token)
  }, session)
}

let accounts = 0

/** Creates a user with exactly these rights. */
export async function addAccount(
  portal: Portal,
  rights: Right[],
  requiredFactor: 'none' | 'provider' = 'none',
): Promise<Account> {
  accounts += 1
  const token = await tokenOf(portal)
  const name = `operator-${accounts}`
  const permissions = [...new Set(rights.flatMap((right) => permissionsOf(right).slice(0, 1)))]
  const role = await call(portal, token, addRole, { body: { name, permissions, requiredFactor } })
  const account = { username: name, password: 'Droga-S8-Wyszkow' }
  const person = { firstName: 'Jan', lastName: 'Kowalski', email: `${name}@example.com`, phoneNumber: '600100200' }
  await call(portal, token, addUser, { body: { ...account, ...person, roles: [role.id] } })
  return account
}

/** Sets a password that has to be changed at the next sign-in. */
export async function resetPassword(portal: Portal, username: string): Promise<Account> {
  const output = await portal.manage('user', 'reset-password', '--username', username)
  return { username, password: output.trim().split(' ').at(-1) ?? '' }
}

/** Opens another page of the portal like a link, which takes a third of the time of loading it. */
export const openPage = (page: Page, path: string) => page.evaluate((to) => history.pushState({}, '', to), path)

/** Errors of the page itself: alarms and hits, which may be announced at any time, are outside of it. */
export const pageAlert = (page: Page): Locator => page.getByRole('main').getByRole('alert')

/** Expects no violations of axe, in light and dark. */
export async function expectAccessible(page: Page) {
  await expect(page.locator('main')).toBeVisible()
  // A page that is still loading has none.
  await expect(page.locator('h1').first()).toBeAttached()
  // What is about to be replaced is pale.
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // The other rules need only one colour scheme.
    expect(await violationsOf(page, colorScheme === 'dark' ? COLOR_RULES : undefined), colorScheme).toEqual([])
  }
}

/**
 * Shows the page in each language, as if selected in another tab, and expects no overflow. Missing texts are console
 * errors, which fail the test. `waitForContent` runs after each change.
 */
export async function inEveryLanguage(
  page: Page,
  waitForContent: (language: Language) => Promise<void> = async () => {},
) {
  for (const language of languages) {
    const select = async () => {
      await page.evaluate((newValue) => {
        localStorage.setItem('lang', newValue)
        // The event goes to other tabs only, and a second tab for each page would take too long.
        dispatchEvent(new StorageEvent('storage', { key: 'lang', newValue }))
      }, language)
      return page.locator('html').getAttribute('lang')
    }
    // More than once, as the login may be shown before the scripts that follow other tabs are loaded.
    await expect.poll(select).toBe(language)
    await waitForContent(language)
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    await expectNoOverflow(page)
  }
}

/** Expects no horizontal overflow of the page and its main area. */
export async function expectNoOverflow(page: Page) {
  for (const area of [page.locator('html'), page.getByRole('main')]) {
    // Charts and tables follow a new width in one of the next frames.
    await expect
      .poll(() => area.evaluate((element) => element.scrollWidth - element.clientWidth))
      .toBeLessThanOrEqual(0)
  }
}
