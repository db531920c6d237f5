import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { addCertificate } from '@rogatka/contract/certificates.ts'
import { call, tokenOf } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { createOfficer } from './src/inspections.ts'
import { addAccount, expectAccessible, expectNoOverflow, inEveryLanguage, signInByApi } from './src/operator.ts'
import { addStation, type Station } from './src/station.ts'

let busy: Station
let quiet: Station
test.beforeAll(async ({ portal }) => {
  busy = await addStation(portal, 961, 'S8 Trafna')
  quiet = await addStation(portal, 962, 'S8 Losowa')
  const inspect = await createOfficer(portal, 'Waga Trafna')
  // Measured as 60 t; of ten lorries eight are confirmed, two are within the limits.
  const measured = {
    axles: [0, 374, 562, 131, 131].map((gap, at) => ({
      type: at < 2 ? (1 as const) : (3 as const),
      leftWeight: 6_000,
      rightWeight: 6_000,
      gap,
    })),
  }
  for (let at = 0; at < 10; at++)
    await inspect({ station: busy, selection: 'preselected', measured, axles: Array(5).fill(at < 8 ? 11_600 : 7_600) })
  // Measured as 39.4 t.
  for (const gross of [39_400, 40_000]) await inspect({ station: quiet, selection: 'random', gross })
  await call(portal, await tokenOf(portal), addCertificate, {
    body: {
      lane: 96_201,
      number: 'OUM/962',
      authority: 'OUM Warszawa',
      kind: 'initial',
      validFrom: '2024-01-01',
      validUntil: '2024-12-31',
      minSpeed: null,
      maxSpeed: null,
    },
  })
})

const ADDRESS = '/statistics/effectiveness'
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const rowOf = (page: Page, table: string, name: string | RegExp) =>
  page.getByRole('table', { name: `${table}: tabela` }).getByRole('row', { name })
const figure = (page: Page, name: RegExp) => page.locator('dl > div').filter({ hasText: name }).locator('dd')

test('shows rates with their intervals, the differences of a lane and the class that it has earned', async ({
  page,
  portal,
}) => {
  await signInByApi(page, portal)
  await page.goto(`${ADDRESS}?locations=961,962&selections=preselected,random`)
  // Wilson's interval of 8 of 10, as published.
  await expect(figure(page, /^Trafność/)).toHaveText(/80,0\s*% 49,0–94,3 · cel 95/)
  await expect(figure(page, /^Zważone z preselekcji/)).toHaveText('10 przeciążone według WIM')
  await expect(figure(page, /^Trafione/)).toHaveText('8 przeciążone na wadze')
  // All were taken over without an announcement.
  await expect(figure(page, /^Zapowiedziane/)).toHaveText(['0 podjęto 0', /^0\s*$/])
  await expect(figure(page, /^Przeoczone/)).toHaveText('0 z 2 za mało na procent')
  const station = rowOf(page, 'Stacja i pas', busy.shortName)
  await expect(station.getByRole('cell')).toHaveText(['10', '8', /80,0 \(49,0–94,3\)/])
  await expect(station.getByRole('img', { name: 'poniżej celu' })).toBeVisible()
  await expect(rowOf(page, 'Stacja i pas', quiet.shortName).getByRole('cell')).toHaveText(['0', '0', '–'])
  // Of an officer there is no percentage below 30.
  await expect(rowOf(page, 'Inspektor', 'admin').getByRole('cell')).toHaveText(['10', '8', '8 z 10'])

  const differences = panel(page, 'Różnice WIM')
  await expect(differences).toContainText('pary z preselekcji zawyżają średnią')
  await expect(differences.getByRole('img', { name: /różnica WIM/ })).toHaveAccessibleName(
    'S8 Trafna, pas 1: różnica WIM w procentach masy statycznej, 10 par, od +3,4 do +57,9 %',
  )
  await expect(differences.getByRole('row', { name: /Masa całkowita/ }).getByRole('cell')).toHaveText([
    '10',
    '+14,3',
    '23,0',
    '80,0',
    '80,0',
  ])
  await expect(differences.locator('canvas')).toBeVisible()
  const classes = page.getByRole('table', { name: 'Klasa dokładności pasów: tabela' }).locator('tbody tr')
  await expect(classes.first()).toContainText('S8 Trafna, pas 1')
  await expect(classes.first().getByRole('img', { name: 'niższa od ustawionej' })).toBeVisible()
  await expect(classes.nth(1)).toHaveText(/S8 Losowa, pas 1.*za mało ważeń.*31\.12\.2024/)
  await page.getByRole('button', { name: 'Pobierz' }).click()
  const started = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Dokument PDF' }).click()
  expect((await started).suggestedFilename()).toMatch(/^effectiveness_.*\.pdf$/)
  // The menu says how many rows the table will have.
  await page.getByRole('button', { name: 'Pobierz' }).click()
  const table = page.getByRole('menuitem', { name: /CSV/ })
  const size = Number(/(\d+) wiersz/.exec((await table.textContent()) ?? '')?.[1])
  const saving = page.waitForEvent('download')
  await table.click()
  const saved = await readFile(await (await saving).path(), 'utf8')
  expect(size).toBeGreaterThan(10)
  expect(saved.trim().split('\n').length - 1).toBe(size)
  await expectAccessible(page)

  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '')
  })
  await page.keyboard.press('Escape')
  await page.keyboard.press('p')
  await expect(page.locator('body')).toHaveAttribute('data-printed')
  // On paper the filters are words.
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText(/ – .* · S8 Trafna, S8 Losowa · Pary: preselekcja, losowo · wydrukowano/)).toBeVisible()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  await expect(figure(page, /^Trafność/)).toBeVisible()
  await page.emulateMedia({ media: 'screen' })

  await inEveryLanguage(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoOverflow(page)
})

