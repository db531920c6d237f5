import { expect } from '@playwright/test'
import { addContact, changePlate, plates, removePlate } from '@rogatka/contract/wanted.ts'
import { call } from './src/call.ts'
import { test } from './src/fixtures.ts'
import {
  addAccount,
  expectAccessible,
  expectNoOverflow,
  inEveryLanguage,
  openPage,
  signIn,
  signInByApi,
} from './src/operator.ts'
import { titled } from './src/title.ts'
import { addButton, addEntry, fillForm, listed, signInWithEmptyLists, WANTED_RIGHTS } from './src/wanted.ts'

/** As Excel in Poland writes a file. */
const windows1250 = (text: string): Buffer => {
  const decoder = new TextDecoder('windows-1250')
  const codes = new Map(Array.from({ length: 256 }, (_, code) => [decoder.decode(new Uint8Array([code])), code]))
  return Buffer.from([...text].map((letter) => codes.get(letter) ?? 0x3f))
}

test('adds a plate with a description, and deletes it after a confirmation', async ({
  page,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/409/)
  await signInWithEmptyLists(page, portal)
  await page.goto('/black-list')
  await expect(page).toHaveTitle(titled('Czarna lista'))
  await expect(page.getByText('Czarna lista jest pusta.')).toBeVisible()
  await expect(addButton(page)).toBeDisabled()
  await page.getByLabel('Tablica', { exact: true }).fill('wpr 8k-47m')
  await expect(addButton(page)).toBeDisabled()
  await page.getByLabel('Opis', { exact: true }).fill('x'.repeat(120))
  await expect(page.getByLabel('Opis', { exact: true })).toHaveValue('x'.repeat(100))
  await page.getByLabel('Uwzględnij mylone znaki').check()
  await addButton(page).click()
  await expect(listed(page, 'WPR8K47M')).toContainText('mylone znaki')
  // Displayed as a plate with an unknown country until detected.
  await expect(listed(page, 'WPR8K47M').getByRole('cell', { name: /^\? WPR/ })).toBeVisible()
  await expect(page.getByLabel('Tablica', { exact: true })).toBeFocused()

  await fillForm(page, 'WPR 8K47M', 'jeszcze raz')
  await addButton(page).click()
  await expect(page.getByLabel('Tablica', { exact: true })).toHaveAccessibleDescription(
    'Ta tablica jest już na liście.',
  )

  await page.getByRole('button', { name: 'Usuń: WPR8K47M' }).click()
  const question = page.getByRole('dialog', { name: 'Usunąć WPR8K47M z listy?' })
  await question.getByRole('button', { name: 'Anuluj' }).click()
  await expect(listed(page, 'WPR8K47M')).toBeVisible()
  await page.getByRole('button', { name: 'Usuń: WPR8K47M' }).click()
  await question.getByRole('button', { name: 'Usuń', exact: true }).click()
  await expect(listed(page, 'WPR8K47M')).toHaveCount(0)
})

test('shows five of ten fetched entries per page, newest first', async ({ page, portal }) => {
  const { token } = await signInWithEmptyLists(page, portal)
  for (let n = 1; n <= 12; n++) {
    await addEntry(portal, token, { plateLpr: `PG${n}X`, typeOfList: 1, description: 'strony' })
  }
  const requestUrls: string[] = []
  page.on('request', (request) => request.url().includes('/wanted-plates?') && requestUrls.push(request.url()))
  await page.goto('/white-list')
  await expect(page.getByText('12 wpisów')).toBeVisible()
  await expect(page.locator('tbody tr')).toHaveCount(5)
  await expect(page.locator('tbody tr').first()).toContainText('PG12X')
  await page.getByRole('button', { name: 'Strona 2' }).click()
  await expect(page.locator('tbody tr').first()).toContainText('PG7X')
  expect(new Set(requestUrls.map((url) => new URL(url).searchParams.get('page')))).toEqual(new Set(['1']))
  await page.getByRole('button', { name: 'Strona 3' }).click()
  await expect(page.locator('tbody tr')).toHaveCount(2)
  expect(requestUrls.at(-1)).toMatch(/typesOfLists=1.*page=2.*limit=10|page=2.*limit=10/)
  await page.goBack()
  await expect(page.locator('tbody tr').first()).toContainText('PG7X')
})

