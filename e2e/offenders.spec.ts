import { expect, type Page } from '@playwright/test'
import { list } from '@rogatka/contract/offenders.ts'
import { DAY_MS, HOUR_MS } from '@rogatka/domain/core/time.ts'
import { call, tokenOf } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { createOfficer } from './src/inspections.ts'
import { plateText } from './src/live.ts'
import { addAccount, expectAccessible, expectNoOverflow, inEveryLanguage, signInByApi } from './src/operator.ts'
import type { Portal } from './src/portal.ts'
import { addStation, type Station } from './src/station.ts'

let station: Station

/** All axles of the vehicle over their limits. */
const OVERLOADED = {
  axles: [0, 374, 562, 131, 131].map((gap) => ({ type: 1, leftWeight: 6_500, rightWeight: 6_500, gap })),
}
const WITHIN = {
  axles: [0, 374, 562, 131, 131].map((gap) => ({ type: 1, leftWeight: 3_500, rightWeight: 3_500, gap })),
}

/** Static loads in kg. */
const WEIGHTS = [7_000, 10_900, 7_450, 7_450, 7_500]

/** Noon-like times on different days, the latest two hours ago. */
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS - 2 * HOUR_MS).toISOString()

/**
 * WGM7L391 with 7 passages, 6 of them overloaded, of which one was read as WGM7L39I, and BI8812R with 4 of 5 overloaded,
 * which was inspected once.
 */
async function sendPassages(portal: Portal) {
  for (const day of [1, 2, 3, 4, 5])
    await station.send({ plateLpr: 'WGM7L391', createdAt: daysAgo(day), ...OVERLOADED })
  await station.send({ plateLpr: 'WGM7L391', createdAt: daysAgo(6), ...WITHIN })
  await station.send({ plateLpr: 'WGM7L39I', createdAt: daysAgo(8), ...OVERLOADED })
  // Another vehicle, with the same plate.
  await station.send({ plateLpr: 'WGM7L391', nationality: 'D', createdAt: daysAgo(7), ...WITHIN })
  for (const day of [1, 2, 3]) await station.send({ plateLpr: 'BI8812R', createdAt: daysAgo(day), ...OVERLOADED })
  await station.send({ plateLpr: 'BI8812R', createdAt: daysAgo(5), ...WITHIN })
  const inspect = await createOfficer(portal, 'Waga Trzcianka')
  const measured = { plateLpr: 'BI8812R', createdAt: daysAgo(0), ...OVERLOADED }
  await inspect({ station, measured, selection: 'preselected', axles: WEIGHTS, carrier: 'Kruszywa Narew' })
}

/** The server counts every minute, which this does not wait for. */
async function count(portal: Portal) {
  const token = await tokenOf(portal)
  await expect
    .poll(async () => {
      await portal.manage('offenders', 'count')
      return (await call(portal, token, list, { query: { locations: '965' } })).totalCount
    })
    .toBe(2)
}

test.beforeAll(async ({ portal }) => {
  station = await addStation(portal, 965, 'S8 Trzcianka')
  await sendPassages(portal)
  await count(portal)
})

const PAGE = '/offenders?locations=965'
const row = (page: Page, plate: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: plateText(plate) }) })
const panel = (page: Page) => page.getByRole('complementary', { name: 'Wybrany pojazd' })

