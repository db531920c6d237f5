import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, type Route } from '@playwright/test'
import { CLIENT_ID, CLIENT_SECRET, startTestProvider, type TestProvider } from '@rogatka/api/testing/oidc-provider.ts'
import { test } from './src/fixtures.ts'
import { type Account, addAccount, expectAccessible, inEveryLanguage, signIn } from './src/operator.ts'
import { ADMIN, type Portal, startPortal } from './src/portal.ts'
import { demandStepUpOnce, onNextRequest } from './src/step-up.ts'

/* The page of the provider is its own: it asks for a name only. */

let portal: Portal
let provider: TestProvider
let folder: string

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rogatka-providers-'))
  portal = await startPortal(async (port) => {
    provider = await startTestProvider(`http://127.0.0.1:${port}/login/callback/zdw`)
    const file = join(folder, 'providers.json')
    const { issuer } = provider
    const entry = {
      id: 'zdw',
      label: 'Zarząd Dróg',
      issuer,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      linkAtSignIn: true,
    }
    await writeFile(file, JSON.stringify([entry]))
    return { OIDC_PROVIDERS: file, OIDC_ROLE_MAP: 'wim-admins=Administrator', LOG_LEVEL: 'debug' }
  })
})
test.afterAll(async () => {
  await portal.stop()
  provider.server.closeAllConnections()
  provider.server.close()
  await rm(folder, { recursive: true, force: true })
})

const button = (page: Page) => page.getByRole('button', { name: 'Zaloguj kontem: Zarząd Dróg' })

/** Holds the next sign-out of the page until `end`. */
async function holdSignOut(page: Page) {
  const held = Promise.withResolvers<Route>()
  await onNextRequest(page, { url: /\/api\/v1\/login$/ }, held.resolve)
  return { end: async (answer: (route: Route) => Promise<void>) => answer(await held.promise) }
}

async function identify(page: Page, name: string) {
  await expect(page).toHaveURL(new RegExp(`^${provider.issuer}/interaction/`))
  await page.getByLabel('Login').fill(name)
  await page.getByRole('button', { name: 'OK' }).click()
}

/** Submits the login form, which another step follows. */
async function enterPassword(page: Page, { username, password }: Account) {
  await page.locator('[autocomplete="username"]').fill(username)
  await page.locator('[autocomplete="current-password"]').fill(password)
  await page.locator('[type="submit"]').click()
}

/** Addresses that the browser keeps of this tab. */
const history = (page: Page) => page.evaluate(() => navigation.entries().map(({ url }) => url))

