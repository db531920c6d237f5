import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { issue, P12_PASSWORD, pemOf, pkcs12Of } from '@rogatka/api/evidence/testing-certificates.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { test } from './src/fixtures.ts'
import { addAccount, expectAccessible, expectNoOverflow, inEveryLanguage, signInByApi } from './src/operator.ts'
import { type Portal, startPortal } from './src/portal.ts'
import { addStation } from './src/station.ts'

let portal: Portal
let folder: string

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rogatka-evidence-'))
  const authority = await issue({ name: 'Urząd Testowy', isAuthority: true, until: '2046-01-01T00:00:00Z' })
  const dates = { from: '2020-01-01T00:00:00Z', until: '2045-01-01T00:00:00Z' }
  const signer = await issue({ name: 'Zarząd Dróg Testowych', issuer: authority, ...dates })
  const [p12, chain] = [join(folder, 'evidence.p12'), join(folder, 'chain.pem')]
  await writeFile(p12, await pkcs12Of(signer))
  await writeFile(chain, pemOf(authority))
  portal = await startPortal({ EVIDENCE_P12: p12, EVIDENCE_P12_PASSWORD: P12_PASSWORD, EVIDENCE_CHAIN: chain })
})
test.afterAll(async () => {
  await portal.stop()
  await rm(folder, { recursive: true })
})

const verdict = (page: Page) => page.locator('#verdict')

test('a package and a sheet are downloaded and verified, and what was changed in them is named', async ({ page }) => {
  const station = await addStation(portal, 979, 'S8 Dowody')
  const { sequence } = await station.send()
  const account = await addAccount(portal, ['CurrentMeasurements', 'Admin'])
  await signInByApi(page, portal, account)
  await page.goto(`${portal.url}/vehicle/${vehicleId(station.id, sequence)}/${station.id}`)
  const download = async (start: () => Promise<void>) => {
    const [file] = await Promise.all([page.waitForEvent('download'), start()])
    return readFile(await file.path())
  }
  const sheet = await download(() => page.getByRole('button', { name: 'PDF' }).first().click())
  const more = page.getByRole('button', { name: 'Inne pliki' })
  const zip = await download(async () => {
    await more.click()
    await page.getByRole('menuitem', { name: 'Pakiet dowodowy (ZIP)' }).click()
  })
  await more.click()
  await page.getByRole('menuitem', { name: 'Zweryfikuj kartę lub pakiet' }).click()
  await expect(page).toHaveURL(/\/evidence$/)
  // Before the check, so that the browser reports the dialog when it opens.
  const choosing = page.waitForEvent('filechooser')
  await expectAccessible(page)

  // By keyboard.
  const button = page.getByRole('button', { name: 'Wybierz plik' })
  await button.focus()
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  await (await choosing).setFiles({ name: 'dowod.zip', mimeType: 'application/zip', buffer: zip })
  await expect(verdict(page)).toHaveText('Pakiet jest kompletny i niezmieniony, a karta podpisana')
  await expect(verdict(page)).toBeFocused()
  const fact = (name: string) => page.locator(`//dt[normalize-space()="${name}"]/following-sibling::dd`)
  await expect(fact('Podpisał')).toHaveText('CN=Zarząd Dróg Testowych')
  await expect(page.locator('code')).toContainText('sha256sum --strict -c manifest.sha256')

  const choose = page.locator('input[type=file]')
  const verify = (name: string, buffer: Buffer) =>
    choose.setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
  const changed = (bytes: Buffer, at: number) => {
    const copy = Buffer.from(bytes)
    copy[at] = (copy[at] as number) ^ 1
    return copy
  }
  // The sheet is the first file, stored as it is.
  await verify('dowod.zip', changed(zip, 500))
  await expect(verdict(page)).toHaveText('Pakiet różni się od wydanego')
  await expect(page.getByRole('alert')).toContainText('dowod.zip')
  await expect(page.getByRole('listitem').filter({ hasText: 'sheet.pdf' })).toHaveText([
    'sheet.pdf Zmieniono podpisaną treść.',
    'sheet.pdf Zmieniono plik po utworzeniu pakietu.',
  ])
  await page.setViewportSize({ width: 390, height: 844 })
  await inEveryLanguage(page, async () => {
    await expect(verdict(page)).toBeVisible()
    await expectAccessible(page)
    await expectNoOverflow(page)
  })
  await page.evaluate(() => localStorage.setItem('lang', 'pl'))
  await page.reload()
  await verify('karta.pdf', sheet)
  await expect(verdict(page)).toHaveText('Dokument jest taki, jaki podpisano')
  await expect(page.locator('code')).toContainText('openssl cms -verify -binary -inform DER')
  await verify('karta.pdf', changed(sheet, 500))
  await expect(page.getByRole('listitem').filter({ hasText: 'Zmieniono' })).toHaveText(['Zmieniono podpisaną treść.'])
  await verify('list.pdf', Buffer.from('Szanowni Państwo'))
  await expect(verdict(page)).toHaveText('Dokument nie ma podpisu, który obejmuje całą jego treść')
})
