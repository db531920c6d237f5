import { expect, type Locator, type Page } from '@playwright/test'
import { archiveStations, nextStep, platesOf, resultAddress, rowOf, rows, search } from './src/archive.ts'
import { test } from './src/fixtures.ts'
import { plateText } from './src/live.ts'
import {
  addAccount,
  expectAccessible,
  expectNoOverflow,
  inEveryLanguage,
  pageAlert,
  signIn,
  signInByApi,
} from './src/operator.ts'
import { type Portal, startPortal } from './src/portal.ts'
import { addStation, type Station } from './src/station.ts'

const MINUTE = 60_000

let station: Station
let long: Station
test.beforeAll(async ({ portal }) => {
  ;({ station, long } = await archiveStations(portal))
})

test.beforeEach(async ({ page, portal }) => {
  await signInByApi(page, portal)
})

const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const filterPanel = (page: Page) => page.getByRole('complementary', { name: 'Wybrane filtry' })
const total = (page: Page) => page.getByRole('status').filter({ hasText: /pojazd/ })

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
  await expect(filterPanel(page)).toContainText(station.shortName)
  await expect(filterPanel(page)).toContainText('czas pomiaru, malejąco')
  await page.getByRole('button', { name: 'Wstecz' }).click()
  await expect(heading(page, 'Sortowanie').first()).toBeVisible()
})

test('stays at step 1 without stations or a range, with the missing fields in red', async ({ page }) => {
  await page.goto('/archival')
  const box = page.getByRole('checkbox', { name: station.shortName })
  const place = await box.boundingBox()
  await page.getByRole('button', { name: 'Dalej' }).click()
  await expect(pageAlert(page)).toHaveText('Wybierz stację. Brak wymaganego parametru')
  expect(await box.boundingBox()).toEqual(place)
  await expect(heading(page, 'Stacje').last()).toHaveCSS('color', RED)
  await expect(page.getByRole('main').getByRole('heading', { name: 'Zakres czasu' })).not.toHaveCSS('color', RED)
  await page.getByRole('button', { name: 'Usuń zakres czasu' }).first().click()
  await expect(page.getByRole('main').getByRole('heading', { name: 'Zakres czasu' })).toHaveCSS('color', RED)
  await page.getByRole('checkbox', { name: station.shortName }).check()
  await page.getByRole('button', { name: 'Dalej' }).click()
  await expect(page.getByText('Wybierz początek i koniec.')).toBeVisible()
  await page.getByRole('button', { name: 'ostatnia doba' }).click()
  await expect(pageAlert(page)).toHaveCount(0)
  await nextStep(page, 'Warunki')
})

test('returns to step 1 when the address or a removed filter leaves required fields empty', async ({ page }) => {
  await page.goto('/archival?step=4&locations=1')
  await expect(page.getByText('Wybierz początek i koniec.')).toBeVisible()
  await page.goto(resultAddress(station.id))
  await expect(rows(page)).toHaveCount(4)
  await filterPanel(page).getByRole('button', { name: 'Usuń filtr: Stacje' }).click()
  await expect(page.getByText('Wybierz co najmniej jedną stację.')).toBeVisible()
  await expect(pageAlert(page)).toContainText('Brak wymaganego parametru')
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
  await expect(filterPanel(page)).toContainText('19.10.2025')
  await to.fill('31.02.2025 08:15')
  await from.focus()
  await expect(range.getByRole('alert')).toHaveText('Wpisz datę i godzinę, na przykład 20.10.2025 08:15.')
  await expect(to).toHaveAccessibleDescription(/Wpisz datę/)
  await expect(filterPanel(page)).toContainText('19.10.2025')
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
  await expect(filterPanel(page)).not.toContainText('Zakres czasu')
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
  // No scrolling areas: they would be cut off in print.
  const main = page.getByRole('main')
  expect(await main.evaluate((element) => getComputedStyle(element).overflowY)).toBe('visible')
  expect(await paint(page.locator('body'), 'backgroundColor')).toBe('rgb(255, 255, 255)')
})

test('removing the time filter clears both ends', async ({ page }) => {
  await page.goto('/archival')
  await filterPanel(page).getByRole('button', { name: 'Usuń filtr: Zakres czasu' }).click()
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
  await filterPanel(page).getByRole('button', { name: 'Usuń filtr: Kategorie [8+1]' }).click()
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

test('finds a plate as written, with wildcards and by similarity', async ({ page, keptPlates }) => {
  const expectFound = async (plate: string, similarity: string) => {
    await page.goto(resultAddress(station.id, { step: '2' }))
    const field = page.getByLabel('Numer rejestracyjny')
    await expect(field).toBeVisible()
    await page.keyboard.press('/')
    await expect(field).toBeFocused()
    await page.keyboard.type(plate)
    await page.getByLabel('Podobieństwo co najmniej').fill(similarity)
    await nextStep(page, 'Sortowanie')
    await nextStep(page, 'Wyniki')
    await expect.poll(() => platesOf(page)).toEqual(['DWR8K41'])
  }
  await expectFound('dwr 8k41', '')
  await expectFound('DWR?K*', '')
  await expectFound('DWRBK4I', '80')

  keptPlates.expect(/^(?:address|request): \S+\/archival\?\S+&plateLpr=DWR8X41$/)
  await page.goto(resultAddress(station.id, { step: '2', plateLpr: 'DWR8X41' }))
  await page.getByRole('button', { name: 'Ustaw 45%' }).click()
  await expect(page.getByLabel('Podobieństwo co najmniej')).toHaveValue('45')
  await nextStep(page, 'Sortowanie')
  await nextStep(page, 'Wyniki')
  await expect.poll(() => platesOf(page)).toEqual(['DWR8K41'])
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
  await signInByApi(page, portal, account)
  await page.goto(resultAddress(station.id))
  await expect(page.getByText('Brak uprawnień do tej czynności.')).toBeVisible()
  await expect(rows(page)).toHaveCount(0)
})

test('every step passes axe in five languages', async ({ page }) => {
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
  const kinds = ['bez zdjęć', 'ze zdjęciami', 'do obliczeń: wiersz na pojazd', 'do obliczeń: wiersz na oś']
  const sizes = ['23 wiersze', '23 wiersze', '23 wiersze', 'około 92 wierszy']
  const rowsOf = (format: string) => kinds.map((kind, at) => `${format} ${kind}${sizes[at]}`)
  const layouts = ['układ z 2013 r.', 'układ z 2001 r., 100 kg', 'układ z 2001 r., 100 lb']
  await expect(page.getByRole('menuitem')).toHaveText([
    'PDF bez zdjęćokoło 2 stron',
    'PDF ze zdjęciamiokoło 4 stron',
    ...rowsOf('CSV'),
    ...rowsOf('XLSX'),
    'Parquet do analizy danych: wiersz na pojazd23 wiersze',
    ...layouts.map((layout) => `TMG W ${layout}23 wiersze`),
  ])
  await page.keyboard.press('Escape')
  await rowOf(page, 'LST000').click()
  await expect(page.getByRole('heading', { name: plateText('LST000', 'Pojazd ') })).toBeAttached()
})

test.describe('the SG variant', () => {
  let sg: Portal
  let there: Station
  test.beforeAll(async () => {
    sg = await startPortal({ BUILD_CODE: 'SG201025' }, { inMemory: true })
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
