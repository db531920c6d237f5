import { expect, type Page } from '@playwright/test'
import { add as addRole } from '@rogatka/contract/roles.ts'
import { change, list, read } from '@rogatka/contract/users.ts'
import { call, tokenOf } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { addAccount, expectAccessible, inEveryLanguage, signInByApi } from './src/operator.ts'
import { titled } from './src/title.ts'
import { createUser, saveForm, uniqueUsername, userRow } from './src/users.ts'

test.beforeEach(async ({ page, portal }) => {
  await signInByApi(page, portal)
})

const fillForm = async (page: Page, username: string) => {
  await page.getByLabel('Nazwa użytkownika', { exact: true }).fill(username)
  await page.getByRole('combobox', { name: 'Rola' }).click()
  await page.getByRole('option', { name: 'Analityk', exact: true }).click()
  await page.getByLabel('Hasło', { exact: true }).fill('Szlaban-8')
  await page.getByLabel('Powtórz hasło').fill('Szlaban-8')
  await page.getByLabel('Imię', { exact: true }).fill('Ewa')
  await page.getByLabel('Nazwisko').fill('Szymańska')
  await page.getByLabel('E-mail').fill(`${username}@example.com`)
  await page.getByLabel('Telefon', { exact: true }).fill('600 100 200')
}

test('adds a user with a +48 number and lists it', async ({ page }) => {
  const username = uniqueUsername()
  await page.goto('/user-management')
  await page.getByRole('button', { name: 'Dodaj użytkownika' }).click()
  await expect(page).toHaveTitle(titled('Nowy użytkownik'))
  await fillForm(page, username)
  await page.getByLabel('Obsługuje zgłoszenia awarii').check()
  await saveForm(page)
  await expect(page.getByText('Dodano użytkownika', { exact: true })).toBeVisible()
  await expect(page).toHaveURL('/user-management')
  await page.getByRole('searchbox').fill(username.toUpperCase())
  const row = userRow(page, username)
  await expect(row).toContainText('+48 600 100 200')
  await expect(row).toContainText('Analityk')
  await expect(row).toContainText('aktywne')
  await expect(row.getByRole('cell', { name: 'TAK' })).toHaveCount(1)
})

test('an empty form names every missing field and focuses the first', async ({ page }) => {
  await page.goto('/user-management?add=true')
  await saveForm(page)
  const username = page.getByLabel('Nazwa użytkownika', { exact: true })
  await expect(username).toBeFocused()
  for (const [name, text] of [
    ['Imię', 'Podaj imię.'],
    ['Nazwisko', 'Podaj nazwisko.'],
    ['Telefon', 'Podaj numer telefonu.'],
  ] as const)
    await expect(page.getByLabel(name, { exact: true })).toHaveAccessibleDescription(text)
  await expect(page.getByRole('combobox', { name: 'Rola' })).toHaveAccessibleDescription('Wybierz rolę.')
  await expect(page.getByLabel('Hasło', { exact: true })).toHaveAccessibleDescription('Podaj hasło.')
  await expect(page.getByLabel('E-mail')).toHaveAccessibleDescription('Podaj adres e-mail.')
})

test('rejects a wrong address, different passwords and a short administrator password before sending', async ({
  page,
}) => {
  await page.goto('/user-management?add=true')
  await fillForm(page, uniqueUsername())
  await page.getByLabel('E-mail').fill('ewa@')
  await page.getByLabel('Powtórz hasło').fill('Droga-S7')
  await page.getByRole('combobox', { name: 'Rola' }).click()
  await page.getByRole('option', { name: 'Administrator', exact: true }).click()
  await saveForm(page)
  await expect(page.getByLabel('E-mail')).toHaveAccessibleDescription('Nieprawidłowy adres e-mail.')
  await expect(page.getByLabel('Powtórz hasło')).toHaveAccessibleDescription('Hasła nie są takie same.')
  await expect(page.getByLabel('Hasło', { exact: true })).toHaveAccessibleDescription(
    'Hasło administratora musi mieć co najmniej 12 znaków.',
  )
})

