import { expect, type Page } from '@playwright/test'
import { seededRandom } from '@rogatka/domain/core/random.ts'
import { startDatabaseProxy } from './src/database-proxy.ts'
import { test } from './src/fixtures.ts'
import { cardOf, hideServerTime, openLiveList, plateText, secondsOf } from './src/live.ts'
import { addAccount, expectAccessible, expectNoOverflow, inEveryLanguage, signIn } from './src/operator.ts'
import { type Portal, startPortal } from './src/portal.ts'
import { measureScripts } from './src/scripts.ts'
import { addStation, type Station } from './src/station.ts'

/** From the scale to the checkpoint at 90 km/h, and how long a vehicle stays behind it unless the user changes that. */
const TO_CHECKPOINT_S = 100
const ADDITIONAL_S = 60

let station: Station
test.beforeAll(async ({ portal }) => {
  station = await addStation(portal, 900, 'S8 Testowo')
})

test.beforeEach(async ({ page }) => {
  await page.goto('/login')
  await signIn(page)
})

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString()

test('a vehicle appears by itself with the time to its checkpoint, and its values', async ({ page }) => {
  await openLiveList(page, station.shortName)
  const { createdAt } = await station.send({ plateLpr: 'WGM0001' })
  const strip = cardOf(page, 'WGM0001')
  await expect(strip).toContainText('39,40')
  await expect(strip).toContainText('90')
  await expect(strip).toContainText(`${station.shortName} · pas 1`)
  await expect(strip).toContainText('Prędkość')
  const left = (Date.parse(createdAt) + TO_CHECKPOINT_S * 1_000 - Date.now()) / 1_000
  expect(Math.abs((await secondsOf(strip.getByRole('timer'))) - left)).toBeLessThan(3)
})

test('a vehicle counts below zero after its checkpoint, then leaves', async ({ page }) => {
  await hideServerTime(page)
  await page.clock.install()
  await openLiveList(page, station.shortName)
  await station.send({ plateLpr: 'WGM0002' })
  const strip = cardOf(page, 'WGM0002')
  await expect(strip).toContainText('do punktu')
  await page.clock.fastForward(TO_CHECKPOINT_S * 1_000)
  await expect(strip).toContainText('minął punkt')
  expect(await secondsOf(strip.getByRole('timer'))).toBeLessThanOrEqual(0)
  await page.clock.fastForward((ADDITIONAL_S - 15) * 1_000)
  await expect(strip.getByRole('timer')).toHaveText(/^−00:[45]\d$/)
  await page.clock.fastForward(15_000)
  await expect(strip).toHaveCount(0)
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

test('only vehicles that match the filters appear', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('checkbox', { name: station.shortName }).check()
  await page.getByRole('group', { name: 'Kategorie [8+1]' }).getByRole('button', { name: 'Autobus' }).click()
  await page.getByRole('group', { name: 'Pasy ruchu' }).getByRole('button', { name: '2' }).click()
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

  const rail = page.getByRole('complementary', { name: 'Wybrane filtry' })
  await expect(rail).toContainText('Prędkość')
  await rail.getByRole('button', { name: 'Usuń filtr: Prędkość' }).click()
  await expect(cardOf(page, 'BUS0003')).toHaveCount(1)
})

test('does not open the list without a station and names the missing field', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Dalej' }).click()
  await page.getByRole('button', { name: 'Dalej' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
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
  const strip = cardOf(page, 'KEY0001')
  await expect(strip).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(strip.getByRole('link')).toBeFocused()
  await page.keyboard.press('t')
  await expect(strip.getByRole('button', { pressed: true })).toHaveAccessibleName('Oznacz KEY 0001')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: plateText('KEY0001', 'Pojazd ') })).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(strip).toBeVisible()
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
  const strip = cardOf(page, 'TAG0001')
  const tagged = strip.getByRole('button', { name: 'Oznacz', pressed: true })
  const untagged = strip.getByRole('button', { name: 'Oznacz', pressed: false })
  await strip.click({ button: 'right' })
  await expect(tagged).toBeVisible()
  await page.reload()
  await expect(tagged).toBeVisible()

  const account = await addAccount(portal, ['CurrentMeasurements'])
  const other = await browser.newPage({ baseURL: portal.url })
  await other.goto('/login')
  await signIn(other, account)
  await openLiveList(other, station.shortName)
  await expect(cardOf(other, 'TAG0001').getByRole('button', { name: 'Oznacz', pressed: false })).toBeVisible()
  await other.close()

  await strip.click({ button: 'right' })
  await expect(untagged).toBeVisible()
  await untagged.click()
  await expect(tagged).toBeVisible()
  await strip.hover()
  await page.keyboard.press('t')
  await expect(untagged).toBeVisible()
})

