import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { addPlate } from '@rogatka/contract/wanted.ts'
import { nextStep, platesOf, resultAddress, rowOf, rows, search } from './src/archive.ts'
import { call, tokenOf } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { plateText } from './src/live.ts'
import { addAccount, expectAccessible, expectNoOverflow, inEveryLanguage, signIn } from './src/operator.ts'
import { ADMIN, type Portal, startPortal } from './src/portal.ts'
import { addStation, type Station } from './src/station.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Of few vehicles, each of its own kind. */
let station: Station
/** Of 23 vehicles alike, LST000 the newest. */
let long: Station
/** Of what a single test sends. */
let other: Station
/** Of vehicles that lists speak of, with a name as long as they come. */
let marked: Station
const overweight = Array.from({ length: 5 }, (_, at) => ({ leftWeight: 5_600, rightWeight: 5_600, gap: at && 420 }))
test.beforeAll(async ({ portal }) => {
  station = await addStation(portal, 920, 'S61 Testowo')
  long = await addStation(portal, 921, 'S7 Długie')
  other = await addStation(portal, 922, 'DK8 Inne')
  marked = await addStation(portal, 923, 'DK50 Sochaczew Południe')
  const kinds = [
    { plateLpr: 'KND0001', speed: 70 },
    { plateLpr: 'KND0002', speed: 80, ctg8p1: 5, ctg323: 7, laneNumber: 2 },
    { plateLpr: 'KND0003', speed: 95, overlane: true },
    { plateLpr: 'DWR8K41', speed: 60, axles: null, vehLength: 900 },
  ]
  for (const [at, kind] of kinds.entries()) await station.send({ createdAt: ago((at + 1) * MINUTE), ...kind })
  for (let at = 0; at < 23; at++) {
    await long.send({ plateLpr: `LST0${String(at).padStart(2, '0')}`, createdAt: ago((at + 1) * MINUTE) })
  }
})

test.beforeEach(async ({ page }) => {
  await page.goto('/login')
  await signIn(page)
})

const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const rail = (page: Page) => page.getByRole('complementary', { name: 'Wybrane filtry' })
const total = (page: Page) => page.getByRole('status').filter({ hasText: /pojazd/ })
const pageField = (page: Page) => page.getByRole('textbox', { name: 'Przejdź do strony' })

const RED = 'rgb(176, 30, 26)'

test('finds vehicles of the last day in four steps, newest first', async ({ page }) => {
  await search(page, station.shortName)
  await expect(total(page)).toHaveText('4 pojazdy')
  expect(await platesOf(page)).toEqual(['KND0001', 'KND0002', 'KND0003', 'DWR8K41'])
  const row = rowOf(page, 'KND0001')
  await expect(row).toContainText('39,40')
  await expect(row).toContainText(station.shortName)
  await expect(row).toContainText('16,40')
  await expect(rowOf(page, 'DWR8K41')).toContainText('nie zważono')
  await expect(page.getByRole('columnheader', { name: 'Czas' })).toHaveAttribute('aria-sort', 'descending')
  await expect(rail(page)).toContainText(station.shortName)
  await expect(rail(page)).toContainText('czas pomiaru, malejąco')
  await page.getByRole('button', { name: 'Wstecz' }).click()
  await expect(heading(page, 'Sortowanie').first()).toBeVisible()
})

