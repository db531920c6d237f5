import { expect } from '@playwright/test'
import { test } from './src/fixtures.ts'
import { cardOf, hideServerTime, openLiveList } from './src/live.ts'
import { signInByApi } from './src/operator.ts'
import { addStation, type Station } from './src/station.ts'
import { addEntry, signInWithEmptyLists } from './src/wanted.ts'

/** Travel time from the scale to the checkpoint, and how long vehicles stay after it. */
const TO_CHECKPOINT_S = 100
const ADDITIONAL_S = 60

let station: Station
test.beforeAll(async ({ portal }) => {
  station = await addStation(portal, 905, 'S8 Fokus')
})

test.beforeEach(async ({ page }) => {
  await hideServerTime(page)
  await page.clock.install()
})

test('the focus of a vehicle that leaves goes to its neighbour, and holds back no arrivals', async ({
  page,
  portal,
}) => {
  await signInByApi(page, portal)
  await openLiveList(page, station.shortName)
  await station.send({ plateLpr: 'FOC0001', createdAt: new Date(Date.now() - 60_000).toISOString() })
  await station.send({ plateLpr: 'FOC0002' })
  await expect(cardOf(page, 'FOC0002')).toBeVisible()
  await page.keyboard.press('ArrowUp')
  await expect(cardOf(page, 'FOC0001').getByRole('link')).toBeFocused()
  await page.clock.fastForward((TO_CHECKPOINT_S + ADDITIONAL_S - 60) * 1_000)
  await expect(cardOf(page, 'FOC0001')).toHaveCount(0)
  await expect(cardOf(page, 'FOC0002').getByRole('link')).toBeFocused()
  await station.send({ plateLpr: 'FOC0003' })
  await expect(cardOf(page, 'FOC0003')).toBeVisible()
  await expect(cardOf(page, 'FOC0002').getByRole('link')).toBeFocused()
})

test('the focus stays on a wanted vehicle that passes its checkpoint', async ({ page, portal }) => {
  const { token } = await signInWithEmptyLists(page, portal)
  await addEntry(portal, token, { typeOfList: 0, plateLpr: 'FOC0004', description: 'Kradziony' })
  await openLiveList(page, station.shortName)
  await station.send({ plateLpr: 'FOC0004' })
  await station.send({ plateLpr: 'FOC0005' })
  await expect(cardOf(page, 'FOC0005')).toBeVisible()
  const pinned = page.getByRole('list', { name: 'Poszukiwane' })
  await page.keyboard.press('ArrowDown')
  await expect(pinned.getByRole('link')).toBeFocused()
  await page.clock.fastForward((TO_CHECKPOINT_S + 1) * 1_000)
  await expect(pinned).toHaveCount(0)
  await expect(cardOf(page, 'FOC0004').getByRole('link')).toBeFocused()
})

test('announces arrivals each ten seconds, also as many as before', async ({ page, portal }) => {
  await signInByApi(page, portal)
  await openLiveList(page, station.shortName)
  await page.evaluate(() => {
    const spoken: string[] = []
    Object.assign(window, { spoken })
    new MutationObserver((changes) => {
      for (const { target, type, addedNodes } of changes) {
        if (type === 'childList' && addedNodes.length === 0) continue
        const region = (target instanceof Element ? target : target.parentElement)?.closest('[role=status]')
        if (region?.textContent?.includes('1 nowy pojazd')) spoken.push(region.textContent)
      }
    }).observe(document.body, { childList: true, characterData: true, subtree: true })
  })
  // The interval begins with the first tick of the page's clock.
  await page.clock.fastForward(1_000)
  const spoken = () => page.evaluate(() => (window as unknown as { spoken: string[] }).spoken.length)
  for (const [at, plateLpr] of ['FOC0006', 'FOC0007'].entries()) {
    await station.send({ plateLpr })
    await expect(cardOf(page, plateLpr)).toBeVisible()
    await page.clock.fastForward(10_000)
    await expect.poll(spoken).toBe(at + 1)
  }
})
