import { expect } from '@playwright/test'
import { addScale, changeScale, scales } from '@rogatka/contract/certificates.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { call, tokenOf } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { createOfficer } from './src/inspections.ts'
import { addAccount, expectAccessible, expectNoOverflow, inEveryLanguage, signInByApi } from './src/operator.ts'
import { addStation } from './src/station.ts'

/** A name that no other test uses. */
const anyName = () => `Waga ${crypto.randomUUID().slice(0, 8)}`

/** A day from now: `20.10.2026`, as typed, or `2026-10-20`. */
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
const typed = (day: string) => day.split('-').reverse().join('.')

const SCALE = {
  certificate: 'OUM/17/2026',
  authority: 'OUM Warszawa',
  validFrom: dayIn(-300),
  validUntil: dayIn(40),
  accuracyPercent: 0.5,
  kind: 'platform' as const,
}

/** A document of one empty page. */
function emptyPdf(): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>',
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((content, at) => {
    const offset = text.length
    text += `${at + 1} 0 obj\n${content}\nendobj\n`
    return offset
  })
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const table = `xref\n0 4\n0000000000 65535 f \n${entries}trailer\n<< /Size 4 /Root 1 0 R >>\n`
  return Buffer.from(`${text}${table}startxref\n${text.length}\n%%EOF\n`)
}

