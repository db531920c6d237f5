import { type Browser, chromium, type Page } from '@playwright/test'
import type { Pool } from '@rogatka/api/core/database.ts'
import { addLocation, createStationKey } from '@rogatka/api/locations/queries.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { post } from '@rogatka/contract/ingest.ts'
import { browserLaunch } from '@rogatka/e2e/browser.ts'
import buildPage from '@rogatka/e2e/build-page.ts'
import { hueShare } from '@rogatka/e2e/hue.ts'
import { quietNetwork } from '@rogatka/e2e/network.ts'
import type { Portal } from '@rogatka/e2e/portal.ts'
import { isQuick, type Measurement, type Table } from './bench.ts'
import { startBenchPortal } from './bench-portal.ts'
import { median } from './compare.ts'
import { newPage } from './page.bench.ts'
import { signIn } from './sign-in.ts'

const STATIONS = [6, 12, 180]
const VISITS = isQuick ? 2 : 5

export const bench: Measurement = {
  summary:
    'The page of the overview in a browser, of stations that all work, each with a vehicle a moment ago. Left out: TLS, a proxy, a slow network, other users, alarms, and stations without data',
  goal: 'data is painted in under 1 s after the page; at most 1 % of the pixels have a hue, light and dark; no layout shift',
  async measure() {
    buildPage()
    const { portal, db } = await startBenchPortal()
    const browser = await chromium.launch(await browserLaunch())
    try {
      return [await measurePages(browser, portal, db)]
    } finally {
      await browser.close()
      await db.end(2_000)
      await portal.stop()
    }
  },
}

async function measurePages(browser: Browser, portal: Portal, db: Pool): Promise<Table> {
  const token = await signIn(db)
  const rows: string[][] = []
  let added = 0
  for (const stations of STATIONS) {
    const { locations } = quietNetwork(stations)
    for (const { latitude, longitude, lanes, lastVehicleTime, silentAfterMinutes, ...station } of locations.slice(
      added,
    ))
      await addLocation(db, {
        ...station,
        speedLimit: 120,
        speedLimitHeavy: 80,
        lanes: lanes.map(({ laneNumber }) => ({ laneNumber, accuracyClass: 'B+(7)' })),
        coordinates: latitude === null || longitude === null ? null : { latitude, longitude },
      })
    added = stations
    const visits: Paints[] = []
    const hues: number[] = []
    for (let visit = 0; visit < VISITS; visit++) {
      for (const { id } of locations) await sendCar(portal, db, id)
      const page = await newPage(browser, portal)
      visits.push(await visitOverview(page, token))
      if (visit === 0)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          hues.push(await hueShare(page))
        }
      await page.context().close()
    }
    const of = (name: keyof Paints) => visits.map((paints) => paints[name])
    const afterPage = visits.map(({ data, page }) => data - page)
    const seconds = (values: readonly number[]) => `${(median(values) / 1_000).toFixed(2)} s`
    rows.push([
      `${stations} stations`,
      seconds(of('page')),
      seconds(of('data')),
      seconds(afterPage),
      `${(Math.max(...afterPage) / 1_000).toFixed(2)} s`,
      Math.max(...of('shift')).toFixed(3),
      ...hues.map((share) => `${(100 * share).toFixed(2)} %`),
    ])
  }
  return {
    head: [
      'overview',
      'page painted',
      'data painted',
      'after the page',
      'slowest',
      'layout shift',
      'hue, light',
      'dark',
    ],
    rows,
    notes: [`Medians of ${VISITS} visits with an empty cache; the browser shares the machine with the server.`],
  }
}

/** Times since the navigation, ms: of the title above the empty page, and of the first strip or road; and the sum of layout shifts. */
type Paints = { page: number; data: number; shift: number }

async function visitOverview(page: Page, token: string): Promise<Paints> {
  await page.addInitScript((token) => {
    if (location.protocol === 'about:') return
    sessionStorage.setItem('cvToken', token)
    const paints = { page: 0, data: 0, shift: 0 }
    Object.assign(window, { paints })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) paints.shift += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
    // After the frame in which it appeared.
    const record = (name: 'page' | 'data', selector: string) => {
      if (paints[name] === 0 && document.querySelector(selector))
        requestAnimationFrame(() => setTimeout(() => (paints[name] ||= performance.now())))
    }
    const look = () => {
      record('page', 'h1')
      record('data', '[data-strip]')
      if (paints.data === 0) requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }, token)
  await page.goto('/overview')
  await page.locator('[data-strip]').first().waitFor()
  await page.getByText('Brak alarmów').waitFor()
  await page.waitForLoadState('load')
  await page.evaluate(() => document.fonts.ready)
  return page.evaluate(() => (window as unknown as { paints: Paints }).paints)
}

const keys = new Map<number, string>()
let sequence = 0

/** Sends a car without a violation that passes now. */
async function sendCar({ url }: Portal, db: Pool, station: number): Promise<void> {
  const key = keys.get(station) ?? (await createStationKey(db, station, new Date()))
  keys.set(station, key)
  const wheels = { leftWeight: 400, rightWeight: 410 }
  const car = {
    sequence: ++sequence,
    createdAt: new Date().toISOString(),
    laneNumber: 1,
    plateLpr: `WX ${10_000 + sequence}`,
    nationality: 'PL',
    speed: 90,
    vehLength: 450,
    ctg8p1: 7,
    ctg323: 1,
    axles: [
      { ...wheels, gap: 0 },
      { ...wheels, gap: 260 },
    ],
  }
  const { status } = await fetch(url + API_BASE + post.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify([car]),
  })
  if (status !== 200) throw new Error(`A vehicle was refused: ${status}`)
}
