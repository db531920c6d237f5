import { expect, type Page } from '@playwright/test'
import { startDatabaseProxy } from './src/database-proxy.ts'
import { test } from './src/fixtures.ts'
import { cardOf, hideServerTime, openLiveList, plateText, secondsOf } from './src/live.ts'
import { addAccount, signIn, signInByApi } from './src/operator.ts'
import { startPortal } from './src/portal.ts'
import { addStation, type Station } from './src/station.ts'

/** Travel time from the scale to the checkpoint at 90 km/h, and the default additional time after it. */
const TO_CHECKPOINT_S = 100
const ADDITIONAL_S = 60

let station: Station
test.beforeAll(async ({ portal }) => {
  station = await addStation(portal, 900, 'S8 Testowo')
})

test.beforeEach(async ({ page, portal }) => {
  await signInByApi(page, portal)
})

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString()

test('a vehicle appears by itself with the time to its checkpoint, and its values', async ({ page }) => {
  await openLiveList(page, station.shortName)
  const { createdAt } = await station.send({ plateLpr: 'WGM0001' })
  const card = cardOf(page, 'WGM0001')
  await expect(card).toContainText('39,40')
  await expect(card).toContainText('90')
  await expect(card).toContainText(`${station.shortName} · pas 1`)
  await expect(card).toContainText('Prędkość')
  const left = (Date.parse(createdAt) + TO_CHECKPOINT_S * 1_000 - Date.now()) / 1_000
  expect(Math.abs((await secondsOf(card.getByRole('timer'))) - left)).toBeLessThan(3)
})

test('a vehicle counts below zero after its checkpoint, then leaves', async ({ page }) => {
  await hideServerTime(page)
  await page.clock.install()
  await openLiveList(page, station.shortName)
  await station.send({ plateLpr: 'WGM0002' })
  const card = cardOf(page, 'WGM0002')
  await expect(card).toContainText('do punktu')
  await page.clock.fastForward(TO_CHECKPOINT_S * 1_000)
  await expect(card).toContainText('minął punkt')
  expect(await secondsOf(card.getByRole('timer'))).toBeLessThanOrEqual(0)
  await page.clock.fastForward((ADDITIONAL_S - 15) * 1_000)
  await expect(card.getByRole('timer')).toHaveText(/^−00:[45]\d$/)
  await page.clock.fastForward(15_000)
  await expect(card).toHaveCount(0)
})

test('keeps a vehicle that arrives after its checkpoint time off the live list', async ({ page }) => {
  await openLiveList(page, station.shortName)
  await station.send({ plateLpr: 'LAT0001', createdAt: secondsAgo(TO_CHECKPOINT_S + 10) })
  await station.send({ plateLpr: 'LAT0002' })
  await expect(cardOf(page, 'LAT0002')).toBeVisible()
  await expect(cardOf(page, 'LAT0001')).toHaveCount(0)
})

test('does not show a repeated vehicle twice', async ({ page }) => {
  await openLiveList(page, station.shortName)
  const sent = await station.send({ plateLpr: 'WGM0003' })
  await expect(cardOf(page, 'WGM0003')).toHaveCount(1)
  await station.repeat(sent)
  await station.send({ plateLpr: 'WGM0004' })
  await expect(cardOf(page, 'WGM0004')).toHaveCount(1)
  await expect(cardOf(page, 'WGM0003')).toHaveCount(1)
})

test('the keyboard alone goes from the filters to a tagged vehicle, its detail and back', async ({ page }) => {
  await page.goto('/')
  const box = page.getByRole('checkbox', { name: station.shortName })
  await expect(box).toBeVisible()
  await tabTo(page, box)
  await page.keyboard.press('Space')
  await expect(box).toBeChecked()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { name: 'Dane pojazdu', level: 2 })).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await station.send({ plateLpr: 'KEY0001' })
  const card = cardOf(page, 'KEY0001')
  await expect(card).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(card.getByRole('link')).toBeFocused()
  await page.keyboard.press('t')
  await expect(card.getByRole('button', { pressed: true })).toHaveAccessibleName('Oznacz KEY 0001')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: plateText('KEY0001', 'Pojazd ') })).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(card).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Dane pojazdu', level: 2 })).toBeVisible()
})

async function tabTo(page: Page, target: ReturnType<Page['locator']>) {
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(target).toBeFocused({ timeout: 10 })
  }).toPass({ intervals: [0] })
}

