import { setTimeout as pause } from 'node:timers/promises'
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import { browserLaunch } from '@rogatka/e2e/browser.ts'
import buildPage from '@rogatka/e2e/build-page.ts'
import { openLiveList } from '@rogatka/e2e/live.ts'
import { signIn } from '@rogatka/e2e/operator.ts'
import { type Portal, startPortal } from '@rogatka/e2e/portal.ts'
import { measureScripts } from '@rogatka/e2e/scripts.ts'
import { addStation } from '@rogatka/e2e/station.ts'
import { isQuick, type Measurement, type Table } from './bench.ts'

const SECONDS = isQuick ? 8 : 30
const VEHICLES = 300
/** In metres; 40 minutes at 90 km/h, so that vehicles stay on the list during the benchmark. */
const TO_CHECKPOINT = 60_000

export const bench: Measurement = {
  summary: `Load and work of the browser: scripts of the first load (gzipped), and the CPU time of a list of ${VEHICLES} live vehicles with running countdowns. Left out: TLS, a proxy, other users, images, a GPU, and browsers other than Chromium`,
  goal: 'at most 130 KB until the login renders and 330 KB for the live list; 300 live vehicles in under 10 % of a core; the login on a slow phone within 2.5 s; a list of 500 vehicles opens without layout shift and reacts within 100 ms at 98 %, on a processor four times slower',
  async measure() {
    buildPage()
    const portal = await startPortal({ DEMO: 'false' })
    const browser = await chromium.launch(await browserLaunch())
    try {
      return [
        await measureScriptSizes(browser, portal),
        await loginOnPhone(browser, portal),
        await measureCpu(browser, portal),
        await measureResponsiveness(browser, portal),
      ]
    } finally {
      await browser.close()
      await portal.stop()
    }
  },
}

export const newPage = async (browser: Browser, { url }: Portal): Promise<Page> =>
  (await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 }, locale: 'pl-PL' })).newPage()

async function measureScriptSizes(browser: Browser, portal: Portal): Promise<Table> {
  const station = await addStation(portal, 1, 'S8 Waga', TO_CHECKPOINT)
  await station.send()
  const visitor = await newPage(browser, portal)
  const openLogin = (page: Page) => async () => {
    await page.goto('/login')
    await page.locator('[type="submit"]').waitFor()
  }
  const paint = await measureScripts(visitor, openLogin(visitor), 'painted')
  await visitor.context().close()
  const first = await newPage(browser, portal)
  const login = await measureScripts(first, openLogin(first))
  await signIn(first)
  const state = await first.evaluate(() => ({ ...sessionStorage }))
  // Signed in, with an empty cache.
  const second = await newPage(browser, portal)
  await second.addInitScript((entries) => {
    for (const [key, value] of Object.entries(entries)) sessionStorage.setItem(key, value)
  }, state)
  const live = await measureScripts(second, async () => {
    await openLiveList(second, 'S8 Waga')
    await second.locator('[data-vehicle]').first().waitFor()
  })
  await first.context().close()
  await second.context().close()
  const row = (name: string, { gzipped, unused, files }: typeof live) => [
    name,
    `${(gzipped / 1_000).toFixed(0)} KB`,
    String(files),
    `${(unused * 100).toFixed(0)} %`,
  ]
  return {
    head: ['first load', 'JavaScript, gzipped', 'files', 'not executed'],
    rows: [
      row('login, until first render', paint),
      row('login, with the portal loaded after it', login),
      row('live list, through its wizard', live),
    ],
    notes: [
      'Code that was not executed is mostly for later interactions: errors, dialogs, date formats of other languages, other inputs.',
    ],
  }
}

/** A phone on a slow mobile network: 1.6 Mbit/s, 150 ms round trip, a CPU four times slower than this one. */
const PHONE = { bytesPerSecond: 200_000, latencyMs: 150, slowdown: 4, visits: 5 }

type Paints = { fcp: number; lcp: number }

