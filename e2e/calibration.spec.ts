import { expect, type Page } from '@playwright/test'
import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import { test } from './src/fixtures.ts'
import { addAccount, expectAccessible, expectNoOverflow, inEveryLanguage, signInByApi } from './src/operator.ts'
import { addStation, type Station } from './src/station.ts'

const VEHICLES = 12

let drifted: Station
let silent: Station
test.beforeAll(async ({ portal }) => {
  drifted = await addStation(portal, 941, 'S8 Waga')
  silent = await addStation(portal, 942, 'S8 Cisza')
  // First axles of 8,000 kg are 15.9 % more than the provisional reference of 6,900.
  const axles = [
    { type: 1, leftWeight: 4_000, rightWeight: 4_000, gap: 0 },
    { type: 1, leftWeight: 5_400, rightWeight: 5_400, gap: 370 },
    ...[560, 131, 131].map((gap) => ({ type: 3, leftWeight: 3_600, rightWeight: 3_600, gap })),
  ]
  // All of them in one period.
  const createdAt = new Date().toISOString()
  for (let i = 0; i < VEHICLES; i++) await drifted.send({ axles, createdAt })
})

test.beforeEach(async ({ page, portal }) => {
  await signInByApi(page, portal)
})

const apply = (page: Page) => page.getByRole('button', { name: 'Zastosuj' }).click()
const filterPanel = (page: Page) => page.getByRole('complementary', { name: 'Wybrane filtry' })
const lane = (page: Page, number: number) =>
  page.getByRole('region', { name: `${drifted.shortName}, pas ${number}`, exact: true })

function addressOf(path: string, step: 1 | 2, stations: Station[]): string {
  const now = Date.now()
  return `${path}?${new URLSearchParams({
    step: String(step),
    locations: stations.map(({ id }) => id).join(','),
    dateTimeStart: new Date(now - 24 * HOUR_MS).toISOString(),
    dateTimeEnd: new Date(now + HOUR_MS).toISOString(),
    statResolutionValue: '2',
  })}`
}

test('defaults to the last day, every two hours', async ({ page }) => {
  await page.goto('/calibration')
  await expect(page.getByRole('combobox', { name: 'Rozdzielczość' })).toHaveValue('2 h')
  await page.getByRole('combobox', { name: 'Rozdzielczość' }).click()
  await expect(page.getByRole('option')).toHaveText([
    '2 h',
    '4 h',
    '6 h',
    '8 h',
    '12 h',
    '1 dzień',
    '2 dni',
    '3 dni',
    'tydzień',
  ])
})

test('marks a drifted lane in red, and shows a hyphen for null', async ({ page }) => {
  await page.goto(addressOf('/calibration', 1, [drifted]))
  await apply(page)
  await expect(lane(page, 1).locator('canvas')).toBeVisible()
  const row = lane(page, 1).locator('tr[data-red]')
  await expect(row).toHaveCount(1)
  await expect(row.getByRole('rowheader')).toHaveText(/^\d\d\.\d\d\.\d{4} \d\d:\d\d$/)
  await expect(row).toContainText('8\u00a0000')
  await expect(row).toContainText('+15,9')
  await expect(row.getByRole('img', { name: 'poza zakresem' })).toBeVisible()
  await expect(row.getByRole('cell').last()).toHaveText('-')
  await expect(lane(page, 2).locator('tbody tr').first().getByRole('cell')).toHaveText(['-', '-', '0', '-', '-'])
})

test('every column shows its explanation on keyboard focus', async ({ page }) => {
  await page.goto(addressOf('/calibration', 2, [drifted]))
  for (const [name, about] of [
    ['Data i czas', /Początek okresu/],
    ['Średni nacisk [kg]', /pierwszej osi/],
    ['Wsp. zmienności [%]', /12 %/],
    ['Liczba pojazdów', /mniej niż 10/],
    ['Odchylenie [%]', /7 %/],
    ['Ufność [%]', /Welcha/],
  ] as const) {
    await lane(page, 1).getByRole('button', { name }).focus()
    // The previous tooltip may still be fading out.
    await expect(page.getByRole('tooltip').filter({ hasText: about })).toBeVisible()
  }
})

