import { expect } from '@playwright/test'
import { logout, ping } from '@rogatka/contract/session.ts'
import { call } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { addAccount, expectAccessible, inEveryLanguage, signIn } from './src/operator.ts'
import { ADMIN } from './src/portal.ts'

const FIVE_MINUTES = 300_000

test('an empty login names both missing fields', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Zaloguj' }).click()
  await expect(page.getByLabel('Nazwa użytkownika')).toHaveAccessibleDescription(/użytkownika/)
  await expect(page.getByLabel('Hasło', { exact: true })).toHaveAccessibleDescription(/hasło/i)
  await expect(page.getByLabel('Nazwa użytkownika')).toBeFocused()
})

test('a wrong password is said in a banner that can be dismissed, without its technical prefix', async ({
  page,
  complaints,
}) => {
  complaints.expect(/\/api\/v1\/login/)
  await page.goto('/login')
  await page.getByLabel('Nazwa użytkownika').fill('nobody')
  await page.getByLabel('Hasło', { exact: true }).fill('wrong-password')
  await page.getByRole('button', { name: 'Zaloguj' }).click()
  const banner = page.getByRole('alert')
  await expect(banner).toContainText('Nieprawidłow')
  await expect(banner).not.toContainText('null')
  await banner.getByRole('button', { name: 'Zamknij' }).click()
  await expect(banner).toHaveCount(0)
})