test('reverts a failed tag and shows a toast', async ({ page, complaints }) => {
  complaints.expect(/\/tags|Nie udało się oznaczyć/)
  await openLiveList(page, station.shortName)
  await station.send({ plateLpr: 'TAG0002' })
  await page.route('**/tags?**', (route) => route.fulfill({ status: 500, json: [] }))
  const strip = cardOf(page, 'TAG0002')
  await strip.click({ button: 'right' })
  await expect(page.getByText('Nie udało się oznaczyć pojazdu.')).toBeVisible()
  await expect(strip.getByRole('button', { name: 'Oznacz', pressed: false })).toBeVisible()
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
  // A movement holds the list again.
  await cardOf(page, 'NEW0003').hover({ position: { x: 300, y: 10 } })
  await station.send({ plateLpr: 'NEW0004' })
  await expect(page.getByRole('button', { name: '1 nowy czeka' })).toBeVisible()
})

test('step 1 does not shift while stations load', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('checkbox', { name: station.shortName })).toBeVisible()
  let send = () => {}
  const asked = new Promise<void>((resolve) => {
    send = resolve
  })
  await page.route('**/locations', async (route) => {
    await asked
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
      beeps.push(`${this.type} ${this.frequency.value} ${(when - began).toFixed(2)}`)
      stop.call(this, when)
    }
  })
  const beeps = () => page.evaluate(() => (window as unknown as { beeps: string[] }).beeps)
  await openLiveList(page, station.shortName)
  await station.send({ plateLpr: 'ZEP0001' })
  await expect(cardOf(page, 'ZEP0001')).toBeVisible()
  expect(await beeps()).toEqual(['square 1000 0.10'])
  await page.keyboard.press('m')
  await expect(page.getByRole('button', { name: 'Wycisz' })).toHaveAttribute('aria-pressed', 'true')
  await station.send({ plateLpr: 'ZEP0002' })
  await expect(cardOf(page, 'ZEP0002')).toBeVisible()
  expect(await beeps()).toHaveLength(1)
})

