import { expect, type Page, type Route } from '@playwright/test'
import { test } from './src/fixtures.ts'
import { addAccount, expectAccessible, expectNoOverflow, inEveryLanguage, signInByApi } from './src/operator.ts'
import { addStation, type Station } from './src/station.ts'

const DAY_MS = 86_400_000
// Away from midnight, and from the hours at which clocks change.
const noon = new Date(Date.now() - DAY_MS)
noon.setUTCHours(11, 10, 0, 0)
const inPoland = (options: Intl.DateTimeFormatOptions, language = 'pl') =>
  new Intl.DateTimeFormat(language, { timeZone: 'Europe/Warsaw', ...options }).format(noon)
const day = inPoland({ dateStyle: 'short' }, 'sv')
const hour = Number(inPoland({ hour: '2-digit' }))
const weekday = inPoland({ weekday: 'long' })
const minutesLater = (minutes: number) => new Date(+noon + minutes * 60_000).toISOString()

let station: Station
test.beforeAll(async ({ portal }) => {
  station = await addStation(portal, 981, 'S8 Widmo')
  // Four lorries of 39.4 t at 90 km/h, and an hour later one of 60 t at 100 km/h.
  for (const minutes of [0, 1, 2, 3]) await station.send({ createdAt: minutesLater(minutes) })
  const axles = [0, 374, 562, 131, 131].map((gap, at) => ({
    type: at < 2 ? (1 as const) : (3 as const),
    leftWeight: 6_000,
    rightWeight: 6_000,
    gap,
  }))
  await station.send({ createdAt: minutesLater(60), speed: 100, axles })
})

const address = (page: string) => {
  const end = new Date(Date.parse(`${day}T12:00:00Z`)).toISOString()
  const start = new Date(Date.parse(end) - 1).toISOString()
  return `/statistics/${page}?locations=981&dateTimeStart=${start}&dateTimeEnd=${end}`
}
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const clock = (at: number) => `${String(at).padStart(2, '0')}:00`