/** Measures first and largest contentful paint of the login with an empty cache; medians of several visits. */
export async function loginOnPhone(browser: Browser, { url }: Portal): Promise<Table> {
  const visits: Paints[] = []
  for (let visit = 0; visit < PHONE.visits; visit++) {
    const context = await browser.newContext({
      baseURL: url,
      viewport: { width: 390, height: 844 },
      deviceScaleFactor: 2,
      isMobile: true,
      hasTouch: true,
      locale: 'pl-PL',
    })
    const page = await context.newPage()
    const devTools = await context.newCDPSession(page)
    await devTools.send('Network.enable')
    await devTools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: PHONE.latencyMs,
      downloadThroughput: PHONE.bytesPerSecond,
      uploadThroughput: PHONE.bytesPerSecond,
    })
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: PHONE.slowdown })
    await page.addInitScript(() => {
      const paints = { fcp: 0, lcp: 0 }
      Object.assign(window, { paints })
      const observe = (type: string, record: (entry: PerformanceEntry) => void) =>
        new PerformanceObserver((list) => list.getEntries().forEach(record)).observe({ type, buffered: true })
      observe('paint', ({ name, startTime }) => {
        if (name === 'first-contentful-paint') paints.fcp = startTime
      })
      observe('largest-contentful-paint', ({ startTime }) => {
        paints.lcp = startTime
      })
    })
    await page.goto('/login')
    await page.locator('[type="submit"]').waitFor()
    await page.waitForLoadState('networkidle')
    visits.push(await page.evaluate(() => (window as unknown as { paints: Paints }).paints))
    await context.close()
  }
  const median = (of: (paints: Paints) => number) => visits.map(of).toSorted((a, b) => a - b)[visits.length >> 1] ?? 0
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
  return {
    head: ['login on a slow phone', 'median', 'goal'],
    rows: [
      ['first contentful paint (FCP)', seconds(median(({ fcp }) => fcp)), ''],
      ['largest contentful paint (LCP)', seconds(median(({ lcp }) => lcp)), 'at most 2.5 s'],
    ],
    notes: ['1.6 Mbit/s, 150 ms round trip, a CPU four times slower than this one, an empty cache.'],
  }
}

async function measureCpu(browser: Browser, portal: Portal): Promise<Table> {
  const station = await addStation(portal, 2, 'S8 Ruch', TO_CHECKPOINT)
  const page = await newPage(browser, portal)
  await page.goto('/')
  await signIn(page)
  await openLiveList(page, 'S8 Ruch')
  const metrics = await page.context().newCDPSession(page)
  await metrics.send('Performance.enable')
  const processes = await browser.newBrowserCDPSession()

  const rows: string[][] = []
  const measure = async (name: string, meanwhile: () => Promise<unknown>) => {
    await pause(3_000)
    const before = [await taskSeconds(metrics), await rendererSeconds(processes)] as const
    const start = performance.now()
    await Promise.all([pause(SECONDS * 1_000), meanwhile()])
    const seconds = (performance.now() - start) / 1_000
    const [tasks, cpu] = [await taskSeconds(metrics), await rendererSeconds(processes)]
    rows.push([name, percent((tasks - before[0]) / seconds), percent((cpu - before[1]) / seconds)])
  }
  await measure('no vehicle', async () => {})
  await station.sendMany(VEHICLES, 'WGM')
  await page.waitForFunction((count) => document.body.innerText.includes(String(count)), VEHICLES)
  await page.locator('[data-vehicle]').first().waitFor()
  await measure(`${VEHICLES} vehicles`, async () => {})
  await measure(`${VEHICLES} vehicles, one more every second`, async () => {
    for (let second = 0; second < SECONDS; second++) {
      await station.send({ plateLpr: `WX${10_000 + second}` })
      await pause(900)
    }
  })
  const shown = await page.locator('[data-vehicle]').count()
  return {
    head: ['live list', 'main thread', 'renderer process'],
    rows,
    notes: [
      'Percent of one core. The test browser rasterises without a GPU, in a separate process, which is not counted.',
      `${shown} of the vehicles were in the DOM at the end.`,
    ],
  }
}

