import { expect, type Page } from '@playwright/test'
import { vehicleId, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import { test } from './src/fixtures.ts'
import { cardOf, openLiveList, plateText, secondsOf } from './src/live.ts'
import { addAccount, expectAccessible, inEveryLanguage, signIn, signInByApi } from './src/operator.ts'
import { addStation, type Station } from './src/station.ts'
import { titled } from './src/title.ts'

let station: Station
test.beforeAll(async ({ portal }) => {
  station = await addStation(portal, 910, 'DK50 Testowo')
})

test.beforeEach(async ({ page, portal }) => {
  await signInByApi(page, portal)
})

const liveAddress = ({ sequence }: WireMeasurement) => `/vehicle/${vehicleId(station.id, sequence)}/${station.id}`
const archiveAddress = ({ sequence, createdAt }: WireMeasurement) =>
  `/vehicleArch/${vehicleId(station.id, sequence)}/${station.id}/${createdAt}`

const axle = (left: number, right: number, gap: number) => ({ type: 1, leftWeight: left, rightWeight: right, gap })

/** The value of a description list. */
const fact = (page: Page, name: string) => page.locator(`//dt[normalize-space()="${name}"]/following-sibling::dd`)

test('a click on a card opens the detail, and Back restores list and filters', async ({ page }) => {
  await openLiveList(page, station.shortName)
  await station.send({ plateLpr: 'DET0001' })
  await cardOf(page, 'DET0001').click()
  await expect(page).toHaveURL(new RegExp(`/vehicle/\\d+/${station.id}`))
  await expect(page.getByRole('heading', { name: plateText('DET0001', 'Pojazd ') })).toBeAttached()
  await expect(page.getByRole('link', { name: /^Bieżące pomiary/ })).toHaveAttribute('aria-current', 'page')
  await page.getByRole('button', { name: 'Wstecz' }).click()
  await expect(page).toHaveURL(new RegExp(`locations=${station.id}`))
  await expect(page).toHaveURL(/step=3/)
  await expect(cardOf(page, 'DET0001')).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Wybrane filtry' })).toContainText(station.shortName)
})

test('shows the measurement in road units and Warsaw time', async ({ page }) => {
  const sent = await station.send({ plateLpr: 'DET0002', laneNumber: 2 })
  await page.goto(liveAddress(sent))
  const warsaw = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('pl-PL', { timeZone: 'Europe/Warsaw', ...options }).format(new Date(sent.createdAt))
  await expect(fact(page, 'Data pomiaru')).toHaveText(warsaw({ day: '2-digit', month: '2-digit', year: 'numeric' }))
  await expect(fact(page, 'Czas pomiaru')).toHaveText(warsaw({ timeStyle: 'medium' }))
  await expect(page).toHaveTitle(titled(`Nr pojazdu ${vehicleId(station.id, sent.sequence)} · ${station.shortName}`))
  await expect(fact(page, 'Nr pojazdu')).toHaveText(String(vehicleId(station.id, sent.sequence)))
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: /^Skopiuj numer/ }).click()
  await expect(page.getByText('Skopiowano numer pojazdu.')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(String(vehicleId(station.id, sent.sequence)))
  await expect(fact(page, 'Stacja')).toHaveText(station.shortName)
  await expect(fact(page, 'Pas')).toHaveText('2')
  await expect(fact(page, 'Kategoria [8+1]')).toHaveText('9 · Ciągnik z naczepą')
  await expect(fact(page, '[COST 323]')).toHaveText('5')
  await expect(fact(page, 'Prędkość')).toHaveText('90 km/h')
  await expect(fact(page, 'Klasa dokładności')).toHaveText('B+(7)')
  await expect(fact(page, 'Marka i model')).toHaveText('DAF XF 480')
  await expect(fact(page, 'Nr katalogowy')).toHaveText('DAF-480-21')
  await expect(fact(page, 'Norma EURO')).toHaveText('EURO 6')
  await expect(fact(page, 'Data produkcji')).toHaveText('14.05.2021')
  await expect(fact(page, 'Paliwo')).toHaveText('diesel')
  const loads = page.getByRole('region', { name: 'Masa i wymiary' })
  await expect(loads).toContainText('39,40 t')
  await expect(loads).toContainText('dop. 40,00 t')
  await expect(loads).toContainText('klasa B+(7)')
  const left = (Date.parse(sent.createdAt) + 100_000 - Date.now()) / 1_000
  expect(Math.abs((await secondsOf(page.getByRole('timer'))) - left)).toBeLessThan(3)
})

