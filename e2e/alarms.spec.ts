import { expect } from '@playwright/test'
import { test } from './src/fixtures.ts'
import { expectAccessible, signInByApi } from './src/operator.ts'
import { addStation } from './src/station.ts'

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