test('shows vehicles by hour beside an earlier period, and opens those of a bar by keyboard', async ({
  page,
  portal,
}) => {
  await signInByApi(page, portal)
  await page.goto(address('traffic'))
  const chart = panel(page, 'S8 Widmo')
  await expect(chart.getByRole('button', { name: `${clock(hour)}, 4, poprzednio –` })).toBeVisible()
  await expect(chart.getByRole('button', { name: `${clock(hour + 1)}, 1, poprzednio –` })).toBeVisible()
  // A day with two hours of traffic is not complete; all its hours in which a complete day has vehicles are gaps.
  await expect(chart.getByRole('button', { name: '06:00, –, poprzednio –' })).toBeVisible()
  const row = page.getByRole('row', { name: /S8 Widmo/ })
  await expect(row.getByRole('cell')).toHaveText(['–', '–', '–', '–', '100,0', '20,0', '100', '120', /\d/, '–'])
  await expect(page.locator('dl > div').filter({ hasText: 'Ciężkie' })).toContainText('100,0 %')

  await page.getByRole('button', { name: 'Pobierz' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Tabela CSV do obliczeń' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/^traffic_.*\.csv$/)
  await page.getByRole('button', { name: 'Pobierz' }).click()
  const parquet = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Plik Parquet do analizy danych' }).click()
  expect((await parquet).suggestedFilename()).toMatch(/^traffic_.*\.parquet$/)

  // Enter opens, arrows move, Escape closes.
  await chart.getByRole('button').first().focus()
  for (let at = 0; at < hour; at++) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(chart.getByRole('link', { name: 'Pokaż 4 pojazdy' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(chart.getByRole('link')).toHaveCount(0)
  await expect(chart.getByRole('button', { name: `${clock(hour)},` })).toBeFocused()
  await page.keyboard.press('Enter')
  await chart.getByRole('link', { name: 'Pokaż 4 pojazdy' }).click()
  await expect(page).toHaveURL(new RegExp(`/archival\\?.*hours=${hour}`))
  await expect(page.getByText('4 pojazdy', { exact: true })).toBeVisible()
  const filters = page.getByRole('complementary', { name: 'Wybrane filtry' })
  await expect(filters).toContainText(`${clock(hour)}–${clock(hour + 1)}`)
})

test('shows speeds, weights and axle loads of a station, each bar with its vehicles', async ({ page, portal }) => {
  await signInByApi(page, portal)
  await page.goto(address('loads'))
  const figure = (name: RegExp) => page.locator('dl > div').filter({ hasText: name }).locator('dd')
  await expect(figure(/^Ważone/)).toContainText('5')
  await expect(figure(/^Przeciążone/)).toContainText('20,0 % 1')
  // (4 · 39.4 + 60) / 5
  await expect(figure(/^Średnia masa/)).toContainText('43,52 t')

  const week = panel(page, 'Godzina i dzień tygodnia')
  await week.getByRole('button', { name: `${weekday} ${clock(hour)}, 4` }).click()
  const status = week.getByRole('status')
  await expect(status).toContainText(`${weekday} ${clock(hour)}: 4`)
  // It announces the figure, not its link; Escape closes it, also from there.
  await expect(status.getByRole('link')).toHaveCount(0)
  const cell = week.getByRole('button', { name: `${weekday} ${clock(hour)}, 4` })
  for (const focused of [cell, week.getByRole('link', { name: 'Pokaż 4 pojazdy' })]) {
    await focused.focus()
    await page.keyboard.press('Escape')
    await expect(week.getByRole('link')).toHaveCount(0)
    await expect(cell).toHaveAttribute('aria-pressed', 'false')
    await expect(cell).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(cell).toHaveAttribute('aria-pressed', 'true')
  }
  await expect(week.getByRole('link', { name: 'Pokaż 4 pojazdy' })).toHaveAttribute(
    'href',
    /weekdays=\d.*hours=|hours=.*weekdays=\d/,
  )

  const speed = panel(page, 'Prędkość')
  // 4 of 5 are fewer than 85 %.
  await expect(speed).toContainText('V85 100 km/h')
  // Lorries may drive 80 km/h here, light vehicles 120.
  await expect(speed).toContainText('powyżej limitu 100,0 %')
  await expect(speed).toContainText('powyżej o 10 20,0 %')
  await expect(speed.getByRole('button', { name: '90 km/h, 4' })).toBeVisible()

  const gross = panel(page, 'Masa całkowita')
  await expect(gross).toContainText('ponad 40 t 20,0 %')
  await expect(gross.getByRole('button', { name: '39–40 t, 4' })).toBeVisible()

  const axle = panel(page, 'Nacisk osi')
  // (load · 9.80665 / 100 000 N)⁴
  const lorry = [7_000, 10_800, 7_200, 7_200, 7_200]
  const heavy = Array<number>(5).fill(12_000)
  const sum = (loads: number[]) => loads.reduce((all, kg) => all + ((kg * 9.80665) / 100_000) ** 4, 0)
  const perVehicle = (4 * sum(lorry) + sum(heavy)) / 5
  await expect(axle).toContainText(`równoważnych na pojazd ${perVehicle.toFixed(2).replace('.', ',')}`)
  await axle.getByText('potrójna').click()
  await expect(page).toHaveURL(/axle=tridem/)
  // 3 · 7.2 t and 3 · 12 t, in bins of 1.5 t.
  await expect(axle.getByRole('button', { name: '21,0–22,5 t, 4' })).toBeVisible()
  await expect(axle.getByRole('button', { name: '36,0–37,5 t, 1' })).toBeVisible()
  // Neither is a column of the archive: the panel of a bar says so in place of a link.
  await axle.getByRole('button', { name: '36,0–37,5 t, 1' }).click()
  await expect(axle).toContainText('Archiwum nie wyszukuje według tej wielkości.')
  await expect(axle.getByRole('link')).toHaveCount(0)
  // A first axle never drives: 1 of 5 is above 10 t, and no line is that of driven axles.
  await axle.getByText('pierwsza').click()
  await expect(axle).toContainText('ponad 10,0 t 20,0 %')
  await expect(axle.getByText('napędowa')).toHaveCount(0)

  await expect(gross.getByRole('link', { name: 'Pokaż 1 pojazd' })).toHaveCount(1)
  // The last bin has no upper bound: the lorry of 60 t is in it.
  await gross.getByRole('button', { name: '≥ 59 t, 1' }).click()
  const build = async (retentionDays: number) => {
    await page.route('**/api/v1/build', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), retentionDays } })
    })
    await page.reload()
  }
  // Later, when the retention period of this day is over: its vehicles are deleted, its figures are not.
  await build(-40)
  await expect(gross).toContainText('pojazdy usunięte po')
  await expect(gross.getByRole('link')).toHaveCount(0)
  // When it begins to be over, some may be left.
  await build(0)
  await expect(gross.getByRole('link', { name: /^Pokaż/ })).toHaveText('Pokaż pojazdy')
  await build(400)
  await gross.getByRole('button', { name: '≥ 59 t, 1' }).click()
  const ofBin = gross.locator('a[href*="minTotalLoad=59000"]')
  await expect(ofBin).not.toHaveAttribute('href', /maxTotalLoad/)
  await ofBin.click()
  await expect(page.getByText('1 pojazd', { exact: true })).toBeVisible()
})

