import { expect, type Page } from '@playwright/test'
import { add, change, list, read } from '@rogatka/contract/roles.ts'
import { add as addUser } from '@rogatka/contract/users.ts'
import { call, tokenOf } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { expectAccessible, inEveryLanguage, signInByApi } from './src/operator.ts'
import type { Portal } from './src/portal.ts'

/** A name that no other test searches for. */
const roleName = () => `Rola ${crypto.randomUUID().slice(0, 8)}`

test.beforeEach(async ({ page, portal }) => {
  await signInByApi(page, portal)
})

const save = (page: Page) => page.getByRole('button', { name: 'Zapisz' }).first().click()
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const nameField = (page: Page) => page.getByLabel('Nazwa', { exact: true })
const tile = (page: Page, word: string, number: number) =>
  page.getByRole('button', { name: new RegExp(`^${word}: *${number}\\b`) })
const grant = (page: Page, number: number) => tile(page, 'Przyznaj', number)
const takeAway = (page: Page, number: number) => tile(page, 'Odbierz', number)
const added = async (portal: Portal, name: string, permissions = ['ROLE_2']) =>
  call(portal, await tokenOf(portal), add, { body: { name, permissions } })

test('creates a role from a name and available permissions', async ({ page, portal }) => {
  const name = roleName()
  await page.goto('/role-group-management')
  await page.getByRole('button', { name: 'Dodaj rolę' }).click()
  await save(page)
  await expect(nameField(page)).toHaveAccessibleDescription('Nazwa jest wymagana.')
  await expect(page.getByText('Uprawnienia są wymagane.')).toBeVisible()
  await expect(page.getByText('Wybierz co najmniej jedno uprawnienie.')).toBeVisible()

  await expect(page.getByRole('button', { name: /Menu zarządzania/ })).toHaveCount(1)
  await nameField(page).fill(`  ${name} `)
  await grant(page, 4).click()
  await page.getByRole('searchbox', { name: 'Szukaj uprawnienia' }).fill('archiw')
  await grant(page, 2).click()
  await page.getByRole('searchbox', { name: 'Szukaj uprawnienia' }).fill('')
  await expect(page.getByRole('button', { name: /^Odbierz:/ })).toHaveCount(2)
  await takeAway(page, 4).click()
  await grant(page, 10).click()
  await save(page)
  await expect(page.getByText('Utworzono rolę.')).toBeVisible()
  await expect(page).toHaveURL('/role-group-management')
  const roles = await call(portal, await tokenOf(portal), list, { query: { name } })
  expect(roles).toMatchObject([{ name, description: null, permissions: [{ name: 'ROLE_2' }, { name: 'ROLE_10' }] }])
})

test('edits a role in the same form, and shows it in the list', async ({ page, portal }) => {
  const name = roleName()
  const { id } = await added(portal, name, ['ROLE_2', 'ROLE_4'])
  await page.goto(`/role-group-management?name=${name}`)
  await page.getByRole('button', { name: `Edytuj: ${name}` }).click()
  await expect(nameField(page)).toHaveValue(name)
  await expect(page.getByRole('button', { name: /^Odbierz:/ })).toHaveCount(2)
  await page.getByLabel('Opis (opcjonalnie)').fill('Zmiana nocna')
  await takeAway(page, 4).click()
  await save(page)
  await expect(page.getByText('Zapisano zmiany.')).toBeVisible()
  await expect(rowOf(page, name)).toContainText('Zmiana nocna')
  const stored = await call(portal, await tokenOf(portal), read, { params: { id } })
  expect(stored.permissions).toEqual([{ name: 'ROLE_2' }])
})

test('shows a taken name, an unknown error and a conflict', async ({ page, portal, consoleErrors }) => {
  consoleErrors.expect(/roles/)
  const role = await added(portal, roleName())
  await page.goto('/role-group-management?add=true')
  await nameField(page).fill('operator')
  await grant(page, 2).click()
  await save(page)
  await expect(nameField(page)).toHaveAccessibleDescription(/już istnieje|zajęta/)
  await page.route('**/api/v1/roles', (route) => route.fulfill({ status: 500, json: [] }))
  await nameField(page).fill(roleName())
  await save(page)
  await expect(
    page
      .getByRole('alert')
      .filter({ hasText: /Błąd zapisu|500/ })
      .last(),
  ).toBeVisible()
  await page.unroute('**/api/v1/roles')

  await page.getByRole('button', { name: 'Anuluj' }).click()
  await page.getByRole('button', { name: 'Porzuć zmiany' }).click()
  await page.goto(`/role-group-management?edit=${role.id}`)
  await page.getByLabel('Opis (opcjonalnie)').fill('moje')
  const elsewhere = { name: role.name, description: 'cudze', permissions: ['ROLE_4'] }
  await call(portal, await tokenOf(portal), change, { params: { id: role.id }, body: elsewhere })
  await save(page)
  await expect(page.getByText(/Ktoś zmienił te dane w międzyczasie/)).toBeVisible()
  await page.getByRole('button', { name: 'Wczytaj ponownie' }).click()
  await expect(page.getByLabel('Opis (opcjonalnie)')).toHaveValue('moje')
  await expect(page.getByText('Zapisano tymczasem: cudze')).toBeVisible()
  await expect(takeAway(page, 4)).toBeVisible()
})