test('a tag is set and removed by right click, button and key, stays after a reload and is nobody else’s', async ({
  page,
  portal,
  browser,
}) => {
  await openLiveList(page, station.shortName)
  await station.send({ plateLpr: 'TAG0001' })
  const card = cardOf(page, 'TAG0001')
  const tagged = card.getByRole('button', { name: 'Oznacz', pressed: true })
  const untagged = card.getByRole('button', { name: 'Oznacz', pressed: false })
  const stored = page.waitForResponse(/\/tags/)
  await card.click({ button: 'right' })
  await expect(tagged).toBeVisible()
  // The card shows it before it is stored, and a reload would break that off.
  await stored
  await page.reload()
  await expect(tagged).toBeVisible()

  const account = await addAccount(portal, ['CurrentMeasurements'])
  const other = await browser.newPage({ baseURL: portal.url })
  await signInByApi(other, portal, account)
  await openLiveList(other, station.shortName)
  await expect(cardOf(other, 'TAG0001').getByRole('button', { name: 'Oznacz', pressed: false })).toBeVisible()
  await other.close()

  await card.click({ button: 'right' })
  await expect(untagged).toBeVisible()
  await untagged.click()
  await expect(tagged).toBeVisible()
  await card.hover()
  await page.keyboard.press('t')
  await expect(untagged).toBeVisible()
})

test('a click on a tag whose request is pending is carried out after it', async ({ page }) => {
  await openLiveList(page, station.shortName)
  await station.send({ plateLpr: 'TAG0003' })
  const requests: string[] = []
  let answer = () => {}
  const isAllowed = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/tags**', async (route) => {
    requests.push(route.request().method())
    await isAllowed
    await route.continue()
  })
  const tag = cardOf(page, 'TAG0003').getByRole('button', { name: 'Oznacz' })
  await tag.click()
  await expect(tag).toHaveAttribute('aria-pressed', 'true')
  await tag.click()
  await expect(tag).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(() => requests).toEqual(['POST'])
  const removed = page.waitForResponse((response) => response.request().method() === 'DELETE')
  answer()
  await expect.poll(() => requests).toEqual(['POST', 'DELETE'])
  // A reload would break it off.
  await removed
  await page.reload()
  await expect(tag).toHaveAttribute('aria-pressed', 'false')
})

test('reverts a failed tag and shows a toast', async ({ page, consoleErrors }) => {
  consoleErrors.expect(/\/tags|Nie udało się oznaczyć/)
  await openLiveList(page, station.shortName)
  await station.send({ plateLpr: 'TAG0002' })
  await page.route('**/tags?**', (route) => route.fulfill({ status: 500, json: [] }))
  const card = cardOf(page, 'TAG0002')
  await card.click({ button: 'right' })
  await expect(page.getByText('Nie udało się oznaczyć pojazdu.')).toBeVisible()
  await expect(card.getByRole('button', { name: 'Oznacz', pressed: false })).toBeVisible()
})

test('pauses arrivals while the pointer moves in the list, until N or 20 s of rest', async ({ page }) => {
  await hideServerTime(page)
  await page.clock.install()
  await openLiveList(page, station.shortName)
  await station.send({ plateLpr: 'NEW0001' })
  await cardOf(page, 'NEW0001').hover()
  await station.send({ plateLpr: 'NEW0002' })
  await expect(page.getByRole('button', { name: '1 nowy czeka' })).toBeVisible()
  await expect(cardOf(page, 'NEW0002')).toHaveCount(0)
  await page.keyboard.press('n')
  await expect(cardOf(page, 'NEW0002')).toBeVisible()
  await station.send({ plateLpr: 'NEW0003' })
  await expect(page.getByRole('button', { name: '1 nowy czeka' })).toBeVisible()
  await page.clock.fastForward(20_000)
  await expect(cardOf(page, 'NEW0003')).toBeVisible()
  // Moving the pointer pauses the list again.
  await cardOf(page, 'NEW0003').hover({ position: { x: 300, y: 10 } })
  await station.send({ plateLpr: 'NEW0004' })
  await expect(page.getByRole('button', { name: '1 nowy czeka' })).toBeVisible()
})

test('step 1 does not shift while stations load', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('checkbox', { name: station.shortName })).toBeVisible()
  let send = () => {}
  const requestPromise = new Promise<void>((resolve) => {
    send = resolve
  })
  await page.route('**/locations', async (route) => {
    await requestPromise
    await route.continue()
  })
  await page.reload()
  const places = () =>
    page
      .getByRole('main')
      .getByRole('heading', { level: 2 })
      .evaluateAll((headings) =>
        headings.map((heading) => `${heading.textContent} ${heading.getBoundingClientRect().y}`),
      )
  await expect(page.getByRole('heading', { name: 'Pasy ruchu' })).toBeVisible()
  const before = await places()
  send()
  await expect(page.getByRole('checkbox', { name: station.shortName })).toBeVisible()
  expect(await places()).toEqual(before)
})

