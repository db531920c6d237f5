import { devices, expect, type Page } from '@playwright/test'
import { addScale, scales } from '@rogatka/contract/certificates.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { list, read, weigh } from '@rogatka/contract/inspections.ts'
import { call, tokenOf } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { openInspection } from './src/inspections.ts'
import { openLiveList } from './src/live.ts'
import {
  type Account,
  addAccount,
  expectAccessible,
  expectNoOverflow,
  inEveryLanguage,
  openPage,
  signInByApi,
} from './src/operator.ts'
import type { Portal } from './src/portal.ts'
import { recordShifts } from './src/shift.ts'
import { addStation, type Station } from './src/station.ts'

const phone = { width: 390, height: 844 }

let station: Station
let officer: Account
test.beforeAll(async ({ portal }) => {
  station = await addStation(portal, 970, 'S8 Kontrolno')
  officer = await addAccount(portal, ['Inspections', 'CurrentMeasurements', 'ArchiveMeasurements'])
  await call(portal, await tokenOf(portal), addScale, {
    body: {
      name: 'SAW 10C/1482',
      certificate: 'OUM-7/2026',
      authority: 'OUM Warszawa',
      validFrom: '2026-01-01',
      validUntil: '2099-12-31',
      accuracyPercent: 1,
      kind: 'axle',
    },
  })
})

/** The lorry of the specification's example, over its limits. */
const overloaded = (plateLpr: string) => ({
  plateLpr,
  axles: [
    { type: 1, leftWeight: 3_710, rightWeight: 3_710, gap: 0 },
    { type: 1, leftWeight: 6_970, rightWeight: 6_970, gap: 360 },
    { type: 3, leftWeight: 4_310, rightWeight: 4_310, gap: 540 },
    { type: 3, leftWeight: 4_255, rightWeight: 4_255, gap: 130 },
    { type: 3, leftWeight: 4_205, rightWeight: 4_205, gap: 130 },
  ],
})