test('lists ten per page, searches case-insensitively from page one, and deletes the selection', async ({
  page,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/bulk-delete|Nie udało się usunąć/)
  const series = crypto.randomUUID().slice(0, 6)
  for (let i = 0; i < 12; i += 1) await added(portal, `Seria ${series} ${i}`)
  await page.goto('/role-group-management')
  await expect(page.getByRole('row')).toHaveCount(11)
  await page.getByRole('button', { name: 'Następna strona' }).click()
  await expect(page).toHaveURL('/role-group-management?page=2')
  await page.getByRole('searchbox').fill(`SERIA ${series}`)
  await expect(page).not.toHaveURL(/page=/)
  await expect(page.getByText('12 ról')).toBeVisible()
  for (const i of [0, 1])
    await page.getByRole('checkbox', { name: `Zaznacz: Seria ${series} ${i}`, exact: true }).check()
  await page.getByRole('button', { name: 'Usuń (2)' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(`Seria ${series} 0`)
  await dialog.getByRole('button', { name: 'Usuń' }).click()
  await expect(page.getByText('Usunięto 2 role.')).toBeVisible()
  await expect(page.getByText('10 ról')).toBeVisible()

  const used = await added(portal, `Zajęta ${series}`, ['ROLE_10'])
  const person = { firstName: 'Jan', lastName: 'Kowalski', email: 'jan@example.com', phoneNumber: '600100200' }
  const account = { username: `zajmuje-${series}`, password: 'Droga-S8-Wyszkow' }
  await call(portal, await tokenOf(portal), addUser, { body: { ...account, ...person, roles: [used.id] } })
  await page.getByRole('searchbox').fill('Administrator')
  await expect(rowOf(page, 'Administrator')).toBeVisible()
  await expect(rowOf(page, 'Administrator').getByRole('checkbox')).toHaveCount(0)
  await page.getByRole('searchbox').fill(used.name)
  await page.getByRole('checkbox', { name: `Zaznacz: ${used.name}`, exact: true }).check()
  await page.getByRole('button', { name: 'Usuń (1)' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Usuń' }).click()
  await expect(page.getByText('Nie udało się usunąć ról.')).toBeVisible()
  await expect(rowOf(page, used.name)).toBeVisible()
})

test('the administrator role shows its rights without a way to revoke them', async ({ page }) => {
  await page.goto('/role-group-management?edit=8')
  await expect(page.getByText('Rola administratora zachowuje wszystkie uprawnienia.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^3 *Znaki VMS/ })).toBeDisabled()
  await expect(page.getByRole('button', { name: /^17 *Menu zarządzania 17 *To samo co 8/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /^(Odbierz|Przyznaj):/ })).toHaveCount(0)
  await expectAccessible(page)
})

test('roles are read-only without the right to change them', async ({ page, portal }) => {
  const name = roleName()
  const role = await added(portal, name, ['ROLE_10', 'ROLE_20'])
  const account = { username: `patrzy-${role.id}`, password: 'Droga-S8-Wyszkow' }
  const person = { firstName: 'Jan', lastName: 'Kowalski', email: 'jan@example.com', phoneNumber: '600100200' }
  await call(portal, await tokenOf(portal), addUser, { body: { ...account, ...person, roles: [role.id] } })
  await signInByApi(page, portal, account)
  await page.goto(`/role-group-management?name=${name}`)
  await expect(rowOf(page, name)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Dodaj rolę' })).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('checkbox')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Edytuj/ })).toHaveCount(0)
})

test('shows a failed list above the page', async ({ page, consoleErrors }) => {
  consoleErrors.expect(/roles/)
  await page.route('**/api/v1/roles?**', (route) => route.fulfill({ status: 500, json: [] }))
  await page.goto('/role-group-management')
  await expect(page.getByRole('alert').filter({ hasText: 'Nie udało się pobrać ról.' })).toBeVisible()
})

test('list and form are accessible and translated', async ({ page }) => {
  await page.goto('/role-group-management')
  await expect(page.getByRole('table')).toBeVisible()
  await expectAccessible(page)
  await page.goto('/role-group-management?add=true')
  await grant(page, 2).click()
  await save(page)
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await inEveryLanguage(page, () => expect(page.locator('[type="submit"]').first()).toBeVisible())
})