test('compares weighed vehicles per day where the months differ in length', async ({ page, portal }) => {
  await signInByApi(page, portal)
  const weighed: Record<string, number> = { '2026-03-01': 31_000, '2026-02-01': 28_000, '2026-01-01': 31_000 }
  for (const name of ['summary', 'loads'])
    await page.route(`**/api/v1/statistics/${name}?**`, async (route) => {
      const response = await route.fetch()
      const from = new URL(route.request().url()).searchParams.get('from') ?? ''
      const changes = name === 'summary' ? { vehicles: 1 } : { weighed: weighed[from] }
      await route.fulfill({ response, json: [{ ...(await response.json())[0], ...changes }] })
    })
  const change = page
    .locator('dl > div')
    .filter({ hasText: /^Ważone/ })
    .locator('dd span')
  const monthly = (start: string, end: string) =>
    page.goto(`/statistics/loads?locations=981&dateTimeStart=${start}&dateTimeEnd=${end}`)
  await monthly('2026-02-28T23:00:00Z', '2026-03-31T22:00:00Z')
  await expect(change).toHaveText('0,0 % na dobę')
  // January and December both have 31 days.
  weighed['2025-12-01'] = 15_500
  await monthly('2025-12-31T23:00:00Z', '2026-01-31T23:00:00Z')
  await expect(change).toHaveText('+100,0 %')
})

