import { expect, type Page } from '@playwright/test'
import { ping } from '@rogatka/contract/session.ts'
import { call } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { expectAccessible, inEveryLanguage, signIn } from './src/operator.ts'
import { ADMIN } from './src/portal.ts'
import { measureScripts } from './src/scripts.ts'

/** Holds a request back until the returned function is called. */
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

test('shows a wrong password in a dismissible banner, without its prefix', async ({ page, consoleErrors }) => {
  consoleErrors.expect(/\/api\/v1\/login/)
  await page.goto('/login')
  await page.getByLabel('Nazwa użytkownika').fill('nobody')
  await page.getByLabel('Hasło', { exact: true }).fill('wrong-password')
  await page.getByRole('button', { name: 'Zaloguj' }).click()
  const banner = page.getByRole('alert')
  await expect(banner).toContainText('Nieprawidłow')
  await expect(banner).not.toContainText('null')
  // It is hidden when the next attempt is sent, and shown again with its response.
  const send = await hold(page, '**/api/v1/login')
  await page.getByRole('button', { name: 'Zaloguj' }).click()
  await expect(banner).toHaveCount(0)
  send()
  await expect(banner).toContainText('Nieprawidłow')
  await banner.getByRole('button', { name: 'Zamknij' }).click()
  await expect(banner).toHaveCount(0)
})

test('clears a banner after 10 seconds', async ({ page, consoleErrors }) => {
  consoleErrors.expect(/\/api\/v1\/login/)
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