test('Wstecz returns to step 1 and clears the result', async ({ page }) => {
  await page.goto(addressOf('/calibration', 2, [drifted]))
  await expect(lane(page, 1)).toBeVisible()
  await page.getByRole('button', { name: 'Wstecz' }).click()
  await expect(lane(page, 1)).toHaveCount(0)
  const requestPromise = page.waitForRequest(/diagnostic-calibrations\?/)
  await apply(page)
  const query = new URL((await requestPromise).url()).searchParams
  expect(Object.fromEntries(query)).toMatchObject({
    statResolutionUnit: 'hour',
    statResolutionValue: '2',
    locations: String(drifted.id),
    addGraph: 'true',
    graphType: 'linePlot',
    graphWidth: '980',
    graphHeight: '458',
  })
})

test('shows a message without comparable vehicles', async ({ page }) => {
  await page.goto(addressOf('/calibration', 1, [silent]))
  await apply(page)
  await expect(page.getByRole('heading', { name: 'Brak wyników' })).toBeVisible()
})

test('sends no request without a station and names the missing field', async ({ page }) => {
  for (const path of ['/calibration', '/calibration-deviation']) {
    await page.goto(path)
    await apply(page)
    await expect(page.getByRole('alert').filter({ hasText: 'Brak wymaganego parametru' })).toBeVisible()
    await expect(page.getByText('Wybierz co najmniej jedną stację.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Stacje', level: 2 })).toHaveCSS('color', 'rgb(176, 30, 26)')
  }
})

test('stays at step 1 after a failed request, with a toast', async ({ page, consoleErrors }) => {
  consoleErrors.expect(/diagnostic|pobrać kalibracji/)
  await page.route('**/diagnostic-calibrations?*', (route) => route.fulfill({ status: 500, json: [] }))
  await page.goto(addressOf('/calibration', 1, [drifted]))
  await apply(page)
  await expect(page.getByText('Nie udało się pobrać kalibracji.')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: drifted.shortName })).toBeChecked()
})

test('records a calibration for the selected stations, in Warsaw time', async ({ page }) => {
  await page.goto(addressOf('/calibration', 1, [silent]))
  const add = page.getByRole('button', { name: 'Zakończenie kalibracji' })
  await add.click()
  await page.getByRole('button', { name: 'Zapisz i zaloguj' }).click()
  await expect(page.getByText('Podaj datę i godzinę.')).toBeVisible()
  // An invalid time is never sent as the previous value.
  await page.getByRole('textbox', { name: /Data i godzina/ }).fill('wczoraj')
  await page.getByRole('button', { name: 'Zapisz i zaloguj' }).click()
  await expect(page.getByRole('textbox', { name: /Data i godzina/ })).toHaveAccessibleDescription(/Wpisz datę/)
  await page.getByRole('textbox', { name: /Data i godzina/ }).fill('')
  await page.getByRole('button', { name: /Data i godzina.*: otwórz kalendarz/ }).click()
  await page.getByRole('button', { name: 'Poprzedni miesiąc' }).click()
  await page.getByRole('cell').getByRole('button', { name: /^15 / }).click()
  await page.getByRole('spinbutton', { name: 'Godzina' }).fill('10')
  await page.getByRole('spinbutton', { name: 'Minuta' }).fill('30')
  await page.getByRole('button', { name: 'Zatwierdź' }).click()
  const posted = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Zapisz i zaloguj' }).click()
  const query = new URL((await posted).url()).searchParams
  expect(query.get('locations')).toBe(String(silent.id))
  expect(query.get('time')).toMatch(/-15T0[89]:30:00\.000Z$/)
  await expect(page.getByText('Zapisano zakończenie kalibracji.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Zapisz i zaloguj' })).toHaveCount(0)

  // Corrects, revokes and restores it in the list of calibrations of the station.
  await add.click()
  const row = page.getByRole('table', { name: 'Zakończone kalibracje' }).getByRole('row', { name: /pas 1/ })
  await expect(row).toContainText('10:30')
  await expect(row).toContainText('obowiązuje')
  const dialog = page.getByRole('dialog')
  await row.getByRole('button', { name: /^Popraw zakończenie kalibracji/ }).press('Enter')
  await dialog.getByRole('textbox', { name: 'Powód' }).fill('zła godzina')
  await dialog.getByRole('textbox', { name: /Data i godzina/ }).fill('14.08.2025 09:15')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Zapisz', exact: true }).click()
  await expect(row).toContainText('14.08.2025 09:15')
  await expect(row).toContainText(/poprawiono .*\(było .* 10:30\), admin: zła godzina/)
  await row.getByRole('button', { name: /^Cofnij zakończenie kalibracji/ }).click()
  await dialog.getByRole('button', { name: 'Cofnij', exact: true }).click()
  await expect(dialog).toContainText('Podaj powód.')
  await dialog.getByRole('textbox', { name: 'Powód' }).fill('pomyłka w dacie')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cofnij', exact: true }).click()
  await expect(row).toContainText(/cofnięto .*admin: pomyłka w dacie/)
  await row.getByRole('button', { name: /^Przywróć zakończenie kalibracji/ }).click()
  await expect(row).toContainText('obowiązuje')
})

