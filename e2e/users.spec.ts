import { expect } from '@playwright/test'
import { list } from '@rogatka/contract/users.ts'
import { call, tokenOf } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { addAccount, expectAccessible, inEveryLanguage, signInByApi } from './src/operator.ts'
import { createUser, saveForm, uniqueUsername, userRow } from './src/users.ts'

test.beforeEach(async ({ page, portal }) => {
  await signInByApi(page, portal)
})

test('deletes selected users after a confirmation with their count and names', async ({ page, portal }) => {
  const [one, other] = [uniqueUsername(), uniqueUsername()]
  await createUser(portal, one)
  await createUser(portal, other)
  await page.goto('/user-management?username=osoba-')
  await page.getByRole('searchbox').fill(one)
  await page.getByRole('checkbox', { name: `Zaznacz: ${one}`, exact: true }).check()
  await page.getByRole('searchbox').fill(other)
  await page.getByRole('checkbox', { name: `Zaznacz: ${other}`, exact: true }).check()
  await page.getByRole('button', { name: 'Usuń (2)' }).click()
  const dialog = page.getByRole('dialog', { name: 'Usunąć 2 użytkowników?' })
  await expect(dialog).toContainText(one)
  await expect(dialog).toContainText(other)
  await expect(dialog.getByRole('button', { name: 'Anuluj' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Usuń' }).click()
  await expect(page.getByText('Usunięto 2 użytkowników.')).toBeVisible()
  await expect(page.getByText(`Nie ma użytkownika, którego nazwa zawiera „${other}”.`)).toBeVisible()
})

test('shows a failed delete in a toast with its reason', async ({ page, portal, consoleErrors }) => {
  consoleErrors.expect(/bulk-delete|Nie udało się usunąć/)
  const username = uniqueUsername()
  await createUser(portal, username)
  await page.goto(`/user-management?username=${username}`)
  await page.getByRole('checkbox', { name: `Zaznacz: ${username}` }).check()
  const refusal = [{ path: null, code: 'last-administrator', userMessage: 'To ostatni aktywny administrator.' }]
  await page.route('**/bulk-delete', (route) => route.fulfill({ status: 422, json: refusal }))
  await page.getByRole('button', { name: 'Usuń (1)' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Usuń' }).click()
  await expect(page.getByText('To ostatni aktywny administrator.')).toBeVisible()
  await expect(userRow(page, username)).toBeVisible()
})

test('lists ten per page, and a search starts at page one', async ({ page, portal }) => {
  for (let i = 0; i < 12; i += 1) await createUser(portal, `strona-${i}`)
  const { totalCount } = await call(portal, await tokenOf(portal), list, {})
  expect(totalCount).toBeGreaterThan(12)
  await page.goto('/user-management')
  await expect(page.getByRole('row')).toHaveCount(11)
  await page.getByRole('button', { name: 'Następna strona' }).click()
  await expect(page).toHaveURL('/user-management?page=2')
  await page.getByRole('searchbox').fill('strona-')
  await expect(page).toHaveURL('/user-management?username=strona-')
  await expect(page.getByText('12 użytkowników')).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(11)
  await page.getByRole('heading', { name: 'Użytkownicy' }).click()
  await page.keyboard.press('PageDown')
  await expect(page.getByRole('row')).toHaveCount(3)
  await page.reload()
  await expect(page.getByRole('row')).toHaveCount(3)
  await expect(page.getByRole('searchbox')).toHaveValue('strona-')
})

test('an account with more rights cannot be changed or deleted', async ({ page, portal }) => {
  const manager = await addAccount(portal, ['UserManagement', 'SelfPersonal'])
  await signInByApi(page, portal, manager)
  await page.goto('/user-management?username=admin')
  const row = userRow(page, 'admin')
  await expect(row).toContainText('szersze uprawnienia')
  await expect(row.getByRole('checkbox')).toHaveCount(0)
  await expect(row.getByRole('button')).toHaveCount(0)
  const { content } = await call(portal, await tokenOf(portal), list, { query: { username: 'admin' } })
  await page.goto(`/user-management?edit=${content[0]?.id}`)
  await expect(page.getByText('To konto ma uprawnienia, których Ty nie masz')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Zapisz' })).toHaveCount(0)
})

test('shows the same list to user administrators at a second address', async ({ page, portal }) => {
  const username = uniqueUsername()
  await createUser(portal, username)
  const administrator = await addAccount(portal, [
    'UsersAdmin',
    'ArchiveMeasurements',
    'Stat',
    'SelfPersonal',
    'PasswordChange',
  ])
  await signInByApi(page, portal, administrator)
  await page.goto('/user-management')
  await expect(page.getByText('Brak uprawnień do tej czynności.')).toBeVisible()
  await page.goto(`/users?username=${username}`)
  await page.getByRole('button', { name: `Edytuj: ${username}` }).click()
  await expect(page).toHaveURL(/\/users\?username=.*edit=/)
  await page.getByLabel('Imię', { exact: true }).fill('Maria')
  await saveForm(page)
  await expect(page).toHaveURL(`/users?username=${username}`)
  await expect(userRow(page, username)).toContainText('Maria Kowalski')
})

test('shows a failed list with a retry', async ({ page, consoleErrors }) => {
  consoleErrors.expect(/users|Nie udało się pobrać/)
  await page.route('**/api/v1/users?**', (route) => route.fulfill({ status: 500, json: [] }))
  await page.goto('/user-management')
  await expect(page.getByRole('alert').filter({ hasText: 'Nie udało się pobrać użytkowników.' })).toBeVisible()
  await page.unroute('**/api/v1/users?**')
  await page.getByRole('button', { name: 'Spróbuj ponownie' }).click()
  await expect(page.getByRole('table')).toBeVisible()
})

test('the list is accessible and translated', async ({ page }) => {
  await page.goto('/user-management')
  await expect(page.getByRole('table')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  await inEveryLanguage(page, () => expect(page.getByRole('table')).toBeVisible())
})