test('validates a file, sends it row by row, and keeps rejected rows with their reason', async ({
  page,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/CSV|409/)
  const { token } = await signInWithEmptyLists(page, portal)
  await addEntry(portal, token, { plateLpr: 'CSV1', typeOfList: 0, description: 'jest już' })
  await page.goto('/black-list')
  const rows = [
    'tablica;opis',
    'CSV1;powtórzona',
    'CSV 2;"Kradzież; Łódź"',
    'CSV3;do usunięcia',
    ';bez tablicy',
    'CSV4;"niezamknięty',
    `CSV5;${'x'.repeat(101)}`,
    'csv-2;znowu',
    'CSV6;dobra',
  ]
  await page.locator('input[type="file"]').setInputFiles({
    name: 'lista.csv',
    mimeType: 'text/csv',
    buffer: windows1250(rows.join('\r\n')),
  })

  const pending = page.getByRole('table', { name: '4 wiersze czekają' })
  await expect(pending).toContainText('Kradzież; Łódź')
  const refused = page.getByRole('region', { name: /odrzucon/ })
  await expect(refused).toContainText('Podaj tablicę rejestracyjną.')
  await expect(refused).toContainText('Cudzysłów nie jest zamknięty.')
  await expect(refused).toContainText('Tekst jest za długi')
  await expect(refused).toContainText('Powtórzony w pliku.')
  await page.getByRole('button', { name: 'Usuń wiersz 4' }).click()
  await page.getByRole('button', { name: 'Wyślij 3 wiersze' }).click()

  await expect(listed(page, 'CSV6')).toBeVisible()
  await expect(listed(page, 'CSV2')).toContainText('Kradzież; Łódź')
  await expect(page.getByRole('table', { name: /czekają/ })).toHaveCount(0)
  await expect(refused).toContainText('Ta tablica jest już na liście.')
  // Rejected rows are kept after navigation.
  await page.getByRole('link', { name: 'Archiwum' }).click()
  await page.goBack()
  await expect(refused).toContainText('Ta tablica jest już na liście.')
  await page.getByRole('button', { name: 'Zamknij listę odrzuconych' }).click()
  await expect(refused).toHaveCount(0)
  const { content } = await call(portal, token, plates)
  expect(content.map(({ plateLpr }) => plateLpr).sort()).toEqual(['CSV1', 'CSV2', 'CSV6'])
})

test('shows upload progress and can be cancelled', async ({ page, portal }) => {
  await signInWithEmptyLists(page, portal)
  await page.goto('/white-list')
  const lines = Array.from({ length: 2_000 }, (_, n) => `LONG${n};długi plik`)
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'l.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) })
  await page.getByRole('button', { name: /^Wyślij 2000 wierszy$/ }).click()
  await expect(page.getByText(/^[1-9]\d* z 2\s000$/)).toBeVisible()
  await page.getByRole('button', { name: 'Przerwij' }).click()
  await expect(page.getByRole('button', { name: /^Wyślij \d+ wiersz/ })).toBeVisible()
  await page.getByRole('button', { name: 'Odrzuć plik' }).click()
  await expect(page.getByRole('button', { name: /^Wyślij/ })).toHaveCount(0)
})