test('counts new vehicles beside the link on other pages, and resets at home', async ({ page }) => {
  await openLiveList(page, station.shortName)
  await page.getByRole('link', { name: 'Statystyki' }).click()
  await station.send({ plateLpr: 'CNT0001' })
  await station.send({ plateLpr: 'CNT0002' })
  const home = page.getByRole('link', { name: /^Bieżące pomiary/ })
  await expect(home).toContainText('2')
  await home.click()
  await expect(cardOf(page, 'CNT0002')).toBeVisible()
  await expect(home).not.toContainText('2')
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
  // Going back is no link: the step before has its own address.
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
  // Of its own: vehicles beyond the screen have no element.
  const ordered = await addStation(portal, 934, 'S8 Kolejność')
  const first = await ordered.send({ plateLpr: 'ORD0001' })
  const second = await ordered.send({ plateLpr: 'ORD0002' })
  expect(Date.parse(second.createdAt)).toBeGreaterThan(Date.parse(first.createdAt))
  const plates = () =>
    page.locator('[data-vehicle] a').evaluateAll((links) => links.map((link) => link.getAttribute('aria-label') ?? ''))
  const placeOf = async (plate: string) => (await plates()).findIndex((label) => plateText(plate).test(label))
  await page.goto(`/?step=3&locations=${ordered.id}`)
  await expect(cardOf(page, 'ORD0001')).toBeVisible()
  expect(await placeOf('ORD0002')).toBeLessThan(await placeOf('ORD0001'))
  await page.goto(`/?step=3&locations=${ordered.id}&orderDirection=asc`)
  await expect(cardOf(page, 'ORD0001')).toBeVisible()
  expect(await placeOf('ORD0002')).toBeGreaterThan(await placeOf('ORD0001'))
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

test('returning to the filters stops polling and clears the list', async ({ page }) => {
  await page.clock.install()
  let asked = 0
  page.on('request', (request) => {
    if (request.url().includes('/current-vehicles')) asked += 1
  })
  await openLiveList(page, station.shortName)
  await station.send({ plateLpr: 'BAC0001' })
  await expect(cardOf(page, 'BAC0001')).toBeVisible()
  const askedWhileWatching = asked
  await page.clock.runFor(3_000)
  expect(asked).toBeGreaterThan(askedWhileWatching)
  await page.getByRole('navigation', { name: 'Kroki' }).getByRole('button', { name: 'Filtry' }).click()
  await expect(page.getByRole('checkbox', { name: station.shortName })).toBeChecked()
  const askedBefore = asked
  await page.clock.runFor(10_000)
  expect(asked).toBe(askedBefore)

  // The next list never comes, so whatever is shown was remembered.
  await page.route('**/current-vehicles?**', () => {})
  await page.getByRole('button', { name: 'Dalej' }).click()
  await page.getByRole('button', { name: 'Dalej' }).click()
  await expect(page.getByText('Oczekiwanie na pierwszy pomiar')).toBeVisible()
  await expect(cardOf(page, 'BAC0001')).toHaveCount(0)
})

test('collapses and restores the panel of active filters', async ({ page }) => {
  await openLiveList(page, station.shortName)
  const rail = page.getByRole('complementary', { name: 'Wybrane filtry' })
  await expect(rail).toContainText(station.shortName)
  await expect(rail).toContainText('dostępna')
  await page.keyboard.press('f')
  await expect(rail).toHaveCount(0)
  await page.getByRole('button', { name: 'Pokaż filtry' }).click()
  await expect(rail).toBeVisible()
})

test('shows a welcome page and sends no requests without the right to live measurements', async ({ page, portal }) => {
  const account = await addAccount(portal, ['Stat'])
  await page.goto('/logout')
  await signIn(page, account)
  await expect(page.getByText('Dzień dobry, Jan')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Statystyki' })).toBeVisible()
  await expectAccessible(page)
})

test('300 vehicles count down on one timer, and a button leads back to the top', async ({ page, portal }) => {
  const busy = await addStation(portal, 902, 'S8 Tłok')
  await page.addInitScript(() => {
    const running = new Set<unknown>()
    Object.assign(window, { running })
    const { setInterval: set, clearInterval: clear } = window
    Object.assign(window, {
      setInterval: (...args: Parameters<typeof set>) => {
        const timer = set(...args)
        running.add(timer)
        return timer
      },
      clearInterval: (timer: number) => {
        running.delete(timer)
        clear(timer)
      },
    })
  })
  await openLiveList(page, busy.shortName)
  const timers = () => page.evaluate(() => (window as unknown as { running: Set<unknown> }).running.size)
  const before = await timers()
  await busy.sendMany(300, 'TLO')
  const strips = page.locator('[data-vehicle]')
  await expect(strips.first()).toHaveAttribute('aria-setsize', '300')
  expect(await timers()).toBeLessThanOrEqual(before + 1)
  // Of all of them only those near the screen are in the page.
  expect(await strips.count()).toBeLessThan(40)

  const toTop = page.getByRole('button', { name: 'Do góry' })
  await expect(toTop).toHaveCount(0)
  await strips.last().scrollIntoViewIfNeeded()
  await expect(page.locator('[aria-posinset="299"]')).toBeInViewport()
  await toTop.click()
  await expect(strips.first()).toBeInViewport()
  await expect(toTop).toHaveCount(0)

  // The focus stays where it is, however far the list is scrolled, and goes on from there.
  await page.mouse.move(5, 5)
  await page.keyboard.press('ArrowUp')
  await expect(page.locator('[aria-posinset="300"] a')).toBeFocused()
  for (let row = 299; row >= 280; row--) await page.keyboard.press('k')
  await expect(page.locator('[aria-posinset="280"] a')).toBeFocused()
  await page.getByRole('main').evaluate((main) => main.scrollTo({ top: 0 }))
  await expect(page.locator('[aria-posinset="3"]')).toBeInViewport()
  await expect(page.locator('[aria-posinset="280"] a')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('[aria-posinset="281"] a')).toBeFocused()
  await expect(page.locator('[aria-posinset="281"]')).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: /^Pojazd TLO/ })).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(page.locator('[aria-posinset="281"] a')).toBeFocused()
})

