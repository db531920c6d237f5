import { expect, type Page } from '@playwright/test'
import { addPlate } from '@rogatka/contract/wanted.ts'
import { call } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { cardOf, openLiveList } from './src/live.ts'
import { expectAccessible, expectNoOverflow } from './src/operator.ts'
import { addStation, type Station } from './src/station.ts'
import { signInWithEmptyLists } from './src/wanted.ts'

let station: Station
test.beforeAll(async ({ portal }) => {
  station = await addStation(portal, 960, 'S8 Listowo')
})

/** Records started tones; call before the page is opened. The returned function returns their frequencies in Hz. */
async function recordTones(page: Page) {
  await page.addInitScript(() => {
    const tones: number[] = []
    Object.assign(window, { tones })
    const { start } = OscillatorNode.prototype
    OscillatorNode.prototype.start = function (when = 0) {
      tones.push(this.frequency.value)
      start.call(this, when)
    }
  })
  return () => page.evaluate(() => (window as unknown as { tones: number[] }).tones)
}

test('marks a black-listed vehicle on the live list with its own sound, and lists its hits', async ({
  page,
  portal,
}) => {
  const tones = await recordTones(page)
  const { token } = await signInWithEmptyLists(page, portal)
  const description = 'Kradzież pojazdu, KPP Wyszków'
  await call(portal, token, addPlate, { body: { plateLpr: 'WANT 001', typeOfList: 0, description } })
  await openLiveList(page, station.shortName)
  await station.send({ plateLpr: 'want-001' })
  const card = cardOf(page, 'WANT001')
  await expect(card).toContainText('Poszukiwany')
  await expect(card).toContainText(description)
  await expect(card.getByRole('link')).toHaveAccessibleName(/^Poszukiwany: Kradzież pojazdu/)
  expect(await tones()).toEqual([700, 1400, 700, 1400, 700, 1400])
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
  await dialog
    .getByRole('button', { name: /^To nie ten pojazd/ })
    .first()
    .click()
  await expect(dialog.getByRole('button', { name: /^Fałszywe: cofnij/ })).toHaveCount(1)
  await expectAccessible(page)
  await dialog.getByRole('link').last().click()
  await expect(page).toHaveURL(/\/vehicleArch\/\d+\/960\//)
  await expect(page.getByText('Poszukiwany')).toBeVisible()
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
  const tones = await recordTones(page)
  const { token } = await signInWithEmptyLists(page, portal)
  await call(portal, token, addPlate, { body: { plateLpr: 'PIN 0001', typeOfList: 0, description: INSTRUCTION } })
  await openLiveList(page, station.shortName)
  await page.keyboard.press('m')
  await station.send({ plateLpr: 'PIN0001', speed: 70 })
  const pinned = page.getByRole('list', { name: 'Poszukiwane' })
  const link = pinned.getByRole('link', { name: /PIN 0001/ })
  await expect(link).toBeVisible()
  expect(await tones()).toHaveLength(6)
  await expect(page.getByRole('alert').filter({ hasText: /Poszukiwany PIN 0001, S8 Listowo, \d/ })).toBeAttached()
  const text = pinned.getByText(INSTRUCTION)
  expect(await text.evaluate((place) => place.scrollHeight - place.clientHeight)).toBe(0)
  await station.sendMany(12, 'PLN')
  await expect(cardOf(page, 'PLN000')).toBeAttached()
  await expect(page.locator('[data-vehicle]').first()).toContainText('Poszukiwany')
  expect(await tones()).toHaveLength(6)
  await page.keyboard.press('h')
  await expect(link).toBeFocused()
  await expect(page.getByRole('button', { name: /^poszukiwane 1/ })).toBeVisible()
})

test('a wanted vehicle is announced on every other page', async ({ page, portal }) => {
  const { token } = await signInWithEmptyLists(page, portal)
  await call(portal, token, addPlate, { body: { plateLpr: 'PIN 0002', typeOfList: 0, description: INSTRUCTION } })
  await openLiveList(page, station.shortName)
  await page.getByRole('link', { name: 'Archiwum' }).click()
  await expect(page).toHaveTitle(/^Archiwum/)
  const next = page.getByRole('button', { name: 'Dalej' })
  await next.focus()
  await station.send({ plateLpr: 'PIN0002' })
  const toast = page.getByRole('region', { name: 'Poszukiwane' })
  await expect(toast).toContainText('PIN 0002')
  await expect(toast).toContainText(INSTRUCTION)
  await expect(toast.getByRole('timer')).toHaveText(/^0\d:\d\d$/)
  await expect(page).toHaveTitle(/^\(!\) Archiwum/)
  await expect(page.getByRole('link', { name: /^Bieżące pomiary/ }).getByTitle(/.+/)).toHaveCSS(
    'background-color',
    'rgb(255, 185, 31)',
  )
  // It does not take the focus.
  await expect(next).toBeFocused()
  await expectAccessible(page)

  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoOverflow(page)
  await expect(toast.getByRole('button', { name: 'Otwórz' })).toBeInViewport()
  await page.getByRole('main').focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/vehicle\/\d+\/960/)
  await expect(page.getByRole('button', { name: 'Wstecz' })).toBeVisible()
  await expect(toast).toHaveCount(0)
  await expect(page).not.toHaveTitle(/\(!\)/)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/archival/)

  // H also opens the next hit.
  await station.send({ plateLpr: 'PIN0002' })
  await expect(toast).toContainText('PIN 0002')
  await page.keyboard.press('h')
  await expect(page).toHaveURL(/\/vehicle\/\d+\/960/)
})

test('a white-listed vehicle has no mark of violations, but its red numbers stay', async ({ page, portal }) => {
  const { token } = await signInWithEmptyLists(page, portal)
  const body = { plateLpr: 'WHITE01', typeOfList: 1 as const, description: 'Utrzymanie drogi' }
  await call(portal, token, addPlate, { body })
  await openLiveList(page, station.shortName)
  await station.send({ plateLpr: 'WHITE01', speed: 118 })
  await station.send({ plateLpr: 'WHITE02', speed: 118 })
  await expect(cardOf(page, 'WHITE02')).toContainText('Prędkość')
  const card = cardOf(page, 'WHITE01')
  await expect(card).toContainText('biała lista')
  await expect(card).not.toContainText('Prędkość')
  const red = await page.evaluate(() => {
    const probe = document.createElement('i')
    probe.style.color = 'var(--red)'
    document.body.append(probe)
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  })
  await expect(card.getByText('118')).toHaveCSS('color', red)
})