test('a scale changed meanwhile is not overwritten and the input is kept; a new one is deleted again', async ({
  page,
  portal,
  consoleErrors,
}) => {
  // A conflict, and an accuracy out of range.
  consoleErrors.expect(/40[09]/)
  const [name, added] = [anyName(), anyName()]
  const token = await tokenOf(portal)
  const { id, version } = await call(portal, token, addScale, { body: { ...SCALE, name } })
  await signInByApi(page, portal)
  await page.goto('/scale-certificates')
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText(/kończy się za \d\d dni/)
  await page.getByRole('button', { name: `Zmień: ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: `Zmień: ${name}` })
  await dialog.getByLabel('Wydane przez').fill('OUM Łódź')
  await dialog.getByLabel('Nr świadectwa').fill('OUM/2')
  const changed = { ...SCALE, name, certificate: 'OUM/1', accuracyPercent: 1.5, version }
  await call(portal, token, changeScale, { params: { id }, body: changed })
  await dialog.getByRole('button', { name: 'Zapisz' }).click()
  await expect(dialog.getByText('Ktoś zmienił te dane w międzyczasie')).toBeVisible()
  await dialog.getByRole('button', { name: 'Wczytaj ponownie' }).click()
  await expect(dialog.getByLabel('Dokładność [%]')).toHaveValue('1,5')
  await expect(dialog.getByText('Zapisano tymczasem: OUM/1')).toBeVisible()
  await expect(dialog.getByLabel('Nr świadectwa')).toHaveValue('OUM/2')
  await dialog.getByRole('button', { name: 'Zapisz' }).click()
  await expect(row).toContainText(/OUM\/2.*OUM Łódź.*1,5/)

  await page.getByLabel('Nazwa').fill(added)
  await page.getByLabel('Nr świadectwa').fill('OUM/9')
  await page.getByLabel('Wydane przez').fill('OUM')
  await page.getByRole('textbox', { name: 'Ważne od' }).fill(typed(dayIn(-400)))
  await page.getByRole('textbox', { name: 'Ważne do' }).fill(typed(dayIn(-30)))
  await page.getByLabel('Dokładność [%]').fill('7')
  await page.getByRole('button', { name: 'Dodaj', exact: true }).click()
  await expect(page.getByLabel('Dokładność [%]')).toHaveAccessibleDescription(/\S/)
  await page.getByLabel('Dokładność [%]').fill('0,5')
  await page.getByRole('button', { name: 'Dodaj', exact: true }).click()
  const addedRow = page.getByRole('row').filter({ hasText: added })
  await expect(addedRow).toContainText('brak ważnego świadectwa')
  await expectAccessible(page)
  await addedRow.getByRole('button', { name: `Usuń: ${added}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Usuń' }).click()
  await expect(addedRow).toHaveCount(0)
})

test('the next certificate of a scale leaves the present one, and one that is entered later is marked', async ({
  page,
  portal,
}) => {
  const name = anyName()
  const station = await addStation(portal, 967, 'S8 Wzorcowo')
  await (await createOfficer(portal, name))({ station, selection: 'reference', gross: 30_000 })
  const token = await tokenOf(portal)
  const used = (await call(portal, token, scales)).find((scale) => scale.name === name)
  const next = { certificate: 'NEXT', validFrom: dayIn(20), validUntil: dayIn(900) }
  const body = { ...SCALE, name, ...next }
  await call(portal, token, changeScale, { params: { id: used?.id as number }, body })
  await signInByApi(page, portal)
  await page.goto('/scale-certificates')
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText(`OUM/${name}następne: NEXT, ważne od ${typed(next.validFrom)}`)

  await page.getByRole('button', { name: `Zmień: ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: `Zmień: ${name}` })
  await expect(dialog.getByLabel('Nr świadectwa')).toHaveAccessibleDescription(/dotychczasowe zostaje w historii/)
  await expect(dialog.getByRole('listitem')).toHaveText([/^NEXT ·/, new RegExp(`^OUM/${name} ·`)])
  await dialog.getByLabel('Nr świadectwa').fill('LATE')
  await dialog.getByRole('textbox', { name: 'Ważne od' }).fill(typed(dayIn(-2)))
  await dialog.getByRole('button', { name: 'Zapisz' }).click()
  await expect(row).toContainText(/LATEwpisano później: \d\d\.\d\d\.\d{4}następne: NEXT/)
  await page.getByRole('button', { name: `Zmień: ${name}` }).click()
  await expect(dialog.getByRole('listitem').first()).toContainText('wpisano później')
  await expectAccessible(page)
})

test('a lane gets a purpose, a certificate with its file, and the certificate is revoked', async ({ page, portal }) => {
  await addStation(portal, 966, 'S8 Certyfikat')
  await signInByApi(page, portal)
  await page.goto('/scale-certificates?tab=lanes&station=966')
  const lane = page.getByRole('article', { name: 'S8 Certyfikat, Pas 2' })
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(lane).toContainText('bez świadectwa')
  await lane.getByRole('combobox').click()
  await page.getByRole('option', { name: 'karanie' }).click()
  await expect(page.getByText('Zmieniono przeznaczenie pasa: karanie.')).toBeVisible()

  const add = async (number: string, from: number, until: number) => {
    await lane.getByRole('button', { name: 'Dodaj świadectwo' }).click()
    const dialog = page.getByRole('dialog', { name: 'Nowe świadectwo: S8 Certyfikat, Pas 2' })
    await dialog.getByLabel('Numer').fill(number)
    await dialog.getByLabel('Wydane przez').fill('GUM')
    await dialog.getByRole('textbox', { name: 'Ważne od' }).fill(typed(dayIn(from)))
    await dialog.getByRole('textbox', { name: 'Ważne do' }).fill(typed(dayIn(until)))
    await dialog.getByLabel('Prędkość do [km/h]').fill('90')
    await dialog.getByRole('button', { name: 'Dodaj', exact: true }).click()
    await expect(dialog).toHaveCount(0)
  }
  await add('WIM/1', -10, 200)
  const row = lane.getByRole('row').filter({ hasText: 'WIM/1' })
  await expect(row).toContainText(/0–90.*obowiązuje/)
  const chooser = page.waitForEvent('filechooser')
  await row.getByRole('button', { name: 'Dołącz PDF: WIM/1' }).click()
  await (await chooser).setFiles({ name: 'wim-1.pdf', mimeType: 'application/pdf', buffer: emptyPdf() })
  const saved = page.waitForEvent('download')
  await row.getByRole('button', { name: 'Pobierz PDF: WIM/1, wim-1.pdf' }).click()
  expect((await saved).suggestedFilename()).toBe('wim-1.pdf')

  await add('WIM/2', 30, 400)
  const future = lane.getByRole('row').filter({ hasText: 'WIM/2' })
  await expect(future).toContainText('jeszcze nie obowiązuje')
  await future.getByRole('button', { name: 'Usuń: WIM/2' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Usuń' }).click()
  await expect(future).toHaveCount(0)
  await row.getByRole('button', { name: 'Unieważnij: WIM/1' }).click()
  const dialog = page.getByRole('dialog', { name: 'Unieważnić świadectwo WIM/1?' })
  await dialog.getByLabel('Powód').fill('Uszkodzony czujnik')
  await dialog.getByRole('button', { name: 'Unieważnij' }).click()
  await expect(row).toContainText(/unieważnione .*, admin: Uszkodzony czujnik/)
  await expect(lane.getByText('brak ważnego świadectwa')).toBeVisible()

  // Without its scale the lane keeps its certificates, and misses none.
  await page.route('**/lane-certificates', async (route) => {
    const lanes = await (await route.fetch()).json()
    await route.fulfill({ json: lanes.map((one: object) => ({ ...one, hasScale: false })) })
  })
  await page.reload()
  await expect(lane.getByText('bez wagi')).toBeVisible()
  await expect(row).toBeVisible()
  await expect(lane.getByText('brak ważnego świadectwa')).toHaveCount(0)
  await expect(lane.getByRole('button', { name: 'Dodaj świadectwo' })).toHaveCount(0)
  await page.unroute('**/lane-certificates')
  await page.reload()
  await expect(lane.getByText('brak ważnego świadectwa')).toBeVisible()
  await inEveryLanguage(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoOverflow(page)
  await expectAccessible(page)

  // Inspectors read, but change nothing.
  await signInByApi(page, portal, await addAccount(portal, ['Inspections']))
  await page.goto('/inspections')
  await page.locator('a[href="/scale-certificates"]').click()
  await expect(page).toHaveURL(/\/scale-certificates$/)
  await page.goto('/scale-certificates?tab=lanes&station=966')
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(page.getByRole('article').getByRole('combobox')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^(Unieważnij|Dodaj)/ })).toHaveCount(0)
})
