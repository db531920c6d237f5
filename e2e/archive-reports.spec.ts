import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { archiveStations, resultAddress, rows } from './src/archive.ts'
import { test } from './src/fixtures.ts'
import { plateText } from './src/live.ts'
import { pageAlert, signInByApi } from './src/operator.ts'
import type { Station } from './src/station.ts'

let station: Station
let other: Station
test.beforeAll(async ({ portal }) => {
  ;({ station, other } = await archiveStations(portal))
})

test.beforeEach(async ({ page, portal }) => {
  await signInByApi(page, portal)
})

const download = async (page: Page, format: string, item: string) => {
  await page.getByRole('button', { name: `Pobierz: ${format}` }).click()
  const coming = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: item }).click()
  const file = await coming
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

for (const [format, item, ending, magic] of [
  ['PDF', 'bez zdjęć', 'pdf', '%PDF'],
  ['PDF', 'ze zdjęciami', 'pdf', '%PDF'],
  ['CSV', 'bez zdjęć', 'csv', '\ufeff'],
  ['CSV', 'ze zdjęciami', 'zip', 'PK'],
  ['XLSX', 'bez zdjęć', 'xlsx', 'PK'],
  ['XLSX', 'ze zdjęciami', 'xlsx', 'PK'],
] as const) {
  test(`the result is saved as ${format} ${item}`, async ({ page }) => {
    await page.goto(resultAddress(station.id))
    const { name, bytes } = await download(page, format, item)
    expect(name).toMatch(new RegExp(`^archive_list_\\d\\d_\\d\\d_\\d{4}_\\d\\d_\\d\\d_\\d\\d\\.${ending}$`))
    expect(bytes.toString('utf8').startsWith(magic)).toBe(true)
    if (ending === 'csv') {
      expect(bytes.toString('utf8').trim().split('\r\n')).toHaveLength(5)
      expect(bytes.toString('utf8')).toContain('KND0002')
    }
    await expect(page.getByRole('button', { name: `Pobierz: ${format}` })).toBeEnabled()
  })
}

test('the result is saved for calculation, with a row for each axle and without plates', async ({ page }) => {
  await page.goto(resultAddress(station.id))
  const { name, bytes } = await download(page, 'CSV', 'do obliczeń: wiersz na oś')
  expect(name).toMatch(/^archive_axles_.*\.csv$/)
  const lines = bytes.toString('utf8').trim().split('\r\n')
  expect(lines[0]).toMatch(/^time,vehicle_id,.*,axle_min_kg,/)
  expect(lines.length).toBeGreaterThan(5)
  expect(lines.join()).not.toContain('KND0002')
  await expect(page.getByRole('button', { name: 'Pobierz: Parquet' })).toBeEnabled()
  const parquet = await download(page, 'Parquet', 'do analizy danych: wiersz na pojazd')
  expect(parquet.name).toMatch(/^archive_vehicles_.*\.(parquet|zip)$/)
  expect(parquet.bytes.toString('latin1')).toContain('PAR1')
})

test('a running export disables the other buttons with a reason and can be cancelled', async ({ page }) => {
  await page.goto(resultAddress(station.id))
  await expect(rows(page)).toHaveCount(4)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/reports/*', async (route) => {
    await released
    await route.abort().catch(() => undefined)
  })
  await page.getByRole('button', { name: 'Pobierz: CSV' }).click()
  await page.getByRole('menuitem', { name: 'bez zdjęć' }).click()
  await expect(page.getByText('CSV bez zdjęć')).toBeVisible()
  for (const format of ['PDF', 'CSV', 'XLSX']) {
    const button = page.getByRole('button', { name: `Pobierz: ${format}` })
    await expect(button).toBeDisabled()
    await expect(button).toHaveAttribute('title', 'Poprzedni plik jeszcze się pobiera.')
  }
  await page.getByRole('button', { name: 'Anuluj' }).click()
  await expect(page.getByRole('button', { name: 'Pobierz: CSV' })).toBeEnabled()
  await expect(pageAlert(page)).toHaveCount(0)
  release()
})

test('shows a failed report above the page', async ({ page, consoleErrors }) => {
  consoleErrors.expect(/report/)
  await page.goto(resultAddress(station.id))
  const refusal = { path: null, code: 'report-too-large', userMessage: 'Raport jest za duży.' }
  await page.route('**/arch-vehicles/report?*', (route) => route.fulfill({ status: 422, json: [refusal] }))
  await page.getByRole('button', { name: 'Pobierz: XLSX' }).click()
  await page.getByRole('menuitem', { name: 'ze zdjęciami' }).click()
  await expect(pageAlert(page)).toContainText('Raport jest za duży.')
  await expect(page.getByRole('button', { name: 'Pobierz: XLSX' })).toBeEnabled()
})

test('disables reports above the limit and names it', async ({ page }) => {
  await page.route('**/arch-vehicles?*', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), totalCount: 60_000 } })
  })
  await page.goto(resultAddress(station.id))
  await page.getByRole('button', { name: 'Pobierz: PDF' }).click()
  const plain = page.getByRole('menuitem', { name: 'bez zdjęć' })
  await expect(plain).toBeDisabled()
  await expect(plain).toContainText(/najwyżej 50\s000 pojazdów/)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Pobierz: CSV' }).click()
  await expect(page.getByRole('menuitem', { name: 'bez zdjęć' })).toBeEnabled()
  await expect(page.getByRole('menuitem', { name: 'ze zdjęciami' })).toBeDisabled()
})

test('saves one vehicle as PDF with P, live and archived, and as ZIP', async ({ page }) => {
  const { sequence, createdAt } = await other.send({ plateLpr: 'DOC0001' })
  const id = vehicleId(other.id, sequence)
  for (const address of [`/vehicle/${id}/${other.id}`, `/vehicleArch/${id}/${other.id}/${createdAt}`]) {
    await page.goto(address)
    await expect(page.getByRole('heading', { name: plateText('DOC0001', 'Pojazd ') })).toBeAttached()
    const document = page.waitForEvent('download')
    await page.keyboard.press('p')
    expect((await document).suggestedFilename()).toMatch(/\.pdf$/)
    await page.getByRole('button', { name: 'Inne pliki' }).click()
    const folder = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: /ZIP/ }).click()
    expect((await folder).suggestedFilename()).toMatch(/\.zip$/)
  }
})