test('stays at step 1 without stations or a range, with the missing fields in red', async ({ page }) => {
  await page.goto('/archival')
  const box = page.getByRole('checkbox', { name: station.shortName })
  const place = await box.boundingBox()
  await page.getByRole('button', { name: 'Dalej' }).click()
  await expect(page.getByRole('alert')).toHaveText('Wybierz stację. Brak wymaganego parametru')
  expect(await box.boundingBox()).toEqual(place)
  await expect(heading(page, 'Stacje').last()).toHaveCSS('color', RED)
  await expect(page.getByRole('main').getByRole('heading', { name: 'Zakres czasu' })).not.toHaveCSS('color', RED)
  await page.getByRole('button', { name: 'Usuń zakres czasu' }).first().click()
  await expect(page.getByRole('main').getByRole('heading', { name: 'Zakres czasu' })).toHaveCSS('color', RED)
  await page.getByRole('checkbox', { name: station.shortName }).check()
  await page.getByRole('button', { name: 'Dalej' }).click()
  await expect(page.getByText('Wybierz początek i koniec.')).toBeVisible()
  await page.getByRole('button', { name: 'ostatnia doba' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await nextStep(page, 'Warunki')
})

test('returns to step 1 when the address or a removed filter leaves required fields empty', async ({ page }) => {
  await page.goto('/archival?step=4&locations=1')
  await expect(page.getByText('Wybierz początek i koniec.')).toBeVisible()
  await page.goto(resultAddress(station.id))
  await expect(rows(page)).toHaveCount(4)
  await rail(page).getByRole('button', { name: 'Usuń filtr: Stacje' }).click()
  await expect(page.getByText('Wybierz co najmniej jedną stację.')).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('Brak wymaganego parametru')
})

test('"all" selects every station, and again none', async ({ page }) => {
  await page.goto('/archival')
  const boxes = page.getByRole('group', { name: 'Stacje' }).getByRole('checkbox')
  await expect(boxes.first()).toBeVisible()
  await page.getByRole('button', { name: 'wszystkie' }).click()
  for (const box of await boxes.all()) await expect(box).toBeChecked()
  await page.getByRole('button', { name: 'wszystkie' }).click()
  for (const box of await boxes.all()) await expect(box).not.toBeChecked()
})

test('range ends can be typed or picked, keep their order, and are cleared together', async ({ page }) => {
  await page.goto('/archival')
  const range = page.getByRole('group', { name: 'Zakres czasu' })
  const [from, to] = [range.getByRole('textbox', { name: 'od' }), range.getByRole('textbox', { name: 'do' })]
  await from.fill('20.10.2025 8:15')
  await from.press('Enter')
  await expect(from).toHaveValue('20.10.2025 08:15')
  await to.fill('2025-10-19')
  await to.press('Tab')
  await expect(to).toHaveValue('19.10.2025 00:00')
  await expect(from).toHaveValue('18.10.2025 00:00')
  await expect(rail(page)).toContainText('19.10.2025')
  await to.fill('31.02.2025 08:15')
  await from.focus()
  await expect(range.getByRole('alert')).toHaveText('Wpisz datę i godzinę, na przykład 20.10.2025 08:15.')
  await expect(to).toHaveAccessibleDescription(/Wpisz datę/)
  await expect(rail(page)).toContainText('19.10.2025')
  await to.press('Escape')
  await expect(to).toHaveValue('19.10.2025 00:00')
  await expect(range.getByRole('alert')).toHaveCount(0)

  const pick = async (end: 'od' | 'do', turn: string, day: RegExp) => {
    await range.getByRole('button', { name: `${end}: otwórz kalendarz` }).click()
    await page.getByRole('button', { name: turn }).click()
    await page.getByRole('button', { name: day }).click()
    await page.getByRole('button', { name: 'Zatwierdź' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await pick('od', 'Następny miesiąc', /^15 /)
  await expect(from).toHaveValue('15.11.2025 00:00')
  await expect(to).toHaveValue('16.11.2025 00:00')
  await to.press('Alt+ArrowDown')
  await expect(page.getByRole('dialog', { name: 'do' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await pick('do', 'Poprzedni miesiąc', /^15 /)
  await expect(to).toHaveValue('15.10.2025 00:00')
  await expect(from).toHaveValue('14.10.2025 00:00')

  await page.getByRole('button', { name: 'Usuń zakres czasu' }).last().click()
  for (const end of [from, to]) await expect(end).toHaveValue('')
  await expect(rail(page)).not.toContainText('Zakres czasu')
})

test('keeps states distinguishable in forced colours and prints the whole list', async ({ page }) => {
  const paint = (what: Locator, property: 'backgroundColor' | 'borderBottomColor' | 'outlineWidth') =>
    what.evaluate((element, name) => getComputedStyle(element)[name], property)
  await page.emulateMedia({ forcedColors: 'active', contrast: 'more' })
  await page.goto('/archival')
  const boxes = page.getByRole('group', { name: 'Stacje' }).getByRole('checkbox')
  await expect(boxes.first()).toBeVisible()
  const [one, other] = await boxes.all()
  if (!one || !other) throw new Error('two stations are needed')
  await one.check()
  expect(await paint(one, 'backgroundColor')).not.toBe(await paint(other, 'backgroundColor'))
  await other.focus()
  await page.keyboard.press('Shift+Tab')
  expect(await paint(one, 'outlineWidth')).toBe('3px')
  const steps = page.getByRole('navigation', { name: 'Kroki' }).locator('i')
  expect(await paint(steps.nth(0), 'backgroundColor')).not.toBe(await paint(steps.nth(1), 'backgroundColor'))
  const nav = page.getByRole('navigation', { name: 'Nawigacja główna' })
  const [here, elsewhere] = [nav.getByRole('link', { name: 'Archiwum' }), nav.getByRole('link', { name: 'Statystyki' })]
  expect(await paint(here, 'borderBottomColor')).not.toBe(await paint(elsewhere, 'borderBottomColor'))

  await page.emulateMedia({ forcedColors: 'none', contrast: 'no-preference', colorScheme: 'dark' })
  await page.goto(resultAddress(station.id))
  await expect(rows(page).first()).toBeVisible()
  const count = await rows(page).count()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  for (const gone of [
    page.getByRole('banner'),
    nav,
    page.getByRole('contentinfo'),
    page.getByRole('button', { name: 'Wstecz' }),
  ])
    await expect(gone).toBeHidden()
  await expect(rows(page)).toHaveCount(count)
  // Nothing scrolls: what does would be cut off on paper.
  const main = page.getByRole('main')
  expect(await main.evaluate((element) => getComputedStyle(element).overflowY)).toBe('visible')
  expect(await paint(page.locator('body'), 'backgroundColor')).toBe('rgb(255, 255, 255)')
})

test('removing the time filter clears both ends', async ({ page }) => {
  await page.goto('/archival')
  await rail(page).getByRole('button', { name: 'Usuń filtr: Zakres czasu' }).click()
  const range = page.getByRole('group', { name: 'Zakres czasu' })
  for (const end of ['od', 'do']) await expect(range.getByRole('textbox', { name: end })).toHaveValue('')
})

test('finds only matching vehicles, and the others after a filter is removed', async ({ page }) => {
  await page.goto('/archival')
  await page.getByRole('checkbox', { name: station.shortName }).check()
  await nextStep(page, 'Warunki')
  await page.getByRole('group', { name: 'Kategorie [8+1]' }).getByRole('button', { name: 'Ciągnik' }).click()
  await page.getByLabel('Prędkość, od (km/h)').fill('65')
  await page.getByLabel('Masa całkowita, do (t)').fill('39,5')
  await nextStep(page, 'Sortowanie')
  await nextStep(page, 'Wyniki')
  await expect(rows(page)).toHaveCount(2)
  expect(await platesOf(page)).toEqual(['KND0001', 'KND0003'])

  await page.goto(`${new URL(page.url()).pathname}${new URL(page.url()).search}`)
  await expect(rows(page)).toHaveCount(2)
  await rail(page).getByRole('button', { name: 'Usuń filtr: Kategorie [8+1]' }).click()
  await expect(rows(page)).toHaveCount(3)
})

test('an invalid field blocks its step', async ({ page }) => {
  await page.goto(resultAddress(station.id, { step: '2' }))
  await page.getByLabel('Masa całkowita, od (t)').fill('44')
  await page.getByLabel('Masa całkowita, do (t)').fill('12')
  await page.getByRole('button', { name: 'Dalej' }).click()
  await expect(page.getByText('„od” jest większe niż „do”')).toBeVisible()
  await expect(page.getByLabel('Masa całkowita, od (t)')).toBeFocused()
  await page.getByLabel('Masa całkowita, do (t)').fill('50')
  await nextStep(page, 'Sortowanie')
})

test('keeps a typed value after a reload once its field is left', async ({ page }) => {
  await page.goto(resultAddress(station.id, { step: '2' }))
  await page.getByLabel('Prędkość, od (km/h)').fill('65')
  await page.keyboard.press('Tab')
  await expect(page).toHaveURL(/minSpeed=65/)
  await page.reload()
  await expect(page.getByLabel('Prędkość, od (km/h)')).toHaveValue('65')
})

test('finds a plate as written, with wildcards and by similarity', async ({ page }) => {
  const found = async (plate: string, similarity: string) => {
    await page.goto(resultAddress(station.id, { step: '2' }))
    const field = page.getByLabel('Numer rejestracyjny')
    await expect(field).toBeVisible()
    await page.keyboard.press('/')
    await expect(field).toBeFocused()
    await page.keyboard.type(plate)
    await page.getByLabel('Podobieństwo co najmniej').fill(similarity)
    await nextStep(page, 'Sortowanie')
    await nextStep(page, 'Wyniki')
    await expect(total(page)).toBeVisible()
    return platesOf(page)
  }
  expect(await found('dwr 8k41', '')).toEqual(['DWR8K41'])
  expect(await found('DWR?K*', '')).toEqual(['DWR8K41'])
  expect(await found('DWRBK4I', '80')).toEqual(['DWR8K41'])

  await page.goto(resultAddress(station.id, { step: '2', plateLpr: 'DWR8X41' }))
  await page.getByRole('button', { name: 'Ustaw 45%' }).click()
  await expect(page.getByLabel('Podobieństwo co najmniej')).toHaveValue('45')
  await nextStep(page, 'Sortowanie')
  await nextStep(page, 'Wyniki')
  await expect.poll(() => platesOf(page)).toEqual(['DWR8K41'])
})

test('shows list entries in the rows, and all columns at 1280 px', async ({ page, portal }) => {
  const token = await tokenOf(portal, ADMIN)
  const add = (plateLpr: string, typeOfList: 0 | 1, description: string) =>
    call(portal, token, addPlate, { body: { plateLpr, typeOfList, description } })
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
  await expect(rail(page)).toContainText('2. prędkość, malejąco')
  await rail(page).getByRole('button', { name: 'Usuń filtr: Sortowanie' }).click()
  await expect(page.getByRole('columnheader', { name: 'Czas' })).toHaveAttribute('aria-sort', 'descending')

  // The heads do the same without going back: by their column alone, again the other way, and with Shift as well.
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
  await expect(rail(page)).toContainText('2. kategoria, rosnąco')
  await expect(head('Prędkość')).toHaveAttribute('aria-sort', 'ascending')
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
  const asked = page.waitForRequest(/\/arch-vehicles\?.*page=2/)
  await page.getByRole('button', { name: 'Wstecz' }).click()
  await asked
  await expect(page).toHaveURL(/step=4.*page=2/)
  await expect(rowOf(page, 'LST013')).toBeVisible()
  await expect(rail(page)).toContainText('numer rejestracyjny, rosnąco')
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
  await rowOf(page, 'KND0001').click({ button: 'right' })
  await expect(tagged('KND0001')).toHaveAttribute('aria-pressed', 'true')
  await rowOf(page, 'KND0003').hover()
  await page.keyboard.press('t')
  await expect(tagged('KND0003')).toBeVisible()
  await page.goto(resultAddress(station.id, { step: '2' }))
  await page.getByRole('checkbox', { name: 'Tylko oznaczone przeze mnie' }).check()
  await nextStep(page, 'Sortowanie')
  await nextStep(page, 'Wyniki')
  await expect(rows(page)).toHaveCount(2)
  expect(await platesOf(page)).toEqual(['KND0001', 'KND0003'])
  await rowOf(page, 'KND0001').click()
  await page.getByRole('button', { name: /^Usuń oznaczenie/ }).click()
  await expect(page.getByRole('button', { name: /^Oznacz/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(rows(page)).toHaveCount(1)
  await tagged('KND0003').click()
  await page.reload()
  await expect(page.getByText('Brak danych dla wybranych parametrów')).toBeVisible()
})

test('shows a hint and no export without results', async ({ page }) => {
  await page.goto(resultAddress(station.id, { minSpeed: '250' }))
  await expect(page.getByText('Brak danych dla wybranych parametrów')).toBeVisible()
  await expect(page.getByText('brak danych do pobrania')).toBeVisible()
  for (const format of ['PDF', 'CSV', 'XLSX'])
    await expect(page.getByRole('button', { name: `Pobierz: ${format}` })).toBeDisabled()
  await expectAccessible(page)
})

test('shows a failed search above the page with a retry', async ({ page, complaints }) => {
  complaints.expect(/arch-vehicles\?/)
  const refusal = { path: null, code: 'internal-error', userMessage: 'Błąd serwera.' }
  await page.route('**/arch-vehicles?*', (route) => route.fulfill({ status: 500, json: [refusal] }))
  await page.goto(resultAddress(station.id))
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('Nie udało się pobrać wyników. Błąd serwera.')
  await page.unroute('**/arch-vehicles?*')
  await alert.getByRole('button', { name: 'Spróbuj ponownie' }).click()
  await expect(rows(page)).toHaveCount(4)
  await expect(alert).toHaveCount(0)
})

const take = async (page: Page, format: string, item: string) => {
  await page.getByRole('button', { name: `Pobierz: ${format}` }).click()
  const coming = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: item }).click()
  const file = await coming
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

for (const [format, item, ending, magic] of [
  ['PDF', 'bez zdjęć', 'pdf', '%PDF'],
  ['PDF', 'ze zdjęciami', 'pdf', '%PDF'],
  ['CSV', 'bez zdjęć', 'csv', '\ufeff'],
  ['CSV', 'ze zdjęciami', 'zip', 'PK'],
  ['XLSX', 'bez zdjęć', 'xlsx', 'PK'],
  ['XLSX', 'ze zdjęciami', 'xlsx', 'PK'],
] as const) {
  test(`the result is saved as ${format} ${item}`, async ({ page }) => {
    await page.goto(resultAddress(station.id))
    const { name, bytes } = await take(page, format, item)
    expect(name).toMatch(new RegExp(`^archive_list_\\d\\d_\\d\\d_\\d{4}_\\d\\d_\\d\\d_\\d\\d\\.${ending}$`))
    expect(bytes.toString('utf8').startsWith(magic)).toBe(true)
    if (ending === 'csv') {
      expect(bytes.toString('utf8').trim().split('\r\n')).toHaveLength(5)
      expect(bytes.toString('utf8')).toContain('KND0002')
    }
    await expect(page.getByRole('button', { name: `Pobierz: ${format}` })).toBeEnabled()
  })
}

test('a running export disables the other buttons with a reason and can be cancelled', async ({ page }) => {
  await page.goto(resultAddress(station.id))
  await expect(rows(page)).toHaveCount(4)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/reports/*', async (route) => {
    await released
    await route.abort().catch(() => undefined)
  })
  await page.getByRole('button', { name: 'Pobierz: CSV' }).click()
  await page.getByRole('menuitem', { name: 'bez zdjęć' }).click()
  await expect(page.getByText('CSV bez zdjęć')).toBeVisible()
  for (const format of ['PDF', 'CSV', 'XLSX']) {
    const button = page.getByRole('button', { name: `Pobierz: ${format}` })
    await expect(button).toBeDisabled()
    await expect(button).toHaveAttribute('title', 'Poprzedni plik jeszcze się pobiera.')
  }
  await page.getByRole('button', { name: 'Anuluj' }).click()
  await expect(page.getByRole('button', { name: 'Pobierz: CSV' })).toBeEnabled()
  await expect(page.getByRole('alert')).toHaveCount(0)
  release()
})

test('shows a failed report above the page', async ({ page, complaints }) => {
  complaints.expect(/report/)
  await page.goto(resultAddress(station.id))
  const refusal = { path: null, code: 'report-too-large', userMessage: 'Raport jest za duży.' }
  await page.route('**/arch-vehicles/report?*', (route) => route.fulfill({ status: 422, json: [refusal] }))
  await page.getByRole('button', { name: 'Pobierz: XLSX' }).click()
  await page.getByRole('menuitem', { name: 'ze zdjęciami' }).click()
  await expect(page.getByRole('alert')).toContainText('Raport jest za duży.')
  await expect(page.getByRole('button', { name: 'Pobierz: XLSX' })).toBeEnabled()
})

test('disables reports above the limit and names it', async ({ page }) => {
  await page.route('**/arch-vehicles?*', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), totalCount: 60_000 } })
  })
  await page.goto(resultAddress(station.id))
  await page.getByRole('button', { name: 'Pobierz: PDF' }).click()
  const plain = page.getByRole('menuitem', { name: 'bez zdjęć' })
  await expect(plain).toBeDisabled()
  await expect(plain).toContainText(/najwyżej 50\s000 pojazdów/)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Pobierz: CSV' }).click()
  await expect(page.getByRole('menuitem', { name: 'bez zdjęć' })).toBeEnabled()
  await expect(page.getByRole('menuitem', { name: 'ze zdjęciami' })).toBeDisabled()
})

test('saves one vehicle as PDF with P, live and archived, and as ZIP', async ({ page }) => {
  const { sequence, createdAt } = await other.send({ plateLpr: 'DOC0001' })
  const id = vehicleId(other.id, sequence)
  for (const address of [`/vehicle/${id}/${other.id}`, `/vehicleArch/${id}/${other.id}/${createdAt}`]) {
    await page.goto(address)
    await expect(page.getByRole('heading', { name: plateText('DOC0001', 'Pojazd ') })).toBeAttached()
    const document = page.waitForEvent('download')
    await page.keyboard.press('p')
    expect((await document).suggestedFilename()).toMatch(/\.pdf$/)
    await page.getByRole('button', { name: 'Inne pliki' }).click()
    const folder = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: /^ZIP/ }).click()
    expect((await folder).suggestedFilename()).toMatch(/\.zip$/)
  }
})

test('shows that photos were removed, in the list and in the detail', async ({ page }) => {
  await other.send({ plateLpr: 'OLD0001', createdAt: ago(100 * DAY) })
  const range = { dateTimeStart: ago(101 * DAY), dateTimeEnd: ago(99 * DAY) }
  await page.goto(resultAddress(other.id, range))
  await expect(rowOf(page, 'OLD0001')).toContainText('usunięte po 90 dniach')
  await rowOf(page, 'OLD0001').click()
  await expect(page.getByText('Zdjęcia usunięto: przechowuje się je przez 90 dni')).toBeVisible()
  await page.goto(resultAddress(station.id))
  await expect(rowOf(page, 'KND0001')).toContainText('brak zdjęcia')
})

test('the keyboard alone goes from the stations to a vehicle and back', async ({ page }) => {
  await page.goto('/archival')
  const box = page.getByRole('checkbox', { name: station.shortName })
  await expect(box).toBeVisible()
  await box.focus()
  await page.keyboard.press('Space')
  await expect(box).toBeChecked()
  for (const name of ['Warunki', 'Sortowanie', 'Wyniki']) {
    await page.keyboard.press('Control+Enter')
    await expect(page.locator('[aria-current="step"]')).toContainText(name)
  }
  await expect(rows(page)).toHaveCount(4)
  await page.keyboard.press('j')
  await page.keyboard.press('ArrowDown')
  await expect(rowOf(page, 'KND0002').getByRole('link')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: plateText('KND0002', 'Pojazd ') })).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(rowOf(page, 'KND0002').getByRole('link')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.locator('[aria-current="step"]')).toContainText('Sortowanie')
})

test('hides the archive without its right', async ({ page, portal }) => {
  const account = await addAccount(portal, ['CurrentMeasurements'])
  await page.goto('/logout')
  await signIn(page, account)
  await page.goto(resultAddress(station.id))
  await expect(page.getByText('Brak uprawnień do tej czynności.')).toBeVisible()
  await expect(rows(page)).toHaveCount(0)
})

test('every step passes axe in five languages', async ({ page }) => {
  test.setTimeout(120_000)
  for (const step of ['1', '2', '3', '4']) {
    await page.goto(resultAddress(station.id, { step, ctg8p1: '9', minSpeed: '50' }))
    const there = () =>
      step === '4'
        ? expect(rowOf(page, 'KND0001')).toBeVisible()
        : expect(page.locator('[aria-current="step"]')).toContainText(step)
    await there()
    await expectAccessible(page)
    await inEveryLanguage(page, there)
    await page.evaluate(() => localStorage.setItem('lang', 'pl'))
  }
})

test('shows cards and one export menu on a phone, without overflow', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const step of ['1', '2', '3', '4']) {
    await page.goto(resultAddress(long.id, { step }))
    if (step === '4') await expect(rows(page)).toHaveCount(10)
    else await expect(page.locator('[aria-current="step"]')).toContainText(step)
    await expectAccessible(page)
    await expectNoOverflow(page)
  }
  await expect(page.getByRole('table')).toHaveCount(0)
  await page.goto(resultAddress(long.id, { step: '3', orderByColumnName1: 'speed', orderDirection1: 'asc' }))
  for (const name of ['Według', 'Kierunek']) {
    const field = page.getByRole('group', { name: 'Poziom 1' }).getByRole('combobox', { name })
    expect((await field.boundingBox())?.width, name).toBeGreaterThan(250)
  }
  await page.goto(resultAddress(long.id))
  await page.getByRole('button', { name: 'Pobierz', exact: false }).click()
  await expect(page.getByRole('menuitem')).toHaveCount(6)
  await page.keyboard.press('Escape')
  await rowOf(page, 'LST000').click()
  await expect(page.getByRole('heading', { name: plateText('LST000', 'Pojazd ') })).toBeAttached()
})

test.describe('the SG variant', () => {
  let sg: Portal
  let there: Station
  test.beforeAll(async () => {
    sg = await startPortal({ BUILD_CODE: 'SG201025' })
    there = await addStation(sg, 930, 'S19 Inaczej')
    await there.send({ plateLpr: 'SGV0001', createdAt: ago(MINUTE) })
  })
  test.afterAll(() => sg.stop())

  test('skips the conditions and finds the same vehicles', async ({ page }) => {
    await page.goto(`${sg.url}/login`)
    await signIn(page)
    await expect(page).toHaveURL(/\/archival/)
    await page.getByRole('checkbox', { name: there.shortName }).check()
    await nextStep(page, 'Sortowanie')
    await expect(page.locator('[aria-current="step"]')).toHaveText('2Sortowanie')
    await nextStep(page, 'Wyniki')
    await expect(rowOf(page, 'SGV0001')).toBeVisible()
    await page.goto(`${sg.url}${resultAddress(there.id, { step: '2' })}`)
    await expect(page.locator('[aria-current="step"]')).toHaveText('1Miejsce i czas')
  })
})
