import { gzipSync } from 'node:zlib'
import { expect } from '@playwright/test'
import type { WireOverview } from '@rogatka/contract/overview.ts'
import { test } from './src/fixtures.ts'
import { expectAccessible, expectNoOverflow, signInByApi } from './src/operator.ts'

/** Stations of the demo; other test files add some. */
const DEMO_STATIONS = 6

test('shows every station as a strip and as a table, and opens one by keyboard', async ({ page, portal }) => {
  await page.route('**/api/v1/overview', async (route) => {
    const response = await route.fetch()
    const { stations, ...state } = (await response.json()) as WireOverview
    const json = { ...state, stations: stations.filter(({ locationId }) => locationId <= DEMO_STATIONS) }
    await route.fulfill({ response, json })
  })
  const drawing = page.waitForResponse(/\/assets\/StationMap-.*\.js/)
  await signInByApi(page, portal)
  await page.goto('/overview')
  await expect(page.getByRole('article')).toHaveCount(DEMO_STATIONS)
  await expect(page.getByRole('img', { name: `Mapa ${DEMO_STATIONS} stacji` })).toBeVisible()
  expect(gzipSync(await (await drawing).body()).length).toBeLessThanOrEqual(25_000)
  await expectAccessible(page)

  await page.getByRole('switch', { name: 'Tabela' }).click()
  await expect(page.getByRole('table', { name: 'Stacje' }).getByRole('row')).toHaveCount(DEMO_STATIONS + 1)
  await page.reload()
  await expect(page.getByRole('table', { name: 'Stacje' })).toBeVisible()
  await page.getByRole('switch', { name: 'Tabela' }).click()
  await page.getByRole('heading', { name: 'Przegląd' }).click()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('article').first().getByRole('link').first()).toBeFocused()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoOverflow(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\?.*locations=/)
})