test('the axle table has spacings, wheel and axle loads, and marks overloads', async ({ page }) => {
  const axles = [
    axle(3_500, 3_500, 0),
    axle(7_200, 7_300, 374),
    axle(3_600, 3_600, 562),
    axle(3_600, 3_600, 131),
    axle(3_600, 3_600, 131),
  ]
  const shapeSamples = [120, 380, 390, 110, 395, 400, 398]
  const sent = await station.send({ plateLpr: 'AXL0001', axles, shapeSamples, wrongDirection: true, overlane: true })
  await page.goto(liveAddress(sent))
  const driven = ['Pod prąd', 'Poza pasem']
  const findings = page.getByRole('list', { name: 'Naruszenia' }).getByRole('listitem')
  // Lower bounds in class B+(7): 43.1 t / 1.07, limit 40 t; 14.5 t / 1.11, limit 11.5 t.
  const loads = ['Masa całkowita +0,7 %', 'Oś 2 pojedyncza +13,6 %']
  await expect(findings).toHaveText([...driven, ...loads, 'Prędkość +10 km/h'])
  const judged = page.getByRole('region', { name: 'Masa i wymiary' }).getByRole('rowheader')
  expect((await judged.allInnerTexts()).slice(0, 2)).toEqual(driven)
  await expect(page.getByRole('figure', { name: 'Profil wysokości [m] 4,00' })).toBeVisible()
  const table = page.getByRole('region', { name: 'Rozkład nacisków na osie' }).getByRole('table')
  await expect(table).toHaveCount(1)
  await expect(table.getByRole('row', { name: /^Rozstaw/ })).toContainText('3,74')
  await expect(table.getByRole('row', { name: /^Rozstaw/ })).toContainText('1,31')
  await expect(table.getByRole('row', { name: /^Nacisk osi/ })).toContainText('14,50')
  await expect(table.getByRole('row', { name: /^Koło lewe/ })).toContainText('7,20 · 7,30')
  await expect(table.getByRole('img', { name: 'ponad limit' })).toHaveCount(1)
  await expect(table.getByRole('row', { name: /^Grupa osi/ })).toContainText('21,60 / 24,00')
})

test('wraps more than seven axles into a second row', async ({ page }) => {
  const axles = Array.from({ length: 9 }, (_, at) => axle(3_000, 3_000, at === 0 ? 0 : 200))
  const sent = await station.send({ plateLpr: 'AXL0002', axles })
  await page.goto(liveAddress(sent))
  const tables = page.getByRole('region', { name: 'Rozkład nacisków na osie' }).getByRole('table')
  await expect(tables).toHaveCount(2)
  await expect(
    tables
      .first()
      .getByRole('row', { name: /^Nacisk osi/ })
      .getByRole('cell'),
  ).toHaveCount(7)
  await expect(
    tables
      .last()
      .getByRole('row', { name: /^Nacisk osi/ })
      .getByRole('cell'),
  ).toHaveCount(2)
})

test('shows "not weighed" instead of zeros', async ({ page }) => {
  const bare = { axles: null, vehLength: null, vehHeight: null, euro: null, ctg8p1: null, ctg323: null, plateLpr: null }
  const sent = await station.send({ ...bare, nationality: null, speed: null })
  await page.goto(liveAddress(sent))
  await expect(page.getByText('nie zważono')).toBeVisible()
  await expect(page.getByText('Stacja nie zmierzyła osi tego pojazdu.')).toBeVisible()
  await expect(page.getByText('brak odczytu tablicy').first()).toBeVisible()
  await expect(fact(page, 'Kategoria [8+1]')).toHaveText('Brak kategorii')
  await expect(page.getByText('Dane katalogowe')).toHaveCount(0)
  await expect(page.getByText('bez punktu kontrolnego')).toBeVisible()
  await expectAccessible(page)
})

