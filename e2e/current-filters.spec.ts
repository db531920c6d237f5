import { expect } from '@playwright/test'
import { test } from './src/fixtures.ts'
import { cardOf, openLiveList, openVehicleData, plateText } from './src/live.ts'
import { addAccount, expectAccessible, signInByApi } from './src/operator.ts'
import { addStation, type Station } from './src/station.ts'

let station: Station
test.beforeAll(async ({ portal }) => {
  station = await addStation(portal, 900, 'S8 Testowo')
})

test.beforeEach(async ({ page, portal }) => {
  await signInByApi(page, portal)
})

test('only vehicles that match the filters appear', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('checkbox', { name: station.shortName }).check()
  const bus = page.getByRole('group', { name: 'Kategorie [8+1]' }).getByRole('button', { name: 'Autobus' })
  const lane = page.getByRole('group', { name: 'Pasy ruchu' }).getByRole('button', { name: '2' })
  // At once, as two clicks on a busy computer: the second comes before the first is shown.
  await bus.evaluate(
    (first: HTMLElement, second) => {
      first.click()
      ;(second as HTMLElement).click()
    },
    await lane.elementHandle(),
  )
  for (const filter of [bus, lane]) await expect(filter).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Dalej' }).click()
  await page.getByLabel('Prędkość, od (km/h)').fill('80')
  await page.getByRole('button', { name: 'Dalej' }).click()
  await station.send({ plateLpr: 'BUS0001', ctg8p1: 9, ctg323: 5, laneNumber: 2 })
  await station.send({ plateLpr: 'BUS0002', ctg8p1: 5, ctg323: 7, laneNumber: 1 })
  await station.send({ plateLpr: 'BUS0003', ctg8p1: 5, ctg323: 7, laneNumber: 2, speed: 60 })
  await station.send({ plateLpr: 'BUS0004', ctg8p1: 5, ctg323: 7, laneNumber: 2 })
  await expect(cardOf(page, 'BUS0004')).toHaveCount(1)
  await expect(page.locator('[data-vehicle]')).toHaveCount(1)
  await page.reload()
  await expect(cardOf(page, 'BUS0004')).toHaveCount(1)
  await expect(page.locator('[data-vehicle]')).toHaveCount(1)

  const filterPanel = page.getByRole('complementary', { name: 'Wybrane filtry' })
  await expect(filterPanel).toContainText('Prędkość')
  await filterPanel.getByRole('button', { name: 'Usuń filtr: Prędkość' }).click()
  await expect(cardOf(page, 'BUS0003')).toHaveCount(1)
})

test('does not open the list without a station and names the missing field', async ({ page }) => {
  await page.goto('/')
  await openVehicleData(page)
  await page.getByRole('button', { name: 'Dalej' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Brak wymaganego parametru' })).toBeVisible()
  await expect(page.getByText('Wybierz co najmniej jedną stację.')).toBeVisible()
  await page.goto('/?step=3')
  await expect(page.getByText('Wybierz co najmniej jedną stację.')).toBeVisible()
  await page.getByRole('checkbox', { name: station.shortName }).check()
  await expect(page.getByText('Wybierz co najmniej jedną stację.')).toHaveCount(0)
})

test('"all" selects every station and every violation, and again none', async ({ page }) => {
  await page.goto('/')
  for (const name of ['Stacje', 'Naruszenia']) {
    const boxes = page.getByRole('group', { name }).getByRole('checkbox')
    const all = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name }) })
      .getByRole('button', { name: 'wszystkie' })
    await all.click()
    for (const box of await boxes.all()) await expect(box).toBeChecked()
    await all.click()
    for (const box of await boxes.all()) await expect(box).not.toBeChecked()
  }
})

test('links home keep the list and its filters', async ({ page }) => {
  const address = `/?step=3&locations=${station.id}&overspeed=true`
  await page.goto(address)
  await station.send({ plateLpr: 'HOM0001' })
  await expect(cardOf(page, 'HOM0001')).toBeVisible()
  for (const leave of [
    () => page.getByRole('link', { name: 'Rogatka' }).click(),
    () => page.getByRole('link', { name: /^Bieżące pomiary/ }).click(),
    async () => {
      await page.keyboard.press('g')
      await page.keyboard.press('b')
    },
  ]) {
    await leave()
    await expect(page).toHaveURL(address)
    await expect(cardOf(page, 'HOM0001')).toBeVisible()
  }
  // Going back is a button; each step has its own URL.
  await page.goto('/?step=2')
  await page.getByRole('navigation', { name: 'Kroki' }).getByRole('button', { name: 'Filtry' }).click()
  await expect(page).toHaveURL('/')
  await page.goBack()
  await expect(page).toHaveURL('/?step=2')
  await page.goForward()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('checkbox', { name: station.shortName })).toBeVisible()
})

