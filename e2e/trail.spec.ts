import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { search as searchArchive } from '@rogatka/contract/archive.ts'
import { setPurpose, trail } from '@rogatka/contract/trail.ts'
import { platesOf, resultAddress } from './src/archive.ts'
import { call, tokenOf } from './src/call.ts'
import { testWith } from './src/fixtures.ts'
import { cardOf } from './src/live.ts'
import { addAccount, expectAccessible, inEveryLanguage, openPage, signInByApi } from './src/operator.ts'
import type { Portal } from './src/portal.ts'
import { addStation, type Station } from './src/station.ts'
import { demandStepUpOnce } from './src/step-up.ts'

const test = testWith({ PURPOSES: 'required' })

let station: Station
test.beforeAll(async ({ portal }) => {
  station = await addStation(portal, 940, 'S2 Wglądowo')
  for (const plateLpr of ['WGL1001', 'WGL1002']) await station.send({ plateLpr })
})

const DAY_MS = 86_400_000
const lastDay = () => ({
  dateTimeStart: new Date(Date.now() - DAY_MS).toISOString(),
  dateTimeEnd: new Date(Date.now() + DAY_MS).toISOString(),
})

/** Lines of the access trail, newest first, as its API has them. */
const linesOf = async (portal: Portal) =>
  (await call(portal, await tokenOf(portal), trail, { query: { ...lastDay(), limit: 100 } as never })).content

async function inPolish(page: Page) {
  await page.evaluate(() => {
    localStorage.setItem('lang', 'pl')
    dispatchEvent(new StorageEvent('storage', { key: 'lang', newValue: 'pl' }))
  })
  await expect(page.locator('html')).toHaveAttribute('lang', 'pl')
}

