import { expect, type Page } from '@playwright/test'
import { confirmAuthenticator, startAuthenticator } from '@rogatka/contract/session-factors.ts'
import { TOTP, URI } from 'otpauth'
import { call, tokenOf } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { type Account, addAccount, expectAccessible, inEveryLanguage, signIn, signOut } from './src/operator.ts'
import { demandStepUpOnce } from './src/step-up.ts'

/* The authenticator app of these tests is another implementation: `otpauth`. */

const STEP_MS = 30_000

/** The code of the next step is accepted after that of the present one, and for a minute. */
const codeOf = (app: TOTP, steps = 0) => app.generate({ timestamp: Date.now() + steps * STEP_MS })

/** The app that a user has after reading the key on the page. */
const appOnPage = async (page: Page) => {
  const key = (await page.locator('code').innerText()).replaceAll(' ', '')
  return new TOTP({ secret: (URI.parse(`otpauth://totp/a:b?secret=${key}`) as TOTP).secret })
}

/** Back to Polish after all languages. */
async function inPolish(page: Page) {
  await page.evaluate(() => {
    localStorage.setItem('lang', 'pl')
    dispatchEvent(new StorageEvent('storage', { key: 'lang', newValue: 'pl' }))
  })
  await expect(page.locator('html')).toHaveAttribute('lang', 'pl')
}

/** Fills the form of the set-up. */
async function confirmSetup(page: Page, { password }: Account): Promise<TOTP> {
  const app = await appOnPage(page)
  await page.getByLabel('Kod z aplikacji').fill(codeOf(app))
  await page.getByLabel('Mam je w bezpiecznym miejscu').check()
  await page.getByLabel('Obecne hasło').fill(password)
  await page.getByRole('button', { name: 'Włącz' }).click()
  return app
}

