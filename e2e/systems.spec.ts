import { expect } from '@playwright/test'
import { add, readSelf } from '@rogatka/contract/systems.ts'
import { call, tokenOf } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { addAccount, expectAccessible, inEveryLanguage, signInByApi } from './src/operator.ts'
import { addStation } from './src/station.ts'

/** Of this file only: other stations of the portal have their own names. */
const STATION = 945

/** A name that no other test uses. */
const anyName = () => `System ${crypto.randomUUID().slice(0, 8)}`

test('an administrator adds an external system, sees its key once, changes, renews and revokes it', async ({
  page,
  portal,
}) => {
  await addStation(portal, STATION, 'S8 Wymiana')
  const name = anyName()
  await signInByApi(page, portal)
  await page.goto('/systems')
  await page.getByRole('button', { name: 'Dodaj system' }).click()
  const form = page.getByRole('dialog', { name: 'Nowy system zewnętrzny' })
  await form.getByLabel('Nazwa').fill(name)
  await form.getByRole('combobox', { name: 'Stacje' }).fill('S8 Wymiana')
  await page.getByRole('option', { name: 'S8 Wymiana' }).click()
  // Closes the list of stations.
  await page.keyboard.press('Tab')
  await form.getByRole('checkbox', { name: 'statystyki' }).check()
  await expect(form.getByRole('button', { name: 'Dodaj', exact: true })).toBeDisabled()
  await form.getByLabel('Ważny do', { exact: true }).fill('31.12.2099')
  await page.keyboard.press('Tab')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Dodaj', exact: true }).click()

  const dialog = page.getByRole('dialog', { name: `Klucz systemu ${name}` })
  await expect(dialog.getByRole('status')).toContainText('tylko teraz')
  const key = await dialog.getByLabel('Klucz', { exact: true }).inputValue()
  await page.keyboard.press('Escape')
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText(/S8 Wymiana.*statystyki, zanonimizowane.*31\.12\.2099.*nigdy.*aktywny/)
  expect(await call(portal, key, readSelf, {})).toMatchObject({ name, locationIds: [STATION], plates: false })

  await page.getByRole('button', { name: `Zmień: ${name}` }).click()
  const change = page.getByRole('dialog', { name: `Zmień: ${name}` })
  await change.getByRole('checkbox', { name: 'archiwum' }).check()
  await change.getByRole('checkbox', { name: 'znaki' }).check()
  await change.getByRole('checkbox', { name: /Numery rejestracyjne/ }).check()
  await change.getByRole('button', { name: 'Zapisz' }).click()
  await expect(row).toContainText('archiwum, znaki, statystyki, z numerami')
  expect((await call(portal, key, readSelf, {})).plates).toBe(true)

  await page.getByRole('button', { name: `Nowy klucz: ${name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Nowy klucz' }).click()
  await expect(dialog.getByLabel('Klucz', { exact: true })).not.toHaveValue(key)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: `Unieważnij: ${name}` }).click()
  const question = page.getByRole('dialog', { name: `Unieważnić system ${name}?` })
  await question.getByRole('button', { name: 'Unieważnij' }).click()
  await expect(row).toContainText('unieważniony')
  await expect(row.getByRole('button')).toHaveCount(0)
})

test('a user with fewer rights only revokes a system that reads more, and gives it none of them, on a phone', async ({
  page,
  portal,
}) => {
  await addStation(portal, STATION, 'S8 Wymiana')
  const name = anyName()
  const body = { name, locationIds: [STATION], rights: ['Stat' as const], plates: true, validUntil: '2099-12-31' }
  await call(portal, await tokenOf(portal), add, { body })
  await signInByApi(page, portal, await addAccount(portal, ['Exchange', 'CurrentMeasurements', 'Anonymization']))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/systems')
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row.getByRole('button')).toHaveText(['Unieważnij'])
  await page.getByRole('button', { name: 'Dodaj system' }).click()
  const form = page.getByRole('dialog', { name: 'Nowy system zewnętrzny' })
  await expect(form.getByRole('checkbox')).toHaveCount(2)
  await expect(form.getByRole('checkbox', { name: /Numery rejestracyjne/ })).toBeDisabled()
  await form.getByRole('button', { name: 'Anuluj' }).click()
  await expectAccessible(page)
  await inEveryLanguage(page)
})
