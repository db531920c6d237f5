import { expect, type Response } from '@playwright/test'
import type { WireOverview, WireOverviewStation } from '@rogatka/contract/overview.ts'
import { test } from './src/fixtures.ts'
import { hueShare } from './src/hue.ts'
import { quietNetwork, showNetwork, stationAlarm } from './src/network.ts'
import { expectAccessible, signInByApi } from './src/operator.ts'
import { recordShifts } from './src/shift.ts'

test('a quiet network of 180 stations has no colour, and its roads are reached by keyboard', async ({
  page,
  portal,
}) => {
  const network = quietNetwork(180)
  await showNetwork(page, () => network)
  await signInByApi(page, portal)
  await page.goto('/overview')
  const roads = page.getByRole('list', { name: 'Drogi' }).locator('[data-strip]')
  await expect(roads).toHaveCount(27)
  await expectAccessible(page)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await hueShare(page), colorScheme).toBeLessThan(0.01)
  }

  await page.getByRole('heading', { name: 'Przegląd' }).click()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/road=A2/)
  const strips = page.getByRole('list', { name: 'Stacje: A2' }).getByRole('article')
  await expect(strips).toHaveCount(7)
  await page.keyboard.press('ArrowDown')
  const link = strips.first().getByRole('link')
  await expect(link).toBeFocused()
  // The chainages of the sign and the checkpoint, 1.5 and 6 km behind the station.
  await expect(strips.first()).toContainText(/21\+400.*22\+900.*27\+400/)
  await expect(link).toHaveAccessibleName(
    'A2 Stacja 1, 701 pojazdów na godzinę, w normie, przeciążone 7,9 procent, znaki: dostępne, 3 z 3 znaków',
  )
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/locations=/)
})

test('shows the figures of GET overview, and a station as silent at the next response', async ({
  page,
  portal,
  consoleErrors,
}) => {
  const changes: Record<number, Partial<WireOverviewStation>> = {
    1: { perHour: { vehicles: 702, usual: { median: 1_690, low: 1_500, high: 1_800, days: 20 }, unusual: 'low' } },
    2: { overloaded: { weighed: 12, percent: null, usual: null }, tickets: 2 },
    3: { wanted: 1, perHour: { vehicles: 1_284, usual: null, unusual: null } },
  }
  await page.clock.install()
  let age = 0
  await showNetwork(page, () => {
    const network = quietNetwork(4, (id) => changes[id] ?? {})
    const alarms = network.locations
      .slice(1, 2)
      .map((it) => stationAlarm(it, { kind: 'lane-silent', priority: 'medium' }))
    return { ...network, age, alarms }
  })
  await signInByApi(page, portal)
  await page.goto('/overview')
  const strip = (id: number) => page.locator(`[data-strip="${id}"]`)
  await expect(strip(1)).toContainText(/702zwykle 1\s690/)
  await expect(strip(1)).toContainText('7,9%zwykle 8,1')
  await expect(strip(2).getByTitle('zważono 12 pojazdów')).toHaveText('–zwykle –')
  await expect(strip(2).getByRole('link', { name: '2 otwarte zgłoszenia', exact: true })).toBeVisible()
  await expect(strip(3)).toContainText(/1\s284zwykle –/)
  await expect(strip(4)).toContainText('704zwykle 720')

  // The worst alarm marks the strip; pointing at the alarm joins both.
  await expect(strip(2).getByTitle('alarm o średnim priorytecie')).toBeVisible()
  await expect(strip(1).getByTitle(/alarm/)).toHaveCount(0)
  const alarm = page.getByRole('region', { name: 'Alarmy' }).getByRole('listitem').first()
  await alarm.hover()
  await expect(strip(2)).toHaveAttribute('data-joined')
  await strip(2).hover({ position: { x: 300, y: 10 } })
  await expect(alarm).toHaveAttribute('data-joined')
  await expect(strip(1)).not.toHaveAttribute('data-joined')

  const silentSince = new Date(Date.now() - 47 * 60_000).toISOString()
  changes[4] = {
    silentSince,
    lastMessageAt: silentSince,
    perHour: { vehicles: null, usual: { median: 340, low: 300, high: 400, days: 20 }, unusual: null },
    overloaded: { weighed: null, percent: null, usual: 11.2 },
  }
  await page.clock.runFor(6_000)
  await expect(strip(4).getByRole('img')).toHaveAccessibleName('brak danych 47 min')
  await expect(strip(4)).toContainText('–zwykle 340')
  await expect(strip(4)).toContainText('–zwykle 11,2')

  // Without responses the data stays with its age, and its marks are hollow.
  age = 61_000
  // Not one that was answered before.
  const isOld = async (response: Response) => {
    if (!response.url().endsWith('/api/v1/overview')) return false
    const { at } = (await response.json()) as WireOverview
    return Date.parse(at) < Date.now() - 60_000
  }
  await Promise.all([page.waitForResponse(isOld), page.clock.runFor(6_000)])
  await page.route('**/api/v1/overview', (route) => route.abort('failed'))
  consoleErrors.expect(/api\/v1\/overview/)
  await page.clock.runFor(20_000)
  await expect(page.getByRole('alert').filter({ hasText: 'Nie udało się wczytać przeglądu.' })).toBeVisible()
  await expect(strip(1).locator('i[class*="unknown"]').first()).toBeVisible()
  await expect(strip(1)).toContainText(/702zwykle 1\s690/)
})