/** Submits the password of an account with a second factor. */
async function beginSignIn(page: Page, { username, password }: Account) {
  await page.goto('/login')
  await page.getByLabel('Nazwa użytkownika').fill(username)
  await page.getByLabel('Hasło', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Zaloguj' }).click()
  await expect(page.getByText(`Hasło przyjęte, ${username}.`)).toBeVisible()
}

test('a second factor is set up, asked for at the login, replaced and removed', async ({
  page,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/login\/factor|factors\/authenticator/)
  const account = await addAccount(portal, ['Stat', 'SelfConfig'])
  await page.goto('/login')
  await signIn(page, account)
  await page.goto('/preference')
  await page.getByRole('link', { name: 'Otwórz bezpieczeństwo konta' }).click()
  await expect(page.getByText('Logujesz się samym hasłem.')).toBeVisible()
  await page.getByRole('button', { name: 'Ustaw aplikację' }).click()

  await expect(page.getByRole('img', { name: 'Kod QR do aplikacji z kodami' })).toBeVisible()
  const codes = await page.getByRole('list', { name: 'Kody odzyskiwania' }).getByRole('listitem').allInnerTexts()
  expect(codes).toHaveLength(10)
  await expectAccessible(page)
  await inEveryLanguage(page)
  await inPolish(page)
  // Nothing is sent before everything is there.
  await page.getByRole('button', { name: 'Włącz' }).click()
  await expect(page.getByText('Podaj sześć cyfr z aplikacji.')).toBeVisible()
  await expect(page.getByText('Zapisz kody w bezpiecznym miejscu i potwierdź to.')).toBeVisible()
  await expect(page.getByLabel('Kod z aplikacji')).toBeFocused()
  const app = await confirmSetup(page, account)
  await expect(page.getByText('pozostało 10 z 10')).toBeVisible()

  await signOut(page)
  await beginSignIn(page, account)
  const field = page.getByLabel('Kod z aplikacji')
  await expect(field).toBeFocused()
  await expectAccessible(page)
  const right = codeOf(app, 1)
  // Sent with the sixth digit, and cleared for the next attempt.
  await page.keyboard.type(String((Number(right) + 1) % 1_000_000).padStart(6, '0'))
  await expect(page.getByRole('alert')).toHaveText('Kod jest nieprawidłowy. Pozostało prób: 4.')
  await expect(field).toHaveValue('')
  await expect(field).toBeFocused()
  await page.setViewportSize({ width: 390, height: 844 })
  await inEveryLanguage(page)
  await inPolish(page)
  await page.getByRole('button', { name: 'Nie mam telefonu: kod odzyskiwania' }).click()
  await page.getByLabel('Kod odzyskiwania').fill((codes[0] as string).toLowerCase())
  await page.getByRole('button', { name: 'Zaloguj' }).click()
  await expect(page).not.toHaveURL(/login/)
  await page.setViewportSize({ width: 1280, height: 800 })

  await page.goto('/account-security')
  await expect(page.getByText('pozostało 9 z 10')).toBeVisible()
  await page.getByRole('button', { name: 'Nowe kody odzyskiwania' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Obecne hasło').fill(account.password)
  await dialog.getByRole('button', { name: 'Nowe kody odzyskiwania' }).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(10)
  expect(await dialog.getByRole('listitem').allInnerTexts()).not.toContain(codes[1])
  await dialog.getByRole('button', { name: 'Mam je w bezpiecznym miejscu' }).click()
  await page.getByRole('button', { name: 'Zmień aplikację lub telefon' }).click()
  await confirmSetup(page, account)
  await expect(page.getByText('pozostało 10 z 10')).toBeVisible()
  await page.getByRole('button', { name: 'Usuń drugi składnik' }).click()
  await dialog.getByRole('button', { name: 'Usuń drugi składnik' }).click()
  await expect(dialog.getByText('Podaj obecne hasło.')).toBeVisible()
  await dialog.getByLabel('Obecne hasło').fill(account.password)
  await dialog.getByRole('button', { name: 'Usuń drugi składnik' }).click()
  await expect(page.getByText('Logujesz się samym hasłem.')).toBeVisible()
})

test('a role requires a second factor of its users at once, and an administrator removes a lost one', async ({
  page,
  portal,
  browser,
  consoleErrors,
}) => {
  // The removal ends the session of the user.
  consoleErrors.expect(/403|401.*\/(users\/self|ping)$/)
  const account = await addAccount(portal, ['Stat'])
  await page.goto('/login')
  await signIn(page, account)
  const admin = await browser.newPage({ baseURL: portal.url })
  await admin.goto('/login')
  await signIn(admin)
  // Other tests may have filled the first page of the list.
  await admin.goto(`/role-group-management?name=${account.username}`)
  await admin.getByRole('row', { name: account.username }).getByRole('button', { name: 'Edytuj' }).click()
  await admin.getByRole('combobox', { name: 'Drugi składnik logowania' }).click()
  await admin.getByRole('option', { name: 'wymagany: dowolny' }).click()
  await admin.getByRole('button', { name: 'Zapisz' }).first().click()
  await expect(admin.getByText('Zapisano zmiany')).toBeVisible()

  await page.goto('/stat')
  await expect(page).toHaveURL('/factor-setup')
  await expect(page.getByText('Twoje konto wymaga drugiego składnika logowania.')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await inEveryLanguage(page)
  await inPolish(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  const app = await confirmSetup(page, account)
  await expect(page).toHaveURL('/')
  await page.goto('/account-security')
  await expect(page.getByText('wymagany')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Usuń drugi składnik' })).toHaveCount(0)
  await signOut(page)
  await beginSignIn(page, account)
  await page.keyboard.type(codeOf(app, 1))
  await expect(page).not.toHaveURL(/login/)

  await admin.goto(`/user-management?username=${account.username}`)
  await admin.getByRole('row', { name: account.username }).getByRole('button', { name: 'Edytuj' }).click()
  await admin.getByRole('button', { name: 'Usuń drugi składnik logowania' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Usuń drugi składnik logowania' }).click()
  await expect(admin.getByText('Usunięto drugi składnik logowania.')).toBeVisible()
  await admin.close()
  await page.goto('/stat')
  await signIn(page, account)
  await expect(page).toHaveURL('/factor-setup')
})

test('an action with power asks for the second factor, or the password, and is then done', async ({
  page,
  portal,
  consoleErrors,
}) => {
  consoleErrors.expect(/403/)
  const account = await addAccount(portal, ['UserManagement', 'Stat'])
  const someone = await addAccount(portal, ['Stat'])
  await page.goto('/login')
  await signIn(page, account)
  await page.goto(`/user-management?username=${someone.username}`)
  await page.getByRole('row', { name: someone.username }).getByRole('button', { name: 'Edytuj' }).click()
  const save = page.getByRole('button', { name: 'Zapisz' }).first()
  const surname = page.getByLabel('Nazwisko')
  const dialog = page.getByRole('dialog', { name: 'Potwierdź, że to Ty' })
  const demandOnce = () => demandStepUpOnce(page, /\/api\/v1\/users\/\d+$/, 'PUT')

  await surname.fill('Nowak')
  await demandOnce()
  await save.click()
  await expect(dialog.getByText('Podaj hasło.')).toBeVisible()
  await expect(dialog.getByLabel('Obecne hasło')).toBeFocused()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await inEveryLanguage(page)
  await inPolish(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  // Declined: nothing is lost.
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('alert')).toContainText('Potwierdź.')
  await expect(surname).toHaveValue('Nowak')
  await demandOnce()
  await save.click()
  await dialog.getByLabel('Obecne hasło').fill(account.password)
  await dialog.getByRole('button', { name: 'Potwierdź' }).click()
  await expect(page.getByText('Zapisano zmiany')).toBeVisible()
  await expect(dialog).toHaveCount(0)

  await signOut(page)
  const token = await tokenOf(portal, account)
  const { uri } = await call(portal, token, startAuthenticator, {})
  const app = URI.parse(uri) as TOTP
  // So that two later codes are left. Its step is no longer accepted if another one begins on the way.
  await expect(() =>
    call(portal, token, confirmAuthenticator, { body: { code: codeOf(app, -1), password: account.password } }),
  ).toPass()
  await beginSignIn(page, account)
  await page.keyboard.type(codeOf(app))
  await expect(page).not.toHaveURL(/login/)
  await page.goto(`/user-management?username=${someone.username}`)
  await page.getByRole('row', { name: someone.username }).getByRole('button', { name: 'Edytuj' }).click()
  await expect(surname).toHaveValue('Nowak')
  await surname.fill('Mazur')
  await demandOnce()
  await save.click()
  const field = dialog.getByLabel('Kod z aplikacji')
  await expect(field).toBeFocused()
  await field.fill(codeOf(app, 1))
  await expect(page.getByText('Zapisano zmiany')).toBeVisible()
  await expect(dialog).toHaveCount(0)
})

test('a sign-in that took too long begins again, with the reason', async ({ page, portal, consoleErrors }) => {
  consoleErrors.expect(/login\/factor/)
  const account = await addAccount(portal, ['Stat'])
  const token = await tokenOf(portal, account)
  const { uri } = await call(portal, token, startAuthenticator, {})
  const code = codeOf(URI.parse(uri) as TOTP)
  await call(portal, token, confirmAuthenticator, { body: { code, password: account.password } })
  await beginSignIn(page, account)
  const refusal = [{ path: null, code: 'sign-in-expired', userMessage: 'Minął czas na podanie kodu.' }]
  await page.route('**/login/factor', (route) => route.fulfill({ status: 401, json: refusal }))
  await page.keyboard.type('123456')
  await expect(page.getByRole('alert')).toContainText('Minął czas na podanie kodu.')
  await expect(page.getByLabel('Hasło', { exact: true })).toBeVisible()
})
