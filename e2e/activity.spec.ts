import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { resetPassword } from '@rogatka/contract/session.ts'
import { change, list } from '@rogatka/contract/users.ts'
import { exportPlates } from '@rogatka/contract/wanted.ts'
import { call, tokenOf } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { addAccount, expectAccessible, inEveryLanguage, signInByApi } from './src/operator.ts'

test.beforeEach(async ({ page, portal }) => {
  await signInByApi(page, portal)
})

const show = (page: Page) => page.getByRole('button', { name: 'Pokaż', exact: true }).click()
const choose = async (page: Page, label: string, option: string) => {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}
async function download(page: Page, button: string) {
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  const file = await coming
  return { name: file.suggestedFilename(), head: (await readFile(await file.path())).subarray(0, 4).toString('latin1') }
}

test('filters the history by user, event and range, ten per page, in the address', async ({ page, portal }) => {
  const account = await addAccount(portal, ['Stat'])
  for (let i = 0; i < 12; i += 1) await tokenOf(portal, account)
  await page.goto('/user-activity')
  await choose(page, 'Użytkownik', account.username)
  await choose(page, 'Zdarzenie', 'logowanie do portalu')
  await page.getByRole('button', { name: 'ostatnie 7 dni' }).click()
  await show(page)
  await expect(page.getByText('12 wpisów')).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(11)
  await expect(page.getByRole('row').nth(1)).toContainText(account.username)
  await expect(page.getByRole('row').nth(1)).toContainText('logowanie do portalu')
  await expect(page.getByRole('row').nth(1)).toContainText('127.0.0.1')
  await page.getByRole('button', { name: 'Następna strona' }).click()
  await expect(page.getByRole('row')).toHaveCount(3)
  await expect(page).toHaveURL(/eventType=1.*page=2|page=2.*eventType=1/)
  await page.reload()
  await expect(page.getByRole('row')).toHaveCount(3)

  await choose(page, 'Zdarzenie', 'włączenie znaku')
  await show(page)
  await expect(page.getByText(/Nie ma aktywności dla wybranych kryteriów/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Pobierz jako PDF' })).toBeDisabled()
  await expect(page.getByText('nie ma czego pobrać')).toBeVisible()
})

test('reports a missing range end above the page and beside the heading', async ({ page }) => {
  await page.goto('/user-activity')
  await page.getByRole('button', { name: 'Usuń zakres czasu' }).first().click()
  await show(page)
  await expect(page.getByText('Wybierz początek i koniec.')).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: 'Brak wymaganego parametru' })).toBeVisible()
})

test('downloads the history as PDF and XLSX, and a user log as ZIP', async ({ page, portal }) => {
  const account = await addAccount(portal, ['Stat'])
  await tokenOf(portal, account)
  await page.goto('/user-activity')
  await expect(page.getByRole('button', { name: 'Dziennik użytkownika, 7 dni (ZIP)' })).toHaveCount(0)
  await choose(page, 'Użytkownik', account.username)
  await show(page)
  await expect(page.getByText('1 wpis', { exact: true })).toBeVisible()
  const pdf = await download(page, 'Pobierz jako PDF')
  expect([pdf.name, pdf.head]).toEqual([
    expect.stringMatching(/^activity_\d\d_\d\d_\d{4}_\d\d_\d\d_\d\d\.pdf$/),
    '%PDF',
  ])
  const xlsx = await download(page, 'Pobierz jako XLSX')
  expect([xlsx.name, xlsx.head]).toEqual([expect.stringMatching(/\.xlsx$/), 'PK\x03\x04'])
  const log = await download(page, 'Dziennik użytkownika, 7 dni (ZIP)')
  expect([log.name, log.head]).toEqual([expect.stringMatching(/^user_log_.*\.zip$/), 'PK\x03\x04'])
})

test('lists changes in their own tab, with values before and after', async ({ page, portal }) => {
  const account = await addAccount(portal, ['Stat'])
  const token = await tokenOf(portal)
  const { content } = await call(portal, token, list, { query: { username: account.username } })
  const { roles, id, passwordUpdatedAt: _, ...rest } = content[0] as NonNullable<(typeof content)[0]>
  const body = { ...rest, lastName: 'Po-zmianie', roles: [roles[0]?.id ?? 0], password: null }
  await call(portal, token, change, { params: { id }, body: body as never })
  await page.goto('/user-activity')
  await page.getByRole('link', { name: 'Zmiany' }).click()
  const row = page.getByRole('row').filter({ hasText: account.username }).filter({ hasText: 'Zmieniono użytkownika' })
  await expect(row).toContainText('admin')
  await expect(row.locator('del')).toHaveText('Kowalski')
  await expect(row.locator('ins')).toHaveText('Po-zmianie')
  await expect(page.getByRole('link', { name: 'Zmiany' })).toHaveAttribute('aria-current', 'page')
})

test('shows the outbox tab only to administrators', async ({ page, portal }) => {
  const account = await addAccount(portal, ['UserManagement', 'SelfPersonal'])
  const email = `${account.username}@example.com`
  await call(portal, null, resetPassword, { body: { email } })
  await page.goto('/user-activity')
  await page.getByRole('link', { name: 'Skrzynka nadawcza' }).click()
  const row = page.getByRole('row').filter({ hasText: email })
  await expect(row).toContainText('nowe hasło')
  await expect(row).toContainText('czeka')
  await signInByApi(page, portal, account)
  await page.goto('/user-activity')
  await expect(page.getByRole('link', { name: 'Zmiany' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Skrzynka nadawcza' })).toHaveCount(0)
})

test('every tab is accessible and translated', async ({ page }) => {
  for (const address of ['/user-activity', '/user-activity?tab=audit']) {
    await page.goto(address)
    await expect(page.getByRole('table')).toBeVisible()
    await expectAccessible(page)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  await inEveryLanguage(page, () => expect(page.getByRole('table')).toBeVisible())
})

test('names the report of a vehicle list and its list, without the plate that was searched for', async ({
  page,
  portal,
}) => {
  const token = await tokenOf(portal)
  await call(portal, token, exportPlates, { query: { typesOfLists: '0', search: 'WX1' } })
  await page.goto('/user-activity?tab=audit')
  const row = page.getByRole('row').filter({ hasText: 'Pobrano raport' }).first()
  await expect(row).toContainText('lista numerów rejestracyjnych (CSV)')
  await expect(row.getByRole('definition').filter({ hasText: 'czarna lista' })).toBeVisible()
  await expect(row).not.toContainText(/WX1|Szukany tekst|Inne pole/)
})