test('does not shift when alarms arrive, and draws the map below them', async ({ page, portal }) => {
  const network = quietNetwork(6)
  // Of different causes, as alarms of one cause share a row.
  const kinds = ['lane-silent', 'images-missing', 'clock-skew', 'plates-unreadable', 'calibration-deviation'] as const
  const alarms = network.locations.slice(0, 5).map((it, at) => ({
    ...stationAlarm(it, { kind: kinds[at] ?? kinds[0], priority: 'medium' }),
    id: at + 1,
  }))
  let arrived: typeof alarms = []
  await showNetwork(page, () => ({ ...network, alarms: arrived }))
  await page.route('**/api/v1/alarms/check*', (route) => route.fulfill({ json: { refresh: arrived.length > 0 } }))
  await signInByApi(page, portal)
  const shift = await recordShifts(page)
  await page.goto('/overview')
  const list = page.getByRole('region', { name: 'Alarmy' })
  await expect(list.getByRole('heading', { name: 'Alarmy 0' })).toBeVisible()
  const map = page.getByRole('img', { name: 'Mapa 6 stacji' })
  await expect(map.getByText('A2 Stacja 1')).toBeVisible()
  await shift()
  arrived = alarms
  await expect(list.getByRole('heading', { name: 'Alarmy 5' })).toBeVisible()
  const box = await list.boundingBox()
  const sea = map.locator('g > rect').first()
  expect(await shift()).toBeLessThan(0.001)
  await expect.poll(async () => (await sea.boundingBox())?.y).toBeCloseTo((box?.y ?? 0) + (box?.height ?? 0) + 10, 0)
})

test('does not shift on a phone when the stations arrive after the alarms', async ({ page, portal }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { locations, stations } = quietNetwork(15)
  const roads = locations.map((location, at) => ({ ...location, roadNumber: `S${at % 5}` }))
  await showNetwork(page, () => ({ locations: roads, stations }))
  let release = () => {}
  const released = new Promise<void>((done) => {
    release = done
  })
  await page.route(/\/api\/v1\/overview(\?|$)/, async (route) => {
    await released
    await route.fallback()
  })
  await signInByApi(page, portal)
  const shift = await recordShifts(page)
  await page.goto('/overview')
  await expect(page.getByRole('heading', { name: 'Alarmy 0' })).toBeVisible()
  await shift()
  release()
  await expect(page.getByRole('list', { name: 'Drogi' })).toBeVisible()
  expect(await shift()).toBeLessThanOrEqual(0.02)
})
