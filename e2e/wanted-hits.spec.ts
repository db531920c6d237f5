import { type Browser, expect } from '@playwright/test'
import { rights } from '@rogatka/contract/access.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { closeHit } from '@rogatka/contract/wanted.ts'
import { openHits } from '@rogatka/contract/wanted-hits.ts'
import { call } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { cardOf, openLiveList } from './src/live.ts'
import { expectAccessible, expectNoOverflow, openPage, signInByApi } from './src/operator.ts'
import type { Portal } from './src/portal.ts'
import { addStation, type Station } from './src/station.ts'
import { recordTones, TONES } from './src/tones.ts'
import { addEntry, signInWithEmptyLists, WANTED_RIGHTS } from './src/wanted.ts'

let station: Station
test.beforeAll(async ({ portal }) => {
  station = await addStation(portal, 960, 'S8 Listowo')
})

test('marks a black-listed vehicle on the live list with its own sound, and lists its hits', async ({
  page,
  portal,
}) => {
  const tones = await recordTones(page, TONES.hit)
  const { token } = await signInWithEmptyLists(page, portal)
  const description = 'Kradzież pojazdu, KPP Wyszków'
  await addEntry(portal, token, { plateLpr: 'WANT 001', typeOfList: 0, description })
  await openLiveList(page, station.shortName)
  await station.send({ plateLpr: 'want-001' })
  const card = cardOf(page, 'WANT001')
  await expect(card).toContainText('Poszukiwany')
  await expect(card).toContainText(description)
  await expect(card.getByRole('link')).toHaveAccessibleName(/^Poszukiwany: Kradzież pojazdu/)
  await expect.poll(tones).toEqual([700, 1400, 700, 1400, 700, 1400])
  await expectAccessible(page)

  // While the list is hovered, the button announces a wanted vehicle among pending arrivals.
  await card.hover()
  await station.send({ plateLpr: 'OTHER01' })
  await station.send({ plateLpr: 'WANT001', createdAt: new Date(Date.now() - 1_000).toISOString() })
  await expect(page.getByRole('button', { name: '2 nowe czekają, w tym poszukiwany' })).toBeVisible()

  await page.goto('/black-list')
  await page.getByRole('button', { name: '2 trafienia WANT001: pokaż przejazdy' }).click()
  const dialog = page.getByRole('dialog', { name: 'Trafienia: WANT001' })
  await expect(dialog.getByRole('row')).toHaveCount(3)
  await expect(dialog.getByRole('row').last()).toContainText(/PL WAN/)
  // They stand above the dialog.
  const dismiss = page.getByRole('button', { name: 'Zamknij powiadomienie: WAN T001' })
  for (let toasts = 2; toasts > 0; toasts--) {
    await expect(dismiss).toHaveCount(toasts)
    await dismiss.first().click()
  }
  await dialog
    .getByRole('button', { name: /^To nie ten pojazd/ })
    .first()
    .click()
  await expect(dialog.getByRole('button', { name: /^Fałszywe: cofnij/ })).toHaveCount(1)
  await expectAccessible(page)
  await dialog.getByRole('link').last().click()
  await expect(page).toHaveURL(/\/vehicleArch\/\d+\/960\//)
  await expect(page.getByRole('main').getByText('Poszukiwany')).toBeVisible()
  await expect(page.getByText('39,40').first()).toBeVisible()
  await page.goBack()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: '1 trafienie WANT001: pokaż przejazdy' })).toBeVisible()
})

const INSTRUCTION = 'Kradzież pojazdu, KPP Wyszków. Nie zatrzymywać samodzielnie, powiadomić dyżurnego.'

test('a wanted vehicle is pinned on the live list, and its alarm sounds while arrivals are muted', async ({
  page,
  portal,
}) => {
  const tones = await recordTones(page, TONES.hit)
  const { token } = await signInWithEmptyLists(page, portal)
  await addEntry(portal, token, { plateLpr: 'PIN 0001', typeOfList: 0, description: INSTRUCTION })
  await openLiveList(page, station.shortName)
  await page.keyboard.press('m')
  await station.send({ plateLpr: 'PIN0001', speed: 70 })
  const pinned = page.getByRole('list', { name: 'Poszukiwane' })
  const link = pinned.getByRole('link', { name: /PIN 0001/ })
  await expect(link).toBeVisible()
  await expect.poll(tones).toHaveLength(6)
  await expect(page.getByRole('alert').filter({ hasText: /Poszukiwany PIN 0001, S8 Listowo, \d/ })).toBeAttached()
  const text = pinned.getByText(INSTRUCTION)
  expect(await text.evaluate((place) => place.scrollHeight - place.clientHeight)).toBe(0)
  await station.sendMany(12, 'PLN')
  await expect(cardOf(page, 'PLN000')).toBeAttached()
  await expect(page.locator('[data-vehicle]').first()).toContainText('Poszukiwany')
  await page.keyboard.press('h')
  await expect(link).toBeFocused()
  await expect(page.getByRole('button', { name: /^poszukiwane 1/ })).toBeVisible()
})