test('shows a taken name beside its field and keeps the input', async ({ page, consoleErrors }) => {
  consoleErrors.expect(/\/api\/v1\/users/)
  await page.goto('/user-management?add=true')
  await fillForm(page, 'ADMIN')
  await page.getByLabel('Opis (opcjonalnie)').press('Control+Enter')
  await expect(page.getByLabel('Nazwa użytkownika', { exact: true })).toHaveAccessibleDescription(
    'Użytkownik o tej nazwie już istnieje.',
  )
  await expect(page.getByLabel('Nazwisko')).toHaveValue('Szymańska')
  await expect(page.getByRole('alert').filter({ hasText: 'Użytkownik o tej nazwie już istnieje.' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Zapisz' })).toHaveCount(2)
})

test('shows a failure in the form', async ({ page, consoleErrors }) => {
  consoleErrors.expect(/users/)
  await page.goto('/user-management?add=true')
  await fillForm(page, uniqueUsername())
  await page.route('**/api/v1/users', (route) => route.fulfill({ status: 500, json: [] }))
  await saveForm(page)
  await expect(page.getByRole('alert').filter({ hasText: 'Nie udało się dodać użytkownika.' })).toBeVisible()
})

test('keeps the password of a changed user if it is untouched', async ({ page, portal }) => {
  const username = uniqueUsername()
  const { id } = await createUser(portal, username)
  await page.goto(`/user-management?username=${username}`)
  await page.getByRole('button', { name: `Edytuj: ${username}` }).click()
  await expect(page.getByLabel('Hasło', { exact: true })).toHaveAttribute('placeholder', '••••••••')
  await page.getByLabel('Firma').fill('Zarząd Dróg')
  await page.getByLabel('Organizacja').fill('Oddział Warszawa')
  await page.getByLabel('Konto aktywne').uncheck()
  await expect(page.getByText('niezapisane zmiany')).toBeVisible()
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await saveForm(page)
  expect((await sent).postDataJSON()).toMatchObject({ password: null, company: 'Zarząd Dróg', enabled: false })
  await expect(page.getByText('Zapisano zmiany.')).toBeVisible()
  await expect(userRow(page, username)).toContainText('nieaktywne')
  const stored = await call(portal, await tokenOf(portal), read, { params: { id } })
  expect([stored.company, stored.organization]).toEqual(['Zarząd Dróg', 'Oddział Warszawa'])
  expect(stored.phoneNumber).toBe('+48600100200')
})

test('shows a conflict to the second editor, who reloads without losing input and saves', async ({
  page,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/409/)
  const username = uniqueUsername()
  const user = await createUser(portal, username)
  await page.goto(`/user-management?edit=${user.id}`)
  await page.getByLabel('Nazwisko').fill('Nowa')
  await page.getByLabel('Firma').fill('Wpisana')

  const { roles, passwordUpdatedAt: _, ...rest } = user
  const elsewhere = { ...rest, firstName: 'Janina', lastName: 'Inna', roles: [roles[0]?.id ?? 0], password: null }
  await call(portal, await tokenOf(portal), change, { params: { id: user.id }, body: elsewhere as never })

  await saveForm(page)
  await expect(page.getByText(/Ktoś zmienił te dane w międzyczasie/)).toBeVisible()
  await page.getByRole('button', { name: 'Wczytaj ponownie' }).click()
  await expect(page.getByLabel('Imię', { exact: true })).toHaveValue('Janina')
  await expect(page.getByLabel('Nazwisko')).toHaveValue('Nowa')
  await expect(page.getByLabel('Firma')).toHaveValue('Wpisana')
  await expect(page.getByText('Zapisano tymczasem: Inna')).toBeVisible()
  await saveForm(page)
  await expect(page.getByText('Zapisano zmiany.')).toBeVisible()
  const stored = await call(portal, await tokenOf(portal), read, { params: { id: user.id } })
  expect([stored.firstName, stored.lastName, stored.company]).toEqual(['Janina', 'Nowa', 'Wpisana'])
})

test('asks before changing the own role', async ({ page, portal }) => {
  const administrator = await addAccount(portal, ['Roles', 'UserManagement', 'SelfPersonal'])
  const { content } = await call(portal, await tokenOf(portal), list, { query: { username: administrator.username } })
  const name = `Mniejsza ${content[0]?.id}`
  await call(portal, await tokenOf(portal), addRole, { body: { name, permissions: ['ROLE_19'] } })
  await signInByApi(page, portal, administrator)

  const ownRole = content[0]?.roles[0]
  await page.goto(`/role-group-management?edit=${ownRole?.id}`)
  await page.getByRole('button', { name: /^Odbierz: *19\b/ }).click()
  await saveForm(page)
  const dialog = page.getByRole('dialog', { name: 'Zmienić uprawnienia własnej roli?' })
  await expect(dialog).toContainText('Po zapisaniu stracisz: Role.')
  await dialog.getByRole('button', { name: 'Anuluj' }).click()
  await page.getByRole('button', { name: 'Anuluj' }).click()
  await page.getByRole('button', { name: 'Porzuć zmiany' }).click()

  await page.goto(`/user-management?edit=${content[0]?.id}`)
  await page.getByRole('combobox', { name: 'Rola' }).click()
  await page.getByRole('option', { name, exact: true }).click()
  await saveForm(page)
  const question = page.getByRole('dialog', { name: 'Zmienić własną rolę?' })
  await expect(question).toContainText(`z „${ownRole?.name}” na „${name}”`)
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Zmień rolę' }).click()
  await expect(page.getByText('Zapisano zmiany.')).toBeVisible()
  // Other tests may have filled the first page of the list.
  await page.getByRole('searchbox').fill(administrator.username)
  await expect(userRow(page, administrator.username)).toContainText(name)
})

test('asks before leaving a half-filled form', async ({ page }) => {
  await page.goto('/user-management?add=true')
  await page.getByLabel('Nazwisko').fill('Wpisane')
  await page.getByRole('button', { name: 'Użytkownicy' }).click()
  const dialog = page.getByRole('dialog', { name: 'Porzucić niezapisane zmiany?' })
  await dialog.getByRole('button', { name: 'Anuluj' }).click()
  await expect(page.getByLabel('Nazwisko')).toHaveValue('Wpisane')
  await page.getByRole('button', { name: 'Anuluj' }).click()
  await dialog.getByRole('button', { name: 'Porzuć zmiany' }).click()
  await expect(page).toHaveURL('/user-management')
  await expect(page.getByRole('table')).toBeVisible()
})

test('the keyboard alone adds a user', async ({ page }) => {
  const username = uniqueUsername()
  await page.goto('/user-management?add=true')
  await expect(page.getByLabel('Nazwa użytkownika', { exact: true })).toBeFocused()
  await page.keyboard.type(username)
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Rola' })).not.toHaveValue('')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Haslo-dla-kazdej-roli')
  await page.getByLabel('Powtórz hasło').focus()
  await page.keyboard.type('Haslo-dla-kazdej-roli')
  await page.getByLabel('Imię', { exact: true }).focus()
  for (const text of ['Ewa', 'Nowak', `${username}@example.com`]) {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Tab')
  await page.keyboard.type('600100200')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Dodano użytkownika', { exact: true })).toBeVisible()
})

test('the form is accessible and translated', async ({ page }) => {
  await page.goto('/user-management?add=true')
  await saveForm(page)
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await inEveryLanguage(page, async () => {
    await page.locator('[type="submit"]').first().click()
    await expect(page.locator('[aria-invalid="true"]').first()).toBeVisible()
  })
  await expectAccessible(page)
})

test('asks for a new password before saving a new administrator', async ({ page, portal }) => {
  const { id, username } = await createUser(portal, uniqueUsername())
  await page.goto(`/user-management?edit=${id}`)
  await expect(page.getByText('Puste pola: hasło pozostaje bez zmian.')).toBeVisible()
  await page.getByRole('combobox', { name: 'Rola' }).click()
  await page.getByRole('option', { name: 'Administrator', exact: true }).click()
  await expect(page.getByText(/^Nowy administrator musi dostać nowe hasło, co najmniej 12 znaków/)).toBeVisible()
  await expect(page.getByText('Puste pola: hasło pozostaje bez zmian.')).toHaveCount(0)
  const password = page.getByLabel('Hasło', { exact: true })
  // The shortcut also works in the last used list box.
  await page.getByRole('combobox', { name: 'Rola' }).press('Control+Enter')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await expect(password).toHaveAccessibleDescription('Podaj nowe hasło administratora.')
  await expectAccessible(page)
  await password.fill('Wysoki-Most-S8-2026')
  await page.getByLabel('Powtórz hasło').fill('Wysoki-Most-S8-2026')
  await page.getByRole('combobox', { name: 'Rola' }).press('Control+Enter')
  await expect(page).toHaveURL('/user-management')
  const { content } = await call(portal, await tokenOf(portal), list, { query: { username } })
  expect(content[0]?.roles).toMatchObject([{ name: 'Administrator' }])
})
