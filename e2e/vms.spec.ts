import { type Browser, expect, type Page } from '@playwright/test'
import { vehicleId, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import { test } from './src/fixtures.ts'
import { cardOf, openLiveList, plateText } from './src/live.ts'
import {
  type Account,
  addAccount,
  expectAccessible,
  expectNoOverflow,
  inEveryLanguage,
  signInByApi,
} from './src/operator.ts'
import type { Portal } from './src/portal.ts'
import { addContent, addSignGroup, disable, enable } from './src/signs.ts'
import { addStation, type Station } from './src/station.ts'

/** Stations with two sign groups, with one whose sign is off, and with none. */
let station: Station
let dark: Station
let bare: Station
let north: { id: number; signs: number[] }

test.beforeAll(async ({ portal }) => {
  station = await addStation(portal, 950, 'S8 Znakowo')
  dark = await addStation(portal, 951, 'S8 Ciemno')
  bare = await addStation(portal, 952, 'S8 Bezznak')
  const contents = {
    weigh: await addContent(portal, 'Próba: na wagę', { lines: ['CIĘŻAROWE', 'NA WAGĘ'] }),
    slow: await addContent(portal, 'Próba: 50', { pictogram: 'speed-50', graphic: 50 }),
  }
  const variants = ['kontrola', 'ograniczenie']
  north = await addSignGroup(portal, station.id, 'Kierunek północny', variants, contents, [
    { chainage: '2+000', contents: ['weigh', 'slow'], showsPlates: true },
    { chainage: '2+500', contents: ['slow', 'slow'] },
  ])
  await addSignGroup(portal, station.id, 'Kierunek południowy', variants, contents, [
    { chainage: '3+000', contents: ['weigh', 'slow'] },
    { chainage: '3+500', contents: ['weigh', 'slow'], behaves: { mode: 'local' } },
    { chainage: '4+000', contents: ['weigh', 'slow'], behaves: { offline: 'yes' } },
  ])
  await addSignGroup(portal, dark.id, 'Węzeł ciemny', ['kontrola'], contents, [
    { chainage: '1+000', contents: ['weigh'], showsPlates: true, behaves: { offline: 'yes' } },
  ])
})

test.beforeEach(async ({ page, portal }) => {
  await signInByApi(page, portal)
})

const groupOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const rowOf = (page: Page, group: string, chainage: string) =>
  groupOf(page, group).getByRole('row').filter({ hasText: chainage })

/** Clicks a button of a group and confirms. */
async function command(page: Page, group: string, name: string) {
  await groupOf(page, group).getByRole('button', { name }).click()
  await page.getByRole('dialog').getByRole('button', { name }).click()
}

/** A lorry at 36 km/h: 100 s to the sign and 250 s to the checkpoint. */
const slow = { speed: 36 } as const
const addressOf = (at: Station, { sequence }: WireMeasurement) => `/vehicle/${vehicleId(at.id, sequence)}/${at.id}`
const signButton = (page: Page) => page.getByRole('region', { name: 'Znak', exact: true })

/** Another user in another browser context. */
async function secondOperator(browser: Browser, portal: Portal, account?: Account) {
  const context = await browser.newContext({ baseURL: portal.url })
  const page = await context.newPage()
  await signInByApi(page, portal, account)
  return page
}

test.describe('sign screen', () => {
  test('lists sign groups, the first one open, with all data of their signs', async ({ page }) => {
    await page.goto(`/vms?locations=${station.id}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Grupy znaków, ${station.shortName}`)
    const south = groupOf(page, 'Kierunek południowy').getByRole('button', { name: 'Kierunek południowy' })
    await expect(south).toHaveAttribute('aria-expanded', 'false')
    const row = rowOf(page, 'Kierunek północny', '2+000')
    await expect(row.getByRole('cell')).toHaveText([
      '1',
      /S8/,
      '2+000',
      /^10\.9\./,
      'dostępny',
      /^odpowiada/,
      'NIE',
      /wygaszony/,
      /1: kontrola/,
    ])
    await expect(row.getByRole('img', { name: 'Po włączeniu: CIĘŻAROWE NA WAGĘ' })).toHaveJSProperty('complete', true)

    await south.click()
    await expect(page).toHaveURL(/open=/)
    await expect(rowOf(page, 'Kierunek południowy', '4+000')).toContainText('niedostępny')
    await expect(rowOf(page, 'Kierunek południowy', '4+000')).toContainText('brak danych')
    await expect(rowOf(page, 'Kierunek południowy', '3+500')).toContainText('sterowanie lokalne')
    await page.reload()
    await expect(rowOf(page, 'Kierunek południowy', '3+000')).toBeVisible()
    const legend = page.getByRole('list', { name: 'Legenda' })
    await expect(legend.getByRole('listitem')).toHaveText([
      'dostępny',
      'niedostępny',
      'awaria',
      'włączony',
      'pokazuje co innego niż polecono',
    ])
  })

  test('keeps a selected variant across polls, enables and disables it', async ({ page }) => {
    await page.goto(`/vms?locations=${station.id}`)
    const group = groupOf(page, 'Kierunek północny')
    await group.getByRole('combobox').click()
    const option = page.getByRole('option', { name: /2: ograniczenie/ })
    await expect(option.getByAltText('Próba: 50')).toBeVisible()
    await option.click()
    for (const _ of [1, 2]) await page.waitForResponse(/vms-groups-status/)
    await expect(group.getByRole('combobox')).toHaveValue('2: ograniczenie')

    await group.getByRole('button', { name: 'Włącz wszystkie' }).click()
    await expect(page.getByRole('dialog')).toContainText('Znak 2, S8 2+500')
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Włącz wszystkie' }).click()
    // It disappears by itself.
    await expect(page.getByText('Kierunek północny: włączono 2 znaki.')).toBeVisible()
    for (const chainage of ['2+000', '2+500']) {
      const row = rowOf(page, 'Kierunek północny', chainage)
      await expect(row).toContainText('włączony')
      await expect(row).toContainText('TAK')
      await expect(row).toContainText('2: ograniczenie')
      await expect(row).toContainText('admin')
      await expect(row.getByRole('img', { name: 'Próba: 50', exact: true })).toBeVisible()
    }

    await command(page, 'Kierunek północny', 'Wyłącz wszystkie')
    await expect(rowOf(page, 'Kierunek północny', '2+500')).toContainText('NIE')
    await expect(group).toContainText('2 znaki, 0 włączonych')
  })

  test('names refusing signs with their reason and keeps the others enabled', async ({ page }) => {
    await page.goto(`/vms?locations=${station.id}`)
    await groupOf(page, 'Kierunek południowy').getByRole('button', { name: 'Kierunek południowy' }).click()
    await command(page, 'Kierunek południowy', 'Włącz wszystkie')
    const refusals = groupOf(page, 'Kierunek południowy').getByRole('alert')
    await expect(refusals).toContainText('Włączono 1 z 3 znaków.')
    await expect(refusals).toContainText('Znak 2, S8 3+500: Znak jest sterowany lokalnie')
    await expect(refusals).toContainText(/Znak 3, S8 4\+000: Znak (niedostępny|nie odpowiedział)/)
    await expect(refusals).toContainText('Włączone znaki: 1.')
    await expect(rowOf(page, 'Kierunek południowy', '3+000')).toContainText('TAK')
    await refusals.getByRole('button', { name: 'Zamknij' }).click()
    await expect(refusals).toHaveCount(0)
  })

  test('keeps the station filter in the address, with a message for a station without signs', async ({ page }) => {
    await page.goto('/vms')
    const filter = page.getByRole('complementary', { name: 'Stacje' })
    await filter.getByRole('checkbox', { name: bare.shortName }).check()
    await expect(page).toHaveURL(new RegExp(`locations=${bare.id}`))
    await expect(page.getByText(`Brak danych o znakach dla stacji ${bare.shortName}.`)).toBeVisible()
    await filter.getByRole('checkbox', { name: dark.shortName }).check()
    await expect(groupOf(page, 'Węzeł ciemny')).toBeVisible()
    await expect(page.getByText(`Brak danych o znakach dla stacji ${bare.shortName}.`)).toBeVisible()
    await page.reload()
    await expect(filter.getByRole('checkbox', { name: dark.shortName })).toBeChecked()
    await filter.getByRole('button', { name: 'Pokaż wszystkie stacje' }).click()
    await expect(groupOf(page, 'Kierunek północny')).toBeVisible()
  })

  test('keeps the last state with its age while the server is unavailable', async ({ page, consoleErrors }) => {
    consoleErrors.expect(/vms-groups-status|ERR_FAILED/)
    await page.goto(`/vms?locations=${station.id}`)
    await expect(rowOf(page, 'Kierunek północny', '2+000')).toBeVisible()
    let isRefused = true
    await page.route(/vms-groups-status/, (route) => (isRefused ? route.abort() : route.fallback()))
    const failure = page.getByRole('alert').filter({ hasText: 'Nie udało się pobrać stanu znaków.' })
    await expect(failure).toBeVisible()
    await expect(rowOf(page, 'Kierunek północny', '2+000')).toBeVisible()
    await expect(page.getByText(/^stan sprzed [1-9]\d* s$/)).toBeVisible()
    // At once: the next poll takes the button away.
    const retry = await failure.getByRole('button', { name: 'Spróbuj ponownie' }).elementHandle()
    isRefused = false
    await retry?.evaluate((button: HTMLElement) => button.click())
    await expect(failure).toHaveCount(0)
  })

  test('passes axe in five languages without overflow on a phone', async ({ page }) => {
    await page.goto(`/vms?locations=${station.id}`)
    const table = page.getByRole('table')
    await expect(table.getByRole('img').first()).toBeVisible()
    await expectAccessible(page)
    await inEveryLanguage(page, () => expect(table.getByRole('img').first()).toBeVisible())
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
    await expectNoOverflow(page)
  })
})

test.describe('vehicle on a sign', () => {
  test.beforeAll(({ portal }) => enable(portal, north.id))
  test.afterAll(({ portal }) => disable(portal, north.id))

  test('W shows the plate with the time to the sign and its operator to others, and clears it', async ({
    page,
    browser,
    portal,
  }) => {
    const first = await station.send({ ...slow, plateLpr: 'ZNK0001' })
    const second = await station.send({ ...slow, plateLpr: 'ZNK0002' })
    await page.goto(addressOf(station, first))
    const sign = signButton(page)
    await expect(sign.getByRole('button', { name: 'Wyświetl na znaku: tablica' })).toBeEnabled()
    await expect(sign).toContainText(/czas do znaku 01:[0-3]\d/)
    await page.keyboard.press('w')
    await expect(sign.getByRole('button', { name: plateText('ZNK0001', 'Anuluj wyświetlanie: ') })).toBeEnabled()
    await expect(sign).toContainText(/na znaku od 00:\d\d · czas do znaku 0[01]:\d\d/)

    const other = await secondOperator(browser, portal, await addAccount(portal, ['CurrentMeasurements', 'Vms']))
    await other.goto(addressOf(station, first))
    await expect(signButton(other)).toContainText('Ten pojazd został już wybrany do kontroli · ustawił: admin')
    await expect(signButton(other).getByRole('button', { name: /^Wyświetl na znaku/ })).toBeDisabled()
    await other.goto(addressOf(station, second))
    await expect(signButton(other)).toContainText('Inny pojazd został już wybrany do kontroli · ustawił: admin')
    await openLiveList(other, station.shortName)
    await expect(cardOf(other, 'ZNK0001')).toContainText('na znaku')
    await expect(cardOf(other, 'ZNK0002')).not.toContainText('na znaku')

    await page.keyboard.press('w')
    await expect(sign.getByRole('button', { name: 'Wyświetl na znaku: tablica' })).toBeEnabled()
    await other.goto(addressOf(station, second))
    await expect(signButton(other).getByRole('button', { name: 'Wyświetl na znaku: tablica' })).toBeEnabled()
    await other.context().close()
  })

  test('the dropdown changes the content to all lorries, and the sign screen names the operator', async ({ page }) => {
    const sent = await station.send({ ...slow, plateLpr: 'ZNK0003' })
    await page.goto(addressOf(station, sent))
    const sign = signButton(page)
    await sign.getByRole('button', { name: 'Treść na znaku' }).click()
    await expectAccessible(page)
    await page.getByRole('menuitemradio', { name: 'wszystkie ciężarowe' }).click()
    // Keys that are pressed in a menu are its own.
    await expect(page.getByRole('menu')).toHaveCount(0)
    await page.keyboard.press('Shift+W')
    await expect(sign.getByRole('button', { name: 'Wyświetl na znaku: tablica' })).toBeEnabled()
    await page.keyboard.press('Shift+W')
    await sign.getByRole('button', { name: 'Wyświetl na znaku: ciężarowe' }).click()
    await expect(sign.getByRole('button', { name: 'Anuluj wyświetlanie: ciężarowe' })).toBeEnabled()

    await page.goto(`/vms?locations=${station.id}`)
    await expect(rowOf(page, 'Kierunek północny', '2+000')).toContainText(
      /wszystkie ciężarowe do \d\d:\d\d:\d\d · admin/,
    )
    await page.getByRole('link', { name: /wszystkie ciężarowe do/ }).click()
    await signButton(page).getByRole('button', { name: 'Anuluj wyświetlanie: ciężarowe' }).click()
    await expect(signButton(page).getByRole('button', { name: 'Wyświetl na znaku: tablica' })).toBeEnabled()
  })

  test('a vehicle without a plate offers only all lorries', async ({ page }) => {
    const sent = await station.send({ ...slow, plateLpr: null, nationality: null })
    await page.goto(addressOf(station, sent))
    await expect(signButton(page).getByRole('button', { name: 'Wyświetl na znaku: ciężarowe' })).toBeEnabled()
    await signButton(page).getByRole('button', { name: 'Treść na znaku' }).click()
    await expect(page.getByRole('menuitemradio', { name: /^numer rejestracyjny/ })).toBeDisabled()
  })

  test('a disabled button gives the reason', async ({ page, browser, portal }) => {
    const button = signButton(page).getByRole('button', { name: /^Wyświetl na znaku/ })
    const passed = await station.send({ ...slow, createdAt: new Date(Date.now() - 120_000).toISOString() })
    await page.goto(addressOf(station, passed))
    await expect(signButton(page)).toContainText('Pojazd minął już znak')
    await expect(button).toBeDisabled()
    for (const at of [dark, bare]) {
      await page.goto(addressOf(at, await at.send(slow)))
      await expect(signButton(page)).toContainText('Znak niedostępny')
      await expect(button).toBeDisabled()
    }
    const sent = await station.send(slow)
    const looker = await secondOperator(browser, portal, await addAccount(portal, ['CurrentMeasurements']))
    const errorUrls: string[] = []
    looker.on('response', (answer) => answer.status() >= 400 && errorUrls.push(answer.url()))
    await looker.goto('/')
    await looker.goto(addressOf(station, sent))
    await expect(signButton(looker)).toContainText('Nie masz uprawnienia do sterowania znakiem')
    expect(errorUrls).toEqual([])
    await looker.context().close()
    await disable(portal, north.id)
    await page.goto(addressOf(station, sent))
    await expect(signButton(page)).toContainText('Scenariusz dla znaku nie jest włączony')
    await expect(button).toBeDisabled()
    await enable(portal, north.id)
    await expect(button).toBeEnabled()
  })

  test('a failed status poll disables the button until the next answer', async ({ page, consoleErrors }) => {
    consoleErrors.expect(/plate-on-vms|503/)
    const sent = await station.send({ ...slow, plateLpr: 'ZNK0004' })
    await page.goto(addressOf(station, sent))
    const button = signButton(page).getByRole('button', { name: /^Wyświetl na znaku/ })
    await expect(button).toBeEnabled()
    await page.route(/plate-on-vms/, (route) => route.fulfill({ status: 503, json: [] }))
    await expect(button).toBeDisabled()
    await expect(signButton(page)).toContainText('Nie udało się sprawdzić znaku')
    await page.unroute(/plate-on-vms/)
    await expect(button).toBeEnabled()
  })

  test('the detail with its sign passes axe in five languages and fits a phone', async ({ page }) => {
    const sent = await station.send({ ...slow, plateLpr: 'ZNK0005' })
    await page.goto(addressOf(station, sent))
    const button = page.locator('[aria-describedby]').filter({ hasText: 'W' })
    await expect(button).toBeEnabled()
    await expectAccessible(page)
    await inEveryLanguage(page, () => expect(button).toBeEnabled())
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoOverflow(page)
    await expect(button).toBeInViewport()
  })
})
