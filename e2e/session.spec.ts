import { expect, type Page } from '@playwright/test'
import { addScale, changeScale } from '@rogatka/contract/certificates.ts'
import { logout } from '@rogatka/contract/session.ts'
import { call, tokenOf } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { addAccount, expectAccessible, inEveryLanguage, signIn } from './src/operator.ts'

const FOUR_MINUTES = 240_000

test('sends a heartbeat every 20 s', async ({ page }) => {
  await page.clock.install()
  await page.goto('/login')
  await signIn(page)
  for (const _ of [1, 2]) {
    const beat = page.waitForRequest('**/api/v1/ping')
    await page.clock.runFor(20_000)
    await beat
  }
})

test('signs out after five minutes without activity, with a warning a minute before', async ({ page }) => {
  await page.clock.install()
  await page.goto('/login')
  await signIn(page)
  await expect(page.getByRole('navigation', { name: 'Nawigacja główna' })).toBeVisible()
  const warning = page.getByRole('alertdialog', { name: 'Zaraz nastąpi wylogowanie' })
  await page.clock.fastForward(FOUR_MINUTES - 60_000)
  await page.mouse.move(200, 200)
  await page.clock.fastForward(FOUR_MINUTES - 60_000)
  await expect(warning).toHaveCount(0)
  await page.clock.fastForward(60_000)
  await expect(warning).toBeVisible()
  await expect(warning).toHaveAccessibleDescription(/Wylogowanie za 60 sekund. Od 4 minut nic się tu nie dzieje./)
  await expect(warning.getByRole('button', { name: 'Zostaję' })).toBeFocused()

  // Pointer movement does not extend the session; clicks and keys do.
  await page.mouse.move(300, 300)
  await page.clock.runFor(1_000)
  await expect(warning).toContainText(/00:[0-5]\d/)
  await page.keyboard.press('Tab')
  await expect(warning).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(warning).toHaveCount(0)
  await page.clock.fastForward(FOUR_MINUTES)
  await page.getByRole('button', { name: 'Zostaję' }).click()
  await expect(warning).toHaveCount(0)
  await page.mouse.move(300, 300)

  await page.clock.fastForward(FOUR_MINUTES)
  await page.clock.fastForward(31_000)
  await expect(warning.getByRole('status')).toHaveText(/Wylogowanie za (30|10) sekund\./)
  await page.clock.fastForward(30_000)
  await expect(page).toHaveURL(/\/login/)
  expect(await page.evaluate(() => sessionStorage.getItem('cvToken'))).toBeNull()
  // The reason stays until the user is active again.
  const reason = page.getByText('Zostałeś wylogowany z powodu braku aktywności (5 min).')
  // The login page has to be loaded before its time limit passes on this clock.
  await expect(reason).toBeVisible()
  // The page has moved under the pointer.
  await page.mouse.move(300, 300)
  await page.clock.fastForward(FOUR_MINUTES)
  await expect(reason).toBeVisible()
  // Phones reload pages that were in the background.
  await page.reload()
  await expect(reason).toBeVisible()
  await page.mouse.move(100, 100)
  await page.clock.fastForward(5_000)
  await expect(reason).toBeVisible()
  await page.clock.fastForward(5_000)
  await expect(reason).toHaveCount(0)
})

test('the sign-out warning is translated and fits a phone', async ({ page }) => {
  await page.clock.install()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/login')
  await signIn(page)
  await page.goto('/user-management?add=true')
  await page.getByLabel('Imię').fill('Karolina')
  await page.clock.runFor(1_000)
  await page.clock.fastForward(FOUR_MINUTES)
  await inEveryLanguage(page, async () => {
    const box = await page.getByRole('alertdialog').boundingBox()
    expect(box && [box.x >= 0, box.x + box.width <= 390, box.y + box.height <= 844]).toEqual([true, true, true])
  })
  await expectAccessible(page)
})

