import { expect, type Page } from '@playwright/test'
import { archiveStations, resultAddress, rows } from './src/archive.ts'
import { test } from './src/fixtures.ts'
import { addAccount, expectAccessible, openPage, signIn, signInByApi, signOut } from './src/operator.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const item = (page: Page, name: RegExp | string) => page.getByRole('menuitem', { name })

test('saves the archive as a view, marks changes, opens it by its key and after sign-in', async ({
  page,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/views$/)
  const { station, long } = await archiveStations(portal)
  const account = await addAccount(portal, ['CurrentMeasurements', 'ArchiveMeasurements', 'Stat'])
  await signInByApi(page, portal, account)
  await page.goto(resultAddress(station.id, { minSpeed: '75' }))
  await expect(rows(page)).toHaveCount(2)

  // Views that could not be loaded are loaded by the next press.
  await page.route(/\/api\/v1\/views$/, (route) => route.fulfill({ status: 500, json: [] }), { times: 1 })
  await button(page, 'Widoki').click()
  await expect(page.getByRole('alert')).toBeVisible()
  await button(page, 'Widoki').focus()
  await page.keyboard.press('Enter')
  await item(page, 'Zapisz bieżący jako widok').press('Escape')
  await expect(button(page, 'Widoki')).toBeFocused()
  await page.keyboard.press('Enter')
  await item(page, 'Zapisz bieżący jako widok').press('Enter')
  await page.getByRole('textbox', { name: 'Nazwa' }).fill('Moja lista')
  await expect(page.getByRole('radio', { name: 'zawsze ostatnie 1 d 2 h' })).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(button(page, 'Moja lista')).toBeVisible()
  await expect(page.getByText('zmieniony')).toBeHidden()

  const minimum = page.getByRole('complementary', { name: 'Wybrane filtry' }).getByRole('button', { name: /prędkość/i })
  await minimum.click()
  await expect(rows(page)).toHaveCount(4)
  await expect(page.getByText('zmieniony')).toBeVisible()
  await button(page, 'Moja lista').click()
  await expectAccessible(page)
  await item(page, 'Zmień nazwę').click()
  await page.getByRole('textbox', { name: 'Nazwa' }).fill('Moja')
  await page.keyboard.press('Enter')
  await expect(button(page, 'Moja')).toBeVisible()
  await expect(page.getByText('zmieniony')).toBeVisible()
  await button(page, 'Moja').click()
  await item(page, 'Cofnij zmiany').click()
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByText('zmieniony')).toBeHidden()

  // Another station, stored by Zapisz.
  await openPage(page, resultAddress(long.id))
  await expect(page.getByText('zmieniony')).toBeVisible()
  await button(page, 'Moja').click()
  await item(page, 'Zapisz zmiany').click()
  await expect(page.getByText('zmieniony')).toBeHidden()
  await button(page, 'Moja').click()
  await page.getByRole('menuitemcheckbox', { name: 'Otwieraj po zalogowaniu' }).click()
  await expect(item(page, /Moja.*po zalogowaniu/)).toBeVisible()
  await page.keyboard.press('Escape')

  await openPage(page, '/stat')
  await expect(page.getByRole('heading', { name: 'Statystyki' }).first()).toBeAttached()
  await page.keyboard.press('1')
  await expect(rows(page)).toHaveCount(10)
  await expect(button(page, 'Moja')).toBeVisible()

  await openPage(page, '/stat')
  // Another page that is opened closes the palette.
  await expect(page.getByRole('heading', { name: 'Statystyki' }).first()).toBeAttached()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Szukaj i przejdź' }).fill('moja')
  await page.getByRole('option', { name: /Moja.*Archiwum/ }).click()
  await expect(rows(page)).toHaveCount(10)

  await signOut(page)
  await signIn(page, account)
  await expect(rows(page)).toHaveCount(10)
  await expect(button(page, 'Moja')).toBeVisible()
})
