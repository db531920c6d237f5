import { expect, type Page } from '@playwright/test'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { change, read, type WireTicket } from '@rogatka/contract/tickets.ts'
import { monthAt } from '@rogatka/domain/tickets/downtime.ts'
import { call, tokenOf } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { addAccount, expectAccessible, inEveryLanguage, signInByApi } from './src/operator.ts'
import type { Portal } from './src/portal.ts'

/** A title that no other test has. */
const anyTitle = () => `Awaria ${crypto.randomUUID().slice(0, 8)}`

/** Creates a ticket over HTTP. */
async function reported(portal: Portal, title: string): Promise<WireTicket> {
  const answer = await fetch(`${portal.url}${API_BASE}/tickets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await tokenOf(portal)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title, description: 'Pas 2 nie mierzy.\nOd rana.' }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return answer.json()
}

const rowOf = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title })
/** The value of a description list. */
const fact = (page: Page, name: string) =>
  page
    .locator('dt')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .locator('+ dd')
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Zgłoś problem' })

test.beforeEach(async ({ page, portal }) => {
  await signInByApi(page, portal)
})

test('lists the failures of a month, opens one by row click, and prints them', async ({ page, portal }) => {
  const ticket = await reported(portal, anyTitle())
  const { year, month } = monthAt(new Date(ticket.created_at))
  await page.goto(`/tickets?year=${year}&month=${month}`)
  const row = rowOf(page, ticket.title)
  await expect(row).toContainText('nieusunięte')
  await expect(page.getByRole('columnheader')).toHaveText([
    'Numer',
    'Tytuł',
    'Zgłoszono',
    'Usunięto',
    'Czas trwania',
    'Czas łączny',
    'Edytuj',
  ])
  // How long it will be, with the availability of the stations.
  await expect(page.getByText(/^(około )?\d+ stron/)).toBeVisible()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Generuj PDF' }).click()
  expect((await saved).suggestedFilename()).toMatch(new RegExp(`${year}.*\\.pdf$`))

  // A click anywhere in the row opens the ticket.
  await row.click({ position: { x: 20, y: 10 } })
  await expect(page).toHaveURL(`/tickets/${ticket.id}`)
  await expect(page.getByText('Pas 2 nie mierzy.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/tickets$/)
})

test('assigns, resolves and reopens a failure', async ({ page, portal }) => {
  const ticket = await reported(portal, anyTitle())
  const stored = async () => call(portal, await tokenOf(portal), read, { params: { id: ticket.id } })
  const choose = (status: string) => page.getByRole('radiogroup', { name: 'Status' }).getByText(status).click()
  await page.goto('/tickets')
  await rowOf(page, ticket.title)
    .getByRole('link', { name: /^Edytuj/ })
    .click()
  await page.getByLabel('Tytuł').fill('')
  await page.getByRole('button', { name: 'Zapisz' }).first().click()
  await expect(page.getByLabel('Tytuł')).toHaveAccessibleDescription('Podaj tytuł.')
  await expect(page.getByLabel('Opis (opcjonalnie)')).toBeVisible()
  await page.getByLabel('Tytuł').fill(ticket.title)
  await choose('Zakończone')
  await page.getByLabel('Odpowiedzialny (opcjonalnie)').fill('Serwis Wag')
  // The second button, after the fields.
  await page.getByRole('main').getByRole('button', { name: 'Zapisz' }).last().click()
  await expect(page).toHaveURL(`/tickets/${ticket.id}`)
  await expect(page.getByText('Zakończone', { exact: true })).toBeVisible()
  await expect(fact(page, 'Odpowiedzialny')).toHaveText('Serwis Wag')
  expect(await stored()).toMatchObject({ status: 'closed', isOpen: false, handleBy: 'Serwis Wag' })
  expect((await stored()).close_at).not.toBeNull()

  await page.getByRole('button', { name: 'Edytuj' }).click()
  await choose('W toku')
  await page.getByLabel('Tytuł').press('Control+Enter')
  await expect(page.getByText('nieusunięte')).toBeVisible()
  expect(await stored()).toMatchObject({ status: 'in_progress', isOpen: true, close_at: null })

  // The owner in the ticket service is shown too.
  const owned = { ...(await stored()), serviceOwner: 'Jan Serwisant' }
  await page.route(`**/api/v1/tickets/${ticket.id}`, (route) => route.fulfill({ json: owned }))
  await page.reload()
  await expect(fact(page, 'Odpowiedzialny')).toHaveText('Serwis Wag')
  await expect(fact(page, 'Odpowiedzialny w serwisie')).toHaveText('Jan Serwisant')
})

test('shows a conflict to the second editor and keeps the input', async ({ page, portal, consoleErrors }) => {
  consoleErrors.expect(/409/)
  const ticket = await reported(portal, anyTitle())
  await page.goto(`/tickets/${ticket.id}/edit`)
  await page.getByLabel('Odpowiedzialny (opcjonalnie)').fill('Serwis A')
  const { title, description, version } = ticket
  const body = { title, description, status: 'in_progress' as const, handleBy: 'Serwis B', version }
  await call(portal, await tokenOf(portal), change, { params: { id: ticket.id }, body })
  await page.getByRole('button', { name: 'Zapisz' }).first().click()
  await page.getByRole('button', { name: 'Wczytaj' }).click()
  await expect(page.getByText('Zapisano tymczasem: Serwis B')).toBeVisible()
  await expect(page.getByLabel('Odpowiedzialny (opcjonalnie)')).toHaveValue('Serwis A')
  await page.getByRole('button', { name: 'Zapisz' }).first().click()
  await expect(page).toHaveURL(`/tickets/${ticket.id}`)
  await expect(page.getByText('Serwis A', { exact: true })).toBeVisible()
  await expect(page.getByText('W toku', { exact: true })).toBeVisible()
})

test('opens and closes reports automatically until switched off', async ({ page }) => {
  await page.goto('/station-health')
  const opens = page.getByRole('switch', { name: 'Automatycznie twórz zgłoszenie przy awarii' })
  /** Waits until it is stored: it is shown before, and leaving the page would break that off. */
  const click = async () => {
    const stored = page.waitForResponse(
      (response) => response.url().includes('/station-health/settings') && response.request().method() !== 'GET',
    )
    await opens.click({ force: true })
    await stored
  }
  await expect(opens).toBeChecked()
  await click()
  await page.reload()
  await expect(opens).not.toBeChecked()
  await click()
  await expect(opens).toBeChecked()
})

test('list, failure, form, report and health pass axe in five languages, also on a phone', async ({ page, portal }) => {
  // Without wanted lists, as on a phone the mark of a hit takes the place of the button.
  await signInByApi(page, portal, await addAccount(portal, ['Tickets', 'UsersAdmin']))
  const ticket = await reported(portal, anyTitle())
  for (const path of ['/tickets', `/tickets/${ticket.id}`, `/tickets/${ticket.id}/edit`, '/station-health']) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(path)
    await expect(page.locator('h1')).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    // The title is not cut off: the back link is an icon on small screens.
    const title = page.locator('h1')
    expect(await title.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), path).toBe(true)
    const report = page.getByRole('button', { name: 'Zgłoś problem' })
    await expect(report).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
    await expect(report.locator('b')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
    await inEveryLanguage(page)
    await page.evaluate(() => localStorage.removeItem('lang'))
  }
  await page.goto('/tickets')
  await page.getByRole('button', { name: 'Zgłoś problem' }).click()
  await expect(dialog(page).getByLabel('Wiadomość')).toBeFocused()
  await expectAccessible(page)
})

test('shows not found for an impossible ticket number', async ({ page }) => {
  for (const id of ['0', '00', '2147483648', '99999999999']) {
    await page.goto(`/tickets/${id}`)
    await expect(page.getByRole('heading', { name: 'Nie znaleziono strony' }), id).toBeVisible()
    await expect(page.getByRole('button', { name: 'Spróbuj ponownie' })).toHaveCount(0)
  }
})

test('the audit log of a changed ticket names its fields without its version', async ({ page, portal }) => {
  const token = await tokenOf(portal)
  const ticket = await reported(portal, anyTitle())
  const { title, description, status, version } = ticket
  const body = { title, description, status, handleBy: 'Serwis', version } as never
  await call(portal, token, change, { params: { id: ticket.id }, body })
  await page.goto('/user-activity?tab=audit')
  const row = page.getByRole('row').filter({ hasText: 'Zmieniono zgłoszenie' }).first()
  await expect(row.getByRole('term')).toHaveText(['Odpowiedzialny'])
})
