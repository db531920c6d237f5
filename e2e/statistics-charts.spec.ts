import { expect, type Page } from '@playwright/test'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { fromWarsaw, toWarsaw } from '@rogatka/domain/core/warsaw.ts'
import { test } from './src/fixtures.ts'
import { expectAccessible, expectNoOverflow, inEveryLanguage, signInByApi } from './src/operator.ts'
import { addStation, type Station } from './src/station.ts'

// Away from midnight, and from the hours at which clocks change; earlier by whole weeks, so that weekdays match, at the same
// time in Poland also if clocks have changed since.
const noon = new Date(Date.now() - DAY_MS)
noon.setUTCHours(11, 0, 0, 0)
const at = (minutes: number, days = 0) =>
  new Date(fromWarsaw(toWarsaw(+noon + minutes * 60_000) - days * DAY_MS)).toISOString()
const inPoland = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('pl', { timeZone: 'Europe/Warsaw', ...options }).format(noon)
const hour = inPoland({ hour: '2-digit' })
const clock = `${hour}:00`
const weekday = inPoland({ weekday: 'short' }).replace('.', '')

let one: Station
let other: Station
test.beforeAll(async ({ portal }) => {
  one = await addStation(portal, 985, 'S8 Wykres')
  other = await addStation(portal, 986, 'S8 Sąsiad')
  // In the first hour three Polish vehicles and a Lithuanian one, an hour later one; a week before, two.
  for (const minutes of [5, 15, 25]) await one.send({ createdAt: at(minutes) })
  await one.send({ createdAt: at(35), laneNumber: 2, nationality: 'LT', ctg323: 3 })
  await one.send({ createdAt: at(65) })
  for (const minutes of [10, 20]) await one.send({ createdAt: at(minutes, 7) })
  await other.send({ createdAt: at(10) })
})

test.beforeEach(async ({ page, portal }) => {
  await signInByApi(page, portal)
})

const addressOf = (stations: Station[], differing: Record<string, string> = {}) =>
  `/stat?${new URLSearchParams({
    step: '1',
    result: 'true',
    locations: stations.map(({ id }) => id).join(),
    dateTimeStart: at(-60),
    dateTimeEnd: at(180),
    statResolutionUnit: 'hour',
    statResolutionValue: '1',
    ...differing,
  })}`
const resultOf = (page: Page, station: Station) =>
  page.getByRole('region', { name: `${station.shortName}, km 1+000`, exact: true })
/** Waits for the figures and their image, which take long on a busy machine. */
async function calculated(page: Page, act: () => Promise<unknown>) {
  const answer = page.waitForResponse(/\/statistics\/stat-1/)
  await act()
  await (await answer).finished()
}
const showResult = (page: Page) => calculated(page, () => page.getByRole('button', { name: 'Pokaż wynik' }).click())
const filterPanel = (page: Page) => page.getByRole('complementary', { name: 'Wybrane filtry' })

test('counts vehicles by weekday, hour, COST class and country, as chosen in step 2', async ({ page }) => {
  await page.goto(addressOf([one], { result: '', step: '2' }))
  await page.getByRole('group', { name: 'Dni tygodnia' }).getByRole('button', { name: weekday, exact: true }).click()
  await page.getByRole('group', { name: 'Godziny doby' }).getByRole('button', { name: hour, exact: true }).click()
  await page.getByRole('textbox', { name: 'Kraje' }).fill('lt pl')
  await page.getByRole('textbox', { name: 'Kraje' }).press('Enter')
  for (const text of [weekday, `${hour}:00–`, 'LT, PL']) await expect(filterPanel(page)).toContainText(text)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Dalej' }).click()
  await showResult(page)
  const foot = resultOf(page, one).locator('tfoot tr')
  await expect(foot).toHaveText(/Cały zakres\s*3\s*1\s*4/)

  await filterPanel(page).getByRole('button', { name: 'Usuń filtr: Kraje' }).click()
  await page.getByRole('button', { name: 'Dalej' }).click()
  await page.getByRole('group', { name: 'Klasy COST 323' }).getByRole('button', { name: '3', exact: true }).click()
  await page.getByRole('button', { name: 'Dalej' }).click()
  await showResult(page)
  await expect(foot).toHaveText(/Cały zakres\s*0\s*1\s*1/)
  await calculated(page, () => page.reload())
  await expect(foot).toHaveText(/Cały zakres\s*0\s*1\s*1/)
})