/** Announces a vehicle of the live list by keyboard. */
async function announce(page: Page, plate: string) {
  await openLiveList(page, station.shortName)
  const card = page.getByRole('article').filter({ hasText: plate })
  await card.getByRole('link').focus()
  await card.getByRole('link').press('i')
  await expect(page.getByText(/^Zapowiedziano kontrolę K\/\d+\/20\d\d\//)).toBeVisible()
  await expect(card).toContainText('zapowiedziany')
}

/** Chooses the scale of the tests; the device remembers it. */
async function chooseScale(page: Page) {
  await page.getByRole('button', { name: /zmień wagę$/ }).click()
  await page.getByRole('menuitem', { name: /^SAW 10C/ }).click()
}

const keypad = (page: Page) => page.getByRole('group', { name: 'Klawiatura' })

/** Types tonnes on the keypad. */
async function typeWeights(page: Page, ...weights: string[]) {
  for (const weight of weights) {
    for (const key of weight)
      await keypad(page)
        .getByRole('button', { name: key === ',' ? 'Przecinek' : key, exact: true })
        .click()
    await keypad(page)
      .getByRole('button', { name: /^Dalej/ })
      .click()
  }
}

const latest = async (portal: Portal) => {
  const token = await tokenOf(portal, officer)
  const { content } = await call(portal, token, list, { query: { limit: 1, locations: '970' } as never })
  return call(portal, token, read, { params: { id: content[0]?.id as number } })
}

test('an officer takes a vehicle over on a phone, weighs five axles and closes the inspection', async ({
  page,
  portal,
}) => {
  await signInByApi(page, portal, officer)
  await station.send(overloaded('PO7XA93'))
  await announce(page, 'PO 7XA93')
  await page.setViewportSize(phone)
  await openPage(page, '/inspections')
  await expectAccessible(page)
  const taken = page.waitForResponse(/\/inspections\/\d+\/take-over$/)
  await page.getByRole('button', { name: 'Przejmij PO 7XA93' }).click()
  await expect(page.getByText(/^szkic zapisany/)).toHaveCount(0)
  // A take-over that the reload breaks off would be sent again, and shown as unsent meanwhile.
  await taken
  // Opened by its address, nothing moves when the inspection arrives.
  const shift = await recordShifts(page)
  await page.reload()
  await expect(page.getByRole('list', { name: 'Osie' })).toBeVisible()
  expect(await shift()).toBeLessThan(0.01)
  await chooseScale(page)
  await typeWeights(page, '31')
  await expect(page.getByText('największe 30 t')).toBeVisible()
  for (const _ of '31') await keypad(page).getByRole('button', { name: 'Usuń cyfrę' }).click()
  const place = await keypad(page).boundingBox()
  await typeWeights(page, '7,3', '13,7', '8,4', '8,35')
  const row = page.getByRole('list', { name: 'Osie' }).getByRole('button')
  await expect(row.nth(1)).toContainText('+17,9')
  await expect(row.nth(1)).toContainText('WIM +1,8')
  await expect(row.nth(4)).not.toContainText('WIM')
  await expect(page.getByText('Już pewne: oś 2 ponad dopuszczalną o 17,9')).toBeInViewport({ ratio: 1 })
  await expect(row.nth(4)).toBeInViewport({ ratio: 1 })
  expect(await keypad(page).boundingBox()).toEqual(place)
  const skip = await page.getByRole('button', { name: 'Zakończ bez ważenia' }).boundingBox()
  expect((skip?.y ?? 0) + (skip?.height ?? 0)).toBeLessThanOrEqual(place?.y ?? 0)
  await expectAccessible(page)
  await typeWeights(page, '8,05')

  await expect(page.getByText('Naruszenie potwierdzone: masa, grupa 3–5, oś 2')).toBeVisible()
  await expect(page.getByText('+13,4')).toBeVisible()
  // Weights that were corrected and left are those of the result, and are sent with it.
  await page.getByRole('button', { name: 'Do ważenia' }).click()
  await row.nth(4).click()
  await keypad(page).getByRole('button', { name: 'Usuń cyfrę' }).click()
  await keypad(page).getByRole('button', { name: '9', exact: true }).click()
  await page.getByRole('button', { name: 'Do kolejki kontroli' }).click()
  await page.getByRole('button', { name: 'Dokończ kontrolę PO 7XA93' }).click()
  await expect(page.getByText('45,84')).toBeVisible()
  await page.getByRole('button', { name: 'Zgodny' }).click()
  await page.getByRole('button', { name: 'Postępowanie administracyjne' }).click()
  await expect(page.getByRole('button', { name: 'Zgodny' })).toHaveAttribute('aria-pressed', 'false')
  await page.getByRole('textbox', { name: 'Kwota' }).fill('5 000,50')
  await page.getByRole('textbox', { name: 'Przewoźnik' }).fill('Trans-Bug sp. z o.o., Wyszków')
  await page.getByRole('textbox', { name: 'NIP' }).fill('1234563218')
  await expectAccessible(page)
  await expectNoOverflow(page)
  await page.getByRole('button', { name: 'Zakończ kontrolę' }).click()
  await expect(page).toHaveURL(/\/inspections$/)
  await expect.poll(async () => (await latest(portal)).state).toBe('closed')
  const stored = await latest(portal)
  expect(stored).toMatchObject({
    state: 'closed',
    confirmed: true,
    results: [4],
    fineAmount: 500_050,
    carrier: 'Trans-Bug sp. z o.o., Wyszków',
    static: { gross: { load: 45_840 } },
  })

  await page.setViewportSize({ width: 1440, height: 900 })
  // The page of the vehicle compares them, too, and leads to the inspection.
  await page.goto(`${portal.url}/vehicleArch/${stored.wim?.id}/970/${stored.wim?.createdAt}`)
  await expect(page.getByRole('row', { name: /^Masa/ })).toContainText('45,84')
  await expect(
    page
      .getByRole('row', { name: /^Statycznie/ })
      .getByRole('cell')
      .nth(1),
  ).toHaveText('13,70')
  await expectAccessible(page)
  await page.setViewportSize(phone)
  await expectNoOverflow(page)
  await expect(page.getByRole('button', { name: 'Oznacz' })).toBeInViewport({ ratio: 1 })
  await page.getByRole('region', { name: 'Kontrola pojazdu' }).getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`/inspections/${stored.id}$`))
  await page.setViewportSize({ width: 1440, height: 900 })
  const total = page.getByRole('row', { name: /^Masa/ })
  await expect(total).toContainText('46,90')
  await expect(total).toContainText('45,84')
  await expect(total).toContainText('+1 060')
  await expectAccessible(page)
  await inEveryLanguage(page)
})

