import { expect, type Page } from '@playwright/test'
import type {
  HealthLevel,
  WireHealthCell,
  WireMonthAvailability,
  WireStationHealth,
} from '@rogatka/contract/tickets-health.ts'
import { test } from './src/fixtures.ts'
import { addAccount, expectAccessible, inEveryLanguage, openPage, signInByApi } from './src/operator.ts'

/** Some minutes ago. */
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

const KINDS = [
  'station-silent',
  'lane-silent',
  'images-missing',
  'plates-unreadable',
  'clock-skew',
  'calibration-deviation',
] as const

type Figures = readonly [level: HealthLevel, value: number | null]
const NORMAL: Figures[] = [
  ['normal', 4],
  ['normal', null],
  ['normal', 99.1],
  ['normal', 97.8],
  ['normal', 0.2],
  ['normal', 3.1],
]
const SILENT: Figures[] = [['failure', 47 * 60], ...Array<Figures>(4).fill(['unknown', null]), ['normal', -1.2]]

const location = (id: number, shortName: string) => ({
  id,
  shortName,
  name: shortName,
  roadNumber: 'S8',
  chainage: '1+000',
  direction: 'Warszawa',
})

/** A station with these figures, in the order of the columns; the failures of lanes are in lane 2. */
function station(id: number, name: string, figures: readonly Figures[]): WireStationHealth {
  const cells = figures.map(([level, value], i): WireHealthCell => {
    const kind = KINDS[i] as WireHealthCell['kind']
    const laneNumber = kind === 'lane-silent' || kind === 'calibration-deviation' ? 2 : null
    const isSilence = kind === 'station-silent' || kind === 'lane-silent'
    return {
      kind,
      level,
      value,
      laneNumber: kind === 'calibration-deviation' ? 2 : null,
      failures:
        level === 'failure'
          ? [
              {
                laneNumber,
                lastVehicleTime: isSilence ? ago(47) : null,
                foundAt: ago(32),
                ticket: null,
              },
            ]
          : [],
    }
  })
  const levels = cells.map(({ level }) => level)
  const level = levels.includes('failure') ? 'failure' : levels.includes('attention') ? 'attention' : 'normal'
  const laneLevel = cells[0]?.level === 'failure' ? 'unknown' : 'normal'
  return {
    location: location(id, name),
    lastVehicleTime: ago(47),
    state: level === 'failure' ? 'bad' : 'well',
    level,
    cells,
    lanes: [1, 2].map((laneNumber) => ({
      laneNumber,
      level: laneNumber === 2 && cells[1]?.level === 'failure' ? 'failure' : laneLevel,
    })),
    checks: [],
  }
}

const month = (stations: readonly WireStationHealth[]): WireMonthAvailability => ({
  year: 2026,
  month: 10,
  asOf: '2026-10-20T06:16:00.000Z',
  watchedSince: '2026-08-05T00:00:00.000Z',
  contractPercent: 98,
  signature: null,
  total: { countedMinutes: 1_000, normalMinutes: 988, percent: 98.8 },
  stations: stations.map(({ location, level }) => ({
    location,
    countedMinutes: 1_000,
    normalMinutes: level === 'failure' ? 941 : 998,
    percent: level === 'failure' ? 94.1 : 99.8,
    stoppedMinutes: 0,
    unwatchedMinutes: 0,
    isBelowContract: level === 'failure',
    days: [...Array(19).fill('normal'), level],
  })),
})

/** The page with these stations, which can change. */
async function showStations(page: Page, first: readonly WireStationHealth[]) {
  let stations = first
  let isUnavailable = false
  await page.route('**/api/v1/station-health', (route) =>
    isUnavailable ? route.abort() : route.fulfill({ json: stations }),
  )
  await page.route('**/api/v1/station-health/availability*', (route) =>
    isUnavailable ? route.abort() : route.fulfill({ json: month(stations) }),
  )
  return {
    change: (next: readonly WireStationHealth[]) => (stations = next),
    disconnect: () => (isUnavailable = true),
  }
}

const cell = (page: Page, name: string) => page.getByRole('grid').getByRole('button', { name, exact: true })
const firstColumn = (page: Page) => page.getByRole('grid').getByRole('rowheader')
const alert = (page: Page) => page.getByRole('main').getByRole('alert')