test('a banner goes by itself after 10 seconds', async ({ page, complaints }) => {
  complaints.expect(/\/api\/v1\/login/)
  await page.clock.install()
  await page.goto('/login')
  await page.getByLabel('Nazwa użytkownika').fill('nobody')
  await page.getByLabel('Hasło', { exact: true }).fill('wrong-password')
  await page.getByRole('button', { name: 'Zaloguj' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await page.clock.fastForward(10_000)
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('a page that was asked for without a session opens after the login', async ({ page }) => {
  await page.goto('/vms?group=3')
  await expect(page).toHaveURL(/\/login/)
  await signIn(page)
  await expect(page).toHaveURL('/vms?group=3')
})

test('a login never leads to another site', async ({ page }) => {
  await page.goto('/login?wanted=//example.com/')
  await signIn(page)
  await expect(page).toHaveURL('/')
})

test('whoever is signed in does not see the login', async ({ page }) => {
  await page.goto('/login')
  await signIn(page)
  await page.goto('/login')
  await expect(page).toHaveURL('/')
})

test('the keyboard alone signs in and out', async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByLabel('Nazwa użytkownika')).toBeFocused()
  await page.keyboard.type(ADMIN.username)
  await page.keyboard.press('Tab')
  await page.keyboard.type(ADMIN.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/')
  await page.getByRole('link', { name: 'Wyloguj' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/login')
})

test('logging out forgets the token, on the server too, and Back shows nothing', async ({ page, portal }) => {
  await page.goto('/login')
  await signIn(page)
  const token = await page.evaluate(() => sessionStorage.getItem('cvToken'))
  await call(portal, token, ping)
  await page.getByRole('link', { name: 'Wyloguj' }).click()
  await expect(page).toHaveURL('/login')
  expect(await page.evaluate(() => sessionStorage.getItem('cvToken'))).toBeNull()
  await expect(async () => {
    await expect(call(portal, token, ping)).rejects.toThrow('401')
  }).toPass()
  await page.goBack()
  await expect(page).toHaveURL(/\/login/)
})

test('the heartbeat beats every 20 seconds', async ({ page }) => {
  await page.clock.install()
  await page.goto('/login')
  await signIn(page)
  for (const _ of [1, 2]) {
    const beat = page.waitForRequest('**/api/v1/ping', { timeout: 8_000 })
    await page.clock.runFor(20_000)
    await beat
  }
})

test('five minutes without the operator end the session and say why', async ({ page }) => {
  await page.clock.install()
  await page.goto('/login')
  await signIn(page)
  await expect(page.getByRole('navigation', { name: 'Nawigacja główna' })).toBeVisible()
  await page.clock.fastForward(FIVE_MINUTES - 60_000)
  await page.mouse.move(200, 200)
  await page.clock.fastForward(FIVE_MINUTES - 60_000)
  await expect(page).toHaveURL('/')
  await page.clock.fastForward(60_000)
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByText('Zostałeś wylogowany z powodu braku aktywności (5 min).')).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem('cvToken'))).toBeNull()
})

test('a session that the server ended leads to the login, and the page says so', async ({
  page,
  portal,
  complaints,
}) => {
  complaints.expect(/401|Sesja wygasła/)
  await page.clock.install()
  await page.goto('/login')
  await signIn(page)
  const token = await page.evaluate(() => sessionStorage.getItem('cvToken'))
  await call(portal, token, logout)
  await page.clock.runFor(20_000)
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByText('Sesja wygasła. Zaloguj się ponownie.')).toBeVisible()
})

test('the language is chosen before and after the login, kept as lang, and there after a reload', async ({ page }) => {
  await page.goto('/login')
  await expect(page.locator('html')).toHaveAttribute('lang', 'pl')
  await page.getByText('LT', { exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'lt')
  expect(await page.evaluate(() => localStorage.getItem('lang'))).toBe('lt')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'lt')
  await signIn(page)
  await page.getByRole('button', { name: /Lietuvių/ }).click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await expect(page.getByRole('link', { name: 'Archive' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('lang'))).toBe('en')
})

test('light or dark is chosen in the header and kept', async ({ page }) => {
  await page.goto('/login')
  await signIn(page)
  await page.getByRole('button', { name: 'Motyw' }).click()
  await page.getByRole('menuitemradio', { name: 'Ciemny' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
})

test('an unknown address shows that nothing is there', async ({ page }) => {
  await page.goto('/login')
  await signIn(page)
  await page.goto('/no/such/page')
  await expect(page.getByText('Nie znaleziono strony')).toBeVisible()
  await expectAccessible(page)
})

test('a user sees the links of their rights only, and a page without its right shows nothing', async ({
  page,
  portal,
}) => {
  const account = await addAccount(portal, ['Stat'])
  await page.goto('/login')
  await signIn(page, account)
  const navigation = page.getByRole('navigation', { name: 'Nawigacja główna' })
  await expect(navigation.getByRole('link', { name: 'Statystyki' })).toBeVisible()
  await expect(navigation.getByRole('link', { name: 'Archiwum' })).toHaveCount(0)
  await expect(navigation.getByText('Zarządzanie')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Ustawienia' })).toHaveCount(0)
  await page.goto('/archival')
  await expect(page.getByText('Brak uprawnień do tej czynności.')).toBeVisible()
})

test('a password that has to be changed lets nothing else open until it is changed', async ({ page, portal }) => {
  const { username } = await addAccount(portal, ['Stat', 'PasswordChange'])
  const reset = { username, password: 'Zmien-mnie-2026' }
  await portal.manage('user', 'reset-password', '--username', reset.username, '--password', reset.password)
  await page.goto('/login')
  await signIn(page, reset)
  await expect(page).toHaveURL('/password-expired')
  await expect(page.getByText('Twoje hasło straciło ważność. Ustaw nowe hasło, aby kontynuować.')).toBeVisible()
  await page.goto('/stat')
  await expect(page).toHaveURL('/password-expired')
  await expectAccessible(page)
  await page.getByLabel('Obecne hasło').fill(reset.password)
  await page.getByLabel('Nowe hasło').fill('Nowe-haslo-2026')
  await page.getByRole('button', { name: 'Zmień hasło' }).click()
  await expect(page.getByText('Zaktualizowano')).toBeVisible()
  await expect(page).toHaveURL('/')
  await page.goto('/password-expired')
  await expect(page).toHaveURL('/')
})

test('the login is accessible and speaks every language', async ({ page }) => {
  await page.goto('/login')
  await expectAccessible(page)
  await inEveryLanguage(page)
})
