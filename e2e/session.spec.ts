import { expect, type Page } from '@playwright/test'
import { permissionsOf, type Right, rights } from '@rogatka/contract/access.ts'
import { outbox } from '@rogatka/contract/activity.ts'
import { logout, ping } from '@rogatka/contract/session.ts'
import { add as addUser, list as listUsers } from '@rogatka/contract/users.ts'
import { addContact } from '@rogatka/contract/wanted.ts'
import { call, tokenOf } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { type Mailbox, openMailbox } from './src/mailbox.ts'
import { addAccount, expectAccessible, inEveryLanguage, signIn } from './src/operator.ts'
import { ADMIN, type Portal, startPortal } from './src/portal.ts'
import { measureScripts } from './src/scripts.ts'

const FOUR_MINUTES = 240_000

/** Holds a request back; the answer sends it. */
async function hold(page: Page, url: string): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await held.promise
    await route.continue()
  })
  return held.resolve
}

test('an empty login names both missing fields', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Zaloguj' }).click()
  await expect(page.getByLabel('Nazwa użytkownika')).toHaveAccessibleDescription(/użytkownika/)
  await expect(page.getByLabel('Hasło', { exact: true })).toHaveAccessibleDescription(/hasło/i)
  await expect(page.getByLabel('Nazwa użytkownika')).toBeFocused()
})

test('shows a wrong password in a dismissible banner, without its prefix', async ({ page, complaints }) => {
  complaints.expect(/\/api\/v1\/login/)
  await page.goto('/login')
  await page.getByLabel('Nazwa użytkownika').fill('nobody')
  await page.getByLabel('Hasło', { exact: true }).fill('wrong-password')
  await page.getByRole('button', { name: 'Zaloguj' }).click()
  const banner = page.getByRole('alert')
  await expect(banner).toContainText('Nieprawidłow')
  await expect(banner).not.toContainText('null')
  // It goes when the next try is sent, and comes back with its answer.
  const send = await hold(page, '**/api/v1/login')
  await page.getByRole('button', { name: 'Zaloguj' }).click()
  await expect(banner).toHaveCount(0)
  send()
  await expect(banner).toContainText('Nieprawidłow')
  await banner.getByRole('button', { name: 'Zamknij' }).click()
  await expect(banner).toHaveCount(0)
})

