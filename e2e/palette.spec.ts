import { expect, type Page } from '@playwright/test'
import { test } from './src/fixtures.ts'
import { addAccount, expectAccessible, openPage, signInByApi } from './src/operator.ts'
import { addStation } from './src/station.ts'

const field = (page: Page) => page.getByRole('combobox', { name: 'Szukaj i przejdź' })
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })

test('the palette finds stations, users, pages and plates, and returns the focus', async ({ page, portal }) => {
  const station = await addStation(portal, 946, 'S10 Łódź Paletowa')
  await station.send({ plateLpr: 'QPL4X71' })
  await signInByApi(page, portal)
  await page.goto('/user-management')
  const search = page.getByRole('searchbox')
  await search.click()
  // Also inside a text field; an input method has its own keys.
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(field(page)).toHaveCount(0)
  await expect(search).toBeFocused()

  await page.keyboard.press('Control+k')
  await page.keyboard.type('lodz palet')
  await expect(option(page, /S10 Łódź Paletowa/)).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('status').filter({ hasText: '1 wynik' })).toBeAttached()
  await expectAccessible(page)
  await field(page).fill('admin')
  await expect(page.getByRole('group', { name: 'Użytkownicy' })).toContainText('admin')
  await field(page).fill('stan')
  await expect(option(page, /Stan stacji/)).toBeVisible()
  await field(page).fill('qqq')
  await expect(page.getByText('Nic nie pasuje do „qqq”').first()).toBeVisible()
  await expect(page.getByRole('option')).toHaveText(/Szukaj QQQ w archiwum/)

  await field(page).fill('qpl 4')
  await expect(option(page, /QPL 4X71.*1 przejazd/)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('End')
  await expect(option(page, /czarnej listy/)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/vehicleArch\//)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('QPL 4X71')

  // Last used, but of plates nothing is stored.
  await page.getByRole('button', { name: 'Szukaj i przejdź' }).click()
  await expect(page.getByRole('group', { name: 'Ostatnio używane' })).toContainText('QPL 4X71')
  await field(page).fill('alarmy')
  await expect(option(page, 'Alarmy')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/alarms/)
  const stored = await page.evaluate(() => JSON.stringify(localStorage))
  expect(stored).toContain('page:/alarms')
  expect(stored).not.toContain('QPL')

  // The list of keys is a modal dialog.
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Skróty klawiszowe' })).toContainText('Ctrl K')
  await page.keyboard.press('Control+k')
  await expect(field(page)).toHaveCount(0)
})

test('the palette lists only what the rights allow, and local results without the server', async ({
  page,
  portal,
  consoleErrors,
}) => {
  const station = await addStation(portal, 946, 'S10 Łódź Paletowa')
  await station.send({ plateLpr: 'QPN1234' })
  const officer = await addAccount(portal, ['CurrentMeasurements', 'ArchiveMeasurements', 'Anonymization'])
  await signInByApi(page, portal, officer)
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (/\/(plates|users)$/.test(pathname)) asked.push(pathname + search + (request.postData() ?? ''))
  })
  await page.goto('/overview')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // The page has no field of its own. What is typed while the script loads is kept.
  await page.keyboard.press('/')
  await page.keyboard.type('qpn1')
  await expect(page.getByText('Nic nie pasuje do „qpn1”').first()).toBeVisible()
  await expect(page.getByRole('option')).toHaveCount(0)
  await field(page).fill('a')
  await expect(option(page, /Archiwum/)).toBeVisible()
  await expect(page.getByRole('group', { name: 'Użytkownicy' })).toHaveCount(0)
  await expect(option(page, /Aktywność/)).toHaveCount(0)

  // Read after the palette was open for longer than it waits for the end of typing, which a sign-in takes.
  await signInByApi(page, portal)
  expect(asked).toEqual([])
  await page.goto('/overview')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  consoleErrors.expect(/arch-vehicles\/plates|ERR_FAILED/)
  await page.route('**/arch-vehicles/plates*', (route) => route.abort())
  await page.keyboard.press('Control+k')
  // One letter is not asked, several at once are asked once.
  await field(page).fill('p')
  await expect(option(page, /Przegląd/)).toBeVisible()
  await field(page).fill('palet')
  await expect(page.getByText('Nie można teraz szukać tablic').first()).toBeVisible()
  const plates = asked.filter((address) => address.includes('/plates'))
  expect(plates).toEqual(['/api/v1/arch-vehicles/plates{"beginning":"PALET"}'])
  await expect(option(page, /S10 Łódź Paletowa/)).toBeVisible()
  await openPage(page, '/archival')
  await expect(field(page)).toHaveCount(0)
})