test('keeps violations and tag visible through random widths, rotations and collapsed filters', async ({ page }) => {
  await openLiveList(page, station.shortName)
  await station.send({ plateLpr: 'WID0001', overlane: true })
  const strip = cardOf(page, 'WID0001')
  await expect(strip).toBeVisible()
  const inside = ['violations', 'tagCell', 'countdown'].map((part) => strip.locator(`[class*="${part}"]`).first())
  const random = seededRandom(20_261_122)
  const widths = [320, 390, 600, 601, 844, 960, 1100, 1101, 1280, 1440, 1700, 1920, 2560]
  let size = { width: 1440, height: 900 }
  for (let step = 0; step < 25; step++) {
    const chance = random.next()
    if (chance < 0.6) size = { ...size, width: random.pick(widths) }
    else if (chance < 0.8) size = { width: size.height, height: size.width }
    await page.setViewportSize(size)
    if (chance >= 0.8 && size.width > 1100) await page.keyboard.press('f')
    const edge = await page.getByRole('main').evaluate((main) => main.getBoundingClientRect().right)
    const where = `step ${step}, ${size.width} x ${size.height}`
    for (const part of inside) {
      await expect(part, where).toBeVisible()
      const box = await part.boundingBox()
      expect((box?.x ?? 0) + (box?.width ?? 0), where).toBeLessThanOrEqual(edge)
    }
    expect((await strip.boundingBox())?.width, where).toBeLessThanOrEqual(1_700)
    await expectNoOverflow(page)
  }
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

test('the live list, through its wizard, loads at most 330 KB of scripts', async ({ page }) => {
  await station.send({ plateLpr: 'WAGA001' })
  const { gzipped } = await measureScripts(page, async () => {
    await openLiveList(page, station.shortName)
    await expect(cardOf(page, 'WAGA001')).toBeVisible()
  })
  expect(gzipped).toBeLessThanOrEqual(330_000)
})

test('frames every live vehicle in forced colours and prints all of them', async ({ page }) => {
  await openLiveList(page, station.shortName)
  await station.sendMany(40, 'PRN')
  const all = page.locator('[data-vehicle]')
  await page.emulateMedia({ media: 'print' })
  await expect.poll(() => all.count()).toBeGreaterThanOrEqual(40)
  await expect(page.getByRole('banner')).toBeHidden()
  await page.emulateMedia({ media: 'screen', forcedColors: 'active' })
  await expect(all.first()).toBeVisible()
  const border = await all
    .first()
    .locator(':scope > *')
    .evaluate((element) => getComputedStyle(element).borderTopStyle)
  expect(border).not.toBe('none')
})

test('on a phone every step fits the screen', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await station.send({ plateLpr: 'PHO0001' })
  for (const step of ['', '&step=2', '&step=3']) {
    await page.goto(`/?locations=${station.id}${step}`)
    await expect(page.getByRole('main')).toBeVisible()
    if (step === '&step=3') await expect(cardOf(page, 'PHO0001')).toBeVisible()
    await expectAccessible(page)
    await expectNoOverflow(page)
  }
  await cardOf(page, 'PHO0001').click()
  await expect(page.getByRole('heading', { name: plateText('PHO0001', 'Pojazd ') })).toBeAttached()
  await expectAccessible(page)
  await expectNoOverflow(page)
})

test('shows a lost database and recovers by itself', async ({ page, portal, complaints }) => {
  test.setTimeout(120_000)
  complaints.expect(/50[03]|Failed to load resource/)
  const line = await startDatabaseProxy(portal)
  const second = await startPortal({ DATABASE_URL: line.url, DEMO: 'false' })
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
    await line.mend()
    await expect(cardOf(page, 'DBA0002')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText('Nie udało się pobrać listy.')).toHaveCount(0)
  } finally {
    await second.stop()
    await line.cut().catch(() => {})
  }
})