test('shows an earlier period, and opens the vehicles of a period by keyboard and by click', async ({ page }) => {
  await calculated(page, () => page.goto(addressOf([one])))
  await expect(page.locator('canvas').first()).toBeVisible()
  await calculated(page, () =>
    page.getByRole('radiogroup', { name: 'Porównaj z' }).getByText('okres wcześniej').click(),
  )
  await expect(page).toHaveURL(/compare=before/)
  const result = resultOf(page, one)
  const table = result.getByRole('table')
  await expect(table.getByRole('columnheader')).toHaveText(['Okres', 'Pas 1', 'Pas 2', 'Suma', 'wcześniej'])
  await expect(table.locator('tfoot tr')).toHaveText(/Cały zakres\s*4\s*1\s*5\s*2/)
  await expect(filterPanel(page)).toContainText('okres wcześniej')

  const keys = result.getByRole('slider')
  await keys.focus()
  // Four hours; the second one has the vehicles.
  await keys.press('Home')
  await keys.press('ArrowRight')
  await expect(keys).toHaveAttribute('aria-valuetext', new RegExp(`${clock}, 4, poprzednio 2$`))
  await keys.press('Enter')
  const panel = result.getByRole('region', { name: 'Wybrany okres' })
  await expect(panel).toContainText(`${clock} 4 poprzednio 2`)
  await keys.press('ArrowRight')
  await expect(panel.getByRole('link', { name: 'Pokaż 1 pojazd' })).toBeVisible()
  await keys.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(keys).toBeFocused()

  // By click: the second of four periods, near the base, where the larger lane is.
  const canvas = result.locator('canvas').first()
  const box = await canvas.boundingBox()
  if (!box) throw new Error('there is no chart')
  // The plot begins after the figures of its axis.
  const bar = 0.03 * box.width + (0.95 * box.width * 3) / 8
  await canvas.click({ position: { x: bar, y: box.height - 50 } })
  await expect(panel).toContainText('Pas 1 3')
  await expect(panel.getByRole('link')).toHaveText(['Pokaż 4 pojazdy', 'Pokaż 3 pojazdy'])
  const [mark, place] = await Promise.all([panel.boundingBox(), canvas.boundingBox()])
  if (!mark || !place) throw new Error('there is no panel')
  // Beside the bar, in the chart.
  expect(mark.x).toBeGreaterThan(box.x + bar)
  expect(mark.x + mark.width).toBeLessThanOrEqual(place.x + place.width)
  await expectAccessible(page)
  await panel.getByRole('link', { name: 'Pokaż 3 pojazdy' }).click()
  await expect(page).toHaveURL(/\/archival\?.*laneNumbers=1/)
  await expect(page.getByText('3 pojazdy', { exact: true })).toBeVisible()
})

test('draws more than 120 bars as lines, or each series apart, and several stations on one scale', async ({ page }) => {
  await calculated(page, () => page.goto(addressOf([one, other], { dateTimeStart: at(0, 7), compare: 'year' })))
  const result = resultOf(page, one)
  const view = result.getByRole('radiogroup', { name: 'Wykres' })
  await expect(view.getByRole('radio', { name: 'linie' })).toBeChecked()
  const together = page.getByRole('region', { name: 'Stacje obok siebie' })
  await expect(together.getByRole('slider')).toHaveCount(2)
  await expect(together.getByRole('region', { name: one.shortName })).toContainText('7')
  await view.getByText('osobno').click()
  const lanes = result.getByRole('region', { name: `${one.shortName}, km 1+000: pas ruchu`, exact: true })
  await expect(lanes.getByRole('slider')).toHaveCount(2)
  // To the next chart.
  await lanes.getByRole('slider').first().press('ArrowDown')
  await expect(lanes.getByRole('slider').last()).toBeFocused()
  await calculated(page, () => page.reload())
  await expect(lanes.getByRole('slider')).toHaveCount(2)
  await expectAccessible(page)
  await inEveryLanguage(page, async () => expect(page.locator('canvas').first()).toBeVisible())
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoOverflow(page)
})