test('keeps typed weights through a lost connection and a reload, and sends them once', async ({
  page,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/inspections\/\d+\/[a-z-]+/)
  await signInByApi(page, portal, officer)
  await station.send(overloaded('GDA8K210'))
  await announce(page, 'GDA 8K210')
  await openPage(page, '/inspections')
  const steps: string[] = []
  let isLost = true
  await page.route('**/api/v1/inspections/*/*', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    steps.push(route.request().url().split('/').at(-1) as string)
    if (!isLost) return route.continue()
    // The server has done it, and its answer is lost.
    await route.fetch()
    return route.abort()
  })
  await page.getByRole('button', { name: 'Przejmij GDA 8K210' }).click()
  await expect(keypad(page)).toBeVisible()
  await chooseScale(page)
  await page.keyboard.type('7,3')
  await page.keyboard.press('Enter')
  await page.keyboard.type('13,7')
  await expect(page.getByText(/zapisano na urządzeniu .* wyśle się samo$/)).toBeVisible()
  await page.reload()
  const row = page.getByRole('list', { name: 'Osie' }).getByRole('button')
  await expect(row.nth(0)).toContainText('7,3')
  await expect(row.nth(1)).toContainText('13,7')
  await page.keyboard.press('Enter')
  for (const weight of ['8,4', '8,35', '8,05']) {
    await page.keyboard.type(weight)
    await page.keyboard.press('Enter')
  }
  await page.getByRole('button', { name: 'Mandat' }).click()
  await page.getByRole('button', { name: 'Zakończ kontrolę' }).click()
  await expect(page.getByText('zakończona, czeka na wysłanie')).toBeVisible()
  await expect(page.getByText(/^K\/\d+\/\d+\/\w+ zapisana na urządzeniu, wyśle się sama$/)).toBeVisible()
  isLost = false
  await expect.poll(async () => (await latest(portal)).state).toBe('closed')
  const stored = await latest(portal)
  expect(stored).toMatchObject({ version: 4, results: [3], static: { gross: { load: 45_800 } } })
  expect(new Set(steps)).toEqual(new Set(['take-over', 'weighing', 'close']))
})