test('an unreadable file is reported, and one that is read during a sign-out is not shown to the next user', async ({
  page,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/CSV/)
  await signInWithEmptyLists(page, portal)
  await page.goto('/white-list')
  const file = { name: 'l.csv', mimeType: 'text/csv', buffer: Buffer.from('WX 4711;obca') }
  await page.evaluate(() => {
    File.prototype.arrayBuffer = () => Promise.reject(new DOMException('changed', 'NotReadableError'))
  })
  await page.locator('input[type="file"]').setInputFiles(file)
  await expect(page.getByText('Nie można odczytać pliku.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Wybierz plik' })).toBeEnabled()

  await page.evaluate(() => {
    File.prototype.arrayBuffer = () =>
      new Promise((done) => addEventListener('read-file', () => done(new TextEncoder().encode('WX 4711;obca').buffer)))
  })
  await page.locator('input[type="file"]').setInputFiles(file)
  await expect(page.getByText('Nie można odczytać pliku.')).toHaveCount(0)
  await openPage(page, '/logout')
  await signIn(page)
  await openPage(page, '/white-list')
  await expect(page.getByRole('button', { name: 'Wybierz plik' })).toBeEnabled()
  await page.evaluate(() => dispatchEvent(new Event('read-file')))
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
  await expect(page.getByText('WX 4711')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Wyślij/ })).toHaveCount(0)
})

