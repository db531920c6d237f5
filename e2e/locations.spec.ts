import { expect } from '@playwright/test'
import { changeStation, stations } from '@rogatka/contract/locations-upkeep.ts'
import { call, tokenOf } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { expectAccessible, inEveryLanguage, signInByApi } from './src/operator.ts'

/** Of this file only: a number above those of other tests. */
const anyId = () => 2_000 + Math.floor(Math.random() * 6_000)

test('an administrator adds a station by keyboard, renews its key, resolves a conflict and closes it', async ({
  page,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/(400|409).*\/stations/)
  const id = anyId()
  const name = `S9 ${id}`
  await page.addInitScript(() => {
    // The clipboard of the machine is shared with other tests.
    navigator.clipboard.writeText = async (text) => {
      document.documentElement.dataset.copied = text
    }
  })
  await signInByApi(page, portal)
  await page.goto('/stations')
  await page.getByRole('button', { name: 'Dodaj stację' }).press('Enter')
  const form = page.getByRole('dialog', { name: 'Nowa stacja' })
  await expect(form.getByLabel('Nr')).toBeFocused()
  for (const text of [String(id), name, 'Próba', 'S9', '1+000', 'Rzeszów']) {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await form.getByLabel('Szerokość geograficzna (°)').fill('50,5')
  await form.getByRole('button', { name: 'Dodaj pas' }).click()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Dodaj', exact: true }).click()
  await expect(form.getByText('Podaj obie współrzędne albo żadnej.', { exact: true })).toBeVisible()
  await form.getByLabel('Długość geograficzna (°)').fill('-22,1')
  await form.getByRole('button', { name: 'Dodaj', exact: true }).click()
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText(/S9 · 1\+000 · Rzeszów.*B\+\(7\), B\+\(7\).*nigdy.*bez ważnego klucza/)

  await page.getByRole('button', { name: `Klucze stacji: ${name}` }).click()
  await page.getByRole('button', { name: 'Wydaj klucz' }).click()
  const secret = page.getByRole('dialog', { name: `Nowy klucz stacji ${name}` })
  await secret.getByRole('button', { name: 'Kopiuj klucz' }).click()
  const key = await secret.getByLabel('Klucz', { exact: true }).inputValue()
  expect(key).toMatch(/^[\w-]{43}$/)
  await expect(page.locator('html')).toHaveAttribute('data-copied', key)
  await page.keyboard.press('Escape')
  const keys = page.getByRole('dialog', { name: `Klucze stacji ${name}` })
  await expect(keys.getByRole('row').nth(1)).toContainText(/admin.*nigdy.*ważny/)
  await keys.getByRole('button', { name: /^Unieważnij klucz/ }).click()
  const question = page.getByRole('dialog', { name: /^Unieważnić klucz/ })
  await expect(question.getByRole('button', { name: 'Unieważnij' })).toBeDisabled()
  await question.getByLabel('Powód').fill('Zgubiony')
  await question.getByRole('button', { name: 'Unieważnij' }).click()
  await expect(keys.getByRole('row').nth(1)).toContainText(/unieważniony.*Zgubiony/)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: `Zmień: ${name}` }).click()
  const change = page.getByRole('dialog', { name: `Zmień: ${name}` })
  await change.getByLabel('Nazwa', { exact: true }).fill('Próba moja')
  const token = await tokenOf(portal)
  const stored = (await call(portal, token, stations, {})).find((one) => one.id === id)
  if (!stored) throw new Error('the station was added')
  expect(stored).toMatchObject({ latitude: 50.5, longitude: -22.1, speedLimit: null, lanes: ['B+(7)', 'B+(7)'] })
  await call(portal, token, changeStation, { params: { id }, body: { ...stored, name: 'Próba cudza' } })
  await change.getByRole('button', { name: 'Zapisz' }).click()
  await change.getByRole('button', { name: 'Wczytaj ponownie' }).click()
  await expect(change.getByText('Zapisano tymczasem: Próba cudza')).toBeVisible()
  await change.getByRole('button', { name: 'Zapisz' }).click()
  await expect(row).toContainText('Próba moja')

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: `Zamknij stację: ${name}` }).press('Enter')
  await page.getByLabel('Powód').fill('Przebudowa')
  await page.getByRole('dialog').getByRole('button', { name: 'Zamknij', exact: true }).last().click()
  await expect(row).toContainText('zamknięta od')
  await expectAccessible(page)
  await inEveryLanguage(page)
})
