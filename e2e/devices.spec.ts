import { expect } from '@playwright/test'
import { add, readSelf } from '@rogatka/contract/devices.ts'
import { call, tokenOf } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { addAccount, expectAccessible, inEveryLanguage, signInByApi } from './src/operator.ts'
import { addStation } from './src/station.ts'

/** Of this file only: other stations of the portal have their own names. */
const STATION = 943

/** A name that no other test uses. */
const anyName = () => `Ekran ${crypto.randomUUID().slice(0, 8)}`

test('an administrator adds a wall screen, sees its link once, changes, renews and revokes it', async ({
  page,
  portal,
}) => {
  await addStation(portal, STATION, 'S8 Ekran')
  const name = anyName()
  await page.addInitScript(() => {
    // The clipboard of the machine is shared with other tests.
    navigator.clipboard.writeText = async (text) => {
      document.documentElement.dataset.copied = text
    }
  })
  await signInByApi(page, portal)
  await page.goto('/devices')
  await page.getByRole('button', { name: 'Dodaj ekran' }).click()
  const form = page.getByRole('dialog', { name: 'Nowy ekran ścienny' })
  await form.getByLabel('Nazwa').fill(name)
  await expect(form.getByRole('button', { name: 'Dodaj', exact: true })).toBeDisabled()
  await form.getByRole('combobox', { name: 'Stacje' }).fill('S8 Ekran')
  await page.getByRole('option', { name: 'S8 Ekran' }).click()
  // Closes the list of stations.
  await page.keyboard.press('Tab')
  await form.getByText('3', { exact: true }).click()
  await form.getByRole('checkbox', { name: /poszukiwane/ }).check()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Dodaj', exact: true }).click()

  const dialog = page.getByRole('dialog', { name: `Łącze ekranu ${name}` })
  await expect(dialog.getByRole('status')).toContainText('tylko teraz')
  await dialog.getByRole('button', { name: 'Kopiuj łącze' }).click()
  const link = await dialog.getByLabel('Łącze', { exact: true }).inputValue()
  await expect(page.locator('html')).toHaveAttribute('data-copied', link)
  expect(link).toMatch(new RegExp(`^${portal.url}/\\?wall#device=device_[\\w-]{43}$`))
  await page.keyboard.press('Escape')
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText(/S8 Ekran.*numery rejestracyjne, poszukiwane.*3.*–.*nigdy.*aktywny/)
  const token = link.split('device=')[1] as string
  expect(await call(portal, token, readSelf, {})).toMatchObject({
    name,
    locationIds: [STATION],
    columns: 3,
    wanted: true,
  })

  await page.getByRole('button', { name: `Zmień: ${name}` }).click()
  const change = page.getByRole('dialog', { name: `Zmień: ${name}` })
  await change.getByRole('checkbox', { name: /zanonimizowane/ }).check()
  await expect(change.getByRole('checkbox', { name: /poszukiwane/ })).toBeDisabled()
  await change.getByRole('button', { name: 'Zapisz' }).click()
  await expect(row).toContainText(/S8 Ekrandane zanonimizowane3/)
  expect((await call(portal, token, readSelf, {})).wanted).toBe(false)

  await page.getByRole('button', { name: `Nowe łącze: ${name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Nowe łącze' }).click()
  await expect(dialog.getByLabel('Łącze', { exact: true })).not.toHaveValue(link)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: `Unieważnij: ${name}` }).click()
  const question = page.getByRole('dialog', { name: `Unieważnić ekran ${name}?` })
  await question.getByRole('button', { name: 'Unieważnij' }).click()
  await expect(row).toContainText('unieważniony')
  await expect(row.getByRole('button')).toHaveCount(0)
})

test('an administrator with fewer rights only revokes a wall screen that shows more, and adds none, on a phone', async ({
  page,
  portal,
}) => {
  await addStation(portal, STATION, 'S8 Ekran')
  const name = anyName()
  const shown = { name, locationIds: [STATION], columns: 2 as const, anonymised: false, wanted: true }
  await call(portal, await tokenOf(portal), add, { body: shown })
  await signInByApi(page, portal, await addAccount(portal, ['UsersAdmin', 'CurrentMeasurements', 'Anonymization']))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/devices')
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row.getByRole('button')).toHaveText(['Unieważnij'])
  await page.getByRole('button', { name: 'Dodaj ekran' }).click()
  const form = page.getByRole('dialog', { name: 'Nowy ekran ścienny' })
  await expect(form.getByRole('checkbox', { name: /zanonimizowane/ })).toBeChecked()
  await expect(form.getByRole('checkbox', { name: /zanonimizowane/ })).toBeDisabled()
  await form.getByLabel('Nazwa').fill('Hala 4')
  await expect.poll(() => page.evaluate(() => Object.keys(sessionStorage).join())).toContain('device/new')
  // As after the end of a session, the page opens again with the draft.
  await page.reload()
  await expect(form.getByLabel('Nazwa')).toHaveValue('Hala 4')
  await form.getByRole('button', { name: 'Anuluj' }).click()
  await expect(form).toHaveCount(0)
  await expectAccessible(page)
  await inEveryLanguage(page)
})
