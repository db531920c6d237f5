import { type CDPSession, expect, type Page } from '@playwright/test'
import { test } from './src/fixtures.ts'
import { type Account, addAccount, expectAccessible, inEveryLanguage, signIn } from './src/operator.ts'
import { type Portal, startPortal } from './src/portal.ts'
import { demandStepUpOnce } from './src/step-up.ts'

/* The authenticator of this test is that of Chromium. Browsers have passkeys for names only, not for 127.0.0.1. */

let portal: Portal
let address: string

test.beforeAll(async () => {
  portal = await startPortal((port) => {
    address = `http://localhost:${port}`
    return { PUBLIC_URL: address }
  })
})
test.afterAll(() => portal.stop())

async function addAuthenticator(client: CDPSession): Promise<string> {
  await client.send('WebAuthn.enable')
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return authenticatorId
}

const usePasskey = (page: Page) => page.getByRole('button', { name: 'Użyj klucza dostępu' }).click()

async function signInByRecoveryCode(page: Page, { username, password }: Account, code: string) {
  await page.getByLabel('Nazwa użytkownika').fill(username)
  await page.getByLabel('Hasło', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Zaloguj' }).click()
  await page.getByRole('button', { name: 'Kod odzyskiwania' }).click()
  await page.getByLabel('Kod odzyskiwania').fill(code)
  await page.getByRole('button', { name: 'Zaloguj' }).click()
  await expect(page).not.toHaveURL(/login/)
}

test('a passkey signs in and confirms, and its copy is refused', async ({ page, consoleErrors }) => {
  consoleErrors.expect(/403|422.*remove$/)
  const account = await addAccount(portal, ['Stat', 'SelfConfig'])
  const client = await page.context().newCDPSession(page)
  const authenticatorId = await addAuthenticator(client)
  await page.goto(`${address}/login`)
  await signIn(page, account)
  await page.goto(`${address}/account-security`)
  await expect(page.getByText('Nie masz kluczy dostępu.')).toBeVisible()
  await page.getByRole('button', { name: 'Dodaj klucz' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Dodaj klucz' }).click()
  await expect(dialog.getByText('Podaj nazwę klucza.')).toBeVisible()
  await expect(dialog.getByText('Podaj obecne hasło.')).toBeVisible()
  await expect(dialog.getByLabel('Nazwa')).toBeFocused()
  await dialog.getByLabel('Nazwa').fill('Telefon')
  await dialog.getByLabel('Obecne hasło').fill(account.password)
  await dialog.getByRole('button', { name: 'Dodaj klucz' }).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(10)
  const [code = ''] = await dialog.getByRole('listitem').allInnerTexts()
  await dialog.getByRole('button', { name: 'Mam je w bezpiecznym miejscu' }).click()
  const row = page.getByRole('row', { name: 'Telefon' })
  await expect(row).toContainText('w urządzeniu')
  await row.getByRole('button', { name: 'Zmień nazwę' }).click()
  await dialog.getByLabel('Nazwa').fill('Telefon służbowy')
  await dialog.getByRole('button', { name: 'Zmień nazwę' }).click()
  await expect(page.getByRole('row', { name: 'Telefon służbowy' })).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await inEveryLanguage(page)
  await page.evaluate(() => localStorage.setItem('lang', 'pl'))
  await page.setViewportSize({ width: 1280, height: 800 })

  await page.goto(`${address}/logout`)
  const button = page.getByRole('button', { name: 'Użyj klucza dostępu' })
  await expect(button).toBeVisible()
  await expectAccessible(page)
  const [original] = (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  if (!original) throw new Error('the authenticator has no key')
  await usePasskey(page)
  await expect(page).not.toHaveURL(/login/)

  await page.goto(`${address}/account-security`)
  await demandStepUpOnce(page, '**/passkeys/*/remove')
  await page.getByRole('button', { name: 'Usuń klucz Telefon służbowy' }).click()
  await dialog.getByLabel('Obecne hasło').fill('wrong')
  await dialog.getByRole('button', { name: 'Usuń' }).click()
  const stepUp = page.getByRole('dialog', { name: 'Potwierdź, że to Ty' })
  await expect(stepUp.getByText('Użyj klucza dostępu.')).toBeVisible()
  await usePasskey(page)
  // The call is sent again as it was.
  await expect(stepUp).toHaveCount(0)
  await expect(dialog.getByText('Obecne hasło jest nieprawidłowe.')).toBeVisible()

  // Somebody signs in with a copy of the key, as it was before.
  await page.goto(`${address}/logout`)
  await client.send('WebAuthn.clearCredentials', { authenticatorId })
  await client.send('WebAuthn.addCredential', { authenticatorId, credential: original })
  await usePasskey(page)
  await expect(page.getByRole('alert')).toContainText('Ten klucz dostępu zablokowano')
  await signInByRecoveryCode(page, account, code)
  await page.goto(`${address}/account-security`)
  await expect(page.getByRole('row', { name: 'Telefon służbowy' })).toContainText('użyto jego kopii')
})

test('a role that requires a passkey leads to it, and then offers nothing else', async ({ page, consoleErrors }) => {
  consoleErrors.expect(/403|500/)
  const account = await addAccount(portal, ['Stat', 'SelfConfig'])
  const client = await page.context().newCDPSession(page)
  await addAuthenticator(client)
  await page.goto(`${address}/login`)
  await signIn(page)
  await page.goto(`${address}/role-group-management?name=${account.username}`)
  await page.getByRole('button', { name: `Edytuj: ${account.username}` }).click()
  await page.getByRole('combobox', { name: 'Drugi składnik logowania' }).click()
  // The portal has no providers.
  await expect(page.getByRole('option', { name: /dostawcę tożsamości/ })).toHaveAttribute('data-combobox-disabled')
  await page.getByRole('option', { name: 'wymagany: klucz dostępu' }).click()
  await expect(page.getByText('Kody z aplikacji i kody odzyskiwania nie wystarczą.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Zapisz' }).first().click()
  await expect(page.getByText('Zapisano zmiany')).toBeVisible()

  await page.goto(`${address}/logout`)
  const failed = [{ path: null, code: 'internal-error', userMessage: 'Wystąpił błąd serwera.' }]
  const factors = '**/users/self/factors'
  await page.route(factors, (route) => route.fulfill({ status: 500, json: failed }))
  await signIn(page, account)
  await expect(page).toHaveURL(`${address}/factor-setup`)
  await expect(page.getByText('Nie udało się pobrać ustawień konta.')).toBeVisible()
  await page.unroute(factors)
  await page.getByRole('button', { name: 'Spróbuj ponownie' }).click()
  await expect(page.getByText('Twoja rola wymaga klucza dostępu.')).toBeVisible()
  await expect(page.getByLabel('Kod', { exact: true })).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Dodaj klucz' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Nazwa').fill('Telefon')
  await dialog.getByLabel('Obecne hasło').fill(account.password)
  await demandStepUpOnce(page, '**/passkeys/options')
  await dialog.getByRole('button', { name: 'Dodaj klucz' }).click()
  // Asked here, too; then the call is sent again.
  const stepUp = page.getByRole('dialog', { name: 'Potwierdź, że to Ty' })
  await stepUp.getByLabel('Obecne hasło').fill(account.password)
  await stepUp.getByRole('button', { name: 'Potwierdź' }).click()
  await dialog.getByRole('button', { name: 'Mam je w bezpiecznym miejscu' }).click()
  await expect(page).toHaveURL(`${address}/`)
  await page.goto(`${address}/account-security`)
  await expect(page.getByText('klucz dostępu jest wymagany')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Usuń klucz Telefon' })).toHaveCount(0)

  await page.goto(`${address}/logout`)
  await page.getByLabel('Nazwa użytkownika').fill(account.username)
  await page.getByLabel('Hasło', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Zaloguj' }).click()
  await expect(page.getByRole('button', { name: 'Kod odzyskiwania' })).toHaveCount(0)
  await usePasskey(page)
  await expect(page).not.toHaveURL(/login/)
})