test('the order is kept: ascending puts the oldest first', async ({ page, portal }) => {
  // A separate station: vehicles outside the viewport are not in the DOM.
  const ordered = await addStation(portal, 934, 'S8 Kolejność')
  const first = await ordered.send({ plateLpr: 'ORD0001' })
  const second = await ordered.send({ plateLpr: 'ORD0002' })
  expect(Date.parse(second.createdAt)).toBeGreaterThan(Date.parse(first.createdAt))
  const plates = () =>
    page.locator('[data-vehicle] a').evaluateAll((links) => links.map((link) => link.getAttribute('aria-label') ?? ''))
  const positionOf = async (plate: string) => (await plates()).findIndex((label) => plateText(plate).test(label))
  await page.goto(`/?step=3&locations=${ordered.id}`)
  await expect(cardOf(page, 'ORD0001')).toBeVisible()
  expect(await positionOf('ORD0002')).toBeLessThan(await positionOf('ORD0001'))
  await page.goto(`/?step=3&locations=${ordered.id}&orderDirection=asc`)
  await expect(cardOf(page, 'ORD0001')).toBeVisible()
  expect(await positionOf('ORD0002')).toBeGreaterThan(await positionOf('ORD0001'))
})

test('returning to the filters ends the stream and clears the list', async ({ page }) => {
  const ended: string[] = []
  page.on('requestfailed', (request) => ended.push(new URL(request.url()).pathname))
  await openLiveList(page, station.shortName)
  await station.send({ plateLpr: 'STR0001' })
  await expect(cardOf(page, 'STR0001')).toBeVisible()
  expect(ended.filter((path) => path.endsWith('/stream'))).toEqual([])
  await page.getByRole('navigation', { name: 'Kroki' }).getByRole('button', { name: 'Filtry' }).click()
  await expect.poll(() => ended.filter((path) => path.endsWith('/stream'))).toHaveLength(1)

  // The next list never arrives, so displayed vehicles are cached.
  await page.route(/current-vehicles(\/stream)?\?/, () => {})
  await openVehicleData(page)
  await page.getByRole('button', { name: 'Dalej' }).click()
  await expect(page.getByText('Oczekiwanie na pierwszy pomiar')).toBeVisible()
  await expect(cardOf(page, 'STR0001')).toHaveCount(0)
})

test('polls where a proxy refuses streams; returning to the filters stops polling', async ({ page, consoleErrors }) => {
  consoleErrors.expect(/current-vehicles\/stream/)
  await page.clock.install()
  await page.route('**/current-vehicles/stream?**', (route) => route.fulfill({ status: 502 }))
  let requestCount = 0
  page.on('request', (request) => {
    if (request.url().includes('/current-vehicles')) requestCount += 1
  })
  await openLiveList(page, station.shortName)
  await station.send({ plateLpr: 'BAC0001' })
  await expect(cardOf(page, 'BAC0001')).toBeVisible()
  const requestsWhileWatching = requestCount
  await page.clock.runFor(3_000)
  await expect.poll(() => requestCount).toBeGreaterThan(requestsWhileWatching)
  await page.getByRole('navigation', { name: 'Kroki' }).getByRole('button', { name: 'Filtry' }).click()
  await expect(page.getByRole('checkbox', { name: station.shortName })).toBeChecked()
  const requestsBefore = requestCount
  await page.clock.runFor(10_000)
  expect(requestCount).toBe(requestsBefore)
})

test('collapses and restores the panel of active filters', async ({ page }) => {
  await openLiveList(page, station.shortName)
  const filterPanel = page.getByRole('complementary', { name: 'Wybrane filtry' })
  await expect(filterPanel).toContainText(station.shortName)
  await expect(filterPanel).toContainText('dostępna')
  await page.keyboard.press('f')
  await expect(filterPanel).toHaveCount(0)
  await page.getByRole('button', { name: 'Pokaż filtry' }).click()
  await expect(filterPanel).toBeVisible()
})

test('shows a welcome page and sends no requests without the right to live measurements', async ({ page, portal }) => {
  const account = await addAccount(portal, ['Stat'])
  await signInByApi(page, portal, account)
  await page.goto('/')
  await expect(page.getByText('Dzień dobry, Jan')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Statystyki' })).toBeVisible()
  await expectAccessible(page)
})
