import { expect, type Page } from '@playwright/test'
import { outbox } from '@rogatka/contract/activity.ts'
import { add as addUser } from '@rogatka/contract/users.ts'
import { call, tokenOf } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { type Mailbox, openMailbox } from './src/mailbox.ts'
import { addAccount, expectAccessible, inEveryLanguage, resetPassword, signIn } from './src/operator.ts'
import { type Portal, startPortal } from './src/portal.ts'

/** Holds a request back until the returned function is called. */
async function hold(page: Page, url: string): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await held.promise
    await route.continue()
  })
  return held.resolve
}

test('blocks all pages until a due password change', async ({ page, portal, consoleErrors }) => {
  consoleErrors.expect(/update-password/)
  const isFlagged = () => page.evaluate(() => sessionStorage.getItem('mustChangePwd'))
  const { username } = await addAccount(portal, ['Stat', 'PasswordChange'])
  const reset = await resetPassword(portal, username)
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
  // The message is shown for a second, then until the user has been read again.
  const leave = await hold(page, '**/users/self')
  send()
  await expect(page.getByText('Zaktualizowano')).toBeVisible()
  leave()
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
    mailing = await startPortal({ DEMO: 'false', SMTP_URL: mailbox.url }, { inMemory: true })
    const person = { firstName: 'Maria', lastName: 'Nowak', email, phoneNumber: '600100200', roles: [2] }
    await call(mailing, await tokenOf(mailing), addUser, { body: { ...account, ...person } })
  })
  test.afterAll(async () => {
    await mailing.stop()
    await mailbox.close()
  })

  const link = (text: string) => /\/reset-password\/reset\/\S+/.exec(text)?.[0] as string
  const tokenIn = (text: string) => /^[\w-]{43}$/m.exec(text)?.[0] as string

  test('resets the password with the e-mail token, once', async ({ page, consoleErrors }) => {
    consoleErrors.expect(/set-password/)
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
    await expect(page).toHaveURL(`${mailing.url}/login`)
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
  const reset = await resetPassword(portal, username)
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