test('a half-filled form returns for the same user after the session ended by itself', async ({ page, portal }) => {
  const other = await addAccount(portal, ['UserManagement', 'UsersAdmin'])
  await page.clock.install()
  await page.goto('/login')
  await signIn(page)
  const form = '/user-management?add=true'
  await page.goto(form)
  const firstName = page.getByLabel('Imię')
  const fillIn = async () => {
    await firstName.fill('Karolina')
    await page.getByLabel('Hasło', { exact: true }).fill('Tajne-haslo-1')
  }
  const expire = async () => {
    await page.clock.fastForward(FOUR_MINUTES)
    await expect(page.getByRole('alertdialog')).toContainText(/Szkic „.+” jest zapisany w tej karcie/)
    await page.clock.fastForward(60_000)
    await expect(page).toHaveURL(/\/login/)
  }
  const drafts = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:')).length)

  await fillIn()
  await page.clock.runFor(1_000)
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Tajne-haslo-1')
  await expire()
  await signIn(page)
  await expect(page).toHaveURL(form)
  await expect(page.getByText(/Wrócił szkic z .*Hasła trzeba wpisać ponownie/)).toBeVisible()
  await expect(firstName).toHaveValue('Karolina')
  await expect(page.getByLabel('Hasło', { exact: true })).toHaveValue('')
  await page.getByRole('button', { name: 'Odrzuć szkic' }).click()
  await expect(firstName).toHaveValue('')
  expect(await drafts()).toBe(0)

  await fillIn()
  await page.clock.runFor(1_000)
  await expire()
  expect(await drafts()).toBe(1)
  await signIn(page, other)
  await expect(page).toHaveURL(form)
  await expect(firstName).toHaveValue('')
  expect(await drafts()).toBe(0)

  await fillIn()
  await page.clock.runFor(1_000)
  expect(await drafts()).toBe(1)
  await page.clock.fastForward(FOUR_MINUTES)
  await page.getByRole('button', { name: 'Wyloguj teraz' }).click()
  await expect(page).toHaveURL(/\/login/)
  expect(await drafts()).toBe(0)
})

test('half-typed entries of lists return after the session ended, beside what was stored meanwhile', async ({
  page,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/401/)
  const token = await tokenOf(portal)
  const name = `Waga ${crypto.randomUUID().slice(0, 8)}`
  const scale = {
    name,
    certificate: 'OUM/1',
    authority: 'OUM Warszawa',
    validFrom: '2026-01-10',
    validUntil: '2027-01-10',
    accuracyPercent: 0.5,
    kind: 'platform' as const,
  }
  const { id, version } = await call(portal, token, addScale, { body: scale })
  await page.goto('/scale-certificates')
  await signIn(page)
  const draftCount = () =>
    page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:')).length)
  const change = page.getByRole('dialog', { name: `Zmień: ${name}` })
  const number = change.getByLabel('Nr świadectwa')
  await page.getByRole('button', { name: `Zmień: ${name}` }).click()
  await number.fill('OUM/2')
  await expect.poll(draftCount).toBe(1)
  const changed = { ...scale, certificate: 'OUM/3', accuracyPercent: 1.5, version }
  await call(portal, token, changeScale, { params: { id }, body: changed })
  await call(portal, (await page.evaluate(() => sessionStorage.getItem('cvToken'))) ?? '', logout)
  await page.reload()
  await expect(page).toHaveURL(/login/)
  await signIn(page)
  await expect(change.getByText(/Wrócił szkic z/)).toBeVisible()
  await expect(number).toHaveValue('OUM/2')
  await expect(change.getByText('Zapisano tymczasem: OUM/3')).toBeVisible()
  await expect(change.getByLabel('Dokładność [%]')).toHaveValue('1,5')
  await change.getByRole('button', { name: 'Odrzuć szkic' }).click()
  await expect(number).toHaveValue('OUM/3')
  expect(await draftCount()).toBe(0)

  await page.goto('/black-list')
  const plate = page.getByLabel('Tablica', { exact: true })
  await plate.fill('WPR8K47M')
  await expect.poll(draftCount).toBe(1)
  await page.reload()
  await expect(page.getByText(/Wrócił szkic z/)).toBeVisible()
  await expect(plate).toHaveValue('WPR8K47M')
})

