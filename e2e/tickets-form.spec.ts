import { expect, type Page } from '@playwright/test'
import { test } from './src/fixtures.ts'
import { addAccount, pageAlert, signInByApi } from './src/operator.ts'

/** A pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A title that no other test has. */
const anyTitle = () => `Awaria ${crypto.randomUUID().slice(0, 8)}`

const rowOf = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Zgłoś problem' })
const send = (page: Page) => dialog(page).getByRole('button', { name: 'Wyślij' })

test.beforeEach(async ({ page, portal }) => {
  await signInByApi(page, portal)
})

test('reports a problem from any page with an image, shown in the failure report', async ({ page, consoleErrors }) => {
  consoleErrors.expect(/422/)
  const message = anyTitle()
  await page.goto('/stat')
  await page.getByRole('button', { name: 'Zgłoś problem' }).click()
  await send(page).click()
  await expect(dialog(page).getByLabel('Wiadomość')).toHaveAccessibleDescription('Podaj treść wiadomości.')
  await expect(dialog(page).getByLabel('E-mail')).toHaveAccessibleDescription('Podaj adres e-mail.')
  for (const optional of ['Temat', 'Stacja', 'Pas', 'Znak'])
    await expect(dialog(page).getByLabel(`${optional} (opcjonalnie)`, { exact: true }).first()).toBeVisible()

  await dialog(page).getByLabel('Imię i nazwisko').fill('Anna Nowak')
  await dialog(page).getByLabel('E-mail').fill('anna@example.com')
  await dialog(page).getByLabel('Wiadomość').fill(message)
  const file = dialog(page).locator('input[type=file]')
  await file.setInputFiles({ name: 'uwaga.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
  await send(page).click()
  await expect(dialog(page).getByText(/Załącznik może być obrazem/)).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Usuń załącznik uwaga.txt' }).click()
  await file.setInputFiles({ name: 'widok.png', mimeType: 'image/png', buffer: PNG })
  await expect(dialog(page).getByRole('img', { name: 'Podgląd: widok.png' })).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Usuń załącznik widok.png' }).click()
  await expect(dialog(page).getByText('widok.png')).toHaveCount(0)
  // The same file can be selected again.
  await expect(file).toHaveValue('')
  await file.setInputFiles({ name: 'widok.png', mimeType: 'image/png', buffer: PNG })
  await send(page).click()
  await expect(dialog(page).getByText(/Zgłoszenie zostało wysłane\. Jego numer: \d+\/\d{4}\./)).toBeVisible()
  const number = /\d+\/\d{4}/.exec((await dialog(page).textContent()) ?? '')?.[0] ?? ''
  await dialog(page).getByRole('button', { name: 'Zamknij' }).last().click()

  await page.goto('/tickets')
  await rowOf(page, number).getByRole('link', { name: 'Zgłoszenie z systemu WIM' }).click()
  await expect(page.getByText(message)).toBeVisible()
  await expect(page.getByText('Anna Nowak')).toBeVisible()
  await expect(page.getByRole('img', { name: /widok/ })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Zapisz plik' })).toBeVisible()

  const more = page.locator('input[type=file]')
  const alert = pageAlert(page)
  await more.setInputFiles({ name: 'uwaga.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
  await expect(alert).toHaveText(/Załącznik może być obrazem/)
  await more.setInputFiles({ name: 'zepsuty.png', mimeType: 'image/png', buffer: PNG.subarray(0, 40) })
  await expect(alert).toHaveText(/Nie udało się dodać plików\. Załącznika nie da się odczytać/)
  await more.setInputFiles(['po.png', 'protokół.png'].map((name) => ({ name, mimeType: 'image/png', buffer: PNG })))
  await expect(page.getByText('Dodano 2 pliki.')).toBeVisible()
  await expect(alert).toHaveCount(0)
  await expect(page.getByRole('img')).toHaveCount(3)
  await expect(page.getByText('dodano pliki')).toBeVisible()
  await expect(page.getByText('po.png, protokół.png')).toBeVisible()
})

test('keeps the input of a report that could not be sent', async ({ page, consoleErrors }) => {
  consoleErrors.expect(/tickets/)
  const message = anyTitle()
  await page.goto('/')
  await page.route('**/api/v1/tickets', (route) => route.abort())
  await expect(page.getByRole('button', { name: 'Zgłoś problem' })).toBeVisible()
  await page.keyboard.press('F2')
  await dialog(page).getByLabel('E-mail').fill('anna@example.com')
  await dialog(page).getByLabel('Wiadomość').fill(message)
  await send(page).click()
  await expect(dialog(page).getByRole('alert')).toContainText(
    'Wystąpił błąd podczas zapisywania zgłoszenia. Spróbuj ponownie później.',
  )
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await page.keyboard.press('F2')
  await expect(dialog(page).getByLabel('Wiadomość')).toHaveValue(message)

  await page.unroute('**/api/v1/tickets')
  const held = Promise.withResolvers<void>()
  await page.route('**/api/v1/tickets', async (route) => {
    await held.promise
    await route.continue()
  })
  await send(page).click()
  await expect(dialog(page).getByRole('button', { name: 'Wysyłanie...' })).toBeDisabled()
  const drafts = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:')))
  await expect.poll(drafts).toHaveLength(1)
  held.resolve()
  await expect(dialog(page).getByText(/Zgłoszenie zostało wysłane/)).toBeVisible()
  // A submitted draft is not restored after sign-out, even if the dialog was not closed.
  await expect.poll(drafts).toEqual([])
})

test('hides button and page without the right, and shows a message for an unknown failure', async ({
  page,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/404/)
  await page.goto('/tickets/999999999')
  await expect(page.getByText('Nie ma takiego zgłoszenia')).toBeVisible()
  await signInByApi(page, portal, await addAccount(portal, ['Stat']))
  await page.goto('/tickets')
  await expect(page.getByRole('button', { name: 'Zgłoś problem' })).toHaveCount(0)
  await expect(page.getByText('Brak uprawnień')).toBeVisible()
})
