import { expect } from '@playwright/test'
import { test } from './src/fixtures.ts'
import { expectAccessible, inEveryLanguage, signInByApi } from './src/operator.ts'

/** A name that no other test uses. */
const anyName = () => `Webhook ${crypto.randomUUID().slice(0, 8)}`

test('an administrator adds a webhook, sees its secret once, tests, pauses, replays and deletes it', async ({
  page,
  portal,
  consoleErrors,
}) => {
  // A refused address.
  consoleErrors.expect(/422/)
  const name = anyName()
  await signInByApi(page, portal)
  await page.goto('/webhooks')
  await page.getByRole('button', { name: 'Dodaj webhook' }).click()
  const form = page.getByRole('dialog', { name: 'Nowy webhook' })
  await form.getByLabel('Nazwa').fill(name)
  await form.getByLabel('Adres').fill('https://127.0.0.1:9/events')
  await expect(form.getByRole('button', { name: 'Dodaj', exact: true })).toBeDisabled()
  await form.getByRole('checkbox', { name: 'zmiana znaku' }).check()
  await expect(form.getByRole('group', { name: 'Kategorie [8+1]' })).toHaveCount(0)
  await form.getByRole('checkbox', { name: 'przeciążony pojazd' }).check()
  await form.getByRole('group', { name: 'Kategorie [8+1]' }).getByRole('button', { name: 'Ciągnik' }).click()
  await form.getByRole('button', { name: 'Dodaj', exact: true }).click()
  await expect(form).toContainText('Adres nie jest publiczny i nie ma go w WEBHOOK_ALLOW.')
  // A name without an address, by RFC 7686 without a lookup: nothing is sent.
  await form.getByLabel('Adres').fill('https://odbiorca.onion/events')
  await form.getByRole('button', { name: 'Dodaj', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Sekret webhooka ${name}` })
  await expect(dialog.getByLabel('Sekret', { exact: true })).toHaveValue(/^whsec_/)
  await page.keyboard.press('Escape')
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText(/odbiorca\.onion.*zmiana znaku.*nigdy.*aktywny/)

  await page.getByRole('button', { name: `Doręczenia: ${name}` }).click()
  const deliveries = page.getByRole('dialog', { name: `Doręczenia: ${name}` })
  await deliveries.getByRole('button', { name: 'Wyślij test' }).click()
  await expect(deliveries.getByRole('row').filter({ hasText: 'test' })).toContainText('Nie znaleziono nazwy')
  await deliveries.getByRole('button', { name: 'Wstrzymaj' }).click()
  await expect(deliveries.getByRole('button', { name: 'Wznów' })).toBeVisible()
  await deliveries.getByRole('textbox', { name: 'Wyślij ponownie od' }).fill('20.10.2025 08:15')
  await page.keyboard.press('Tab')
  await deliveries.getByRole('button', { name: 'Wyślij ponownie', exact: true }).click()
  await expect(page.getByText(/Ponownie wysyłane: \d+/)).toBeVisible()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(row).toContainText('wstrzymany')
  await expectAccessible(page)
  await inEveryLanguage(page)
  // The last language is Romanian.
  await page.getByRole('button', { name: `Șterge: ${name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Șterge' }).click()
  await expect(row).toHaveCount(0)
})