test('counts the vehicles of filters by time, class and country alone, on both pages and in the archive', async ({
  page,
  portal,
  consoleErrors,
}) => {
  const filtered = await addStation(portal, 983, 'S8 Filtr')
  for (const minutes of [0, 1, 60]) await filtered.send({ createdAt: minutesLater(minutes) })
  for (const minutes of [2, 61]) {
    await filtered.send({ createdAt: minutesLater(minutes), nationality: 'LT', ctg323: 3 })
  }
  await signInByApi(page, portal)
  await page.goto(address('traffic').replace('981', '983'))
  const chart = panel(page, 'S8 Filtr')
  const vehicles = (at: number, count: string) =>
    chart.getByRole('button', { name: new RegExp(`^${clock(at)}, ${count}, poprzednio`) })
  await expect(vehicles(hour, '3')).toBeVisible()
  const filters = page.getByRole('complementary', { name: 'Wybrane filtry' })
  const choice = (group: string, name: string) =>
    filters.getByRole('group', { name: group }).getByRole('button', { name, exact: true })
  // Weekdays are read from days.
  await choice('Dni tygodnia', inPoland({ weekday: 'short' }).replace('.', '')).click()
  await expect(vehicles(hour, '3')).toBeVisible()
  await expect(page.getByText('pojedynczych pojazdów')).toHaveCount(0)
  await filters.getByRole('textbox', { name: 'Kraje' }).fill('lt')
  await filters.getByRole('textbox', { name: 'Kraje' }).press('Enter')
  await expect(vehicles(hour, '1')).toBeVisible()
  await expect(vehicles(hour + 1, '1')).toBeVisible()
  await expect(filters.getByText('wielkości z pojedynczych pojazdów')).toBeVisible()
  await choice('Godziny doby', clock(hour).slice(0, 2)).click()
  await expect(vehicles(hour + 1, '–')).toBeVisible()
  await expectAccessible(page)
  await vehicles(hour, '1').click()
  const link = chart.getByRole('link', { name: 'Pokaż 1 pojazd' })
  await expect(link).toHaveAttribute('href', new RegExp(`(?=.*nationalities=LT)(?=.*hours=${hour}\\b)(?=.*weekdays=)`))

  await page.getByRole('link', { name: 'Obciążenia' }).click()
  const weighed = page
    .locator('dl > div')
    .filter({ hasText: /^Ważone/ })
    .locator('dd b')
  await expect(weighed).toHaveText('1')
  await expect(choice('Godziny doby', clock(hour).slice(0, 2))).toHaveAttribute('aria-pressed', 'true')
  await filters.getByRole('button', { name: 'Usuń filtr: Godziny doby' }).click()
  await expect(weighed).toHaveText('2')
  await choice('Klasy COST 323', '5').click()
  await expect(page.getByText('Brak pojazdów', { exact: true })).toBeVisible()
  await choice('Klasy COST 323', '3').click()
  const speed = panel(page, 'Prędkość')
  await speed.getByRole('button', { name: '90 km/h, 2' }).click()
  const ordered = page.waitForRequest(/figures\/report/)
  await page.getByRole('button', { name: 'Pobierz' }).click()
  await page.getByRole('menuitem', { name: 'Tabela CSV do obliczeń' }).click()
  expect((await ordered).url()).toMatch(/(?=.*nationalities=LT)(?=.*ctg323=3&ctg323=5)(?=.*weekdays=)/)
  await speed.getByRole('link', { name: 'Pokaż 2 pojazdy' }).click()
  await expect(page.getByText('2 pojazdy', { exact: true })).toBeVisible()

  // Too many to count, or some of them deleted: the page says so, and keeps what is known.
  consoleErrors.expect(/statistics\/(summary|profile)|too many/)
  await page.route('**/statistics/summary?**', (route) =>
    route.fulfill({ status: 422, json: [{ path: 'from', code: 'vehicles-deleted', userMessage: 'Już usunięte.' }] }),
  )
  await page.goto(`${address('traffic').replace('981', '983')}&hours=${hour}`)
  await expect(page.getByText('Już usunięte.').first()).toBeVisible()
  await expect(vehicles(hour, '3')).toBeVisible()

  // Of hours alone the averages are known; the page names the reason why speeds and loads are not.
  const unknown = {
    overloadedShare: null,
    meanSpeed: null,
    v85: null,
    meanHeadway: null,
    equivalents: null,
    n100PerDay: null,
  }
  await page.route('**/statistics/summary?**', async (route) => {
    const rows = await (await route.fetch()).json()
    const partly = rows.map((row: object) => ({ ...row, ...unknown, categories: [], notCounted: 'vehicles-deleted' }))
    await route.fulfill({ json: partly })
  })
  await page.reload()
  const reason = page.getByText('Godziny: wielkości z pojedynczych pojazdów, które są częściowo usunięte.')
  await expect(reason).toBeVisible()
  await expect(vehicles(hour, '3')).toBeVisible()
  await expect(page.getByText('Wcześniejszy okres.')).toHaveCount(0)

  // Only of the earlier period: changes are missing; the page names the reason.
  const isEarlier = (url: string) => String(new URL(url).searchParams.get('from')) < day
  const ofEarlier = (route: Route) => (isEarlier(route.request().url()) ? route.fallback() : route.continue())
  await page.route('**/statistics/summary?**', ofEarlier)
  await page.reload()
  await expect(page.getByText('Wcześniejszy okres. Godziny: wielkości z pojedynczych pojazdów')).toBeVisible()
  await expect(reason).toHaveCount(1)
  await page.unroute('**/statistics/summary?**', ofEarlier)
  await page.goto(`${address('loads').replace('981', '983')}&hours=${hour}`)
  await expect(panel(page, 'Przeciążone według kategorii').getByText('które są częściowo usunięte')).toBeVisible()
})