/** Another signed-in operator, whose black list has this plate. */
async function openOther(browser: Browser, portal: Portal, plateLpr: string) {
  const context = await browser.newContext({ baseURL: portal.url })
  const other = await context.newPage()
  const { token, username } = await signInWithEmptyLists(other, portal)
  await addEntry(portal, token, { plateLpr, typeOfList: 0, description: 'Kradzież' })
  return { other, username, close: () => context.close() }
}

test('a wanted vehicle is announced on every page, muted or not, until somebody takes it', async ({
  page,
  portal,
  browser,
}) => {
  const tones = await recordTones(page, TONES.hit)
  const account = await signInWithEmptyLists(page, portal, [...WANTED_RIGHTS, 'Stat'])
  await addEntry(portal, account.token, { plateLpr: 'PIN 0002', typeOfList: 0, description: INSTRUCTION })
  const toast = page.getByRole('region', { name: 'Poszukiwane' })
  const mark = page.getByTitle('Otwórz trafienie (H)')
  const alert = page.getByRole('alert').filter({ hasText: /Poszukiwany PIN 0002, S8 Listowo, \d/ })
  await page.goto('/black-list')
  // Another tab of the same user, which gets the hit from the first one.
  const tab = await page.context().newPage()
  await signInByApi(tab, portal, account)
  await tab.goto('/archival')
  await expect(tab).toHaveTitle(/^Archiwum/)
  await page.getByLabel('Szukaj tablicy lub opisu').focus()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Wycisz' }).click()
  const field = page.getByLabel('Szukaj tablicy lub opisu')
  await field.focus()
  const { other, close } = await openOther(browser, portal, 'PIN 0002')
  await station.send({ plateLpr: 'PIN0002', speed: 50 })
  await expect(toast).toContainText('PIN 0002')
  await expect(toast).toContainText(INSTRUCTION)
  await expect(toast.getByRole('timer')).toHaveText(/^0\d:\d\d$/)
  await expect(page).toHaveTitle(/^\(1!\) Czarna lista/)
  await expect(tab).toHaveTitle(/^\(1!\) Archiwum/)
  await tab.close()
  await expect(mark).toContainText(/Poszukiwany\s?0\d:\d\d/i)
  await expect(alert).toBeAttached()
  await expect.poll(tones).toEqual([700, 1400, 700, 1400, 700, 1400])
  // It does not take the focus.
  await expect(field).toBeFocused()
  await expectAccessible(page)
  for (const path of ['/stat', '/archival', '/']) {
    await page.goto(path)
    await expect(toast).toContainText('PIN 0002')
    await expect(mark).toBeVisible()
    await expect(alert).toBeAttached()
    await expect(page).toHaveTitle(/^\(1!\) /)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoOverflow(page)
  await expect(toast.getByRole('button', { name: 'Otwórz' })).toBeInViewport()
  await page.setViewportSize({ width: 1440, height: 900 })

  // Another operator, muted too, takes it by a key.
  await other.goto('/black-list')
  await other.getByRole('button', { name: 'Wycisz' }).click()
  await expect(other.getByRole('region', { name: 'Poszukiwane' })).toContainText('PIN 0002')
  await other.keyboard.press('a')
  await expect(other.getByRole('region', { name: 'Poszukiwane' })).toBeEmpty()
  await expect(toast).toBeEmpty()
  await expect(page.getByRole('alert').filter({ hasText: /^PIN 0002: przyjął / })).toBeAttached()
  await close()
})

test('the sheet of a hit shows the vehicle and what is done about it, to all at once', async ({
  page,
  portal,
  browser,
}) => {
  const { token, username } = await signInWithEmptyLists(page, portal)
  const expiresAt = new Date(Date.now() + 3 * 86_400_000).toISOString()
  await addEntry(portal, token, {
    plateLpr: 'PIN 0003',
    typeOfList: 0,
    description: INSTRUCTION,
    allowMisread: true,
    expiresAt,
  })
  await page.goto('/black-list')
  // In a field H is a letter; Alt+H opens the hit.
  await page.getByLabel('Szukaj tablicy lub opisu').focus()
  const { other, username: otherName, close } = await openOther(browser, portal, 'PIN O003')
  await station.send({ plateLpr: 'PINO003', speed: 50 })
  await expect(page.getByTitle('Otwórz trafienie (H)')).toBeVisible()
  await page.keyboard.press('Alt+h')
  const sheet = page.getByRole('complementary', { name: 'Trafienie: PIN O003' })
  await expect(sheet).toContainText(INSTRUCTION)
  await expect(sheet).toContainText(/PIN 0003 · podobny w 100 %/)
  await expect(sheet.getByRole('list')).toContainText(`otworzył ${username}`)
  await expect(sheet).toContainText('Żadnego w ostatnich 30 dniach.')
  await expectAccessible(page)

  await other.goto('/black-list')
  await other.getByTitle('Otwórz trafienie (H)').click()
  const othersSheet = other.getByRole('complementary', { name: 'Trafienie: PIN O003' })
  await othersSheet.getByRole('button', { name: 'Przyjmuję' }).click()
  await expect(sheet).toContainText(new RegExp(`Przyjął ${otherName} o \\d\\d:\\d\\d:\\d\\d, \\d+ s po odczycie`))
  await expect(sheet.getByRole('list')).toContainText(`przyjął ${otherName}`)
  await sheet.getByRole('button', { name: 'Przejmij' }).click()
  await expect(othersSheet).toContainText(`Przyjął ${username}`)

  // Without the server the failure is loud, and the button stays.
  await other.context().setOffline(true)
  await othersSheet.getByRole('button', { name: 'Przejmij' }).click()
  await expect(othersSheet.getByRole('alert')).toContainText('Nie przyjęto trafienia')
  await expect(othersSheet.getByRole('button', { name: 'Przejmij' })).toBeEnabled()
  await close()

  await sheet.getByRole('button', { name: 'To nie ten pojazd' }).click()
  await sheet.getByRole('button', { name: 'zły odczyt' }).click()
  await expect(sheet).toContainText(`Zamknął ${username}`)
  await expect(page).toHaveTitle(/^Czarna lista/)
  const latest = page.getByRole('region', { name: 'Ostatnie trafienia' })
  await expect(latest).toContainText('To nie ten pojazd: zły odczyt')
  await sheet.getByRole('button', { name: 'Cofnij' }).click()
  await expect(page).toHaveTitle(/^\(1!\) Czarna lista/)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoOverflow(page)
  await expect(sheet.getByRole('button', { name: 'To nie ten pojazd' })).toBeInViewport()
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)

  await expect(latest).toContainText(`przyjął ${username}`)
  await expect(page.getByRole('img', { name: 'wygasa w ciągu 7 dni' })).toBeVisible()
  await page.getByRole('button', { name: 'Przedłuż o 30 dni: PIN0003' }).click()
  await expect(page.getByRole('img', { name: 'wygasa w ciągu 7 dni' })).toHaveCount(0)
  await expectAccessible(page)
})

