import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import type { Right } from '@rogatka/contract/access.ts'
import { readSelf } from '@rogatka/contract/preferences-self.ts'
import { ping } from '@rogatka/contract/session.ts'
import { call, tokenOf } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { type Account, addAccount, expectAccessible, inEveryLanguage, signInByApi } from './src/operator.ts'
import type { Portal } from './src/portal.ts'

/** Somebody new at their preferences. */
async function atPreferences(page: Page, portal: Portal, rights: Right[] = ['SelfPersonal', 'PasswordChange']) {
  const account = await addAccount(portal, rights)
  await signInByApi(page, portal, account)
  await page.goto('/preference')
  return account
}
const selfOf = async (portal: Portal, account: Account) => call(portal, await tokenOf(portal, account), readSelf)
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })

test('saves account data confirmed by the current password', async ({ page, portal, consoleErrors }) => {
  consoleErrors.expect(/self\/update/)
  const account = await atPreferences(page, portal)
  await field(page, 'E-mail').fill('jan@')
  await field(page, 'Telefon').fill('')
  await page.getByRole('button', { name: 'Zapisz dane' }).click()
  await expect(field(page, 'E-mail')).toHaveAccessibleDescription('Nieprawidłowy adres e-mail.')
  await expect(field(page, 'Telefon')).toHaveAccessibleDescription('Podaj numer telefonu.')
  const confirming = field(page, 'Obecne hasło potwierdza zmianę')
  await expect(confirming).toHaveAccessibleDescription('Podaj hasło.')

  await field(page, 'Nazwisko').fill('Zawadzki')
  await field(page, 'E-mail').fill('jan.zawadzki@example.com')
  await field(page, 'Telefon').fill('601 202 303')
  await confirming.fill('nie-to-haslo')
  await page.getByRole('button', { name: 'Zapisz dane' }).click()
  await expect(confirming).toHaveAccessibleDescription(/Obecne hasło jest nieprawidłowe|nieprawidłowe/i)
  await expect(confirming).toBeFocused()
  await confirming.fill(account.password)
  await page.getByRole('button', { name: 'Zapisz dane' }).click()
  await expect(page.getByText('Dane zapisano poprawnie')).toBeVisible()
  await expect(confirming).toHaveValue('')
  expect(await selfOf(portal, account)).toMatchObject({
    lastName: 'Zawadzki',
    email: 'jan.zawadzki@example.com',
    phoneNumber: '+48601202303',
  })
})

test('a new password ends the other sessions and keeps this one', async ({ page, portal, consoleErrors }) => {
  consoleErrors.expect(/update-password/)
  const account = await atPreferences(page, portal)
  const elsewhere = await tokenOf(portal, account)
  await page.reload()
  await expect(page.getByRole('row')).toHaveCount(3)
  const save = page.getByRole('button', { name: 'Zmień hasło' })
  await save.click()
  for (const name of ['Obecne hasło', 'Nowe hasło'])
    await expect(field(page, name)).toHaveAccessibleDescription('Podaj hasło.')
  await field(page, 'Obecne hasło').fill(account.password)
  await field(page, 'Nowe hasło').fill('piec5')
  await save.click()
  await expect(field(page, 'Nowe hasło')).toHaveAccessibleDescription('Hasło musi mieć co najmniej 6 znaków.')
  await field(page, 'Nowe hasło').fill('Wislostrada-26')
  await save.click()
  await expect(page.getByText('Zaktualizowano')).toBeVisible()
  await expect(page.getByText('Nie masz innych sesji.')).toBeVisible()
  await expect(call(portal, elsewhere, ping)).rejects.toThrow('401')
  expect(await tokenOf(portal, { ...account, password: 'Wislostrada-26' })).toHaveLength(43)
})

test('saves an additional time up to 600 as an integer', async ({ page, portal }) => {
  const account = await atPreferences(page, portal)
  const seconds = field(page, 'Dodatkowy czas pojazdu na liście')
  const save = page.getByRole('button', { name: 'Zapisz ustawienia' })
  for (const wrong of ['', '601', '1,5', 'abc']) {
    await seconds.fill(wrong)
    await save.click()
    await expect(seconds).toHaveAttribute('aria-invalid', 'true')
  }
  await seconds.fill('45')
  await save.click()
  await expect(page.getByText('Dane zapisano poprawnie')).toBeVisible()
  await page.reload()
  await expect(seconds).toHaveValue('45')
  expect((await selfOf(portal, account)).checkpointAdditionalTime).toBe(45)
})

test('lists own sessions, ends all but the current one, and downloads the own log', async ({ page, portal }) => {
  const account = await atPreferences(page, portal)
  const elsewhere = await tokenOf(portal, account)
  await page.reload()
  const sessions = page.getByRole('table', { name: 'Twoje sesje' })
  await expect(sessions.getByRole('row')).toHaveCount(3)
  await expect(sessions.getByRole('row').filter({ hasText: 'ta sesja' })).toContainText('127.0.0.1')
  await page.getByRole('button', { name: 'Wyloguj z pozostałych sesji' }).click()
  await expect(page.getByText('Wylogowano z pozostałych sesji.')).toBeVisible()
  await expect(sessions.getByRole('row')).toHaveCount(2)
  await expect(call(portal, elsewhere, ping)).rejects.toThrow('401')

  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Mój dziennik, 7 dni (ZIP)' }).click()
  const file = await coming
  expect(file.suggestedFilename()).toMatch(/^user_log_.*\.zip$/)
  expect((await readFile(await file.path())).subarray(0, 2).toString()).toBe('PK')
})

test('shows each section only with its right', async ({ page, portal }) => {
  await atPreferences(page, portal, ['SelfPersonal'])
  await expect(page.getByRole('button', { name: 'Zapisz dane' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Zapisz ustawienia' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Zmień hasło' })).toHaveCount(0)
})

test('a token of the ticket service is stored with its expiry and never shown again', async ({
  page,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/token\/save/)
  await atPreferences(page, portal, ['SelfPersonal', 'Tickets'])
  await expect(page.getByText('Nie ma zapisanego tokenu.')).toBeVisible()
  await field(page, 'E-mail w serwisie').fill('anna@example.org')
  await page.getByRole('button', { name: 'Zapisz token' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Podaj token.' })).toBeVisible()
  await expect(field(page, 'Token dostępu')).toHaveAccessibleDescription('Podaj token.')
  await field(page, 'Token dostępu').fill('tajny-token-serwisu')
  const before = new Date()
  await field(page, 'Token dostępu').press('Control+Enter')
  await expect(page.getByText('Token został zapisany.')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  const day = new Intl.DateTimeFormat('pl', { dateStyle: 'short', timeZone: 'Europe/Warsaw' })
  const inTwoYears = (date: Date) => day.format(new Date(date).setUTCFullYear(date.getUTCFullYear() + 2))
  // Midnight may have passed meanwhile.
  const days = [before, new Date()].map(inTwoYears).join('|')
  const stored = page.getByText(new RegExp(`Token zapisany dla anna@example.org, ważny do (?:${days})\\.`))
  await expect(stored).toBeVisible()
  await expect(field(page, 'Token dostępu')).toHaveValue('')
  await page.reload()
  await expect(stored).toBeVisible()
  await expect(field(page, 'Token dostępu')).toHaveValue('')
})

test('preferences are accessible and translated', async ({ page, portal }) => {
  await atPreferences(page, portal)
  await expect(page.getByRole('table')).toBeVisible()
  await page.getByRole('button', { name: 'Zapisz dane' }).click()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  await inEveryLanguage(page, () => expect(page.getByRole('table')).toBeVisible())
})