test('lanes and stations of a link that are gone are not shown, and a failed list of stations can be retried', async ({
  page,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/\/locations|The stations could not be loaded/)
  const other = await addStation(portal, 982, 'S8 Zjawa')
  // A complete day: a vehicle in each hour from 05 to 23, and another one on the other lane.
  for (let at = 5; at < 23; at++) await other.send({ createdAt: minutesLater(60 * (at - hour)), laneNumber: 1 })
  await other.send({ createdAt: minutesLater(1), laneNumber: 2 })
  await signInByApi(page, portal)
  // Both stations have two lanes; a saved view may still have a third one.
  const both = address('loads').replace('locations=981', 'locations=981,982')
  await page.goto(`${both}&lanes=2,3`)
  const filters = page.getByRole('complementary', { name: 'Wybrane filtry' })
  const lanes = filters.getByRole('group', { name: 'Pasy ruchu' })
  const lane = (number: number) => lanes.getByRole('button', { name: String(number), exact: true })
  await expect(lane(2)).toHaveAttribute('aria-pressed', 'true')
  await expect(lane(3)).toHaveCount(0)
  // Another station is shown: the lane of the first one is not chosen for it.
  await filters.getByRole('checkbox', { name: 'S8 Widmo' }).click()
  await expect(panel(page, 'Prędkość').getByRole('button', { name: '90 km/h, 19' })).toBeVisible()
  await expect(page).not.toHaveURL(/lanes=/)
  const averages = panel(page, 'Średni ruch dobowy')
  const adt = averages.getByRole('row', { name: /^SDR z/ })
  await expect(adt).toHaveText('SDR z 1 pełnej doby19–')
  await lane(2).click()
  await expect(page).toHaveURL(/lanes=/)
  // The averages are of the lane and categories that the criteria name, as in the file; only the table by category is of all.
  await expect(adt).toHaveText('SDR z 1 pełnej doby1–')
  const lorries = panel(page, 'Przeciążone według kategorii').getByRole('row').filter({ hasText: 'ciągnik' })
  await expect(lorries.getByRole('cell').nth(1)).toHaveText('19')
  await filters.getByRole('group', { name: 'Kategorie' }).getByRole('button').first().click()
  await expect(page).toHaveURL(/ctg8p1=/)
  await expect(adt).toHaveText('SDR z 1 pełnej doby0–')
  await filters.getByRole('button', { name: 'Usuń filtr: Pasy' }).click()
  await expect(page).not.toHaveURL(/lanes=/)

  // A sum says of how many stations it is: the other one has no complete day.
  await page.goto(both.replace('loads', 'traffic'))
  const totals = page.locator('dl > div')
  await expect(totals.filter({ hasText: 'SDR, 1 z 2 stacji' })).toContainText('20 poj./d')
  await expect(totals.filter({ hasText: /^Osie równoważne/ })).toContainText('1 z 2 stacji')
  await expect(page.getByRole('row', { name: /^Razem/ })).toContainText('19 1 z 2 stacji')

  await page.goto(address('traffic').replace('981', '99999'))
  await expect(page.getByRole('heading', { name: 'Tych stacji już nie ma' })).toBeVisible()
  await page.getByRole('button', { name: 'Wszystkie stacje', exact: true }).click()
  await expect(page.getByRole('row', { name: /S8 Widmo/ })).toBeVisible()

  await page.route('**/locations', (route) => route.fulfill({ status: 503, json: [] }))
  await page.goto(address('loads'))
  await expect(page.getByRole('heading', { name: 'Nie udało się pobrać stacji.' })).toBeVisible()
  await page.unroute('**/locations')
  await page.getByRole('main').getByRole('button', { name: 'Spróbuj ponownie' }).click()
  await expect(panel(page, 'Prędkość')).toBeVisible()
})

test('both pages are accessible and translated, and fit a phone', async ({ page, portal }) => {
  const account = await addAccount(portal, ['Stat'])
  await signInByApi(page, portal, account)
  await page.goto(address('loads'))
  await expect(panel(page, 'Nacisk osi').getByRole('button').first()).toBeVisible()
  // Without the right to the archive.
  await expect(panel(page, 'Masa całkowita').getByRole('link')).toHaveCount(0)
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoOverflow(page)
  await page.goto(address('traffic'))
  await expect(page.getByRole('row', { name: /S8 Widmo/ })).toBeVisible()
  await expectNoOverflow(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expectAccessible(page)
  await inEveryLanguage(page)
})