test('filters are in the address, tabs keep them, and an empty range can be widened', async ({ page, portal }) => {
  await signInByApi(page, portal)
  await page.goto(`${ADDRESS}?dateTimeStart=2026-01-01T00:00:00Z&dateTimeEnd=2026-01-02T00:00:00Z`)
  await expect(page.getByRole('heading', { name: 'Brak ważeń w tym zakresie.' })).toBeVisible()
  await page.getByRole('button', { name: 'Pokaż ostatnie 90 dni' }).click()
  await expect(rowOf(page, 'Stacja i pas', busy.shortName)).toBeVisible()
  await page.getByRole('checkbox', { name: quiet.shortName }).check()
  await expect(rowOf(page, 'Stacja i pas', busy.shortName)).toHaveCount(0)
  await page
    .getByRole('group', { name: `Pasy: ${quiet.shortName}` })
    .getByRole('button', { name: '2' })
    .click()
  // The last kind of pairs cannot be left out; a text names the reason.
  for (const name of ['losowo', 'ważenie referencyjne']) {
    await page.getByRole('checkbox', { name: 'preselekcja' }).check()
    await page.getByRole('checkbox', { name }).uncheck()
  }
  await expect(page.getByRole('checkbox', { name: 'preselekcja' })).toBeDisabled()
  await expect(page.getByText('Co najmniej jeden rodzaj pozostaje wybrany.')).toBeVisible()
  for (const name of ['losowo', 'ważenie referencyjne']) await page.getByRole('checkbox', { name }).check()
  await expect(page).toHaveURL(/locations=962&lanes=96202&selections=preselected,random,reference/)
  const tabs = page.getByRole('navigation', { name: 'Statystyki' })
  await expect(tabs.getByRole('link', { name: 'Skuteczność' })).toHaveAttribute('aria-current', 'page')
  await tabs.getByRole('link', { name: 'Zestawienie' }).click()
  await expect(page.getByRole('checkbox', { name: quiet.shortName })).toBeChecked()
  await page.getByRole('button', { name: 'Dalej' }).click()
  await expect(page).toHaveURL(/step=2/)
  // Each tab is reopened where it was left.
  await tabs.getByRole('link', { name: 'Skuteczność' }).click()
  await expect(page).toHaveURL(/locations=962&.*lanes=96202&selections=preselected,random,reference/)
  await page.getByRole('checkbox', { name: busy.shortName }).check()
  await tabs.getByRole('link', { name: 'Zestawienie' }).click()
  await expect(page).toHaveURL(/step=2.*locations=962,961|locations=962,961.*step=2/)
})

test('a panel that fails leaves the others, and officers are shown only to supervisors', async ({
  page,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/500|Internal Server Error/)
  await signInByApi(page, portal, await addAccount(portal, ['Stat']))
  let isFailing = true
  await page.route(/inspections\/accuracy/, (route) => (isFailing ? route.fulfill({ status: 500 }) : route.continue()))
  await page.goto(`${ADDRESS}?locations=961`)
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('Nie udało się obliczyć.')
  await expect(rowOf(page, 'Stacja i pas', busy.shortName)).toBeVisible()
  await expect(rowOf(page, 'Zmiana', /^(06:00–14:00|14:00–22:00|22:00–06:00)/)).toBeVisible()
  await expect(panel(page, 'Inspektor')).toHaveCount(0)
  isFailing = false
  await alert.getByRole('button', { name: 'Spróbuj ponownie' }).click()
  await expect(page.getByRole('row', { name: /S8 Trafna, pas 1/ })).toBeVisible()
})