test('a search by plate asks once for its purpose, which holds in all tabs until it is ended', async ({
  page,
  portal,
  consoleErrors,
  keptPlates,
}) => {
  consoleErrors.expect(/422/)
  keptPlates.expect(/^(?:address|request): http:\/\/[^/]+\/(?:archival\?\S+&|\?\S+&)plateLpr=WGL100\d$/)
  const officer = await addAccount(portal, ['ArchiveMeasurements', 'CurrentMeasurements', 'Offenders'])
  await signInByApi(page, portal, officer)
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()))
  const dialog = page.getByRole('dialog')
  const rail = page.getByRole('complementary', { name: 'Wybrane filtry' })

  await page.goto(resultAddress(station.id, { plateLpr: 'WGL1001' }))
  await expect(dialog.getByRole('heading', { name: 'Po co szukasz tej tablicy?' })).toBeVisible()
  await expect(dialog.getByText('WGL1001')).toBeVisible()
  await expect(dialog.getByRole('radio', { checked: true })).toHaveCount(0)
  expect(await platesOf(page)).toEqual([])
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await inEveryLanguage(page)
  await inPolish(page)
  await page.setViewportSize({ width: 1440, height: 900 })

  // By keyboard: the first radio button has the focus, without being chosen.
  await expect(dialog.getByRole('radio', { name: 'Kontrola drogowa' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Wybierz cel.')).toBeVisible()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await expect(dialog.getByRole('radio', { name: 'Postępowanie' })).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Ten cel wymaga podania sygnatury sprawy.')).toBeVisible()
  await expect(dialog.getByLabel('Sygnatura sprawy')).toBeFocused()
  await page.keyboard.type('WITD.8140.2217.2025')
  await dialog.getByRole('button', { name: /^Szukaj/ }).dblclick()
  await expect.poll(() => platesOf(page)).toEqual(['WGL1001'])
  await expect(dialog).toHaveCount(0)
  expect(sent).toHaveLength(1)
  await expect(rail).toContainText('Postępowanie')
  await expect(rail).toContainText('WITD.8140.2217.2025')
  const [line] = (await linesOf(portal)).filter(({ kind }) => kind === 'list')
  expect(line).toMatchObject({
    user: { name: officer.username },
    purpose: 'proceedings',
    reference: 'WITD.8140.2217.2025',
    plates: ['WGL1001'],
    results: 1,
  })

  // Another tab has the same session.
  const tab = await page.context().newPage()
  await tab.goto(page.url())
  await expect.poll(() => platesOf(tab)).toEqual(['WGL1001'])
  await tab.getByRole('button', { name: 'Usuń filtr: Cel wglądu' }).click()
  await expect(tab.getByText('WITD.8140.2217.2025')).toHaveCount(0)
  await tab.close()

  // The palette says what is missing, and asks only when told to.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Szukaj i przejdź' }).fill('WGL1')
  await page.getByRole('button', { name: 'Podaj cel' }).click()
  await expect(dialog.getByText('WGL1*')).toBeVisible()
  await dialog.getByText('Kontrola drogowa').click()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option', { name: /WGL ?1002/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await rail.getByRole('button', { name: 'Usuń filtr: Cel wglądu' }).click()
  await expect(rail.getByText('Cel wglądu')).toHaveCount(0)

  // A user who declines stays on the page, which names the reason for the empty list.
  await openPage(page, '/offenders')
  await expect(dialog.getByRole('heading', { name: 'Po co potrzebujesz tych danych?' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alert')).toContainText('Podaj cel, zanim wyszukasz numer rejestracyjny')
  await page.goto(`/?step=3&locations=${station.id}&plateLpr=WGL1002`)
  await dialog.getByRole('button', { name: /^Anuluj/ }).click()
  await expect(page.getByRole('alert')).toContainText('Podaj cel, zanim wyszukasz numer rejestracyjny')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Spróbuj ponownie' }).click()
  await dialog.getByText('Inny cel').click()
  await dialog.getByLabel('Opis celu').fill('Ćwiczenia zespołu')
  await page.keyboard.press('Enter')
  await expect(cardOf(page, 'WGL1002')).toBeVisible()
  await expect(cardOf(page, 'WGL1001')).toHaveCount(0)
})

test('PlateAccess finds who looked for a plate, sees why, and exports it; anonymised users do not', async ({
  page,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/500.*\/access-trail\/report/)
  await station.sendMany(60, 'MNG7')
  const officer = await addAccount(portal, ['ArchiveMeasurements'])
  const token = await tokenOf(portal, officer)
  await call(portal, token, setPurpose, { body: { purpose: 'authority-request', reference: 'KPP-W-3391/25' } })
  const asked = { ...lastDay(), locations: String(station.id) }
  const find = (more: object) => call(portal, token, searchArchive, { query: { ...asked, ...more } as never })
  await find({ limit: 100 })
  for (let at = 0; at < 26; at++) await find({ plateLpr: 'WGL1002' })
  const hasty = await addAccount(portal, ['ArchiveMeasurements'])
  const refused = call(portal, await tokenOf(portal, hasty), searchArchive, {
    query: { ...asked, plateLpr: 'WGL1002' } as never,
  })
  await expect(refused).rejects.toThrow('purpose-missing')

  const reader = await addAccount(portal, ['Admin', 'PlateAccess'])
  await signInByApi(page, portal, reader)
  await page.goto('/preference')
  await page.getByRole('button', { name: 'Zarządzanie' }).click()
  await page.getByRole('menuitem', { name: 'Wglądy w dane' }).click()
  const table = page.getByRole('table', { name: 'Wglądy w dane' })
  const rows = table.locator('tbody tr')
  await expect(rows.first()).toContainText('WGL1002')
  await expect(rows.first()).toContainText('Żądanie uprawnionego organu')
  await expect(rows.first()).toContainText('KPP-W-3391/25')
  await expect(rows).toHaveCount(25)

  // Whether the log holds, which is checked on request.
  const integrity = page.getByRole('region', { name: 'Nienaruszalność dziennika' })
  await expect(integrity).toContainText('Nie sprawdzono jeszcze')
  let isChecked = false
  const polled = (url: URL) => url.pathname === '/api/v1/access-trail/integrity'
  await page.route(polled, async (route) => {
    const response = await route.fetch()
    const json = (await response.json()) as { isChecking: boolean }
    await route.fulfill({ response, json: { ...json, isChecking: json.isChecking || !isChecked } })
  })
  await page.route(/\/access-trail\/report/, (route) => route.fulfill({ status: 500, json: [] }), { times: 1 })
  await integrity.getByRole('button', { name: 'Sprawdź teraz' }).click()
  await expect(integrity).toContainText('Sprawdzanie łańcucha')
  // The errors of the page stay while the check is polled.
  await page.getByRole('button', { name: 'Pobierz' }).click()
  await page.getByRole('menuitem', { name: 'JSONL' }).click()
  const failure = page.getByRole('alert').filter({ hasText: 'Nie udało się pobrać pliku.' })
  await expect(failure).toBeVisible()
  isChecked = true
  await expect(integrity.getByRole('button', { name: 'Sprawdź teraz' })).toBeVisible()
  await expect(failure).toBeVisible()
  await page.unroute(polled)
  await expect(integrity).toContainText('Łańcuch cały')
  await expect(integrity).toContainText('sprawdzono bez zastrzeżeń: 1, z przerwą w łańcuchu: 0')
  // Who gave no purpose, and nobody outside a shift that is not known yet.
  const worth = page.getByRole('region', { name: 'Do obejrzenia' })
  await expect(worth.locator('summary')).toHaveText([/poza zwykłą zmianą0/, /ponad 50.*1/, /odrzucone, bez celu1/])
  await expect(worth.getByRole('button', { name: new RegExp(`^${hasty.username}`) })).toBeVisible()

  // The hour in which a user saw many plates.
  await page.getByRole('button', { name: new RegExp(`^${officer.username}.* \\d+$`) }).click()
  await expect(page).toHaveURL(/userId=\d+/)
  await page.getByRole('button', { name: 'Następna strona' }).click()
  await expect(rows).toHaveCount(2)
  await expect(rows.last()).toContainText(station.shortName)
  await expect(rows.last()).toContainText('ponad 50 tablic w godzinie')
  await rows
    .last()
    .getByRole('button', { name: /^Szczegóły wglądu/ })
    .click()
  const details = page.getByRole('dialog', { name: 'Wgląd' })
  await expect(details).toContainText('127.0.0.1')
  await expect(details).toContainText('GET /arch-vehicles')
  await expect(details).toContainText(station.shortName)
  await expectAccessible(page)
  await details.getByRole('button', { name: `Pokaż tylko wglądy: ${officer.username}` }).click()
  await expect(details).toHaveCount(0)

  // No address has the plate; a reload finds it again.
  await page.getByLabel('Tablica', { exact: true }).fill('wgl 1002')
  await page.getByRole('button', { name: 'Szukaj', exact: true }).click()
  await expect(page).toHaveURL(/[?&]lookup=[\w-]{22}(?:&|$)/)
  await expect(page.getByText('27 wglądów')).toBeVisible()
  await page.reload()
  await expect(page.getByText('27 wglądów')).toBeVisible()
  await expect(page.getByPlaceholder('z poprzedniego pytania')).toBeVisible()
  await page.getByRole('combobox', { name: 'Co' }).click()
  await page.getByRole('option', { name: 'szczegóły pojazdu' }).click()
  await page.getByRole('button', { name: 'Szukaj', exact: true }).click()
  await expect(page.getByText('Nikt nie patrzył.')).toBeVisible()
  await page.goBack()
  await expect(page.getByText('27 wglądów')).toBeVisible()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Pobierz' }).click()
  await page.getByRole('menuitem', { name: 'JSONL' }).click()
  const exported = (await readFile(await (await downloading).path(), 'utf8')).trimEnd().split('\n')
  expect(exported).toHaveLength(27)
  expect(JSON.parse(exported[26] as string)).toMatchObject({ plates: ['WGL1002'], reference: 'KPP-W-3391/25' })

  // The evidence has the same answer, and the chain of the range.
  const coming = page.waitForEvent('download')
  await integrity.getByRole('button', { name: 'Dowód' }).click()
  const evidence = await coming
  expect(evidence.suggestedFilename()).toMatch(/^access_trail_evidence_.*\.zip$/)
  const zip = (await readFile(await evidence.path())).toString('latin1')
  for (const name of ['sheet.pdf', 'access.jsonl', 'access.links', 'VERIFY.txt']) expect(zip).toContain(name)

  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await inEveryLanguage(page)
  // Reading it was a look, too.
  const own = (await linesOf(portal)).filter(({ user }) => user?.name === reader.username)
  expect(own.map(({ kind }) => kind)).toContain('trail')
  expect(own.some(({ plates }) => plates?.includes('WGL1002'))).toBe(true)

  const anonymised = await addAccount(portal, ['Admin', 'PlateAccess', 'UserManagement', 'Anonymization'])
  const other = await page.context().browser()?.newPage({ baseURL: portal.url })
  if (!other) throw new Error('no browser')
  await signInByApi(other, portal, anonymised)
  await other.goto('/access-trail')
  await expect(other.getByText('Brak uprawnień do tej czynności.')).toBeVisible()
  await other.getByRole('button', { name: 'Zarządzanie' }).click()
  await expect(other.getByRole('menuitem', { name: 'Aktywność użytkowników' })).toBeVisible()
  await expect(other.getByRole('menuitem', { name: 'Wglądy w dane' })).toHaveCount(0)
  await other.close()
})

test('a large file that waits for a step-up is written down once, with the purpose that holds when it is sent', async ({
  page,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/422/)
  consoleErrors.expect(/403/)
  const yard = await addStation(portal, 941, 'S2 Zmiana celu')
  await yard.sendMany(101, 'ZCL')
  const officer = await addAccount(portal, ['ArchiveMeasurements'])
  await signInByApi(page, portal, officer)
  await page.goto(resultAddress(yard.id))
  await demandStepUpOnce(page, '**/reports/*')
  const purpose = page.getByRole('dialog', { name: 'Po co potrzebujesz tych danych?' })
  const stepUp = page.getByRole('dialog', { name: 'Potwierdź, że to Ty' })
  await page.getByRole('button', { name: 'Pobierz: CSV' }).click()
  await page.getByRole('menuitem', { name: 'bez zdjęć' }).click()
  await purpose.getByText('Kontrola drogowa').click()
  await purpose.getByRole('button', { name: /^Dalej/ }).click()
  await expect(stepUp).toBeVisible()

  // Another tab of the session.
  const tab = await page.context().newPage()
  await tab.goto(page.url())
  await tab.getByRole('button', { name: 'Zmień cel' }).click()
  const changed = tab.getByRole('dialog')
  await changed.getByText('Postępowanie').click()
  await changed.getByLabel('Sygnatura sprawy').fill('WITD.8140.2218')
  await changed.getByRole('button', { name: /^Dalej/ }).click()
  await expect(tab.getByRole('complementary', { name: 'Wybrane filtry' })).toContainText('WITD.8140.2218')
  await tab.close()

  const files = async () =>
    (await linesOf(portal)).filter(({ user, kind }) => user?.name === officer.username && kind === 'file')
  expect(await files()).toEqual([])
  const downloading = page.waitForEvent('download')
  await stepUp.getByLabel('Obecne hasło').fill(officer.password)
  await stepUp.getByRole('button', { name: 'Potwierdź' }).click()
  const csv = await readFile(await (await downloading).path(), 'utf8')
  expect(csv).toContain('ZCL100')
  expect(await files()).toMatchObject([{ purpose: 'proceedings', reference: 'WITD.8140.2218', shown: 101 }])
})
