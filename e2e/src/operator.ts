import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { permissionsOf, type Right } from '@rogatka/contract/access.ts'
import { type Language, languages } from '@rogatka/contract/languages.ts'
import { add as addRole } from '@rogatka/contract/roles.ts'
import { add as addUser } from '@rogatka/contract/users.ts'
import { call, tokenOf } from './call.ts'
import { ADMIN, type Portal } from './portal.ts'

export type Account = { username: string; password: string }

/** Fills in the login, wherever it is shown, and waits until the portal is open. */
export async function signIn(page: Page, { username, password }: Account = ADMIN) {
  await page.locator('[autocomplete="username"]').fill(username)
  await page.locator('[autocomplete="current-password"]').fill(password)
  await page.locator('[type="submit"]').click()
  await expect(page).not.toHaveURL(/\/login/)
}

let accounts = 0

/** A new user who holds just these rights. */
export async function addAccount(portal: Portal, rights: Right[]): Promise<Account> {
  accounts += 1
  const token = await tokenOf(portal)
  const name = `operator-${accounts}`
  const permissions = [...new Set(rights.flatMap((right) => permissionsOf(right).slice(0, 1)))]
  const role = await call(portal, token, addRole, { body: { name, permissions } })
  const account = { username: name, password: 'Droga-S8-Wyszkow' }
  const person = { firstName: 'Jan', lastName: 'Kowalski', email: `${name}@example.com`, phoneNumber: '600100200' }
  await call(portal, token, addUser, { body: { ...account, ...person, roles: [role.id] } })
  return account
}

/** What axe judges by colours alone: the rest is the same in light and in dark. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** Nothing that axe knows of is wrong with the page, in light and in dark. */
export async function expectAccessible(page: Page) {
  await expect(page.locator('main')).toBeVisible()
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // No frames on any page: what axe calls legacy spares a second page for each analysis.
    const axe = new AxeBuilder({ page }).setLegacyMode()
    if (colorScheme === 'dark') axe.withRules(COLOR_RULES)
    const { violations } = await axe.analyze()
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} in ${colorScheme}: ${target.join(' ')} ${failureSummary}`),
    )
    expect(found).toEqual([])
  }
}

/**
 * Opens the page in each language in turn: nothing may be cut off. A text that is missing is a complaint, which fails
 * the test. `look` waits for what has to be there.
 */
export async function inEveryLanguage(page: Page, look: (language: Language) => Promise<void> = async () => {}) {
  for (const language of languages) {
    await page.evaluate((lang) => localStorage.setItem('lang', lang), language)
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await look(language)
    await expectNoOverflow(page)
  }
}

/** Neither the page nor its main area is wider than the screen. */
export async function expectNoOverflow(page: Page) {
  for (const area of [page.locator('html'), page.getByRole('main')]) {
    expect(await area.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
  }
}
