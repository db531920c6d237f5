import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import { test } from './src/fixtures.ts'
import { addAccount, expectAccessible, expectNoOverflow, inEveryLanguage, signInByApi } from './src/operator.ts'
import { addStation, type Station } from './src/station.ts'

let one: Station
let other: Station
test.beforeAll(async ({ portal }) => {
  one = await addStation(portal, 931, 'S8 Licznik')
  other = await addStation(portal, 932, 'S8 Drugi')
  await one.sendMany(3, 'STA')
  await one.send({ laneNumber: 2, ctg8p1: 5, ctg323: 7 })
  await other.send()
})

test.beforeEach(async ({ page, portal }) => {
  await signInByApi(page, portal)
})

const next = (page: Page) => page.getByRole('button', { name: 'Dalej' }).click()
const filterPanel = (page: Page) => page.getByRole('complementary', { name: 'Wybrane filtry' })
const preset = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: 'Zestaw' }).getByText(name, { exact: true }).click()
const resultOf = (page: Page, station: Station) =>
  page.getByRole('region', { name: `${station.shortName}, km 1+000`, exact: true })

/** URL of a result of these stations: the last two hours by hour and lane. */
function addressOf(stations: Station[], differing: Record<string, string> = {}): string {
  const now = Date.now()
  return `/stat?${new URLSearchParams({
    step: '1',
    result: 'true',
    preset: 'basic',
    locations: stations.map(({ id }) => id).join(','),
    dateTimeStart: new Date(now - 2 * HOUR_MS).toISOString(),
    dateTimeEnd: new Date(now + HOUR_MS).toISOString(),
    statResolutionUnit: 'hour',
    statResolutionValue: '1',
    ...differing,
  })}`
}

async function showResult(page: Page, ...stations: Station[]) {
  await page.goto('/stat')
  for (const { shortName } of stations) await page.getByRole('checkbox', { name: shortName }).check()
  await next(page)
  // A click before would open the second step again.
  await expect(page.locator('[aria-current="step"]')).toHaveText(/^2/)
  await next(page)
  await page.getByRole('button', { name: 'Pokaż wynik' }).click()
  await expect(page.locator('canvas').first()).toBeVisible()
}

test('the basic preset shows in three steps a chart and a table that count every vehicle once', async ({ page }) => {
  await showResult(page, one)
  const result = resultOf(page, one)
  await expect(result.getByRole('img')).toHaveAccessibleName(/natężenie ruchu/)
  const table = result.getByRole('table')
  await expect(table.getByRole('columnheader')).toHaveText(['Okres', 'Pas 1', 'Pas 2', 'Suma'])
  await expect(table.locator('tfoot tr')).toHaveText(/Cały zakres\s*3\s*1\s*4/)
  await expect(page).toHaveURL(/step=1/)
})

test('a shared address shows the same result, and Wstecz returns to step 1 with all values', async ({ page }) => {
  await page.goto(addressOf([one], { groupBy: 'category' }))
  await expect(resultOf(page, one).getByRole('columnheader', { name: 'Autobus' })).toBeVisible()
  await page.getByRole('button', { name: 'Wstecz' }).click()
  await expect(page.getByRole('checkbox', { name: one.shortName })).toBeChecked()
  await expect(resultOf(page, one)).toHaveCount(0)
})

test('stays at step 1 without a station or a resolution, with the missing fields in red', async ({ page }) => {
  await page.goto('/stat')
  await next(page)
  // High alarms are announced on each page.
  const missing = page.getByRole('alert').filter({ hasText: 'Brak wymaganego parametru' })
  await expect(missing).toBeVisible()
  await expect(page.getByText('Wybierz co najmniej jedną stację.')).toBeVisible()
  await page.getByRole('checkbox', { name: one.shortName }).check()
  await expect(missing).toHaveCount(0)
  await page.getByLabel('Co ile').fill('')
  await next(page)
  await expect(page.getByText('Podaj liczbę i jednostkę.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Rozdzielczość', level: 2 })).toHaveCSS('color', 'rgb(176, 30, 26)')
})

test('each preset locks its filters and sets its resolution', async ({ page }) => {
  await page.goto('/stat')
  const [count, unit] = [page.getByLabel('Co ile'), page.getByRole('combobox', { name: 'Jednostka' })]
  const [from, to] = [page.getByLabel('od', { exact: true }), page.getByLabel('do', { exact: true })]
  await preset(page, 'Bieżący')
  await expect(count).toHaveValue('1')
  await expect(unit).toHaveValue('minuta')
  for (const field of [count, unit, from, to]) await expect(field).toBeDisabled()
  await preset(page, 'Ostatnie 24 h')
  for (const field of [count, unit, from]) await expect(field).toBeDisabled()
  await expect(to).toBeEnabled()
  await preset(page, 'Ostatnie 31 dni')
  await expect(unit).toHaveValue('dzień')
  await expect(unit).toBeEnabled()
  await preset(page, 'Przekroczenia prędkości')
  await page.getByRole('checkbox', { name: one.shortName }).check()
  await next(page)
  await expect(page.getByText('ustalone przez zestaw')).toBeVisible()
  await next(page)
  await expect(page.getByRole('radio', { name: 'zakres prędkości' })).toBeChecked()
  await expect(page.getByRole('radio', { name: 'pas ruchu' })).toBeDisabled()
})

