import { expect } from '@playwright/test'
import { search } from '@rogatka/contract/archive.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { call, tokenOf } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { expectAccessible, expectNoOverflow, inEveryLanguage, signInByApi } from './src/operator.ts'
import { addStation } from './src/station.ts'

const HEADINGS = 'ZST;JJJJMMTT;HHMMSS;FS;SPEED;LENTH;CS;GW_TOT;AX;AWT01;AWT02;AWT03;AWT04;AWT05;W1_2;W2_3;W3_4;W4_5'

/** Yesterday, as in the file. */
const DAY = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)

/** A lorry of a station and lane at a second of the hour. */
const lorry = (station: string, lane: number, second: number, gross = 39_330) =>
  `${station};${DAY.replaceAll('-', '')};${110_000 + second};${lane};84;1642;10;${gross};5;6970;10780;7180;7200;7200;374;562;131;131`

test('a file is tried, its lane assigned, imported and found in the archive; a second time adds nothing', async ({
  page,
  portal,
  consoleErrors,
}) => {
  // A file of no known format.
  consoleErrors.expect(/422/)
  const { id, shortName } = await addStation(portal, 977, 'S8 Import')
  const rows = [lorry('A 408', 1, 1), lorry('A 408', 1, 2), lorry('A 408', 1, 3, 21_950), lorry('A 408', 9, 4)]
  const buffer = Buffer.from([HEADINGS, ...rows].join('\r\n'))
  const file = { name: 'ZST_2026.csv', mimeType: 'text/csv', buffer }
  await signInByApi(page, portal)
  await page.goto('/imports')
  const choose = page.locator('input[type=file]')
  await choose.setInputFiles({ ...file, buffer: Buffer.from('Szanowni Państwo') })
  // High alarms are announced on each page.
  const refusal = page.getByRole('alert').filter({ hasText: 'Plik odrzucony' })
  await expect(refusal).toBeVisible()
  await expectAccessible(page)

  // A file that is being sent can be cancelled.
  const held = Promise.withResolvers<void>()
  await page.route(/\/imports\?fileName/, () => held.resolve())
  await choose.setInputFiles(file)
  await held.promise
  await page.getByRole('button', { name: 'Anuluj' }).click()
  await expect(page.getByRole('button', { name: 'Anuluj' })).toHaveCount(0)
  await expect(refusal).toHaveCount(0)
  await page.unroute(/\/imports\?fileName/)

  await choose.setInputFiles(file)
  await expect(page).toHaveURL(/\/imports\?id=\d+/)
  const reasons = page.getByRole('table', { name: 'Odrzucone według powodu' })
  await expect(reasons.getByRole('row')).toHaveText([
    /Powód/,
    /nieprzypisane.*3.*A 408 · 1/,
    /masy.*1.*4.*21950, 39330/,
  ])
  await expect(page.getByText('nic nie zapisano').filter({ visible: true })).toHaveCount(1)
  const lanes = page.getByRole('table', { name: 'Stacje i pasy' })
  await lanes.getByLabel('Stacja i pas dla A 408 · 1').selectOption({ label: `${shortName}, pas 1` })
  await page.getByRole('button', { name: 'Wypróbuj ponownie' }).click()
  await expect(lanes.getByRole('row').nth(1)).toContainText(/2.*2.*1/)
  // Its dates begin with the year: there is no order to choose.
  await expect(page.getByLabel('Jednostka kolumny SPEED')).toBeVisible()
  await expect(page.getByLabel(`Jednostka kolumny ${HEADINGS.split(';')[1]}`)).toHaveCount(0)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Pobierz 2 odrzucone wiersze' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('ZST_2026.csv.refused.csv')
  await page.getByLabel('Nazwa przypisania').fill('Łowicz')
  await page.getByRole('button', { name: 'Zapisz przypisanie' }).click()
  await expect(page.getByLabel('Zapisane przypisania')).toBeVisible()
  await inEveryLanguage(page, async () => {
    await expect(page.getByRole('table').first()).toBeVisible()
    await expectAccessible(page)
    await expectNoOverflow(page)
  })

  await page.evaluate(() => localStorage.setItem('lang', 'pl'))
  await page.reload()
  await page.getByRole('button', { name: 'Importuj 2' }).click()
  await expect(page.getByText('Zaimportowano 2 pojazdy')).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText('zgodnie z próbą')).toBeVisible()
  await expectAccessible(page)
  await expectNoOverflow(page)
  await expect(page.getByRole('link', { name: 'Pokaż w archiwum' })).toHaveAttribute('href', /\/archival\?/)
  const range = { dateTimeStart: `${DAY}T00:00:00Z`, dateTimeEnd: `${DAY}T23:00:00Z`, locations: String(id) }
  expect((await call(portal, await tokenOf(portal), search, { query: range })).totalCount).toBe(2)

  await page.getByRole('button', { name: 'Następny plik' }).click()
  await expect(page.getByRole('table', { name: 'Poprzednie importy' })).toContainText('ZST_2026.csv')
  await choose.setInputFiles(file)
  await page.getByLabel('Zapisane przypisania').selectOption('Łowicz')
  await page.getByRole('button', { name: 'Wypróbuj ponownie' }).click()
  await expect(page.getByLabel('Próba', { exact: true })).toContainText(/Do zapisania0.*Już w archiwum2/)

  // A file without most columns of the mapping, which names them; without headings its columns are numbers.
  await page.goto('/imports')
  await choose.setInputFiles({
    ...file,
    name: 'inny.csv',
    buffer: Buffer.from(`FS;SPEED;Masa;Dzień\n1;84;1480;20.10.2026\n`),
  })
  await page.getByLabel('Zapisane przypisania').selectOption('Łowicz')
  await page.getByRole('button', { name: 'Wypróbuj ponownie' }).click()
  await expect(page.getByText('W pliku nie ma wszystkich przypisanych kolumn')).toBeVisible()
  const columns = page.getByRole('table', { name: 'Kolumny' })
  await expect(columns.getByRole('row', { name: /ZST.*brak w pliku/ })).toBeVisible()
  await expect(columns.getByRole('row', { name: /SPEED.*84/ })).not.toContainText('brak w pliku')
  await expectAccessible(page)
  await expectNoOverflow(page)
  await page.getByLabel('Nagłówki w pierwszym wierszu').selectOption('nie')
  await page.getByRole('button', { name: 'Wypróbuj ponownie' }).click()
  await expect(page.getByText('Przypisz kolumny do pasa oraz do daty i godziny.')).toBeVisible()
  await expect(columns.getByRole('row', { name: /^1.*FS/ })).toBeVisible()
  // Of a day before the month, or after it, the user knows.
  await page.getByLabel('Pole kolumny 4').selectOption('Data')
  await expect(page.getByLabel('Jednostka kolumny 4').getByRole('option')).toHaveText([
    'dzień, miesiąc',
    'miesiąc, dzień',
  ])

  // An upload continues while another page is open, and does not replace it.
  await page.goto('/imports')
  const upload = Promise.withResolvers<void>()
  await page.route('**/imports?fileName=*', async (route) => {
    await upload.promise
    await route.continue()
  })
  await choose.setInputFiles({ ...file, name: 'powolny.csv' })
  await expect(page.getByText('Wczytywanie pliku')).toBeVisible()
  const addresses: string[] = []
  page.on('framenavigated', (frame) => addresses.push(frame.url()))
  await page.getByRole('link', { name: 'Archiwum' }).first().click()
  await expect(page).toHaveURL(/\/archival/)
  const uploaded = page.waitForResponse(/imports\?fileName=/)
  upload.resolve()
  await uploaded
  await page.getByRole('button', { name: 'Zarządzanie' }).click()
  await page.getByRole('menuitem', { name: 'Import danych' }).click()
  await expect(page.getByRole('table', { name: 'Poprzednie importy' })).toContainText('powolny.csv')
  expect(addresses.filter((address) => address.includes('imports?id='))).toEqual([])
})