test('tells the second of two officers who take the same vehicle who has it', async ({ page, portal, browser }) => {
  await signInByApi(page, portal, officer)
  // Only their own station, where nothing else happens.
  await page.addInitScript((id) => localStorage.setItem('inspection-point', id), String(station.id))
  const longAgo = new Date(Date.now() - 300_000).toISOString()
  const { sequence, createdAt } = await station.send({ ...overloaded('B214NTR'), createdAt: longAgo })
  await openInspection(portal, await tokenOf(portal, officer), {
    locationId: station.id,
    vehicleId: vehicleId(station.id, sequence),
    createdAt,
    state: 'announced',
  })
  await station.send(overloaded('BKX4127'))
  await announce(page, 'BKX 4127')
  await page.keyboard.press('i')
  await expect(page.getByRole('dialog')).toContainText(/BKX 4127 · K\/\d+\/20/)
  await page.keyboard.press('Escape')
  await openPage(page, '/inspections')
  // The navigation counts what the line above the queue does: not the vehicle that has passed.
  await expect(
    page.getByRole('list', { name: 'Kolejka kontroli' }).getByText(/^powinien być na miejscu od/),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Przejmij B214NTR' })).toBeVisible()
  await expect(page.getByRole('main').getByText(/^1 jedzie$/)).toBeVisible()
  await expect(page.getByRole('link', { name: /^Kontrola/ })).toHaveText(/1$/)
  // The queue comes before the live list that stands left of it.
  await expect(page.getByRole('main').getByRole('article').filter({ hasText: 'BKX 4127' })).toHaveCount(2)
  await page.getByRole('main').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Przejmij BKX 4127' })).toBeFocused()
  const other = await addAccount(portal, ['Inspections'])
  const context = await browser.newContext({ ...devices['Pixel 7'], locale: 'pl-PL' })
  const second = await context.newPage()
  await signInByApi(second, portal, other)
  await second.goto(`${portal.url}/inspections`)
  await expect(second.getByRole('button', { name: 'Przejmij BKX 4127' })).toBeVisible()
  // Their queue is as old as the first tap.
  await second.route('**/api/v1/inspections?*', (route) => route.abort())
  await page.getByRole('button', { name: 'Przejmij BKX 4127' }).click()
  await expect(page.getByRole('group', { name: 'Klawiatura' })).toBeVisible()
  await expect.poll(async () => (await latest(portal)).state).toBe('takenOver')
  await second.getByRole('button', { name: 'Przejmij BKX 4127' }).click()
  const notice = second.getByRole('alert').filter({ hasText: `Przejął ${officer.username} o ` })
  await expect(notice).toBeVisible()
  await second.reload()
  await expect(notice).toBeVisible()
  await expect(notice.getByRole('button', { name: 'Spróbuj ponownie' })).toHaveCount(0)
  // Nothing was entered: there is nothing to keep, but the vehicle can be taken from them.
  await expect(notice).not.toContainText('zachowane')
  await expect(second.getByRole('button', { name: `Przejmij od: ${officer.username}` })).toBeVisible()
  await notice.getByRole('button', { name: 'Do kolejki' }).click()
  await expect(second).toHaveURL(/\/inspections$/)
  await context.close()
})

test('weights that are corrected on a desk and not finished are closed as they are shown', async ({ page, portal }) => {
  await signInByApi(page, portal, officer)
  const token = await tokenOf(portal, officer)
  const { sequence, createdAt } = await station.send(overloaded('WX12345'))
  const { id, version } = await openInspection(portal, token, {
    locationId: station.id,
    vehicleId: vehicleId(station.id, sequence),
    createdAt,
    state: 'takenOver',
  })
  const scale = (await call(portal, token, scales, {})).find(({ name }) => name === 'SAW 10C/1482')
  const body = { version, scaleId: scale?.id as number, gross: 54_300 }
  // The page of the vehicle shows the weights as soon as they are stored.
  await page.goto(`${portal.url}/vehicle/${vehicleId(station.id, sequence)}/${station.id}`)
  const inspection = page.getByRole('region', { name: 'Kontrola pojazdu' })
  await expect(inspection).toContainText('podjęta')
  await call(portal, token, weigh, { params: { id }, body })
  await expect(inspection).toContainText('54,30')
  await page.goto(`${portal.url}/inspections/${id}`)
  await page.getByRole('button', { name: 'Popraw wagi' }).click()
  await expect(page.getByRole('list', { name: 'Cały pojazd' }).getByRole('button')).toBeFocused()
  await page.getByRole('button', { name: 'Pouczenie' }).click()
  for (let digit = 0; digit < 5; digit++) await page.keyboard.press('Backspace')
  // Incomplete weights lead back to the keypad.
  await page.getByRole('button', { name: 'Zakończ kontrolę' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Uzupełnij wagi albo zostaw zapisane.' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.type('25,4')
  await page.getByRole('button', { name: 'Zakończ kontrolę' }).click()
  await expect.poll(async () => (await call(portal, token, read, { params: { id } })).state).toBe('closed')
  const { static: stored, results } = await call(portal, token, read, { params: { id } })
  expect([stored?.gross.load, results]).toEqual([25_400, [2]])
})

test('a random stop is judged by the kind and spacings that the officer enters, as the server does', async ({
  page,
  portal,
}) => {
  await page.setViewportSize(phone)
  await signInByApi(page, portal, officer)
  const token = await tokenOf(portal, officer)
  const { id } = await openInspection(portal, token, {
    locationId: station.id,
    state: 'takenOver',
    selection: 'random',
  })
  await page.goto(`${portal.url}/inspections/${id}`)
  await chooseScale(page)
  // The result is entered before the server has the weights.
  let answer = () => {}
  const isAsked = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/weighing', async (route) => {
    await isAsked
    await route.continue()
  })
  await typeWeights(page, '7', '12')
  await page.getByRole('button', { name: 'Do ważenia' }).click()
  await expect(page.getByText(/brakuje rozstawu 1–2/)).toBeVisible()
  await page.getByRole('button', { name: /^Rodzaj i rozstawy osi/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Ciężarowy', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Rozstaw osi 1–2' }).fill('38')
  await dialog.getByRole('button', { name: 'Zapisz' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Od 0,30 do 30,00 m')
  await expectAccessible(page)
  await dialog.getByRole('textbox', { name: 'Rozstaw osi 1–2' }).fill('3,8')
  await dialog.getByRole('button', { name: 'Zapisz' }).click()
  await expectAccessible(page)
  await expectNoOverflow(page)
  await keypad(page)
    .getByRole('button', { name: /^Dalej/ })
    .click()
  await expect(page.getByText('Naruszenie potwierdzone: masa, oś 2')).toBeVisible()
  await page.getByRole('button', { name: 'Zgodny' }).click()
  await page.getByRole('textbox', { name: 'Dlaczego zgodny mimo przekroczenia?' }).fill('zezwolenie kategorii III')
  await page.getByRole('button', { name: 'Zakończ kontrolę' }).click()
  answer()
  await expect.poll(async () => (await call(portal, token, read, { params: { id } })).state).toBe('closed')
  expect(await call(portal, token, read, { params: { id } })).toMatchObject({
    ctg8p1: 3,
    results: [1],
    confirmed: true,
    static: { gaps: [380], gross: { load: 19_000, limit: 18_000 } },
  })
})

test('a vehicle stopped at random is in the queue with the plate that was entered', async ({ page, portal }) => {
  const account = await addAccount(portal, ['Inspections'])
  await signInByApi(page, portal, account)
  await page.goto('/inspections')
  await page.getByRole('button', { name: 'Kontrola losowa' }).click()
  const dialog = page.getByRole('dialog', { name: 'Kontrola losowa' })
  await dialog.getByRole('combobox', { name: 'Stacja' }).click()
  await page.getByRole('option', { name: station.shortName }).click()
  await dialog.getByLabel('Tablica (opcjonalnie)').fill('ltu 482')
  await dialog.getByRole('combobox', { name: 'Kraj' }).fill('Litwa')
  await page.getByRole('option', { name: 'Litwa (LT)' }).click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Przejmij' }).click()
  await expect(page).toHaveTitle(/^(?:\(\S+\) )?K\/\S+ · Rogatka$/)
  await page.goto('/inspections')
  const card = page.getByRole('article').filter({ hasText: 'LTU 482' })
  await expect(card.getByRole('link')).toHaveAccessibleName(/^LT LTU 482/)
})