test('shows the measured values, failures first, and follows changes without moving rows under the pointer', async ({
  page,
  portal,
}) => {
  await signInByApi(page, portal)
  await page.clock.install()
  const lanes = NORMAL.with(1, ['failure', null])
  const attention = NORMAL.with(3, ['attention', 88.1])
  const started = [
    station(1, 'S61 Raczki', SILENT),
    station(2, 'S8 Wyszków', lanes.with(5, ['failure', 7.4])),
    station(3, 'DK50 Sochaczew', attention),
    station(4, 'DK7 Jedlanka', NORMAL.with(3, ['none', null]).with(5, ['none', null])),
    station(5, 'S7 Grójec', NORMAL),
  ]
  const shown = await showStations(page, started)
  await page.goto('/station-health')
  const grid = page.getByRole('grid', { name: 'Stacje i sprawdzenia' })
  await expect(grid.getByRole('columnheader')).toHaveText([
    'Stacja',
    'Łączność',
    'Ruch na pasie',
    'Zdjęcia',
    'Odczyt tablic',
    'Zegar',
    'Kalibracja',
    'Dni 1–20.10',
    'Dostępność [%]',
    'Zgłoszenie',
  ])
  const values = (row: number) => grid.getByRole('row').nth(row).getByRole('gridcell')
  await expect(values(1)).toHaveText(['cisza 47 min', '–', '–', '–', '–', '−1,2 %', '', '94,1', '–'])
  await expect(values(2)).toHaveText(['4 s', '', '99,1 %', '97,8 %', '+0,2 s', 'pas 2 +7,4 %', '', '94,1', '–'])
  await expect(values(4)).toHaveText(['4 s', '', '99,1 %', 'bez kamery', '+0,2 s', 'bez wagi', '', '99,8', '–'])
  await expect(values(2).nth(1).locator('[data-lane]')).toHaveCount(2)
  await expect(values(2).nth(1).locator('[data-level=failure]')).toHaveAttribute('data-lane', '2')
  await expect(page.getByLabel('Podsumowanie')).toHaveText(
    '2 awarie1 do uwagi2 w normiedostępność razem 98,8 % umowa 98,0 %',
  )
  await expect(grid.getByRole('img').first()).toHaveAccessibleName('dni z awarią: 20')
  // Only what is not normal has a colour.
  const background = (name: string) =>
    cell(page, name).evaluate((button) => getComputedStyle(button.parentElement as HTMLElement).backgroundColor)
  const transparent = 'rgba(0, 0, 0, 0)'
  expect(await background('S7 Grójec, zegar, w normie, +0,2 s')).toBe(transparent)
  expect(await background('S61 Raczki, łączność, awaria, cisza 47 min')).not.toBe(transparent)

  // Arrow keys move between cells, Enter opens the panel, Escape returns to the cell.
  await cell(page, 'S61 Raczki, łączność, awaria, cisza 47 min').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  const lane = cell(page, 'S8 Wyszków, ruch na pasie, awaria, pas 2')
  await expect(lane).toBeFocused()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('region', { name: 'S8 Wyszków, ruch na pasie' })
  await expect(panel.getByRole('heading')).toBeFocused()
  await expect(panel.getByRole('listitem')).toHaveText([
    /^(\d{2}\.\d{2}\.\d{4} )?\d{2}:\d{2}ostatni pojazd$/,
    /\d{2}:\d{2}pas 2: wykryto awarię$/,
  ])
  await expect(page).toHaveURL(/station=2&check=lane-silent/)
  await page.keyboard.press('Escape')
  await expect(lane).toBeFocused()
  await expect(page).toHaveURL(/station-health$/)

  // Somebody is in the table: its order stays, though another station fails.
  const names = ['S61 Raczki', 'S8 Wyszków', 'DK50 Sochaczew', 'DK7 Jedlanka', 'S7 Grójec']
  await expect(firstColumn(page)).toHaveText(names)
  const others = started.filter(({ location }) => location.id !== 5 && location.id !== 1)
  shown.change([station(5, 'S7 Grójec', SILENT), ...others, station(1, 'S61 Raczki', NORMAL)])
  await page.clock.runFor(15_000)
  await expect(alert(page)).toHaveText('S7 Grójec, łączność, awaria, cisza 47 min')
  await expect(page.getByRole('main').getByRole('status').filter({ hasText: 'Raczki' })).toHaveText(
    'S61 Raczki, łączność, w normie',
  )
  await expect(firstColumn(page)).toHaveText(names)
  await page.getByRole('button', { name: 'Poprzedni miesiąc' }).focus()
  await expect(firstColumn(page)).toHaveText([
    'S7 Grójec',
    'S8 Wyszków',
    'DK50 Sochaczew',
    'DK7 Jedlanka',
    'S61 Raczki',
  ])
  await page.getByRole('grid').hover()
  shown.change(started)
  await page.clock.runFor(15_000)
  await expect(alert(page)).toHaveText('S61 Raczki, łączność, awaria, cisza 47 min')
  await expect(firstColumn(page).first()).toHaveText('S7 Grójec')
  await page.mouse.move(0, 0)
  await expect(firstColumn(page).first()).toHaveText('S61 Raczki')
})