test('clears a banner after 10 seconds', async ({ page, complaints }) => {
  complaints.expect(/\/api\/v1\/login/)
  await page.clock.install()
  await page.goto('/login')
  await page.getByLabel('Nazwa użytkownika').fill('nobody')
  await page.getByLabel('Hasło', { exact: true }).fill('wrong-password')
  await page.getByRole('button', { name: 'Zaloguj' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await page.clock.fastForward(10_000)
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('opens the requested page after the login', async ({ page }) => {
  await page.goto('/vms?group=3')
  await expect(page).toHaveURL(/\/login/)
  await signIn(page)
  await expect(page).toHaveURL('/vms?group=3')
})

test('a login never leads to another site', async ({ page }) => {
  await page.goto('/login?wanted=//example.com/')
  await signIn(page)
  await expect(page).toHaveURL('/')
})

test('redirects signed-in users from the login', async ({ page }) => {
  await page.goto('/login')
  await signIn(page)
  await page.goto('/login')
  await expect(page).toHaveURL('/')
})

test('the keyboard alone signs in and out', async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByLabel('Nazwa użytkownika')).toBeFocused()
  await page.keyboard.type(ADMIN.username)
  await page.keyboard.press('Tab')
  await page.keyboard.type(ADMIN.password)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Pokaż hasło' })).toBeFocused()
  await page.keyboard.press('Space')
  await expect(page.getByLabel('Hasło', { exact: true })).toHaveAttribute('type', 'text')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Zaloguj' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/')
  await expect(page.locator('h1')).toBeFocused()
  await page.getByRole('link', { name: 'Wyloguj' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/login')
})

test('logout revokes the token, and Back shows nothing', async ({ page, portal }) => {
  await page.goto('/login')
  await signIn(page)
  const token = await page.evaluate(() => sessionStorage.getItem('cvToken'))
  await call(portal, token, ping)
  await page.getByRole('link', { name: 'Wyloguj' }).click()
  await expect(page).toHaveURL('/login')
  expect(await page.evaluate(() => sessionStorage.getItem('cvToken'))).toBeNull()
  await expect(async () => {
    await expect(call(portal, token, ping)).rejects.toThrow('401')
  }).toPass()
  await page.goBack()
  await expect(page).toHaveURL(/\/login/)
})

test('focuses and announces the heading of a new page or step, and keeps a focus of its own', async ({ page }) => {
  await page.goto('/login')
  await signIn(page)
  const heading = page.getByRole('heading', { level: 1 })
  const said = page.locator('[aria-live="polite"]:not([role])').first()
  // The first page begins where the browser begins.
  await page.goto('/archival')
  await expect(page.getByRole('group', { name: 'Stacje' }).getByRole('checkbox').first()).toBeVisible()
  await expect(heading).not.toBeFocused()
  await page.getByRole('button', { name: 'wszystkie' }).press('Enter')
  await expect(page.getByRole('button', { name: 'wszystkie' })).toBeFocused()
  await page.getByRole('button', { name: 'Dalej' }).press('Enter')
  await expect(heading).toBeFocused()
  await expect(said).toHaveText(/Warunki/)
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/step=2/)
  await expect(said).toHaveText(/Miejsce i czas/)
  await expect(heading).toBeFocused()

  await page.getByRole('link', { name: 'Znaki VMS' }).press('Enter')
  await expect(page).toHaveURL(/\/vms/)
  await expect(heading).toBeFocused()
  // A field that the page focuses itself keeps the focus, and so does a dialog.
  await page.getByRole('link', { name: 'Wyloguj' }).press('Enter')
  await expect(page.getByLabel('Nazwa użytkownika')).toBeFocused()
  await signIn(page)
})

test('sends a heartbeat every 20 s', async ({ page }) => {
  await page.clock.install()
  await page.goto('/login')
  await signIn(page)
  for (const _ of [1, 2]) {
    const beat = page.waitForRequest('**/api/v1/ping', { timeout: 8_000 })
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

  // The pointer may pass on its way to a button; only a click or a key keeps the session.
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

  await page.clock.fastForward(FOUR_MINUTES)
  await page.clock.fastForward(31_000)
  await expect(warning.getByRole('status')).toHaveText(/Wylogowanie za (30|10) sekund\./)
  await page.clock.fastForward(30_000)
  await expect(page).toHaveURL(/\/login/)
  expect(await page.evaluate(() => sessionStorage.getItem('cvToken'))).toBeNull()
  // Nobody was there to read why: it stays until somebody is.
  const reason = page.getByText('Zostałeś wylogowany z powodu braku aktywności (5 min).')
  await page.clock.fastForward(FOUR_MINUTES)
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
  page.on('dialog', (dialog) => void dialog.accept())
  await inEveryLanguage(page, async () => {
    // A page that still waits for its script would give up on it when the clock jumps.
    await expect(page.getByRole('main').locator('form')).toBeVisible()
    await page.clock.fastForward(FOUR_MINUTES)
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
  // A page that is opened from a mail belongs to nobody yet.
  await second.goto('/reset-password')
  await expect(second.getByRole('button', { name: 'Wyślij token' })).toBeVisible()
  expect(await tokenIn(second)).toBeNull()

  await context.clock.fastForward(FOUR_MINUTES)
  for (const tab of [page, third]) await expect(tab.getByRole('alertdialog')).toBeVisible()
  await third.keyboard.press('Enter')
  for (const tab of [page, third]) await expect(tab.getByRole('alertdialog')).toHaveCount(0)

  // A tab that the browser froze hears of the others too late.
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
  await expect(page).toHaveURL(/\/stat/)
  expect(await tokenIn(page)).toBe(await tokenIn(third))
})

test('redirects to the login with a message when the server ends the session', async ({ page, portal, complaints }) => {
  complaints.expect(/401|Sesja wygasła/)
  await page.clock.install()
  await page.goto('/login')
  await signIn(page)
  const token = await page.evaluate(() => sessionStorage.getItem('cvToken'))
  await call(portal, token, logout)
  // By single seconds: the reason stands at the login for a while only.
  const later = async () => {
    await page.clock.runFor(1_000)
    return page.url()
  }
  await expect.poll(later, { intervals: [100] }).toMatch(/\/login/)
  await expect(page.getByText('Sesja wygasła. Zaloguj się ponownie.')).toBeVisible()
})

test('the language can be selected before and after the login, and is restored from lang', async ({ page }) => {
  await page.goto('/login')
  await expect(page.locator('html')).toHaveAttribute('lang', 'pl')
  await page.getByText('LT', { exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'lt')
  expect(await page.evaluate(() => localStorage.getItem('lang'))).toBe('lt')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'lt')
  await signIn(page)
  await page.getByRole('button', { name: /Lietuvių/ }).click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await expect(page.getByRole('link', { name: 'Archive' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('lang'))).toBe('en')
})

test('header links do not overlap its tools above 600 px, in any language', async ({ page }) => {
  await page.goto('/login')
  await signIn(page)
  for (const language of ['pl', 'de', 'ro']) {
    await page.evaluate((lang) => localStorage.setItem('lang', lang), language)
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    for (const width of [601, 721, 761, 961, 1001, 1101, 1321]) {
      await page.setViewportSize({ width, height: 800 })
      const last = await page.locator('header nav > *').last().boundingBox()
      const tools = await page.locator('header nav + div').boundingBox()
      expect(last && tools && last.x + last.width, `${language} at ${width}`).toBeLessThanOrEqual(tools?.x ?? 0)
    }
  }
  await page.setViewportSize({ width: 600, height: 800 })
  await expect(page.locator('header nav')).toBeHidden()
})

test('the theme is selected in the header and restored', async ({ page }) => {
  await page.goto('/login')
  await signIn(page)
  await page.getByRole('button', { name: 'Motyw' }).click()
  await page.getByRole('menuitemradio', { name: 'Ciemny' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
})

test('shows a not-found page for an unknown address', async ({ page }) => {
  await page.goto('/login')
  await signIn(page)
  await page.goto('/no/such/page')
  await expect(page.getByText('Nie znaleziono strony')).toBeVisible()
  await expectAccessible(page)
})

test('shows links only for held rights, and no page without its right', async ({ page, portal }) => {
  const account = await addAccount(portal, ['Stat'])
  await page.goto('/login')
  await signIn(page, account)
  const navigation = page.getByRole('navigation', { name: 'Nawigacja główna' })
  await expect(navigation.getByRole('link', { name: 'Statystyki' })).toBeVisible()
  await expect(navigation.getByRole('link', { name: 'Archiwum' })).toHaveCount(0)
  await expect(navigation.getByText('Zarządzanie')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Ustawienia' })).toHaveCount(0)
  await page.goto('/archival')
  await expect(page.getByText('Brak uprawnień do tej czynności.')).toBeVisible()
})

const PAGES: Partial<Record<Right, string[]>> = {
  CurrentMeasurements: ['/vehicle/7/1'],
  ArchiveMeasurements: ['/vehicleArch/7/1/2026-10-20T06:00:00.000Z', '/archival', '/archival/result'],
  Stat: ['/stat'],
  Vms: ['/vms'],
  UserManagement: [
    '/user-management',
    '/user-activity',
    '/role-group-management',
    '/calibration',
    '/calibration-deviation',
  ],
  UsersAdmin: ['/users', '/station-health'],
  Tickets: ['/tickets', '/tickets/7', '/tickets/7/edit'],
  WantedList: ['/black-list', '/white-list', '/contact'],
  SelfConfig: ['/preference'],
}

test('every page opens with its right alone, and with all other rights it does not', async ({
  page,
  portal,
  complaints,
}) => {
  test.setTimeout(180_000)
  // There is no such vehicle and no such ticket.
  complaints.expect(/404/)
  const main = page.getByRole('main')
  for (const [right, paths] of Object.entries(PAGES) as [Right, string[]][]) {
    const others = rights.filter((other) => !permissionsOf(right).includes(permissionsOf(other)[0] ?? ''))
    await page.goto('/logout')
    await signIn(page, await addAccount(portal, [right]))
    for (const path of paths) {
      await page.goto(path)
      await expect(main, `${path} with ${right}`).toHaveText(/./)
      await expect(main, `${path} with ${right}`).not.toContainText('Brak uprawnień')
    }
    await page.goto('/logout')
    await signIn(page, await addAccount(portal, others))
    for (const path of paths) {
      await page.goto(path)
      await expect(main, `${path} without ${right}`).toHaveText('Brak uprawnień do tej czynności.')
    }
  }
})

test('blocks all pages until a due password change', async ({ page, portal, complaints }) => {
  complaints.expect(/update-password/)
  const isFlagged = () => page.evaluate(() => sessionStorage.getItem('mustChangePwd'))
  const { username } = await addAccount(portal, ['Stat', 'PasswordChange'])
  const reset = { username, password: 'Zmien-mnie-2026' }
  await portal.manage('user', 'reset-password', '--username', reset.username, '--password', reset.password)
  await page.goto('/login')
  await signIn(page, reset)
  await expect(page).toHaveURL('/password-expired')
  await expect(page.getByText('Twoje hasło straciło ważność. Ustaw nowe hasło, aby kontynuować.')).toBeVisible()
  await page.goto('/stat')
  await expect(page).toHaveURL('/password-expired')
  await expectAccessible(page)
  expect(await isFlagged()).toBe('true')
  await page.getByLabel('Obecne hasło').fill('Nie-to-haslo')
  await page.getByLabel('Nowe hasło').fill('Nowe-haslo-2026')
  await page.getByRole('button', { name: 'Zmień hasło' }).click()
  const banner = page.getByRole('alert').filter({ hasText: 'Obecne hasło jest nieprawidłowe.' })
  await expect(banner).toBeVisible()
  await expect(page.getByLabel('Obecne hasło')).toHaveAccessibleDescription('Obecne hasło jest nieprawidłowe.')
  const send = await hold(page, '**/update-password')
  await page.getByLabel('Obecne hasło').fill(reset.password)
  await page.getByRole('button', { name: 'Zmień hasło' }).click()
  await expect(banner).toHaveCount(0)
  send()
  await expect(page.getByText('Zaktualizowano')).toBeVisible()
  await expect(page).toHaveURL('/')
  expect(await isFlagged()).toBeNull()
  await page.goto('/password-expired')
  await expect(page).toHaveURL('/')
})

test.describe('a forgotten password', () => {
  let mailbox: Mailbox
  let mailing: Portal
  const email = 'maria.nowak+nocna@example.com'
  const account = { username: 'maria-nowak', password: 'Stare-haslo-S8' }

  test.beforeAll(async () => {
    mailbox = await openMailbox()
    mailing = await startPortal({ DEMO: 'false', SMTP_URL: mailbox.url })
    const person = { firstName: 'Maria', lastName: 'Nowak', email, phoneNumber: '600100200', roles: [2] }
    await call(mailing, await tokenOf(mailing), addUser, { body: { ...account, ...person } })
  })
  test.afterAll(async () => {
    await mailing.stop()
    await mailbox.close()
  })

  const link = (text: string) => /\/reset-password\/reset\/\S+/.exec(text)?.[0] as string
  const tokenIn = (text: string) => /^[\w-]{43}$/m.exec(text)?.[0] as string

  test('resets the password with the e-mail token, once', async ({ page, complaints }) => {
    complaints.expect(/set-password/)
    await page.goto(`${mailing.url}/login`)
    await page.getByRole('link', { name: 'Nie pamiętam hasła' }).click()
    await page.getByLabel('Adres e-mail').fill(email)
    await page.getByRole('button', { name: 'Wyślij token' }).click()
    await expect(page.getByText(/Jeśli ten adres należy do konta/)).toBeVisible()
    await page.getByRole('link', { name: 'Mam już token' }).click()
    await expect(page.getByText(email)).toBeVisible()

    await expect.poll(() => mailbox.received).toHaveLength(1)
    const mail = mailbox.received[0] as string
    expect(mail).toContain(account.username)
    const set = async (token: string, password: string) => {
      await page.getByLabel('Token z wiadomości e-mail').fill(token)
      await page.getByLabel('Nowe hasło').fill(password)
      await page.getByLabel('Potwierdź hasło').fill(password)
      await page.getByRole('button', { name: 'Zmień hasło' }).click()
    }
    await set('x'.repeat(43), 'Nowe-haslo-S8')
    await expect(page.getByRole('alert')).toHaveText(/^Token /)
    await set(tokenIn(mail), 'Nowe-haslo-S8')
    await expect(page.getByText('Hasło zostało ustawione.')).toBeVisible()
    await expect(page).toHaveURL(`${mailing.url}/login`)
    await signIn(page, { ...account, password: 'Nowe-haslo-S8' })
    await expect(page).toHaveURL(`${mailing.url}/`)

    await page.getByRole('link', { name: 'Wyloguj' }).click()
    await page.goto(mailing.url + link(mail))
    await set(tokenIn(mail), 'Inne-haslo-S8')
    await expect(page.getByRole('alert')).toHaveText(/^Token /)
  })

  test('answers alike for an unknown address and sends nothing', async ({ page }) => {
    const before = mailbox.received.length
    await page.goto(`${mailing.url}/reset-password`)
    await page.getByLabel('Adres e-mail').fill('nikt@example.com')
    await page.getByRole('button', { name: 'Wyślij token' }).click()
    await expect(page.getByText(/Jeśli ten adres należy do konta/)).toBeVisible()
    const { totalCount } = await call(mailing, await tokenOf(mailing), outbox, {})
    expect(totalCount).toBe(before)
  })

  test('reset forms name missing and invalid fields', async ({ page }) => {
    await page.goto('/reset-password')
    const address = page.getByLabel('Adres e-mail')
    await page.getByRole('button', { name: 'Wyślij token' }).click()
    await expect(address).toHaveAccessibleDescription('Podaj adres e-mail.')
    await address.fill('maria@')
    await page.getByRole('button', { name: 'Wyślij token' }).click()
    await expect(address).toHaveAccessibleDescription('Nieprawidłowy adres e-mail.')
    await expectAccessible(page)

    await page.goto(`/reset-password/reset?email=${encodeURIComponent(email)}`)
    await expect(page.getByText(email)).toBeVisible()
    const [token, first, second] = [
      page.getByLabel('Token z wiadomości e-mail'),
      page.getByLabel('Nowe hasło'),
      page.getByLabel('Potwierdź hasło'),
    ]
    const save = page.getByRole('button', { name: 'Zmień hasło' })
    await save.click()
    await expect(token).toHaveAccessibleDescription('Token jest wymagany.')
    await expect(first).toHaveAccessibleDescription('Hasło jest wymagane.')
    await expect(second).toHaveAccessibleDescription('Potwierdzenie hasła jest wymagane.')
    await first.fill('piec5')
    await second.fill('piec6')
    await save.click()
    await expect(first).toHaveAccessibleDescription('Hasło musi mieć co najmniej 6 znaków.')
    await expect(second).toHaveAccessibleDescription('Hasła muszą być takie same.')
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await inEveryLanguage(page)
  })
})

test('replaces an expired password by a proposed one, and shows its strength', async ({ page, portal }) => {
  const { username } = await addAccount(portal, ['Stat', 'PasswordChange'])
  const reset = { username, password: 'Zmien-mnie-2026' }
  await portal.manage('user', 'reset-password', '--username', reset.username, '--password', reset.password)
  await page.goto('/login')
  await signIn(page, reset)
  await page.getByRole('button', { name: 'Zmień hasło' }).click()
  for (const name of ['Obecne hasło', 'Nowe hasło'])
    await expect(page.getByLabel(name)).toHaveAccessibleDescription(/Hasło jest wymagane\./)
  await page.getByLabel('Nowe hasło').fill('haslo123')
  await expect(page.getByText('Siła hasła: słabe')).toBeVisible()
  await page.getByRole('button', { name: 'Generuj' }).click()
  const proposal = await page.getByLabel('Propozycja hasła').inputValue()
  expect(proposal).toMatch(/^(?=.*\d).{14}$/)
  await page.getByRole('button', { name: 'Użyj propozycji' }).click()
  await expect(page.getByLabel('Nowe hasło')).toHaveValue(proposal)
  await expect(page.getByText('Siła hasła: mocne')).toBeVisible()
  await page.getByLabel('Obecne hasło').fill(reset.password)
  await page.getByRole('button', { name: 'Zmień hasło' }).click()
  await expect(page).toHaveURL('/')
  expect(await tokenOf(portal, { username, password: proposal })).toHaveLength(43)
})

test('no page violates the Content-Security-Policy', async ({ page, portal }) => {
  const broken: string[] = []
  await page.exposeFunction('tellBroken', (rule: string) => broken.push(rule))
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      (window as unknown as { tellBroken: (rule: string) => void }).tellBroken(`${violatedDirective} ${blockedURI}`),
    ),
  )
  await page.goto('/login')
  await signIn(page)
  for (const path of ['/', '/stat', '/user-management?add=true', '/user-activity', '/preference']) {
    await page.goto(path)
    await expect(page.getByRole('main')).toBeVisible()
  }
  await page.goto('/api/docs/')
  await expect(page.getByRole('heading', { name: /Rogatka/ })).toBeVisible()
  expect(broken).toEqual([])
  const { headers } = await fetch(portal.url)
  expect(headers.get('content-security-policy')).not.toMatch(/script-src[^;]*unsafe/)
})

test('the login passes axe in five languages without overflow', async ({ page }) => {
  await page.goto('/login')
  await expectAccessible(page)
  await inEveryLanguage(page)
})

test('the source code is offered on the login page in every language, by keyboard, and to signed-in users', async ({
  page,
}) => {
  const names = {
    pl: 'Kod źródłowy',
    en: 'Source code',
    lt: 'Pirminis kodas',
    de: 'Quellcode',
    ro: 'Cod sursă',
  }
  const link = page.getByRole('link', { name: /^(Kod|Source|Pirminis|Quellcode|Cod)/ })
  const expectOffer = async (language: keyof typeof names) => {
    await expect(link).toHaveCount(1)
    await expect(link).toHaveText(names[language])
    await expect(link).toHaveAttribute('href', 'https://github.com/rogatka/rogatka')
    await expect(link).toBeInViewport()
  }
  await page.goto('/login')
  await inEveryLanguage(page, expectOffer)
  await page.locator('button[type=submit]').focus()
  for (let steps = 0; steps < 3 && !(await link.evaluate((it) => it === document.activeElement)); steps++)
    await page.keyboard.press('Tab')
  await expect(link).toBeFocused()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectOffer('ro')
  await page.evaluate(() => localStorage.setItem('lang', 'pl'))
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/archival')
  await signIn(page)
  await expectOffer('pl')
})

test('the login loads at most 130 KB of scripts before it is shown, and the portal after that', async ({ page }) => {
  const portal = page.waitForResponse(/\/assets\/portal-.*\.js/)
  const open = async () => {
    await page.goto('/login')
    await page.getByRole('button', { name: 'Zaloguj' }).waitFor()
    await portal
  }
  const { gzipped } = await measureScripts(page, open, 'painted')
  expect(gzipped).toBeGreaterThan(60_000)
  expect(gzipped).toBeLessThanOrEqual(130_000)
})

test('a lost connection shows in the header and turns station marks to unknown after a minute', async ({
  page,
  complaints,
}) => {
  complaints.expect(/\/api\/v1\/|ERR_CONNECTION_REFUSED|Unavailable: unavailable/)
  await page.clock.install()
  await page.goto('/archival')
  await signIn(page)
  const stations = page.getByRole('group', { name: 'Stacje' })
  const known = stations.getByRole('img', { name: /^(nie)?dostępna$/ })
  await expect(known.first()).toBeVisible()
  // Other tests may have added stations to this portal.
  const count = await known.count()
  await page.route('**/api/v1/**', (route) => route.abort('connectionrefused'))
  await page.clock.runFor(30_000)
  const mark = page.getByRole('banner').getByRole('status')
  await expect(mark).toHaveText(/^Brak połączenia\s*00:\d\d$/)
  await page.clock.runFor(70_000)
  await expect(stations.getByRole('img', { name: 'stan nieznany' })).toHaveCount(count)
  await page.unroute('**/api/v1/**')
  await page.clock.runFor(50_000)
  await expect(known).toHaveCount(count)
  await page.clock.runFor(10_000)
  await expect(mark).toBeEmpty()
})

test('every page has its title, also at a second address and outside the menu', async ({ page, portal }) => {
  await page.goto('/login')
  await signIn(page)
  const pages = [
    ['/users', 'Użytkownicy'],
    ['/user-management', 'Użytkownicy'],
    ['/user-activity', 'Aktywność użytkowników'],
    ['/role-group-management', 'Role'],
    ['/tickets', 'Zgłoszenia awarii'],
    ['/station-health', 'Stan stacji'],
    ['/calibration', 'Kalibracja'],
    ['/calibration-deviation', 'Odchylenie kalibracji'],
    ['/preference', 'Ustawienia'],
    ['/contact', 'Kontakty'],
    ['/nigdzie', 'Nie znaleziono strony'],
  ] as const
  for (const [path, title] of pages) {
    await page.goto(path)
    await expect(page, path).toHaveTitle(`${title} · Rogatka`)
  }
  // Without Admin there is no menu of management.
  const account = await addAccount(portal, ['UserManagement'])
  await page.goto('/logout')
  await signIn(page, account)
  await page.goto('/user-activity')
  await expect(page).toHaveTitle('Aktywność użytkowników · Rogatka')
})

test('Ctrl+Enter sends every form from each of its fields', async ({ page, portal }) => {
  test.setTimeout(120_000)
  const token = await tokenOf(portal)
  const contact = { contact: 'formularz@example.org', typeOfContact: 0 as const, description: 'Formularz' }
  const { id } = await call(portal, token, addContact, { body: contact })
  const { username } = await addAccount(portal, ['Stat'])
  const [user] = (await call(portal, token, listUsers, { query: { username } })).content
  await page.goto('/login')
  await signIn(page)
  await page.addInitScript(() => {
    const sent: Element[] = []
    Object.assign(window, { sent })
    // Before the form itself: nothing is saved.
    window.addEventListener(
      'submit',
      (event) => {
        event.preventDefault()
        event.stopImmediatePropagation()
        if (event.target instanceof Element) sent.push(event.target)
      },
      true,
    )
  })
  for (const path of [
    `/users?edit=${user?.id}`,
    '/users?add=true',
    '/role-group-management?add=true',
    '/preference',
    '/black-list',
    `/contact?edit=${id}`,
    '/user-activity',
  ]) {
    await page.goto(path)
    const fields = page.locator('form').locator('input:enabled, textarea:enabled, select:enabled')
    await expect(fields.first(), path).toBeAttached()
    const count = await fields.count()
    for (let at = 0; at < count; at++) {
      const field = fields.nth(at)
      // Others take no focus: they only go along with the form.
      if (!(await field.isVisible())) continue
      await page.evaluate(() => (window as unknown as { sent: Element[] }).sent.splice(0))
      await field.focus()
      await page.keyboard.press('Control+Enter')
      const sent = await field.evaluate((element) =>
        (window as unknown as { sent: Element[] }).sent.map((form) => form === element.closest('form')),
      )
      expect(sent, `${path}: ${await field.evaluate((element) => element.outerHTML)}`).toEqual([true])
    }
  }
})