test('defaults to ten for minutes, and to one for other units', async ({ page }) => {
  await page.goto('/stat')
  const choose = async (name: string) => {
    await page.getByRole('combobox', { name: 'Jednostka' }).click()
    await page.getByRole('option', { name }).click()
  }
  await choose('minuta')
  await expect(page.getByLabel('Co ile')).toHaveValue('10')
  await choose('miesiąc')
  await expect(page.getByLabel('Co ile')).toHaveValue('1')
})

test('removing a station trims the result without a request; other filters clear it', async ({ page }) => {
  await page.goto(addressOf([one, other], { ctg8p1: '9' }))
  await expect(resultOf(page, other).getByRole('table')).toBeVisible()
  let requestCount = 0
  page.on('request', (request) => (requestCount += request.url().includes('/stat-1') ? 1 : 0))
  await filterPanel(page)
    .getByRole('button', { name: `Usuń filtr: ${one.shortName}` })
    .click()
  await expect(resultOf(page, one)).toHaveCount(0)
  await expect(resultOf(page, other).getByRole('table')).toBeVisible()
  expect(requestCount).toBe(0)
  await filterPanel(page).getByRole('button', { name: 'Usuń filtr: Kategorie [8+1]' }).click()
  await expect(resultOf(page, other)).toHaveCount(0)
  await expect(page.getByRole('checkbox', { name: other.shortName })).toBeChecked()
})

test('series can be hidden and shown again by keyboard, and patterns can be switched on', async ({ page }) => {
  await page.goto(addressOf([one]))
  const lane = page.getByRole('group', { name: 'Serie wykresu' }).getByRole('button', { name: /Pas 1/ })
  await lane.press('Enter')
  await expect(lane).toHaveAttribute('aria-pressed', 'false')
  await page.getByRole('button', { name: 'pokaż wszystkie' }).press('Enter')
  await expect(lane).toHaveAttribute('aria-pressed', 'true')
  await expect(lane.locator('pattern')).toHaveCount(0)
  await page.emulateMedia({ forcedColors: 'active' })
  await expect(lane.locator('pattern')).toHaveCount(1)
  await expect(page.getByLabel('desenie na wykresach')).toBeDisabled()
  await page.emulateMedia({ forcedColors: 'none' })
  await expect(lane.locator('pattern')).toHaveCount(0)
  await page.getByLabel('desenie na wykresach').press(' ')
  await expect(lane.locator('pattern')).toHaveCount(1)
  await page.reload()
  await expect(page.getByLabel('desenie na wykresach')).toBeChecked()
})

test('the tooltip stays within the chart, also on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(addressOf([one], { groupBy: 'speedRange' }))
  const chart = resultOf(page, one).getByRole('img')
  await expect(chart.locator('canvas')).toBeVisible()
  const [first, last] = [chart.getByText(/^\d\d\.\d\d\.\d{4} \d\d:\d\d$/), chart.getByText('od 140 km/h')]
  await expect(async () => {
    await chart.hover()
    await expect(last).toBeVisible({ timeout: 1_000 })
  }).toPass()
  const [frame, top, bottom] = await Promise.all([chart, first, last].map((part) => part.boundingBox()))
  if (!frame || !top || !bottom) throw new Error('the chart or its values are not there')
  expect(top.y).toBeGreaterThanOrEqual(frame.y)
  expect(bottom.y + bottom.height).toBeLessThanOrEqual(frame.y + frame.height)
  expect(bottom.x + bottom.width).toBeLessThanOrEqual(frame.x + frame.width)
})

test('downloads all stations or one as XLSX or CSV named statistics', async ({ page }) => {
  await page.goto(addressOf([one, other]))
  const taken = async (button: string, item: RegExp) => {
    await page.getByRole('button', { name: button, exact: true }).click()
    const coming = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: item }).click()
    const file = await coming
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
  }
  const book = await taken('Pobierz wszystko', /Arkusz XLSX.*8 wierszy/)
  expect(book.name).toBe('statistics.xlsx')
  expect(book.bytes.subarray(0, 2).toString()).toBe('PK')
  const table = await taken(`Pobierz stację: ${other.shortName}, km 1+000`, /Tabela CSV.*4 wiersze/)
  expect(table.name).toBe('statistics.csv')
  expect(table.bytes.toString()).toContain(other.shortName)
  expect(table.bytes.toString()).not.toContain(one.shortName)
})