test('a table of 20 stations fits, a phone lists what is not normal, and old values are grey', async ({
  page,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/station-health|ERR_FAILED|ServerUnavailable: unavailable/)
  await signInByApi(page, portal, await addAccount(portal, ['Tickets']))
  await page.clock.install()
  const all = Array.from({ length: 20 }, (_, i) =>
    station(i + 1, `S${i + 1} Stacja`, i === 0 ? SILENT : i === 1 ? NORMAL.with(4, ['attention', 2.6]) : NORMAL),
  )
  const shown = await showStations(page, all)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/station-health')
  const rows = page.getByRole('grid').getByRole('row')
  await expect(rows).toHaveCount(21)
  expect((await rows.last().boundingBox())?.height).toBe(28)
  await expect(rows.last()).toBeInViewport({ ratio: 1 })
  // Without the right of administrators there are no settings.
  await expect(page.getByRole('switch')).toHaveCount(0)
  await expectAccessible(page)

  await page.setViewportSize({ width: 390, height: 844 })
  const list = page.getByRole('region', { name: 'Stacje i sprawdzenia' })
  await expect(list.getByRole('button')).toHaveText([
    'S1 Stacja, łączność, awaria, cisza 47 min',
    'S2 Stacja, zegar, do uwagi, +2,6 s',
  ])
  await expect(list).toContainText('18 stacji w normie')
  await expect(page.getByRole('grid')).toHaveCount(0)
  await list.getByRole('button').last().click()
  await expect(page.getByRole('heading', { name: 'S2 Stacja, zegar' })).toBeFocused()
  await expectAccessible(page)
  await inEveryLanguage(page)
  await page.evaluate(() => localStorage.removeItem('lang'))

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/station-health')
  const silent = page.getByRole('gridcell').first()
  const colour = () => silent.evaluate((element) => getComputedStyle(element).backgroundColor)
  await expect(silent).toHaveText('cisza 47 min')
  const before = await colour()
  shown.disconnect()
  await page.clock.runFor(75_000)
  await expect(page.getByText('brak odpowiedzi, dane sprzed')).toBeVisible()
  expect(await colour()).not.toBe(before)
  await expect(silent).toHaveText('cisza 47 min')
})

test('administrators set the contract, and choose a month to download, also after a failed one', async ({
  page,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/availability|Nie udało się pobrać dostępności/)
  await signInByApi(page, portal)
  await page.route('**/station-health/availability*', (route) => route.fulfill({ status: 503, json: [] }))
  await page.goto('/station-health?year=2026&month=9')
  await expect(page.getByText('wrzesień 2026')).toBeVisible()
  await page.getByRole('button', { name: 'Poprzedni miesiąc' }).click()
  await expect(page).toHaveURL(/month=8/)
  await page.unroute('**/station-health/availability*')
  await page.goto('/station-health')
  const contract = page.getByLabel('Dostępność według umowy [%]')
  await contract.fill('98,5')
  await page.getByRole('region', { name: 'Ustawienia' }).getByRole('button', { name: 'Zapisz' }).click()
  await expect(page.getByLabel('Podsumowanie')).toContainText('umowa 98,5 %')
  await page.reload()
  await expect(contract).toHaveValue('98,5')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Dostępność' }).click()
  await expect(page.getByRole('menuitem', { name: /PDF (około )?\d+ stron/ })).toBeVisible()
  await page.getByRole('menuitem', { name: /CSV \d+ wiersz/ }).click()
  expect((await download).suggestedFilename()).toMatch(/^availability_\d\d_\d{4}\.csv$/)
  // The pages of the upkeep are tabs.
  await page.getByRole('navigation', { name: 'Utrzymanie stacji' }).getByRole('link', { name: 'Kalibracja' }).click()
  await expect(page).toHaveURL(/\/calibration/)
  await openPage(page, '/station-health')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Stan stacji')
})