test('lists repeat offenders, opens one by keyboard, and its passages in the archive', async ({ page, portal }) => {
  await signInByApi(page, portal)
  await page.goto(PAGE)
  await expect(page.getByText('2 tablice, 10 przeciążonych przejazdów')).toBeVisible()
  await expect(page.getByText(/1–2 z 2 · policzono do \d\d\.\d\d\.\d{4} \d\d:00/)).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toContainText(
    /WGM 7L391.*\+1.*recydywa od \d\d\.\d\d\.\d{4}.*7.*6.*86.*nigdy/,
  )
  await expect(page.getByRole('row').nth(2)).toContainText(/BI 8812R.*Kruszywa Narew.*5.*4.*80.*1.*pouczenie/)
  await page.getByRole('button', { name: 'Udział' }).click()
  await page.getByRole('button', { name: 'Udział' }).click()
  await expect(page.getByRole('columnheader', { name: 'Udział' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(page.getByRole('row').nth(1)).toContainText('BI 8812R')

  await row(page, 'WGM7L391').getByRole('link').press('Enter')
  await expect(panel(page).getByRole('heading', { name: 'WGM 7L391' })).toBeFocused()
  await expect(panel(page).getByRole('listitem').filter({ hasText: 'WGM 7L39I' })).toContainText(
    /I ~ 1.*1 przejazd.*Rozłącz.*1 i 6.*3,74/,
  )
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(row(page, 'WGM7L391').getByRole('link')).toBeFocused()
  await page.keyboard.press('Enter')
  await panel(page).getByRole('link', { name: 'Pokaż 7 przejazdów' }).click()
  await expect(page.getByRole('status').getByText('7 pojazdów')).toBeVisible()
  await expect(page.getByRole('complementary').getByText('WGM7L39I')).toBeVisible()
  await page.goBack()
  await panel(page).getByRole('link', { name: 'Dodaj do czarnej listy' }).click()
  await expect(page.getByLabel('Tablica', { exact: true })).toHaveValue('WGM7L391')
})

test('changes filters in the URL, and offers a lower number if nothing is found', async ({ page, portal }) => {
  await signInByApi(page, portal)
  await page.goto(PAGE)
  await page.getByLabel('Co najmniej').fill('9')
  await page.getByLabel('Co najmniej').press('Enter')
  await expect(page.getByText('Nikt nie przejechał przeciążony 9 razy.')).toBeVisible()
  await page.getByRole('button', { name: 'Zmniejsz do 4' }).click()
  await expect(page).toHaveURL(/minOverloads=4/)
  await expect(page.getByText('2 tablice,')).toBeVisible()
  await page.getByLabel('Tylko recydywa').uncheck()
  await expect(page).toHaveURL(/all=true/)
  await page.getByRole('radiogroup', { name: 'Zestawienie według' }).getByText('Przewoźnicy').click()
  await expect(page.getByText('1 przewoźnik, 4 przeciążone przejazdy')).toBeVisible()
  await page.getByRole('link', { name: 'Kruszywa Narew' }).press('Enter')
  const carrier = page.getByRole('complementary', { name: 'Wybrany przewoźnik' })
  await expect(carrier.getByRole('heading', { name: 'Kruszywa Narew' })).toBeFocused()
  await expect(carrier.getByRole('listitem').first()).toContainText(/BI 8812R.*4 \/ 5/)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('link', { name: 'Kruszywa Narew' })).toBeFocused()
  await page.goBack()
  await carrier.getByRole('link', { name: plateText('BI8812R') }).click()
  await expect(panel(page).getByRole('heading', { name: 'BI 8812R' })).toBeVisible()
  await page.goto(PAGE)
  await inEveryLanguage(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await row(page, 'BI8812R').getByRole('link').click()
  await expectNoOverflow(page)
})

test('splits a reading for good, and refuses the page to users of anonymised data', async ({ page, portal }) => {
  const account = await addAccount(portal, ['Offenders'])
  await signInByApi(page, portal, account)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(PAGE)
  await row(page, 'WGM7L391').getByRole('link').click()
  const drawer = page.getByRole('dialog', { name: 'Wybrany pojazd' })
  await expect(drawer.getByRole('link')).toHaveCount(0)
  await drawer.getByRole('button', { name: 'Rozłącz WGM7L39I' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rozłączyć WGM 7L39I na stałe?' })
  await dialog.getByRole('button', { name: 'Rozłącz' }).click()
  await expect(drawer.getByText('Połączone odczyty')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(row(page, 'WGM7L391')).toContainText(/6.*5.*83/)

  await signInByApi(page, portal, await addAccount(portal, ['Offenders', 'Anonymization']))
  await page.goto(PAGE)
  await expect(page.getByRole('main')).toHaveText('Brak uprawnień do tej czynności.')
  await expect(page.getByRole('link', { name: 'Statystyki' })).toHaveCount(0)
})