test('records a calibration for ticked lanes only', async ({ page }) => {
  await page.goto(addressOf('/calibration', 1, [drifted]))
  await page.getByRole('button', { name: 'Zakończenie kalibracji' }).click()
  const lanes = page.getByRole('group', { name: drifted.shortName })
  await expect(lanes.getByRole('checkbox')).toHaveCount(2)
  for (const box of await lanes.getByRole('checkbox').all()) await box.uncheck()
  await lanes.getByRole('checkbox').first().press('Control+Enter')
  await expect(page.getByText('Wybierz co najmniej jeden pas.')).toBeVisible()
  await lanes.getByRole('checkbox', { name: 'pas 1' }).check()
  await expect(page.getByText('Wybierz co najmniej jeden pas.')).toHaveCount(0)
})

test('downloads the result as PDF, XLSX or CSV', async ({ page }) => {
  await page.goto(addressOf('/calibration', 1, [drifted]))
  await apply(page)
  for (const [item, ending] of [
    ['Dokument PDF', 'pdf'],
    ['Arkusz XLSX', 'xlsx'],
    ['Tabela CSV', 'csv'],
  ]) {
    await page.getByRole('button', { name: 'Pobierz', exact: true }).click()
    const file = page.waitForEvent('download')
    // The menu shows the size in advance, such as 4 pages or 26 rows.
    const size = ending === 'pdf' ? 'około \\d+ stron' : '\\d+ wiersz'
    await page.getByRole('menuitem', { name: new RegExp(`${item} ${size}`) }).click()
    expect((await file).suggestedFilename()).toMatch(new RegExp(`^calibration_.*\\.${ending}$`))
  }
  await page.getByRole('button', { name: 'Pobierz listę' }).click()
  const list = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Dokument PDF' }).click()
  expect((await list).suggestedFilename()).toMatch(/^calibration_list_.*\.pdf$/)
})

test('shows deviations as charts, with their figures for screen readers', async ({ page }) => {
  await page.goto('/calibration-deviation')
  await expect(page.getByRole('combobox', { name: 'Rozdzielczość' })).toHaveCount(0)
  await page.goto(addressOf('/calibration-deviation', 1, [drifted]))
  await apply(page)
  await expect(lane(page, 1).locator('canvas')).toBeVisible()
  await expect(lane(page, 1).getByRole('table')).toContainText('+15,9')
  await expect(filterPanel(page)).toContainText('zakres ±7 %')
})

test('hides both pages without the right', async ({ page, portal }) => {
  const account = await addAccount(portal, ['CurrentMeasurements'])
  await signInByApi(page, portal, account)
  for (const path of ['/calibration', '/calibration-deviation']) {
    await page.goto(path)
    await expect(page.getByRole('button', { name: 'Zastosuj' })).toHaveCount(0)
  }
})

test('both screens pass axe', async ({ page }) => {
  await page.goto(addressOf('/calibration', 1, [drifted]))
  await page.getByRole('button', { name: 'Zakończenie kalibracji' }).click()
  await expectAccessible(page)
  await page.goto(addressOf('/calibration-deviation', 2, [drifted]))
  await expect(page.locator('canvas').first()).toBeVisible()
  await expectAccessible(page)
})

test('the result passes axe in five languages, without overflow on a phone', async ({ page }) => {
  await page.goto(addressOf('/calibration', 2, [drifted]))
  await expect(page.locator('canvas').first()).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoOverflow(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await inEveryLanguage(page, async () => expect(page.locator('canvas').first()).toBeVisible())
})