/** A busy list, on a CPU four times slower than this one. */
/** Keys of a shift at the list: selects vehicles, tags them, shows new ones, switches the filters. */
const KEYS = ['ArrowDown', 'ArrowDown', 't', 'ArrowUp', 'ArrowDown', 't', 'n', 'f', 'f', 'n']
const BUSY = { vehicles: 500, slowdown: 4, arrivalsPerSecond: 10, keys: Array.from({ length: 5 }, () => KEYS).flat() }

type Responsiveness = {
  shift: number
  /** Duration of each interaction in ms, by id; of several events of one the longest. Those under 16 ms are missing. */
  interactions: Record<number, number>
  blocked: number
}

/** Measures layout shift, blocking time and interaction latency of a busy list. */
export async function measureResponsiveness(browser: Browser, portal: Portal): Promise<Table> {
  const station = await addStation(portal, 3, 'S8 Korek', TO_CHECKPOINT)
  await station.sendMany(BUSY.vehicles, 'KOR')
  const page = await newPage(browser, portal)
  await page.addInitScript(() => {
    const metrics: Responsiveness = { shift: 0, interactions: {}, blocked: 0 }
    Object.assign(window, { metrics })
    const observe = (type: string, record: (entry: PerformanceEntry) => void, options = {}) =>
      new PerformanceObserver((list) => list.getEntries().forEach(record)).observe({ type, buffered: true, ...options })
    observe('layout-shift', (entry) => {
      const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
      if (!hadRecentInput) metrics.shift += value
    })
    observe('longtask', ({ duration }) => {
      metrics.blocked += Math.max(0, duration - 50)
    })
    observe(
      'event',
      (entry) => {
        const { interactionId } = entry as PerformanceEntry & { interactionId: number }
        if (!interactionId) return
        metrics.interactions[interactionId] = Math.max(metrics.interactions[interactionId] ?? 0, entry.duration)
      },
      { durationThreshold: 16 },
    )
  })
  const metrics = () => page.evaluate(() => (window as unknown as { metrics: Responsiveness }).metrics)
  await page.goto('/')
  await signIn(page)
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: BUSY.slowdown })
  await page.goto('/?step=3&locations=3')
  await page.locator('[data-vehicle]').first().waitFor()
  await pause(3_000)
  const opening = await metrics()
  let isDone = false
  const arriving = (async () => {
    for (let second = 0; !isDone; second++) {
      await station.sendMany(BUSY.arrivalsPerSecond, `NO${second}`)
      await pause(1_000)
    }
  })()
  for (const key of BUSY.keys) {
    await page.keyboard.press(key)
    await pause(300)
  }
  const tags = page.locator('[data-vehicle] button[aria-pressed][title*="(T)"]')
  for (let row = 1; row < 4; row++) {
    await tags.nth(row).click()
    await pause(300)
  }
  isDone = true
  await arriving
  const durations = Object.values((await metrics()).interactions).sort((a, b) => a - b)
  const interactions = BUSY.keys.length + 3
  // Interactions that took less than 16 ms come first.
  const at = Math.ceil(0.98 * interactions) - 1 - (interactions - durations.length)
  await page.context().close()
  const { vehicles, arrivalsPerSecond, slowdown } = BUSY
  return {
    head: [`live list of ${vehicles} vehicles, ${arrivalsPerSecond} more every second`, 'measured', 'goal'],
    rows: [
      ['layout shift while opening (CLS)', opening.shift.toFixed(3), '0'],
      ['98 % of interactions: keys, tags, filters (INP)', `${durations[at]?.toFixed(0) ?? 'under 16'} ms`, '100 ms'],
      ['longest interaction', `${durations.at(-1)?.toFixed(0) ?? 'under 16'} ms`, ''],
      ['main thread blocked while opening (TBT)', `${opening.blocked.toFixed(0)} ms`, ''],
    ],
    notes: [`With a processor ${slowdown} times slower; ${interactions} interactions.`],
  }
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`

async function taskSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
}

async function rendererSeconds(session: CDPSession): Promise<number> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  return processInfo.filter(({ type }) => type === 'renderer').reduce((sum, { cpuTime }) => sum + cpuTime, 0)
}
