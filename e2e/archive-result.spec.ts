import { expect, type Page } from '@playwright/test'
import { archiveStations, nextStep, platesOf, resultAddress, rowOf, rows, search } from './src/archive.ts'
import { tokenOf } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { plateText } from './src/live.ts'
import { expectAccessible, expectNoOverflow, pageAlert, signInByApi } from './src/operator.ts'
import { ADMIN } from './src/portal.ts'
import type { Station } from './src/station.ts'
import { addEntry } from './src/wanted.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

let station: Station
let long: Station
let other: Station
let marked: Station
test.beforeAll(async ({ portal }) => {
  ;({ station, long, other, marked } = await archiveStations(portal))
})

const overweight = Array.from({ length: 5 }, (_, at) => ({ leftWeight: 5_600, rightWeight: 5_600, gap: at && 420 }))

test.beforeEach(async ({ page, portal }) => {
  await signInByApi(page, portal)
})

const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
const filterPanel = (page: Page) => page.getByRole('complementary', { name: 'Wybrane filtry' })
const total = (page: Page) => page.getByRole('status').filter({ hasText: /pojazd/ })
const pageField = (page: Page) => page.getByRole('textbox', { name: 'Przejdź do strony' })

test('shows list entries in the rows, and all columns at 1280 px', async ({ page, portal }) => {
  const token = await tokenOf(portal, ADMIN)
  const add = (plateLpr: string, typeOfList: 0 | 1, description: string) =>
    addEntry(portal, token, { plateLpr, typeOfList, description })
  await add('WNT0001', 0, 'Kradzież, KPP Wyszków')
  await add('WNT0002', 1, 'Służba drogowa')
  const heavy = { ctg8p1: 9, vehLength: 1_640, overlane: true, axles: overweight }
  await marked.send({ plateLpr: 'WNT0001', createdAt: ago(2 * MINUTE), ...heavy })
  await marked.send({ plateLpr: 'WNT0002', createdAt: ago(MINUTE), ...heavy })
  await marked.send({ plateLpr: 'WNT0003', createdAt: ago(3 * MINUTE), ...heavy })
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(resultAddress(marked.id))
  await expect(rowOf(page, 'WNT0001')).toContainText(/Poszukiwany.*Kradzież, KPP Wyszków/)
  await expect(rowOf(page, 'WNT0002')).toContainText(/biała lista/)
  await expect(rowOf(page, 'WNT0002').getByRole('link')).not.toHaveAccessibleName(/Poza pasem/)
  await expect(rowOf(page, 'WNT0003').getByRole('link')).toHaveAccessibleName(/Poza pasem/)
  await expect(rowOf(page, 'WNT0003').getByRole('listitem').first()).toHaveText('Poza pasem')
  await expect(rowOf(page, 'WNT0003').getByText('Poza pasem')).toBeInViewport({ ratio: 1 })
  await expect(rowOf(page, 'WNT0003').getByRole('button')).toBeInViewport({ ratio: 1 })
  await expectNoOverflow(page)
  await expectAccessible(page)
})

