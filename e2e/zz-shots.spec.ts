import { expect } from '@playwright/test'
import { addPlate } from '@rogatka/contract/wanted.ts'
import sharp from 'sharp'
import { call } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { addStation } from './src/station.ts'
import { signInWithEmptyLists, WANTED_RIGHTS } from './src/wanted.ts'

test('shots', async ({ page, portal, consoleErrors }) => {
  consoleErrors.expect(/.*/)
  test.setTimeout(120_000)
  const station = await addStation(portal, 961, 'DK50 Sochaczewo', 6000)
  const { token } = await signInWithEmptyLists(page, portal, [
    ...WANTED_RIGHTS,
    'Stat',
    'Vms',
    'UserManagement',
    'SelfConfig',
    'Tickets',
    'Inspections',
  ] as never)
  await call(portal, token, addPlate, {
    body: {
      plateLpr: 'WPR8K47M',
      typeOfList: 0,
      description: 'Kradzież pojazdu, KPP Wyszków. Nie zatrzymywać samodzielnie, powiadomić dyżurnego.',
      expiresAt: '2099-11-18T00:00:00Z',
    },
  })
  await call(portal, token, addPlate, {
    body: { plateLpr: 'LZA482', typeOfList: 0, description: 'Ucieczka z miejsca zdarzenia' },
  })
  for (let i = 0; i < 3; i++)
    await station.send({ plateLpr: 'WPR8K47M', createdAt: new Date(Date.now() - (i + 2) * 3600_000 * 7).toISOString() })
  await page.goto('/black-list')
  const sent = await station.send({ plateLpr: 'WPR8K47M', speed: 118, nationality: 'PL', ctg8p1: 11 })
  const jpeg = async (w: number, h: number) =>
    sharp({ create: { width: w, height: h, channels: 3, background: { r: 60, g: 90, b: 120 } } })
      .jpeg()
      .toBuffer()
  await station.sendImage(sent.sequence, sent.createdAt, 'front', await jpeg(1280, 720))
  await station.sendImage(sent.sequence, sent.createdAt, 'plate', await jpeg(320, 90))
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(page.getByTitle(/\(H\)/)).toBeVisible()
  const shot = (name: string) => page.screenshot({ path: `/tmp/wd-${name}.png` })
  await shot('toast')
  await page.setViewportSize({ width: 390, height: 844 })
  await shot('toast-390')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.keyboard.press('h')
  await page.waitForTimeout(2500)
  await shot('sheet')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.waitForTimeout(300)
  await shot('sheet-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.waitForTimeout(300)
  await shot('sheet-390')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'To nie ten pojazd' }).click()
  await shot('sheet-why')
  await page.keyboard.press('a')
  await page.waitForTimeout(700)
  await shot('sheet-taken')
  await station.send({ plateLpr: 'LZA482', speed: 90, nationality: 'LT' })
  await page.waitForTimeout(900)
  await shot('two')
  await page.keyboard.press('Escape')
  for (const lang of ['de', 'lt']) {
    await page.evaluate((l) => localStorage.setItem('language', l), lang)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.reload()
    await page.waitForTimeout(1200)
    await shot(`head-${lang}-1280`)
    await page.setViewportSize({ width: 1024, height: 800 })
    await shot(`head-${lang}-1024`)
    await page.setViewportSize({ width: 700, height: 800 })
    await shot(`head-${lang}-700`)
  }
})
