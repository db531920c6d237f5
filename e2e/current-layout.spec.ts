import { expect } from '@playwright/test'
import { seededRandom } from '@rogatka/domain/core/random.ts'
import { test } from './src/fixtures.ts'
import { cardOf, openLiveList, plateText } from './src/live.ts'
import { expectAccessible, expectNoOverflow, inEveryLanguage, signIn, signInByApi } from './src/operator.ts'
import { type Portal, startPortal } from './src/portal.ts'
import { measureScripts } from './src/scripts.ts'
import { addStation, type Station } from './src/station.ts'

let station: Station
test.beforeAll(async ({ portal }) => {
  station = await addStation(portal, 900, 'S8 Testowo')
})

test.beforeEach(async ({ page, portal }) => {
  await signInByApi(page, portal)
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
        // Those that poll take longer, and some of them begin late.
        if ((args[1] ?? 0) <= 1_000) running.add(timer)
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
  const cards = page.locator('[data-vehicle]')
  await expect(cards.first()).toHaveAttribute('aria-setsize', '300')
  expect(await timers()).toBeLessThanOrEqual(before + 1)
  // Only vehicles near the viewport are in the DOM.
  expect(await cards.count()).toBeLessThan(40)

  const toTop = page.getByRole('button', { name: 'Do góry' })
  await expect(toTop).toHaveCount(0)
  await cards.last().scrollIntoViewIfNeeded()
  await expect(page.locator('[aria-posinset="299"]')).toBeInViewport()
  await toTop.click()
  await expect(cards.first()).toBeInViewport()
  await expect(toTop).toHaveCount(0)

  // Scrolling keeps the focus; arrow keys continue from it.
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
  const card = cardOf(page, 'WID0001')
  await expect(card).toBeVisible()
  const inside = ['violations', 'tagCell', 'countdown'].map((part) => card.locator(`[class*="${part}"]`).first())
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
    expect((await card.boundingBox())?.width, where).toBeLessThanOrEqual(1_700)
    await expectNoOverflow(page)
  }
})

test('the live list, through its wizard, loads at most 330 KB of scripts', async ({ page }) => {
  await station.send({ plateLpr: 'WAGA001' })
  // Open hits of other tests would load the desk of wanted vehicles, and alarms what announces them.
  const none = { version: '', content: [], lastTenMinutes: 0, isFlood: false, emptySince: null }
  await page.route(/\/api\/v1\/alarms$/, (route) =>
    route.fulfill({ json: { ...none, shiftEndsAt: new Date().toISOString() } }),
  )
  await page.route(/wanted-hits\/stream/, (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: 'event: hits\ndata: {"content":[]}\n\n' }),
  )
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

test('every step passes axe in five languages', async ({ page }) => {
  // Three steps in five languages, and six analyses.
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
    sg = await startPortal({ BUILD_CODE: 'SG201025', DEMO_BACKFILL_DAYS: '0' }, { inMemory: true })
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