test('asks before creating a PDF of more than 50 pages', async ({ page }) => {
  const days = new Date(Date.now() - 2 * 24 * HOUR_MS).toISOString()
  const held = Promise.withResolvers<void>()
  await page.route(/stat-1/, async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto(addressOf([one], { dateTimeStart: days, statResolutionUnit: 'minute', statResolutionValue: '1' }))
  let ordered = 0
  page.on('request', (request) => (ordered += request.url().includes('/report-1') ? 1 : 0))
  const menu = page.getByRole('button', { name: 'Pobierz wszystko' })
  const document = page.getByRole('menuitem', { name: /Dokument PDF około \d+ stron/ })
  const question = page.getByRole('dialog', { name: /Pobrać dokument PDF \(około \d+ stron\)\?/ })
  // Disabled until the number of rows is known.
  await expect(menu).toBeDisabled()
  held.resolve()
  await menu.click()
  await document.click()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Anuluj' }).click()
  await expect(question).toHaveCount(0)
  expect(ordered).toBe(0)
  await menu.click()
  await document.click()
  const coming = page.waitForEvent('download')
  await question.getByRole('button', { name: 'Pobierz' }).click()
  expect((await coming).suggestedFilename()).toBe('statistics.pdf')
})

test('refreshes the current preset each minute and shows its time', async ({ page }) => {
  await page.clock.install()
  const current = { preset: 'current', statResolutionUnit: 'minute', statName: 'traffic' }
  await page.goto(addressOf([one], current))
  const foot = resultOf(page, one).locator('tfoot tr')
  await expect(foot).toHaveText(/Cały zakres/)
  const counted = Number(await foot.getByRole('cell').last().textContent())
  await expect(page.getByText(/^stan na \d\d:\d\d$/)).toBeVisible()
  // The URL has two hours, the preset the last four.
  await expect(resultOf(page, one).getByRole('table')).toHaveAttribute('aria-rowcount', '242')
  await one.send({ laneNumber: 2 })
  const again = page.waitForRequest(/stat-1/)
  await page.clock.runFor(60_000)
  await again
  await expect(foot.getByRole('cell').last()).toHaveText(String(counted + 1))
})

test('shows a shadow while columns are hidden', async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 800 })
  await page.goto(addressOf([other], { groupBy: 'speedRange' }))
  const place = resultOf(page, other).getByRole('region')
  const edges = place.locator('..')
  await expect(edges).toHaveAttribute('data-cut-right', 'true')
  await expect(edges).not.toHaveAttribute('data-cut-left')
  await place.evaluate((element) => element.scrollTo({ left: element.scrollWidth }))
  await expect(edges).toHaveAttribute('data-cut-left', 'true')
  await expect(edges).not.toHaveAttribute('data-cut-right')
  const head = place.getByRole('columnheader', { name: 'od 140 km/h' })
  await expect(head).toHaveCSS('text-align', 'right')
  await expect(head.locator('span')).toHaveCSS('text-align', 'right')
})

test('shows a message above the page for too many periods', async ({ page, consoleErrors }) => {
  consoleErrors.expect(/stat-1/)
  await page.goto(
    addressOf([one], {
      dateTimeStart: '1996-01-01T00:00:00.000Z',
      statResolutionUnit: 'minute',
      statResolutionValue: '1',
    }),
  )
  await expect(page.getByRole('alert').filter({ hasText: 'Za dużo okresów' })).toBeVisible()
})

test('renders only visible rows of thousands of periods', async ({ page }) => {
  await page.goto(
    addressOf([one], {
      dateTimeStart: new Date(Date.now() - 5 * 24 * HOUR_MS).toISOString(),
      statResolutionUnit: 'minute',
      statResolutionValue: '1',
    }),
  )
  const table = resultOf(page, one).getByRole('table')
  await expect(table).toHaveAttribute('aria-rowcount', /^7\d\d\d$/)
  expect(await table.locator('tbody tr').count()).toBeLessThan(200)
})

test('hides the link and the page without the right', async ({ page, portal }) => {
  const account = await addAccount(portal, ['CurrentMeasurements'])
  await signInByApi(page, portal, account)
  await expect(page.getByRole('link', { name: 'Statystyki' })).toHaveCount(0)
  await page.goto('/stat')
  await expect(page.getByRole('radiogroup', { name: 'Zestaw' })).toHaveCount(0)
})

test('every step is accessible', async ({ page }) => {
  await page.goto(addressOf([one, other], { result: '' }))
  await expect(page.getByRole('checkbox', { name: one.shortName })).toBeChecked()
  await expectAccessible(page)
  await next(page)
  await expect(page.getByRole('group', { name: 'Kategorie [8+1]' })).toBeVisible()
  await expectAccessible(page)
  await next(page)
  await expect(page.getByRole('radiogroup', { name: 'Podział' })).toBeVisible()
  await expectAccessible(page)
})

test('the result is accessible, also on a phone', async ({ page }) => {
  await page.goto(addressOf([one]))
  await expect(page.locator('canvas').first()).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  await expectNoOverflow(page)
})

test('steps and result are translated into five languages', async ({ page }) => {
  await page.goto(addressOf([one], { result: '', step: '3' }))
  await inEveryLanguage(page, async () => expect(page.getByRole('radiogroup').first()).toBeVisible())
  await page.goto(addressOf([one]))
  await inEveryLanguage(page, async () => expect(page.locator('canvas').first()).toBeVisible())
})