test('sorts the result by up to three levels of column and direction', async ({ page }) => {
  await page.goto(resultAddress(station.id, { step: '3' }))
  const level = (number: number) => page.getByRole('group', { name: `Poziom ${number}` })
  const choose = async (number: number, label: string, option: string) => {
    await level(number).getByRole('combobox', { name: label }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await choose(1, 'Według', 'kategoria')
  await choose(1, 'Kierunek', 'rosnąco')
  await choose(2, 'Według', 'prędkość')
  await choose(3, 'Według', 'numer rejestracyjny')
  await expect(page.getByRole('group', { name: 'Poziom 4' })).toHaveCount(0)
  await nextStep(page, 'Wyniki')
  await expect(rows(page)).toHaveCount(4)
  expect(await platesOf(page)).toEqual(['KND0002', 'KND0003', 'KND0001', 'DWR8K41'])
  await expect(page.getByRole('columnheader', { name: 'Kategoria' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(filterPanel(page)).toContainText('2. prędkość, malejąco')
  await filterPanel(page).getByRole('button', { name: 'Usuń filtr: Sortowanie' }).click()
  await expect(page.getByRole('columnheader', { name: 'Czas' })).toHaveAttribute('aria-sort', 'descending')

  // Column headers sort without the wizard: click sorts by one column, a second click reverses, Shift adds a column.
  const head = (name: string) => page.getByRole('columnheader', { name })
  const bySpeed = ['KND0003', 'KND0002', 'KND0001', 'DWR8K41']
  await head('Prędkość').getByRole('button').click()
  await expect(head('Prędkość')).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(() => platesOf(page)).toEqual(bySpeed)
  await page.keyboard.press('Enter')
  await expect.poll(() => platesOf(page)).toEqual(bySpeed.toReversed())
  await head('Kategoria')
    .getByRole('button')
    .click({ modifiers: ['Shift'] })
  await expect(filterPanel(page)).toContainText('2. kategoria, rosnąco')
  await expect(head('Prędkość')).toHaveAttribute('aria-sort', 'ascending')
  await expect(page.getByRole('caption')).toHaveText('Sortowanie: prędkość rosnąco, kategoria rosnąco')
  // Shift+Enter does the same; without any level the default order returns.
  await page.keyboard.press('Shift+Enter')
  await expect(filterPanel(page)).toContainText('2. kategoria, malejąco')
  await page.keyboard.press('Shift+Enter')
  const widths = () => page.locator('thead th').evaluateAll((cells) => cells.map((cell) => cell.clientWidth))
  const before = await widths()
  await head('Prędkość').getByRole('button').click()
  await expect(filterPanel(page)).toContainText('czas pomiaru, malejąco')
  await expect(head('Czas')).toHaveAttribute('aria-sort', 'descending')
  expect(await widths()).toEqual(before)
})

test('shows ten vehicles per page, with keys, buttons and a page number', async ({ page }) => {
  await search(page, long.shortName)
  await expect(total(page)).toHaveText('23 pojazdy')
  await expect(rows(page)).toHaveCount(10)
  await expect(page.getByText('strona 1 z 3')).toBeVisible()
  await page.keyboard.press('PageDown')
  await expect(rowOf(page, 'LST010')).toBeVisible()
  await page.getByRole('button', { name: 'Następna strona' }).click()
  await expect(rows(page)).toHaveCount(3)
  await expect(page.getByRole('button', { name: 'Następna strona' })).toBeDisabled()
  await page.reload()
  await expect(rowOf(page, 'LST022')).toBeVisible()
  await page.goBack()
  await expect(rowOf(page, 'LST010')).toBeVisible()
  await page.getByRole('button', { name: 'Strona 1', exact: true }).click()
  await expect(rowOf(page, 'LST000')).toBeVisible()
})

test('the page field accepts an existing page and reverts anything else', async ({ page }) => {
  await page.goto(resultAddress(long.id))
  for (const wrong of ['0', '4', '-1', '1,5', 'x', '']) {
    await pageField(page).fill(wrong)
    await pageField(page).press('Enter')
    await expect(pageField(page)).toHaveValue('1')
  }
  await pageField(page).fill('3')
  await pageField(page).press('Enter')
  await expect(rowOf(page, 'LST020')).toBeVisible()
  await expect(page).toHaveURL(/page=3/)
})

test('a link to a missing page leads to the last one', async ({ page }) => {
  await page.goto(resultAddress(long.id, { page: '99' }))
  await expect(rowOf(page, 'LST022')).toBeVisible()
  await expect(page).toHaveURL(/page=3/)
})

test('keeps the previous rows, dimmed, until the next page has loaded', async ({ page }) => {
  await page.goto(resultAddress(long.id))
  await expect(rowOf(page, 'LST000')).toBeVisible()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/arch-vehicles?*page=2*', async (route) => {
    await released
    await route.continue()
  })
  await page.keyboard.press('PageDown')
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'true')
  await expect(rowOf(page, 'LST000')).toBeVisible()
  release()
  await expect(rowOf(page, 'LST010')).toBeVisible()
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false')
})

test('opens a vehicle, and Back restores filters, order, page and list, then refetches', async ({ page }) => {
  await page.goto(resultAddress(long.id, { orderByColumnName1: 'plateLpr', orderDirection1: 'asc', page: '2' }))
  await rowOf(page, 'LST013').click()
  await expect(page).toHaveURL(new RegExp(`/vehicleArch/\\d+/${long.id}/`))
  await expect(page.getByRole('heading', { name: plateText('LST013', 'Pojazd ') })).toBeAttached()
  await expect(page.getByRole('timer')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Archiwum' })).toHaveAttribute('aria-current', 'page')
  const requestPromise = page.waitForRequest(/\/arch-vehicles\?.*page=2/)
  await page.getByRole('button', { name: 'Wstecz' }).click()
  await requestPromise
  await expect(page).toHaveURL(/step=4.*page=2/)
  await expect(rowOf(page, 'LST013')).toBeVisible()
  await expect(filterPanel(page)).toContainText('numer rejestracyjny, rosnąco')
})

test('restores the last search when returning by the link', async ({ page }) => {
  await page.goto(resultAddress(long.id, { page: '2' }))
  await expect(rowOf(page, 'LST010')).toBeVisible()
  await page.getByRole('link', { name: /^Bieżące pomiary/ }).click()
  await page.getByRole('link', { name: 'Archiwum' }).click()
  await expect(rowOf(page, 'LST010')).toBeVisible()
  await page.getByRole('link', { name: 'Archiwum' }).click()
  await expect(page.locator('[aria-current="step"]')).toHaveText('1Miejsce i czas')
  await expect(page.getByRole('checkbox', { name: long.shortName })).toBeChecked()
})

test('/archival/result jumps to the result', async ({ page }) => {
  await page.goto(resultAddress(station.id).replace('/archival?step=4', '/archival/result?step=1'))
  await expect(rows(page)).toHaveCount(4)
  await expect(page.locator('[aria-current="step"]')).toHaveText('4Wyniki')
})

test('tags by right click, button and key, searches tags, and untags by a second click', async ({ page }) => {
  await page.goto(resultAddress(station.id))
  const tagged = (plate: string) => rowOf(page, plate).getByRole('button', { name: 'Usuń oznaczenie' })
  // The row shows a tag before it is stored, and opening another page would break that off.
  const stored = () => page.waitForResponse(/\/arch-vehicles\/\d+\/tags/)
  const first = stored()
  await rowOf(page, 'KND0001').click({ button: 'right' })
  await expect(tagged('KND0001')).toHaveAttribute('aria-pressed', 'true')
  await first
  const second = stored()
  await rowOf(page, 'KND0003').hover()
  await page.keyboard.press('t')
  await expect(tagged('KND0003')).toBeVisible()
  await second
  await page.goto(resultAddress(station.id, { step: '2' }))
  await page.getByRole('checkbox', { name: 'Tylko oznaczone przeze mnie' }).check()
  await nextStep(page, 'Sortowanie')
  await nextStep(page, 'Wyniki')
  await expect(rows(page)).toHaveCount(2)
  expect(await platesOf(page)).toEqual(['KND0001', 'KND0003'])
  await rowOf(page, 'KND0001').click()
  // The rows have such buttons, too.
  await expect(page.getByRole('heading', { name: plateText('KND0001', 'Pojazd ') })).toBeAttached()
  // Slower than the way back: the result is read before the tag is removed.
  const read = Promise.withResolvers<void>()
  await page.route('**/arch-vehicles/*/tags/*', async (route) => {
    await read.promise
    await route.continue()
  })
  await page.getByRole('button', { name: /^Usuń oznaczenie/ }).click()
  await expect(page.getByRole('button', { name: /^Oznacz/ })).toBeVisible()
  const result = page.waitForResponse(/\/arch-vehicles\?/)
  const removed = stored()
  await page.keyboard.press('Escape')
  await result
  read.resolve()
  await removed
  await expect(rows(page)).toHaveCount(1)
  await page.unroute('**/arch-vehicles/*/tags/*')
  const untagged = stored()
  await tagged('KND0003').click()
  await untagged
  await page.reload()
  await expect(page.getByText('Brak danych dla wybranych parametrów')).toBeVisible()
})

test('keeps a tag that is set while the vehicle itself is still being read', async ({ page }) => {
  const read = Promise.withResolvers<void>()
  await page.route(/\/arch-vehicles\/\d+\?/, async (route) => {
    const response = await route.fetch()
    await read.promise
    await route.fulfill({ response, json: { ...(await response.json()), speed: 123 } })
  })
  await page.goto(resultAddress(long.id))
  await rowOf(page, 'LST003').click()
  // The rows have such buttons, too.
  await expect(page.getByRole('heading', { name: plateText('LST003', 'Pojazd ') })).toBeAttached()
  const tagged = page.waitForResponse(/\/arch-vehicles\/\d+\/tags/)
  await page.getByRole('button', { name: /^Oznacz/ }).click()
  await tagged
  read.resolve()
  await expect(page.getByRole('main')).toContainText('123 km/h')
  await expect(page.getByRole('button', { name: /^Usuń oznaczenie/ })).toBeVisible()
})

test('shows a hint and no export without results', async ({ page }) => {
  await page.goto(resultAddress(station.id, { minSpeed: '250' }))
  await expect(page.getByText('Brak danych dla wybranych parametrów')).toBeVisible()
  await expect(page.getByText('brak danych do pobrania')).toBeVisible()
  for (const format of ['PDF', 'CSV', 'XLSX'])
    await expect(page.getByRole('button', { name: `Pobierz: ${format}` })).toBeDisabled()
  await expectAccessible(page)
})

test('shows a failed search above the page with a retry', async ({ page, consoleErrors }) => {
  consoleErrors.expect(/arch-vehicles\?/)
  const refusal = { path: null, code: 'internal-error', userMessage: 'Błąd serwera.' }
  await page.route('**/arch-vehicles?*', (route) => route.fulfill({ status: 500, json: [refusal] }))
  await page.goto(resultAddress(station.id))
  const alert = pageAlert(page)
  await expect(alert).toContainText('Nie udało się pobrać wyników. Błąd serwera.')
  await page.unroute('**/arch-vehicles?*')
  await alert.getByRole('button', { name: 'Spróbuj ponownie' }).click()
  await expect(rows(page)).toHaveCount(4)
  await expect(alert).toHaveCount(0)
})

test('shows that images were removed, in the list and in the detail', async ({ page }) => {
  await other.send({ plateLpr: 'OLD0001', createdAt: ago(100 * DAY) })
  const range = { dateTimeStart: ago(101 * DAY), dateTimeEnd: ago(99 * DAY) }
  await page.goto(resultAddress(other.id, range))
  await expect(rowOf(page, 'OLD0001')).toContainText('usunięte po 90 dniach')
  await rowOf(page, 'OLD0001').click()
  await expect(page.getByText('Zdjęcia usunięto: przechowuje się je przez 90 dni')).toBeVisible()
  await page.goto(resultAddress(station.id))
  await expect(rowOf(page, 'KND0001')).toContainText('brak zdjęcia')
})