test('a local account is linked in its settings, or at a sign-in that requires it, and unlinked', async ({ page }) => {
  provider.accounts.set('ola', { groups: ['wim-admins'] })
  provider.accounts.set('ula', { groups: ['wim-admins'], claims: { amr: ['mfa'] } })
  await page.goto(`${portal.url}/account-security`)
  const user = await addAccount(portal, ['ArchiveMeasurements'])
  await signIn(page, user)
  const link = page.getByRole('button', { name: 'Powiąż z: Zarząd Dróg' })
  await expect(link).toBeVisible()
  await expectAccessible(page)
  await link.click()
  const dialog = page.getByRole('dialog', { name: 'Powiąż z: Zarząd Dróg' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Przejdź: Zarząd Dróg' }).click()
  await expect(dialog.getByText('Podaj obecne hasło.')).toBeVisible()
  await dialog.getByLabel('Obecne hasło', { exact: true }).fill(user.password)
  await dialog.getByRole('button', { name: 'Przejdź: Zarząd Dróg' }).click()
  await identify(page, 'ola')
  await expect(page.getByText('Powiązano konto.')).toBeVisible()
  await expect(page).toHaveURL(`${portal.url}/account-security`)
  await expect(page.getByRole('definition').filter({ hasText: 'ola' })).toBeVisible()
  expect((await history(page)).filter((url) => url?.includes('code='))).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await inEveryLanguage(page)
  await page.evaluate(() => localStorage.setItem('lang', 'pl'))
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.reload()
  await page.getByRole('button', { name: 'Usuń powiązanie' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Usuń powiązanie' }).click()
  await expect(page.getByText('Usunięto powiązanie.')).toBeVisible()
  await expect(link).toBeVisible()

  // The password is accepted, and opens nothing before the account is linked.
  const required = await addAccount(portal, ['ArchiveMeasurements'], 'provider')
  await page.goto(`${portal.url}/logout`)
  await enterPassword(page, required)
  await expect(page.getByText('Twoja rola wymaga logowania przez dostawcę tożsamości.')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await inEveryLanguage(page)
  await page.evaluate(() => localStorage.setItem('lang', 'pl'))
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.reload()
  await enterPassword(page, required)
  await link.click()
  await identify(page, 'ula')
  await expect(page.getByRole('heading', { name: 'Dzień dobry, Jan' })).toBeVisible()
  await page.goto(`${portal.url}/account-security`)
  await expect(page.getByText('wymagane przez rolę')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Usuń powiązanie' })).toHaveCount(0)
  await page.goto(`${portal.url}/logout`)
  await page.getByRole('button', { name: 'Wyloguj' }).click()

  // An administrator sees who is linked.
  await page.waitForURL(`${portal.url}/login`)
  await page.goto(`${portal.url}/user-management`)
  await signIn(page, ADMIN)
  const row = page.getByRole('row', { name: required.username })
  await expect(row).toContainText('powiązane: Zarząd Dróg')
  await row.getByRole('button', { name: 'Edytuj' }).click()
  await page.getByRole('button', { name: 'Usuń powiązanie z dostawcą' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Usuń powiązanie z dostawcą' }).click()
  await expect(page.getByText('Usunięto powiązanie.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Usuń powiązanie z dostawcą' })).toHaveCount(0)
})

test('an account of a provider signs in on its page, confirms there, and fails in words', async ({
  page,
  consoleErrors,
}) => {
  consoleErrors.expect(/403|503/)
  // Of the sign-out that fails.
  consoleErrors.expect(/ERR_FAILED.*\/api\/v1\/login/)
  provider.accounts.set('anna', { groups: ['wim-admins'] })
  provider.accounts.set('jan', { groups: [] })
  await page.goto(`${portal.url}/preference`)
  await expect(button(page)).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await inEveryLanguage(page)
  await page.evaluate(() => localStorage.setItem('lang', 'pl'))
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.reload()

  // Declined, then somebody without a role.
  await button(page).click()
  await identify(page, '')
  await expect(page.getByRole('alert')).toContainText('Zarząd Dróg: logowanie przerwano lub odmówiono dostępu.')
  await button(page).click()
  await identify(page, 'jan')
  await expect(page.getByRole('alert')).toContainText('Zarząd Dróg: to konto nie daje żadnej roli w portalu.')

  await page.context().clearCookies()
  await button(page).click()
  await identify(page, 'anna')
  await expect(page).toHaveURL(`${portal.url}/preference`)
  await expect(page.getByRole('cell', { name: 'Zarząd Dróg' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Zmień hasło' })).toHaveCount(0)
  expect((await history(page)).filter((url) => url?.includes('code='))).toEqual([])
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('providerRequest')
  expect(portal.log()).not.toMatch(/code=[^…]/)

  // An action with power leaves for the provider, and comes back to the same page.
  await page.goto(`${portal.url}/user-management`)
  const row = page.getByRole('row', { name: 'anna@zdw.example' })
  await expect(row).toContainText('konto: Zarząd Dróg')
  await row.getByRole('button', { name: 'Edytuj' }).click()
  await expect(page.getByText('To konto loguje się przez: Zarząd Dróg.')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Rola' })).toBeDisabled()
  const phone = page.getByLabel('Telefon (opcjonalnie)', { exact: true })
  await phone.fill('600100200')
  await demandStepUpOnce(page, /\/api\/v1\/users\/\d+$/, 'PUT')
  await page.getByRole('button', { name: 'Zapisz' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Potwierdź, że to Ty' })
  const address = page.url()
  await dialog.getByRole('button', { name: 'Przejdź: Zarząd Dróg' }).click()
  await identify(page, 'anna')
  await expect(page.getByText('Potwierdzono tożsamość. Powtórz czynność.')).toBeVisible()
  await expect(page).toHaveURL(address)
  await expect(phone).toHaveValue('600100200')
  await page.getByRole('button', { name: 'Zapisz' }).first().click()
  await expect(page.getByText('Zapisano zmiany')).toBeVisible()

  // Until it is known where a sign-out leads, nobody signs in through the provider; one that fails ends on the login page.
  const failing = await holdSignOut(page)
  await page.goto(`${portal.url}/logout`)
  await button(page).click()
  await failing.end((route) => route.abort('failed'))
  await expect(page).toHaveURL(`${portal.url}/`)

  // Who signs out is signed out there, too, and comes back: the next user is asked for a name.
  const held = await holdSignOut(page)
  await page.goto(`${portal.url}/logout`)
  await button(page).click()
  await expect(button(page)).toBeDisabled()
  const before = provider.requests.length
  await held.end((route) => route.continue())
  await page.waitForURL(`${provider.issuer}/session/end?**`)
  expect(provider.requests.slice(before).filter((path) => path.startsWith('/auth'))).toEqual([])
  await page.getByRole('button', { name: 'Wyloguj' }).click()
  await page.waitForURL(`${portal.url}/login`)
  await button(page).click()
  await identify(page, 'anna')
  await expect(page).toHaveURL(`${portal.url}/`)

  // The provider is gone: a sign-out ends the session here, its button says so, and the password works.
  provider.server.closeAllConnections()
  provider.server.close()
  await page.goto(`${portal.url}/logout`)
  await button(page).click()
  await expect(page.getByRole('alert')).toContainText('Zarząd Dróg: serwer logowania jest nieosiągalny.')
  await signIn(page, await addAccount(portal, ['Stat']))
})