test('every step passes axe in five languages', async ({ page }) => {
  const box = page.getByRole('checkbox', { name: station.shortName })
  await page.goto('/')
  await expect(box).toBeVisible()
  await expectAccessible(page)
  await inEveryLanguage(page, () => expect(box).toBeVisible())
  await page.goto(`/?step=2&locations=${station.id}`)
  await expectAccessible(page)
  await inEveryLanguage(page)
  await page.goto(`/?step=3&locations=${station.id}`)
  await station.send({ plateLpr: 'AXE0001' })
  await expect(cardOf(page, 'AXE0001')).toBeVisible()
  await expectAccessible(page)
  await inEveryLanguage(page, () => expect(cardOf(page, 'AXE0001')).toBeVisible())
})

test('a long plate shrinks to fit and covers nothing at any width', async ({ page }) => {
  await openLiveList(page, station.shortName)
  const plates = ['VERYLONGPLATE12', 'WWWWWMMMMMWWWWWMMMM1', 'WX12345']
  for (const plateLpr of plates) await station.send({ plateLpr, nationality: null, ctg8p1: null })
  for (const width of [1920, 1440, 1280, 1024, 900, 768, 390, 320]) {
    await page.setViewportSize({ width, height: 900 })
    for (const plateLpr of plates) {
      const card = cardOf(page, plateLpr)
      await card.scrollIntoViewIfNeeded()
      const plate = await card.locator('a > span').boundingBox()
      const inside = await card.getByRole('article').boundingBox()
      if (!plate || !inside) throw new Error('not shown')
      expect(plate.x + plate.width, `${plateLpr} at ${width}`).toBeLessThanOrEqual(inside.x + inside.width)
      for (const other of await card.locator('article > div:not(:has(a)) svg:visible, [role="timer"]').all()) {
        const box = await other.boundingBox()
        if (!box) continue
        const isBeside = box.x >= plate.x + plate.width || box.x + box.width <= plate.x
        const isBelow = box.y >= plate.y + plate.height || box.y + box.height <= plate.y
        expect(isBeside || isBelow, `${plateLpr} at ${width}`).toBe(true)
      }
    }
  }
})

test('shortcuts work while a checkbox has the focus, and the space bar ticks it', async ({ page }) => {
  await page.goto('/archival')
  const box = page.getByRole('checkbox', { name: station.shortName })
  await box.focus()
  await page.keyboard.press('Space')
  await expect(box).toBeChecked()
  await expect(box).toBeFocused()
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await expect(page).toHaveURL(/\/stat/)
})

test.describe('the SG variant', () => {
  let sg: Portal
  test.beforeAll(async () => {
    sg = await startPortal({ BUILD_CODE: 'SG201025', DEMO_BACKFILL_DAYS: '0' })
  })
  test.afterAll(() => sg.stop())

  test('leads to the archive, without live measurements, signs, failure reports and calibration', async ({ page }) => {
    await page.goto(`${sg.url}/login`)
    await signIn(page)
    await expect(page).toHaveURL(/\/archival/)
    const navigation = page.getByRole('navigation', { name: 'Nawigacja główna' })
    await expect(navigation.getByRole('link', { name: 'Archiwum' })).toBeVisible()
    await expect(navigation.getByRole('link', { name: 'Bieżące pomiary' })).toHaveCount(0)
    await expect(navigation.getByRole('link', { name: 'Znaki VMS' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Zarządzanie' }).click()
    await expect(page.getByRole('menuitem', { name: 'Użytkownicy' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Kalibracja' })).toHaveCount(0)
    await expect(page.getByRole('menuitem', { name: 'Zgłoszenia awarii' })).toHaveCount(0)
    await expect(page.getByText('SG201025')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Statystyki' }).click()
    await page.getByRole('banner').getByRole('link', { name: 'Rogatka' }).click()
    await expect(page).toHaveURL(/\/archival/)
    for (const path of [
      '/vms',
      '/tickets',
      '/tickets/1',
      '/station-health',
      '/calibration',
      '/calibration-deviation',
    ]) {
      await page.goto(`${sg.url}${path}`)
      await expect(page.getByRole('heading', { name: 'Nie znaleziono strony' }), path).toBeVisible()
    }
  })

  test('shows the whole footer on a phone: version, owner and source code', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 700 })
    await page.goto(`${sg.url}/login`)
    await signIn(page)
    const footer = page.getByRole('contentinfo')
    for (const part of [/SG201025/, /Właściciel/, /Kod źródłowy/])
      await expect(footer.getByText(part)).toBeInViewport({ ratio: 1 })
  })
})