test('a new vehicle beeps once with 1000 Hz for 100 ms, unless muted', async ({ page }) => {
  await page.addInitScript(() => {
    const beeps: string[] = []
    Object.assign(window, { beeps })
    const { start, stop } = OscillatorNode.prototype
    let began = 0
    OscillatorNode.prototype.start = function (when = 0) {
      began = when
      start.call(this, when)
    }
    OscillatorNode.prototype.stop = function (when = 0) {
      // Alarms that other tests left open have other frequencies.
      if (this.frequency.value === 1_000)
        beeps.push(`${this.type} ${this.frequency.value} ${(when - began).toFixed(2)}`)
      stop.call(this, when)
    }
  })
  const beeps = () => page.evaluate(() => (window as unknown as { beeps: string[] }).beeps)
  await openLiveList(page, station.shortName)
  await station.send({ plateLpr: 'ZEP0001' })
  await expect(cardOf(page, 'ZEP0001')).toBeVisible()
  await expect.poll(beeps).toEqual(['square 1000 0.10'])
  await page.keyboard.press('m')
  await expect(page.getByRole('button', { name: 'Wycisz' })).toHaveAttribute('aria-pressed', 'true')
  await station.send({ plateLpr: 'ZEP0002' })
  await expect(cardOf(page, 'ZEP0002')).toBeVisible()
  expect(await beeps()).toHaveLength(1)
})

test('counts new vehicles beside the link on other pages, and resets at home', async ({ page }) => {
  await openLiveList(page, station.shortName)
  await page.getByRole('link', { name: 'Statystyki' }).click()
  // What arrives before the list is left is not counted.
  await expect(page.getByRole('list', { name: 'Pojazdy' })).toHaveCount(0)
  await station.send({ plateLpr: 'CNT0001' })
  await station.send({ plateLpr: 'CNT0002' })
  const home = page.getByRole('link', { name: /^Bieżące pomiary/ })
  await expect(home).toContainText('2')
  await home.click()
  await expect(cardOf(page, 'CNT0002')).toBeVisible()
  await expect(home).not.toContainText('2')
})

test('shows missing data after 30 s, until the next vehicle', async ({ page, portal }) => {
  const silent = await addStation(portal, 901, 'S8 Milczenie')
  await hideServerTime(page)
  await page.clock.install()
  await openLiveList(page, silent.shortName)
  await expect(page.getByText('Oczekiwanie na pierwszy pomiar')).toBeVisible()
  await page.clock.fastForward(31_000)
  await expect(page.getByText(/Brak danych ze stacji/)).toBeVisible()
  await silent.send({ plateLpr: 'SIL0001', createdAt: new Date(Date.now() + 31_000).toISOString() })
  await expect(cardOf(page, 'SIL0001')).toBeVisible()
  await expect(page.getByText(/Brak danych ze stacji/)).toHaveCount(0)
})

test('a vehicle opened from a pasted link leads back to the list of its station', async ({ page }) => {
  await openLiveList(page, station.shortName)
  await station.send({ plateLpr: 'PAS0001' })
  const address = await cardOf(page, 'PAS0001').getByRole('link').getAttribute('href')
  await page.goto(address ?? '')
  await expect(page.getByRole('heading', { name: plateText('PAS0001', 'Pojazd ') })).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(`/?step=3&locations=${station.id}`)
  await expect(cardOf(page, 'PAS0001')).toBeVisible()
})

test('shows a lost database and recovers by itself', async ({ page, portal, consoleErrors }) => {
  consoleErrors.expect(/50[03]|Failed to load resource/)
  const line = await startDatabaseProxy(portal)
  const second = await startPortal({ DATABASE_URL: line.url, DEMO: 'false' }, { inMemory: true })
  try {
    await page.goto(`${second.url}/login`)
    await signIn(page)
    await page.goto(`${second.url}/?step=3&locations=${station.id}`)
    await station.send({ plateLpr: 'DBA0001' })
    await expect(cardOf(page, 'DBA0001')).toBeVisible()
    await line.cut()
    await expect(page.getByText('Nie udało się pobrać listy.')).toBeVisible({ timeout: 40_000 })
    await expect(cardOf(page, 'DBA0001')).toBeVisible()
    await station.send({ plateLpr: 'DBA0002' })
    await line.restore()
    await expect(cardOf(page, 'DBA0002')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText('Nie udało się pobrać listy.')).toHaveCount(0)
  } finally {
    // The list would ask a stopped server.
    await page.close()
    await second.stop()
    await line.cut().catch(() => {})
  }
})
