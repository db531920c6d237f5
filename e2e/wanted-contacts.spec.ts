import { expect } from '@playwright/test'
import { addContact, changeContact, contacts } from '@rogatka/contract/wanted.ts'
import { call, tokenOf } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { addAccount } from './src/operator.ts'
import { addButton, addEntry, fillForm, listed, signInWithEmptyLists, WANTED_RIGHTS } from './src/wanted.ts'

test('reloads a contact after a conflict and saves', async ({ page, portal, consoleErrors }) => {
  consoleErrors.expect(/409/)
  const { token } = await signInWithEmptyLists(page, portal)
  const body = { contact: 'race@example.org', typeOfContact: 0 as const, description: 'stary opis' }
  const { id } = await call(portal, token, addContact, { body })
  await page.goto('/contact')
  const dialog = page.getByRole('dialog', { name: 'Zmień: race@example.org' })
  await page.getByRole('button', { name: 'Zmień: race@example.org' }).click()
  await dialog.getByLabel('Opis', { exact: true }).fill('mój opis')
  const quietHours = { from: '22:00', to: '06:00' }
  await call(portal, token, changeContact, { params: { id }, body: { ...body, quietHours } })
  await dialog.getByRole('button', { name: 'Zapisz' }).click()
  await dialog.getByRole('button', { name: 'Wczytaj ponownie' }).click()
  await expect(dialog.getByRole('combobox', { name: 'Cisza od' })).toHaveValue('22:00')
  await dialog.getByRole('button', { name: 'Zapisz' }).click()
  await expect(dialog).toHaveCount(0)
  const { content } = await call(portal, token, contacts)
  expect(content).toMatchObject([{ description: 'mój opis', quietHours }])
})

test('shows entries and contacts of an owner with more rights without buttons', async ({ page, portal }) => {
  const owner = await addAccount(portal, ['WantedList', 'Vms'])
  const token = await tokenOf(portal, owner)
  await addEntry(portal, token, { plateLpr: 'THEIRS1', typeOfList: 0, description: 'cudzy' })
  const contact = { contact: 'cudzy@example.org', typeOfContact: 0 as const, description: 'cudzy' }
  await call(portal, token, addContact, { body: contact })
  await signInWithEmptyLists(page, portal, [...WANTED_RIGHTS, 'UserManagement'])
  await page.goto('/black-list')
  await fillForm(page, 'MINE 1', 'własny')
  await addButton(page).click()
  await expect(listed(page, 'MINE1').getByRole('button', { name: 'Usuń: MINE1' })).toBeVisible()
  await expect(listed(page, 'THEIRS1')).toContainText('właściciel ma szersze uprawnienia')
  await expect(listed(page, 'THEIRS1').getByRole('checkbox')).toHaveCount(0)
  await expect(listed(page, 'THEIRS1').getByRole('button', { name: /^(Zmień|Usuń):/ })).toHaveCount(0)
  await page.goto('/contact')
  await expect(listed(page, 'cudzy@example.org')).toContainText('właściciel ma szersze uprawnienia')
  await expect(listed(page, 'cudzy@example.org').getByRole('button')).toHaveCount(0)
})

test('adds a contact with quiet hours by keyboard, with an error beside a wrong address', async ({
  page,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/wanted-contacts|400/)
  await signInWithEmptyLists(page, portal)
  await page.goto('/contact')
  await expect(addButton(page)).toBeDisabled()
  await page.getByLabel('Adres e-mail').focus()
  await page.keyboard.type('dyzurny')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Dyżurny KPP')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Adres e-mail')).toHaveAccessibleDescription('Nieprawidłowy adres e-mail.')
  await page.getByLabel('Adres e-mail').fill('dyzurny@example.org')
  await page.getByRole('combobox', { name: 'Cisza od' }).click()
  await page.getByRole('option', { name: '22:00' }).click()
  await expect(addButton(page)).toBeDisabled()
  await expect(page.getByText('Podaj początek i koniec ciszy.')).toBeVisible()
  await page.getByRole('combobox', { name: 'Cisza do' }).click()
  await page.getByRole('option', { name: '06:00' }).click()
  await addButton(page).focus()
  await page.keyboard.press('Enter')
  await expect(listed(page, 'dyzurny@example.org')).toContainText('22:00–06:00')

  await page.locator('input[type="file"]').setInputFiles({
    name: 'k.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('\uFEFFrodzaj;kontakt;opis\n1;600 100 200;Patrol\ntelefon;601100200;Zmiana B\n'),
  })
  await page.getByRole('button', { name: 'Wyślij 2 wiersze' }).click()
  await expect(listed(page, '+48600100200')).toContainText('telefon')
  await expect(listed(page, '+48601100200')).toBeVisible()
})