test('a click on the image shows the next, and so do the arrow keys', async ({ page }) => {
  const jpeg = await page.screenshot({ type: 'jpeg' })
  const sent = await station.send({ plateLpr: 'IMG0001' })
  for (const type of ['front', 'rear', 'side']) await station.sendImage(sent.sequence, sent.createdAt, type, jpeg)
  await page.goto(liveAddress(sent))
  const viewer = page.getByRole('region', { name: 'Zdjęcia' })
  const large = viewer.getByRole('button', { name: /Następne zdjęcie/ })
  const current = viewer.getByRole('button', { name: /^(przód|tył|bok)$/ }).and(page.locator('[aria-current="true"]'))
  await expect(current).toHaveAccessibleName('przód')
  await expect(large.getByRole('presentation')).toHaveJSProperty('complete', true)
  for (const name of ['tył', 'bok', 'przód']) {
    await large.click()
    await expect(current).toHaveAccessibleName(name)
  }
  await page.keyboard.press('ArrowLeft')
  await expect(current).toHaveAccessibleName('bok')
  await page.keyboard.press('ArrowRight')
  await expect(current).toHaveAccessibleName('przód')
  await viewer.getByRole('button', { name: 'tył', exact: true }).click()
  await expect(current).toHaveAccessibleName('tył')
})

test('shows a tag set in the detail on the card', async ({ page }) => {
  await openLiveList(page, station.shortName)
  await station.send({ plateLpr: 'TGD0001' })
  await cardOf(page, 'TGD0001').click()
  // The cards have such buttons, too.
  await expect(page.getByRole('heading', { name: plateText('TGD0001', 'Pojazd ') })).toBeAttached()
  await page.getByRole('button', { name: /^Oznacz/ }).click()
  await expect(page.getByRole('button', { name: /^Usuń oznaczenie/ })).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('Escape')
  await expect(cardOf(page, 'TGD0001').getByRole('button', { name: 'Oznacz', pressed: true })).toBeVisible()
})