test('an open edit dialog keeps its text when a sent file moves its entry to another page', async ({
  page,
  portal,
}) => {
  const { token } = await signInWithEmptyLists(page, portal)
  await addEntry(portal, token, { plateLpr: 'SLIDE0', typeOfList: 1, description: 'stary opis' })
  await page.goto('/white-list')
  const lines = Array.from({ length: 10 }, (_, n) => `SLIDE${n + 1};z pliku`)
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 's.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) })
  const gate = Promise.withResolvers<void>()
  await page.route('**/wanted-plates', async (route) => {
    await gate.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Wyślij 10 wierszy' }).click()
  await page.getByRole('button', { name: 'Zmień: SLIDE0' }).click()
  const dialog = page.getByRole('dialog', { name: 'Zmień: SLIDE0' })
  await dialog.getByLabel('Opis', { exact: true }).fill('nowy opis')
  gate.resolve()
  await expect(page.locator('tbody tr').first()).toContainText('SLIDE10')
  await expect(dialog.getByLabel('Opis', { exact: true })).toHaveValue('nowy opis')
  await dialog.getByRole('button', { name: 'Zapisz' }).click()
  await expect(dialog).toHaveCount(0)
  const { content } = await call(portal, token, plates, { query: { search: 'nowy opis' } })
  expect(content.map(({ plateLpr }) => plateLpr)).toEqual(['SLIDE0'])
})

test('reloads an entry after a conflict, keeps the input and saves', async ({ page, portal, consoleErrors }) => {
  consoleErrors.expect(/409|404/)
  const { token } = await signInWithEmptyLists(page, portal)
  const body = { plateLpr: 'RACE1', description: 'stary opis' }
  const { id } = await addEntry(portal, token, { ...body, typeOfList: 0 })
  await page.goto('/black-list')
  const dialog = page.getByRole('dialog', { name: 'Zmień: RACE1' })
  const description = dialog.getByLabel('Opis', { exact: true })
  const save = dialog.getByRole('button', { name: 'Zapisz' })
  await page.getByRole('button', { name: 'Zmień: RACE1' }).click()
  await description.fill('mój opis')
  const expiresAt = '2030-12-31T22:59:00.000Z'
  await call(portal, token, changePlate, { params: { id }, body: { ...body, description: 'cudzy opis', expiresAt } })
  await save.click()
  await expect(dialog.getByText(/^Ktoś zmienił te dane w międzyczasie, więc nie zostały zapisane/)).toBeVisible()
  // The row already shows the stored value.
  await expect(page.locator('tbody')).toContainText('cudzy opis')
  await dialog.getByRole('button', { name: 'Wczytaj ponownie' }).click()
  await expect(description).toHaveValue('mój opis')
  await expect(description).toHaveAccessibleDescription('Zapisano tymczasem: cudzy opis')
  await expectAccessible(page)
  await save.click()
  await expect(dialog).toHaveCount(0)
  const { content } = await call(portal, token, plates, { query: { search: 'RACE1' } })
  expect(content).toMatchObject([{ description: 'mój opis', expiresAt }])

  // A plate deleted meanwhile is removed from the list.
  await page.getByRole('button', { name: 'Zmień: RACE1' }).click()
  await description.fill('za późno')
  await call(portal, token, removePlate, { params: { id } })
  await save.click()
  await expect(dialog.getByText('Nie ma takiego wpisu na liście.')).toBeVisible()
  await expect(page.getByText('Czarna lista jest pusta.')).toBeVisible()
})

test('ignores sorting by plate in the address of an anonymised user', async ({ page, portal }) => {
  await signInWithEmptyLists(page, portal, ['WantedList', 'Anonymization'])
  await page.goto('/black-list?order=plateLpr')
  await expect(page.getByText('Czarna lista jest pusta.')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Sortowanie' })).toHaveValue('najnowsze')
})

test('assigns entries to other users and lists those of one, with UserManagement', async ({ page, portal }) => {
  const other = await addAccount(portal, ['WantedList'])
  await signInWithEmptyLists(page, portal, [...WANTED_RIGHTS, 'UserManagement'])
  await page.goto('/black-list')
  await fillForm(page, 'GIVEN 1', 'dla innego')
  await page.getByRole('combobox', { name: 'Użytkownik', exact: true }).fill(other.username)
  await page.getByRole('option', { name: other.username, exact: true }).click()
  await addButton(page).click()
  await expect(listed(page, 'GIVEN1')).toContainText(other.username)
  await page.getByRole('combobox', { name: 'Wpisy użytkownika' }).fill(other.username)
  await page.getByRole('option', { name: other.username, exact: true }).click()
  await expect(page).toHaveURL(/userId=\d+/)
  await expect(page.getByText('1 wpis', { exact: true })).toBeVisible()

  await signInByApi(page, portal, other)
  await page.goto('/black-list')
  await expect(listed(page, 'GIVEN1')).toBeVisible()
  await expect(page.getByRole('combobox', { name: /[Uu]żytkownik/ })).toHaveCount(0)
})

test('pages are accessible at every width and translated', async ({ page, portal }) => {
  const { token } = await signInWithEmptyLists(page, portal, [...WANTED_RIGHTS, 'UserManagement'])
  await addEntry(portal, token, { plateLpr: 'AXE1', typeOfList: 0, description: 'x'.repeat(100), allowMisread: true })
  await call(portal, token, addContact, {
    body: { contact: 'axe@example.org', typeOfContact: 0, description: 'Dyżurny' },
  })
  await page.goto('/black-list')
  await expect(page.getByRole('table', { name: 'Czarna lista' })).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoOverflow(page)
  await inEveryLanguage(page, () => expect(page.getByRole('table').first()).toBeVisible())
  await page.goto('/contact')
  await inEveryLanguage(page, () => expect(page.getByRole('table').first()).toBeVisible())
  await expectAccessible(page)
})

test('hides the lists without their right', async ({ page, portal }) => {
  await signInWithEmptyLists(page, portal, ['Stat'])
  await page.goto('/black-list')
  await expect(page.getByText('Brak uprawnień do tej czynności.')).toBeVisible()
})

test('shows anonymised users a notice instead of the form', async ({ page, portal }) => {
  await signInWithEmptyLists(page, portal, ['WantedList', 'Anonymization'])
  for (const path of ['/black-list', '/white-list']) {
    await page.goto(path)
    await expect(page.getByText('Twoja rola widzi dane zanonimizowane: wpisów nie można dodawać')).toBeVisible()
    await expect(page.getByText(/lista jest pusta\.$/)).toBeVisible()
    await expect(page.getByText('Nowy wpis')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Wybierz plik' })).toHaveCount(0)
  }
  await inEveryLanguage(page, () => expect(page.locator('main form')).toHaveCount(0))
})