test('the sheet of a late hit says that it was late, not that nobody took it', async ({ page, portal }) => {
  const { token } = await signInWithEmptyLists(page, portal)
  await addEntry(portal, token, { plateLpr: 'PIN 0005', typeOfList: 0, description: INSTRUCTION })
  await station.send({ plateLpr: 'PIN0005', createdAt: new Date(Date.now() - 2 * 3_600_000).toISOString() })
  await page.goto('/black-list')
  const row = page.getByRole('region', { name: 'Ostatnie trafienia' }).getByRole('row').filter({ hasText: 'PIN 0005' })
  await expect(row).toContainText('odebrany ponad godzinę po pomiarze')
  await row.getByRole('button').first().click()
  const sheet = page.getByRole('complementary', { name: 'Trafienie: PIN 0005' })
  await expect(sheet).toContainText(INSTRUCTION)
  await expect(sheet.getByText('odebrany ponad godzinę po pomiarze')).toHaveCount(2)
  await expect(sheet).not.toContainText('nikt nie przyjął')
  await expect(sheet.getByRole('button', { name: 'Przyjmuję' })).toHaveCount(0)
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Zamknij trafienie' }).click()
  await expect(sheet).toContainText('Zamknął')
})

/** The largest id, of no inspection and no ticket. */
const UNKNOWN = 2 ** 31 - 1