test('tabs of one user share session, activity and sign-out; another user keeps theirs', async ({ page, portal }) => {
  const colleague = await addAccount(portal, ['Stat'])
  const context = page.context()
  await context.clock.install()
  await page.goto('/login')
  const second = await context.newPage()
  await second.goto('/login')
  await signIn(page)
  await expect(second).toHaveURL('/login')
  const tokenIn = (tab: Page) => tab.evaluate(() => sessionStorage.getItem('cvToken'))

  const third = await context.newPage()
  await third.goto('/vms?group=3')
  await expect(third.getByRole('navigation', { name: 'Nawigacja główna' })).toBeVisible()
  await expect(third).toHaveURL('/vms?group=3')
  expect(await tokenIn(third)).toBe(await tokenIn(page))
  // A page opened from a mail has no session.
  await second.goto('/reset-password')
  await expect(second.getByRole('button', { name: 'Wyślij token' })).toBeVisible()
  expect(await tokenIn(second)).toBeNull()

  // The message about the second move is sent late: by then it is four minutes old.
  await third.mouse.move(300, 300)
  await third.mouse.move(310, 300)
  await context.clock.fastForward(FOUR_MINUTES)
  for (const tab of [page, third]) await expect(tab.getByRole('alertdialog')).toBeVisible()
  await third.keyboard.press('Enter')
  for (const tab of [page, third]) await expect(tab.getByRole('alertdialog')).toHaveCount(0)

  // A frozen tab receives messages of other tabs too late.
  const frozen = await context.newPage()
  const home = frozen.getByRole('navigation', { name: 'Nawigacja główna' })
  await frozen.goto('/vms')
  await expect(home).toBeVisible()
  await frozen.addInitScript(() => {
    BroadcastChannel.prototype.addEventListener = () => undefined
  })
  await frozen.reload()
  await expect(home).toBeVisible()
  await context.clock.fastForward(200_000)
  await page.mouse.move(300, 300)
  await context.clock.fastForward(200_000)
  await expect(home).toBeVisible()
  await expect(frozen.getByRole('alertdialog')).toHaveCount(0)
  expect(await tokenIn(frozen)).toBe(await tokenIn(page))
  await frozen.close()

  await third.getByRole('link', { name: 'Wyloguj' }).click()
  for (const tab of [page, third]) await expect(tab).toHaveURL('/login')
  expect(await Promise.all([page, third].map(tokenIn))).toEqual([null, null])

  await signIn(page)
  await third.goto('/reset-password')
  await third.getByRole('link', { name: 'Wróć do logowania' }).click()
  await signIn(third, colleague)
  await page.getByRole('link', { name: 'Wyloguj' }).click()
  await expect(page).toHaveURL('/login')
  await page.goto('/stat')
  await expect(page.getByRole('navigation', { name: 'Nawigacja główna' })).toBeVisible()
  await expect(page).toHaveURL(/\/stat\?/)
  expect(await tokenIn(page)).toBe(await tokenIn(third))
})

test('redirects to the login with a message when the server ends the session', async ({
  page,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/401|Sesja wygasła/)
  await page.clock.install()
  await page.goto('/login')
  await signIn(page)
  const token = await page.evaluate(() => sessionStorage.getItem('cvToken'))
  await call(portal, token, logout)
  // In steps of a second: the login shows the reason only for a short time.
  const later = async () => {
    await page.clock.runFor(1_000)
    return page.url()
  }
  await expect.poll(later, { intervals: [100] }).toMatch(/\/login/)
  await expect(page.getByText('Sesja wygasła. Zaloguj się ponownie.')).toBeVisible()
})
