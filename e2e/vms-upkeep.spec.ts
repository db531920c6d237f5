import { expect } from '@playwright/test'
import { changeSignContent, changeSignGroup, signContents, signGroups } from '@rogatka/contract/vms-upkeep.ts'
import { call, tokenOf } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { expectAccessible, inEveryLanguage, signInByApi } from './src/operator.ts'
import { addStation } from './src/station.ts'

/** Of this file only: other stations of the portal have their own names. */
const STATION = 944

test('an administrator adds a group, a sign and a content, meets a conflict, and deletes them again', async ({
  page,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/40\d.*\/sign-/)
  await addStation(portal, STATION, 'S8 Znaki')
  const name = `Próba ${crypto.randomUUID().slice(0, 8)}`
  await signInByApi(page, portal)
  await page.goto('/sign-groups?tab=contents')
  await page.getByRole('button', { name: 'Dodaj treść' }).press('Enter')
  const content = page.getByRole('dialog', { name: 'Nowa treść znaku' })
  await content.getByLabel('Opis').fill(name)
  const drafts = () => page.evaluate(() => JSON.stringify(sessionStorage))
  await expect.poll(drafts).toContain('sign-content/new')
  // As after the end of a session, the page opens again with the draft.
  await page.reload()
  await expect(content.getByLabel('Opis')).toHaveValue(name)
  await content.getByRole('button', { name: 'Dodaj', exact: true }).click()
  await expect(
    content.getByText('Wybierz piktogram, wpisz wiersze albo jedno i drugie.', { exact: true }),
  ).toBeVisible()
  await content.getByLabel('Wiersze tekstu').fill('ZJAZD\n\n NA WAGĘ ')
  await content.getByRole('button', { name: 'Dodaj', exact: true }).click()
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText(/–.*ZJAZD \/ NA WAGĘ.*0/)

  await page.getByRole('button', { name: `Zmień: ${name}` }).click()
  const change = page.getByRole('dialog', { name: `Zmień: ${name}` })
  await change.getByLabel('Wiersze tekstu').fill('MOJE')
  const token = await tokenOf(portal)
  const stored = (await call(portal, token, signContents, {})).find(({ description }) => description === name)
  if (!stored) throw new Error('the content was added')
  const body = { description: name, pictogram: null, graphic: null, lines: ['CUDZE'], version: stored.version }
  await call(portal, token, changeSignContent, { params: { id: stored.id }, body })
  await change.getByRole('button', { name: 'Zapisz' }).click()
  await change.getByRole('button', { name: 'Wczytaj ponownie' }).click()
  await expect(change.getByText('Zapisano tymczasem: CUDZE')).toBeVisible()
  await change.getByRole('button', { name: 'Zapisz' }).click()
  await expect(row).toContainText('MOJE')

  await page.getByRole('link', { name: 'Grupy', exact: true }).click()
  await page.getByRole('button', { name: 'Dodaj grupę' }).click()
  const group = page.getByRole('dialog', { name: 'Nowa grupa znaków' })
  await group.getByRole('combobox', { name: 'Stacja' }).fill('S8 Znaki')
  await page.getByRole('option', { name: 'S8 Znaki' }).click()
  await group.getByLabel('Opis').fill(name)
  await group.getByLabel('Warianty').fill('Kontrola\nObjazd')
  await group.getByRole('button', { name: 'Dodaj', exact: true }).click()
  await expect(row).toContainText(/S8 Znaki.*Kontrola, Objazd.*0.*wyłączona/)
  await page.getByRole('button', { name: `Znaki grupy ${name}` }).click()
  const signs = page.getByRole('dialog', { name: `Znaki grupy ${name}` })
  await signs.getByRole('button', { name: 'Dodaj znak' }).click()
  const sign = page.getByRole('dialog', { name: 'Nowy znak' })
  await sign.getByLabel('Droga').fill('S8')
  await sign.getByLabel('Kilometraż').fill('1+900')
  await sign.getByLabel('Community SNMP').fill('tajne')
  await sign.getByLabel('Nazwa lub adres IP').fill('192.0.2.1')
  await expect.poll(drafts).toContain('192.0.2.1')
  // Secrets are in no draft.
  expect(await drafts()).not.toContain('tajne')
  await page.reload()
  await expect(sign.getByLabel('Droga')).toHaveValue('S8')
  await sign.getByLabel('Community SNMP').fill('tajne')
  // Another administrator adds a variant, which the open form shows.
  const [stale] = (await call(portal, token, signGroups, {})).filter(({ description }) => description === name)
  if (!stale) throw new Error('the group was added')
  const more = { description: name, variants: ['Kontrola', 'Objazd', 'Stop'] }
  await call(portal, token, changeSignGroup, { params: { id: stale.id }, body: more })
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await sign.getByRole('combobox', { name: 'Stop' }).click()
  await page.getByRole('option', { name }).click()
  await expect(sign.getByRole('combobox', { name: 'Stop' })).toHaveValue(name)
  await sign.getByRole('combobox', { name: 'Kontrola' }).click()
  await page.getByRole('option', { name }).click()
  await expectAccessible(page)
  await sign.getByRole('button', { name: 'Dodaj', exact: true }).click()
  const added = signs.getByRole('row').nth(1)
  await expect(added).toContainText(
    `1. S8 1+900NTCIP 1203 (SNMP), 192.0.2.1:161Kontrola: ${name}, Objazd: –, Stop: ${name}`,
  )
  expect((await call(portal, token, signGroups, {})).find(({ description }) => description === name)).toMatchObject({
    locationId: STATION,
    variants: more.variants,
    signs: [{ driver: 'ntcip1203', contentIds: [stored.id, null, stored.id] }],
  })

  const confirm = async () => {
    const dialog = page.getByRole('dialog').last()
    // An open dialog takes the focus in one of its first frames.
    await expect(dialog.locator(':focus')).toBeVisible()
    await dialog.getByRole('button', { name: 'Usuń', exact: true }).press('Enter')
  }
  await signs.getByRole('button', { name: 'Usuń: S8 1+900' }).press('Enter')
  await confirm()
  await expect(signs.getByText('Grupa nie ma znaków.')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: `Usuń: ${name}` }).press('Enter')
  await confirm()
  await expect(row).toHaveCount(0)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('link', { name: 'Treści', exact: true }).click()
  await page.getByRole('button', { name: `Usuń: ${name}` }).press('Enter')
  await confirm()
  await expect(row).toHaveCount(0)
  await expectAccessible(page)
  await inEveryLanguage(page)
})