/** Pages of the frame by their titles; `hit` is a vehicle. */
const pagesOf = (hit: { id: number; createdAt: string }): [path: string, title: string][] => [
  ['/', 'Bieżące pomiary'],
  [`/?step=2&locations=${station.id}`, 'Bieżące pomiary'],
  ['/overview', 'Przegląd'],
  ['/alarms', 'Alarmy'],
  ['/shift-report', 'Raport zmiany'],
  [`/vehicle/${hit.id}/${station.id}`, 'Nr pojazdu'],
  [`/vehicleArch/${hit.id}/${station.id}/${hit.createdAt}`, 'Nr pojazdu'],
  [`/vehicleArch/${hit.id}/${station.id}/${hit.createdAt}?tab=history`, 'Nr pojazdu'],
  ['/inspections', 'Kontrola'],
  [`/inspections/${UNKNOWN}`, 'Kontrola'],
  ['/archival', 'Archiwum'],
  [`/archival?step=2&locations=${station.id}`, 'Archiwum'],
  [`/archival?step=3&locations=${station.id}`, 'Archiwum'],
  [`/archival?step=4&locations=${station.id}`, 'Archiwum'],
  ['/stat', 'Statystyki'],
  ['/statistics/traffic', 'Ruch'],
  ['/statistics/loads', 'Obciążenia'],
  ['/statistics/effectiveness', 'Skuteczność'],
  ['/offenders', 'Recydywa'],
  ['/vms', 'Znaki VMS'],
  ['/users', 'Użytkownicy'],
  ['/user-activity', 'Aktywność użytkowników'],
  ['/role-group-management', 'Role'],
  ['/user-management', 'Użytkownicy'],
  ['/access-trail', 'Wglądy w dane'],
  ['/stations', 'Stacje i klucze'],
  ['/sign-groups', 'Znaki: grupy i treści'],
  ['/evidence', 'Weryfikacja dowodów'],
  ['/imports', 'Import danych'],
  ['/devices', 'Ekrany ścienne'],
  ['/systems', 'Systemy zewnętrzne'],
  ['/webhooks', 'Webhooki'],
  ['/calibration', 'Kalibracja'],
  ['/calibration-deviation', 'Odchylenie kalibracji'],
  ['/tickets', 'Zgłoszenia awarii'],
  [`/tickets/${UNKNOWN}`, 'Zgłoszenie'],
  [`/tickets/${UNKNOWN}/edit`, 'Edycja zgłoszenia'],
  ['/station-health', 'Stan stacji'],
  ['/scale-certificates', 'Wagi i świadectwa'],
  ['/white-list', 'Biała lista'],
  ['/contact', 'Kontakty'],
  ['/preference', 'Ustawienia'],
  ['/account-security', 'Bezpieczeństwo konta'],
  ['/nigdzie', 'Nie znaleziono strony'],
  ['/black-list', 'Czarna lista'],
]

test('a hit is shown on every page, and above dialogs', async ({ page, portal, browser, consoleErrors }) => {
  // Of the unknown inspection and ticket.
  consoleErrors.expect(/404/)
  const { token } = await signInWithEmptyLists(
    page,
    portal,
    rights.filter((right) => right !== 'Anonymization'),
  )
  const entry = await addEntry(portal, token, { plateLpr: 'WX 0001P', typeOfList: 0, description: INSTRUCTION })
  const toast = page.getByRole('region', { name: 'Poszukiwane' }).getByRole('article', { name: /WX 0001P/ })
  const pinned = page.getByRole('list', { name: 'Poszukiwane' })
  const alerts = page.getByRole('alert').filter({ hasText: /Poszukiwany WX 0001P, S8 Listowo, \d/ })
  const mark = page.getByTitle('Otwórz trafienie (H)')
  // Those of other tests, which a manager sees, would share one toast with it.
  for (const { id, createdAt } of (await call(portal, token, openHits)).content)
    await call(portal, token, closeHit, { params: { id }, query: { createdAt }, body: {} })
  await page.goto(`/black-list?edit=${entry.id}`)
  const dialog = page.getByRole('dialog', { name: 'Zmień: WX0001P' })
  await expect(dialog.getByLabel('Opis', { exact: true })).toHaveValue(INSTRUCTION)
  const { other, close } = await openOther(browser, portal, 'WX 0001P')
  const { sequence, createdAt } = await station.send({ plateLpr: 'WX0001P', speed: 30 })
  const hit = { params: { id: vehicleId(station.id, sequence) }, query: { createdAt } }
  // Nothing of the dialog covers it, whatever has the focus.
  await toast.getByRole('button', { name: 'Otwórz' }).click({ trial: true })
  await expect(alerts).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  for (const [path, title] of pagesOf({ id: hit.params.id, createdAt })) {
    await openPage(page, path)
    await expect(page, path).toHaveTitle(new RegExp(`^\\(\\d+!\\) .*${title}`))
    // The live list shows it at its top itself.
    await expect(path === '/inspections' ? pinned : toast, path).toContainText(INSTRUCTION)
    await expect(mark, path).toContainText(/\d\d:\d\d/)
    await expect(alerts, path).toBeAttached()
  }

  // Taken by another operator on another page: it disappears and is announced.
  await other.goto('/archival')
  await other.getByRole('button', { name: 'Przyjmuję' }).click()
  await expect(toast).toHaveCount(0)
  await expect(page.getByRole('alert').filter({ hasText: /^WX 0001P: / })).toBeAttached()
  await call(portal, token, closeHit, { ...hit, body: {} })
  await close()
})