test('the archive shows the same vehicle without a countdown', async ({ page }) => {
  const sent = await station.send({
    plateLpr: 'ARC0001',
    createdAt: new Date(Date.now() - 3 * 86_400_000).toISOString(),
  })
  await page.goto(archiveAddress(sent))
  await expect(page.getByRole('heading', { name: plateText('ARC0001', 'Pojazd ') })).toBeAttached()
  await expect(page.getByRole('timer')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Archiwum' })).toHaveAttribute('aria-current', 'page')
  await page.getByRole('button', { name: 'Wstecz' }).click()
  await expect(page).toHaveURL(/\/archival\?/)
})

test('compares two passages of the history of a plate, by keyboard', async ({ page }) => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const axles = [axle(3_590, 3_590, 0), axle(4_930, 4_930, 372), axle(3_620, 3_620, 558), axle(3_600, 3_600, 131)]
  const sent = await station.send({ plateLpr: 'WHS0001', createdAt: daysAgo(1) })
  const misread = await station.send({ plateLpr: 'WHSO001', createdAt: daysAgo(2), vehLength: 1_700 })
  const lighter = await station.send({
    plateLpr: 'WHS0001',
    createdAt: daysAgo(3),
    speed: 85,
    vehLength: 1_641,
    axles: [...axles, axle(3_580, 3_580, 131)],
  })
  await station.send({ plateLpr: 'WHS0002', createdAt: daysAgo(3) })
  await station.send({ plateLpr: 'WHS0001', createdAt: daysAgo(100) })
  await page.goto(archiveAddress(sent))
  await page.getByRole('radio', { name: 'Pomiar' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/[?&]tab=history/)
  const list = page.getByRole('table', { name: 'Przejazdy' })
  const inWarsaw = (options: Intl.DateTimeFormatOptions, at: string) =>
    new Intl.DateTimeFormat('pl-PL', { timeZone: 'Europe/Warsaw', ...options }).format(new Date(at))
  const days = { day: '2-digit', month: '2-digit', year: 'numeric' } as const
  await expect(list.getByRole('link')).toHaveText(
    [sent, misread, lighter].map(({ createdAt: at }) => inWarsaw(days, at) + inWarsaw({ timeStyle: 'medium' }, at)),
  )
  await expect(page.getByRole('radio', { name: 'Historia tablicy 3' })).toBeChecked()
  await expect(list.getByRole('row').nth(2)).toContainText(/odczyt WHS O001, 96\s%/)
  await expect(list.getByRole('row').nth(3)).toContainText('pas 1 · 85 km/h')
  await expect(list.getByRole('row').nth(3)).toContainText('38,64')

  const comparison = page.getByRole('region', { name: 'Porównanie' })
  // The vehicle of the page is A; the second passage becomes B, and the third replaces it.
  for (const at of [1, 2, 3]) {
    await page.keyboard.press('ArrowDown')
    await expect(list.getByRole('row').nth(at).getByRole('link')).toBeFocused()
    if (at > 1) await page.keyboard.press(' ')
    if (at === 2) await expect(comparison).toContainText('zgodne: osie')
    if (at === 2) await expect(comparison).toContainText('podobne: tablica · różne: długość')
  }
  await expect(list.getByRole('button', { pressed: true })).toHaveText(['A', 'B'])
  const differences = comparison.getByRole('definition')
  // 39.40 less 38.64 t; 10.80 less 9.86 t; the spacings differ by 2 cm.
  await expect(differences).toHaveText([
    '+0,76 t',
    '+0,94 t',
    '16,40 / 16,41 m',
    'zgodny, ≤ 0,02 m',
    'zgodne: tablica, osie, długość',
  ])
  const loads = comparison
    .getByRole('table')
    .getByRole('row', { name: /^różnica/ })
    .getByRole('cell')
  await expect(loads).toHaveText(['\u22120,18', '+0,94', '\u22120,04', '0,00', '+0,04'])
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/vehicleArch/${vehicleId(station.id, lighter.sequence)}/`))
  await expect(page).not.toHaveURL(/tab=/)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/tab=history/)
})

test('shows no history of a plate without the right to the archive', async ({ page, portal }) => {
  const sent = await station.send({ plateLpr: 'WHS0003' })
  await signInByApi(page, portal, await addAccount(portal, ['CurrentMeasurements']))
  await page.goto(`${liveAddress(sent)}?tab=history`)
  await expect(fact(page, 'Stacja')).toHaveText(station.shortName)
  await expect(page.getByRole('radio')).toHaveCount(0)
})

test('shows a message for an unknown vehicle', async ({ page, consoleErrors }) => {
  consoleErrors.expect(/vehicles\/987/)
  await page.goto(`/vehicle/987/${station.id}`)
  await expect(page.getByText('Nie ma takiego pojazdu')).toBeVisible()
  await expectAccessible(page)
})

test('the detail passes axe in five languages without overflow', async ({ page }) => {
  const jpeg = await page.screenshot({ type: 'jpeg' })
  const sent = await station.send({ plateLpr: 'AXE0002' })
  await station.sendImage(sent.sequence, sent.createdAt, 'front', jpeg)
  await page.goto(liveAddress(sent))
  await expect(page.getByRole('timer')).toBeVisible()
  await expectAccessible(page)
  await inEveryLanguage(page, () => expect(page.getByRole('timer')).toBeVisible())
})

/** Sharpness of the large image: mean difference of adjacent pixels. */
const detailOf = (page: Page) =>
  page
    .getByRole('region', { name: 'Zdjęcia' })
    .getByRole('button', { name: /Następne zdjęcie/ })
    .getByRole('presentation')
    .evaluate(async (image: HTMLImageElement) => {
      await image.decode()
      const { naturalWidth: width, naturalHeight: height } = image
      const pen = new OffscreenCanvas(width, height).getContext('2d')
      pen?.drawImage(image, 0, 0)
      const pixels = pen?.getImageData(0, 0, width, height).data ?? []
      let sum = 0
      for (let at = 4; at < pixels.length; at += 4) sum += Math.abs((pixels[at] ?? 0) - (pixels[at - 4] ?? 0))
      return sum / (pixels.length / 4)
    })

/** Requests like the page, but from the HTTP cache, regardless of age. */
const fromCache = (page: Page, urls: readonly string[]) =>
  page.evaluate(async (urls) => {
    const headers = { authorization: `Bearer ${sessionStorage.getItem('cvToken')}` }
    return Promise.all(
      urls.map(async (url) => {
        const answer = await fetch(url, { headers, cache: 'force-cache' })
        const digest = await crypto.subtle.digest('SHA-256', await answer.arrayBuffer())
        return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
      }),
    )
  }, urls)

test('shows an anonymised user no sharp image from the cache of an administrator', async ({
  page,
  portal,
  consoleErrors,
}) => {
  // Stripes of 2 px, for maximum sharpness.
  const jpeg = Buffer.from(
    await page.evaluate(() => {
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width: 640, height: 360 })
      const pen = canvas.getContext('2d') as CanvasRenderingContext2D
      pen.fillStyle = 'white'
      for (let x = 0; x < 640; x += 4) pen.fillRect(x, 0, 2, 360)
      return canvas.toDataURL('image/jpeg', 0.95).split(',')[1] ?? ''
    }),
    'base64',
  )
  const sent = await station.send({ plateLpr: 'CCH0001', wrongDirection: true })
  for (const type of ['front', 'side', 'plate']) await station.sendImage(sent.sequence, sent.createdAt, type, jpeg)
  const urls = new Set<string>()
  page.on('request', (request) => request.url().includes('/vehicle-images/') && urls.add(request.url()))
  const sharpnessAt = async (address: string) => {
    await page.goto(address)
    const viewer = page.getByRole('region', { name: 'Zdjęcia' })
    await expect(viewer).toContainText('1 / 3')
    // The full image replaces the thumbnail.
    await expect(viewer.getByRole('button', { name: /Następne zdjęcie/ }).locator('img')).toHaveJSProperty(
      'naturalWidth',
      640,
    )
    return detailOf(page)
  }
  const addresses = [liveAddress(sent), archiveAddress(sent)]
  for (const address of addresses) expect(await sharpnessAt(address)).toBeGreaterThan(30)
  // Three thumbnails and one in full size, at the same addresses in the live list and in the archive.
  expect(urls.size).toBe(4)
  const sharp = await fromCache(page, [...urls])

  await page.getByRole('link', { name: 'Wyloguj' }).click()
  await expect(page).toHaveURL(/\/login/)
  await signIn(page, await addAccount(portal, ['CurrentMeasurements', 'ArchiveMeasurements', 'Anonymization']))
  consoleErrors.expect(/403.*\/vehicle-images\/sharp\//)
  const blurred = await fromCache(page, [...urls])
  for (const digest of blurred) expect(sharp).not.toContain(digest)
  for (const address of addresses) expect(await sharpnessAt(address)).toBeLessThan(3)
})

test('the browser loads an image once, also after a reload', async ({ page }) => {
  const sent = await station.send({ plateLpr: 'CCH0002' })
  await station.sendImage(sent.sequence, sent.createdAt, 'front', await page.screenshot({ type: 'jpeg' }))
  const client = await page.context().newCDPSession(page)
  await client.send('Network.enable')
  const begun = new Map<string, [path: string, isFromCache: boolean]>()
  const loaded: [path: string, isFromCache: boolean][] = []
  client.on('Network.responseReceived', ({ requestId, response }) => {
    const path = new URL(response.url).pathname
    if (path.includes('/vehicle-images/')) begun.set(requestId, [path, response.fromDiskCache ?? false])
  })
  // An image that a reload breaks off is not in the cache.
  client.on('Network.loadingFinished', ({ requestId }) => {
    const image = begun.get(requestId)
    if (image) loaded.push(image)
  })
  await page.goto(archiveAddress(sent))
  await expect.poll(() => loaded.length).toBe(2)
  expect(loaded.map(([, isFromCache]) => isFromCache)).toEqual([false, false])
  await page.reload()
  await expect.poll(() => loaded.length).toBe(4)
  expect(loaded.slice(2).toSorted()).toEqual(
    loaded
      .slice(0, 2)
      .map(([path]) => [path, true])
      .toSorted(),
  )
})

for (const { status, code, headers, delayMs } of [
  { status: 503, code: 'unavailable', headers: {}, delayMs: 5_000 },
  { status: 429, code: 'too-many-requests', headers: { 'retry-after': '6' }, delayMs: 6_000 },
])
  test(`an image that a busy server refuses with ${status} is loaded later`, async ({ page, consoleErrors }) => {
    consoleErrors.expect(/503|429|could not be loaded/)
    const sent = await station.send({ plateLpr: `BSY0${status}` })
    await station.sendImage(sent.sequence, sent.createdAt, 'front', await page.screenshot({ type: 'jpeg' }))
    const refusedAt = new Map<string, number>()
    const delays: number[] = []
    await page.route('**/vehicle-images/**', (route) => {
      const url = route.request().url()
      const before = refusedAt.get(url)
      if (before !== undefined) delays.push(performance.now() - before)
      if (before !== undefined || refusedAt.size === 2) return route.continue()
      refusedAt.set(url, performance.now())
      return route.fulfill({ status, headers, json: [{ path: null, code, userMessage: '' }] })
    })
    await page.goto(archiveAddress(sent))
    const large = page.getByRole('region', { name: 'Zdjęcia' }).getByRole('button', { name: /Następne zdjęcie/ })
    await expect(large.locator('img')).toHaveJSProperty('complete', true)
    await expect.poll(() => delays.length).toBe(refusedAt.size)
    expect(Math.min(...delays)).toBeGreaterThan(delayMs - 100)
  })
