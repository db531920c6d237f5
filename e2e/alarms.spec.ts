import { expect } from '@playwright/test'
import { test } from './src/fixtures.ts'
import { expectAccessible, signInByApi } from './src/operator.ts'
import { addStation } from './src/station.ts'
import { recordTones, TONES } from './src/tones.ts'

test('an alarm is acknowledged by key, and kept in history and figures', async ({ page, portal }) => {
  const station = await addStation(portal, 971, 'S8 Alarmy')
  await signInByApi(page, portal)
  await page.goto('/alarms')
  const list = page.getByRole('region', { name: 'Alarmy' })
  await expect(list.getByRole('heading', { name: /^Alarmy \d+$/ })).toBeVisible()
  await station.send({ plateLpr: 'ALR0001', wrongDirection: true })
  const row = list.getByRole('listitem').filter({ hasText: 'S8 Alarmy' })
  await expect(row).toContainText(/Pojazd pod prąd: S8 Alarmy, pas 1.*wysoki · od \d\d:\d\d, 0 min · ALR 0001/)
  // A vehicle on the wrong way is never shelved.
  await expect(row.getByRole('button')).toHaveCount(1)
  await expectAccessible(page)
  await row.getByRole('link').focus()
  await page.keyboard.press('a')
  await expect(row).toContainText(/potwierdził .+ \d\d:\d\d/)
  await expect(row.getByRole('button')).toHaveCount(0)

  await page.getByRole('link', { name: 'Historia' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'S8 Alarmy' })).toContainText('ALR 0001')
  await page.getByRole('link', { name: 'Wskaźniki' }).click()
  await expect(page.getByText('Alarmy na 10 min')).toBeVisible()
  await page.getByRole('link', { name: 'Rodzaje alarmów' }).click()
  await expect(page.getByRole('row')).toHaveCount(20)
  await expectAccessible(page)
})

test('a high alarm sounds and is spoken on any page, and keys lead from alarm to alarm', async ({ page, portal }) => {
  const station = await addStation(portal, 972, 'S8 Sygnały')
  const tones = await recordTones(page, TONES.highAlarm)
  await signInByApi(page, portal)
  const isKnown = page.waitForResponse(/\/alarms$/)
  await page.goto('/stat')
  await isKnown
  // Muting silences neither wanted vehicles nor high alarms.
  await page.keyboard.press('m')
  await station.send({ plateLpr: 'SYG0001', wrongDirection: true })
  await station.send({ plateLpr: 'SYG0002', wrongDirection: true, laneNumber: 2 })
  await expect(page.getByRole('alert').filter({ hasText: /^Alarm: Pojazd pod prąd: S8 Sygnały, pas 1$/ })).toHaveCount(
    1,
  )
  await expect.poll(async () => (await tones()).length).toBeGreaterThanOrEqual(4)

  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await expect(page).toHaveURL(/\/alarms$/)
  const rows = page.getByRole('region', { name: 'Alarmy' }).locator('[data-alarm]')
  const mine = rows.filter({ hasText: 'S8 Sygnały' })
  await expect(mine).toHaveCount(2)
  // On the overview they are the same rows.
  await page.goto('/overview')
  await expect(mine).toHaveCount(2)
  await page.keyboard.press('l')
  await expect(rows.first().getByRole('link')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(rows.nth(1).getByRole('link')).toBeFocused()
  await mine.first().getByRole('link').focus()
  const next = mine.nth(1).getByRole('link')
  const name = await next.textContent()
  await page.keyboard.press('a')
  // The next alarm has the focus, also when rows move.
  await expect(mine.getByRole('link', { name: name ?? '' })).toBeFocused()
  await expect(mine.filter({ hasText: /potwierdził/ })).toHaveCount(1)
  await page.keyboard.press('a')
  await expect(mine.filter({ hasText: /potwierdził/ })).toHaveCount(2)
  await mine.first().getByRole('link').press('Enter')
  await expect(page).toHaveURL(/\/vehicle\/\d+\/972/)

  // Only who says so expressly does not hear them.
  await page.getByRole('button', { name: 'Dźwięk na tym urządzeniu' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Jazda pod prąd' }).click()
  await page.keyboard.press('Escape')
  const before = (await tones()).length
  await station.send({ plateLpr: 'SYG0003', wrongDirection: true })
  await expect(page.getByRole('alert').filter({ hasText: 'S8 Sygnały, pas 1' })).toHaveCount(1)
  expect((await tones()).length).toBe(before)
})
