import { expect, type Locator } from '@playwright/test'
import { permissionsOf, type Right, rights } from '@rogatka/contract/access.ts'
import { list as listUsers } from '@rogatka/contract/users.ts'
import { addContact } from '@rogatka/contract/wanted.ts'
import { call, tokenOf } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { addAccount, expectAccessible, expectNoOverflow, openPage, signIn, signInByApi } from './src/operator.ts'
import { ADMIN } from './src/portal.ts'
import { recordShifts } from './src/shift.ts'
import { titled } from './src/title.ts'

test('focuses and announces the heading of a new page or step, and keeps a focus of its own', async ({ page }) => {
  await page.goto('/login')
  await signIn(page)
  const heading = page.getByRole('heading', { level: 1 })
  // Alarms of other tests are announced, too.
  const announced = (text: RegExp) => page.locator('[aria-live="polite"]:not([role])').filter({ hasText: text }).first()
  // The first page keeps the initial focus of the browser.
  await page.goto('/archival')
  await expect(page.getByRole('group', { name: 'Stacje' }).getByRole('checkbox').first()).toBeVisible()
  await expect(heading).not.toBeFocused()
  await page.getByRole('button', { name: 'wszystkie' }).press('Enter')
  await expect(page.getByRole('button', { name: 'wszystkie' })).toBeFocused()
  await page.getByRole('button', { name: 'Dalej' }).press('Enter')
  await expect(heading).toBeFocused()
  await expect(announced(/Warunki/)).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/step=2/)
  await expect(announced(/Miejsce i czas/)).toBeAttached()
  await expect(heading).toBeFocused()

  await page.getByRole('link', { name: 'Znaki VMS' }).press('Enter')
  await expect(page).toHaveURL(/\/vms/)
  await expect(heading).toBeFocused()
  await openPage(page, '/users')
  // Escape leads back also while the record is loading.
  const { promise: asked, resolve: answer } = Promise.withResolvers<void>()
  await page.route(/\/users\/\d+$/, (route) => asked.then(() => route.continue()))
  await page.getByRole('button', { name: 'Edytuj' }).first().press('Enter')
  await expect(heading).toHaveText('Edycja użytkownika')
  await expect(heading).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(heading).toHaveText('Użytkownicy')
  await expect(heading).toBeFocused()
  answer()
  // Fields with autofocus and dialogs keep the focus.
  await page.getByRole('link', { name: 'Wyloguj' }).press('Enter')
  await expect(page.getByLabel('Nazwa użytkownika')).toBeFocused()
  await signIn(page)
})

test('the focus returns from a dialog, and stays in the list when a row is deleted', async ({ page, portal }) => {
  const account = await addAccount(portal, ['WantedList', 'Contacts'])
  const token = await tokenOf(portal, account)
  for (const name of ['pierwszy', 'drugi'])
    await call(portal, token, addContact, {
      body: { contact: `${name}@example.org`, typeOfContact: 0, description: name },
    })
  await signInByApi(page, portal, account)
  await page.goto('/contact')
  const change = page.getByRole('button', { name: 'Zmień: drugi@example.org' })
  await change.press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(change).toBeFocused()
  await page.getByRole('button', { name: 'Usuń: drugi@example.org' }).press('Enter')
  // An open dialog takes the focus in one of its first frames.
  await expect(page.getByRole('dialog').locator(':focus')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Usuń' }).press('Enter')
  await expect(change).toHaveCount(0)
  await expect(page.getByRole('row').last().getByRole('button').first()).toBeFocused()
})

test('publishes the licences of what the page contains', async ({ page }) => {
  const response = await page.request.get('/licences.txt')
  expect(response.headers()['content-type']).toBe('text/plain; charset=utf-8')
  const text = await response.text()
  for (const one of ['## react - ', '## @mantine/core - ', '## echarts - ', 'Reserved Font Name "Plex"', 'ODC-BY'])
    expect(text).toContain(one)
  expect(text.match(/SIL OPEN FONT LICENSE Version 1\.1/g)).toHaveLength(2)
})

test('the language can be selected before and after the login, is restored from lang, and applies to all tabs', async ({
  page,
}) => {
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

  const other = await page.context().newPage()
  await other.goto('/archive')
  await other.getByRole('button', { name: /English/ }).click()
  await other.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await expect(page.getByRole('link', { name: 'Archiv' })).toBeVisible()
})

test('header links do not overlap its tools above 720 px, in any language', async ({ page, portal }) => {
  // The mark of an open hit of another test would take the place of the user's name.
  await page.route(/wanted-hits\/stream/, (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: 'event: hits\ndata: {"content":[]}\n\n' }),
  )
  await signInByApi(page, portal)
  await page.goto('/')
  /** By how many pixels the links reach into what follows; they are laid out again after the page knows its width. */
  const overlap = async (next: string) => {
    const last = await page.locator('header nav > *').last().boundingBox()
    const following = await page.locator(next).boundingBox()
    return last && following && last.x + last.width - following.x
  }
  for (const language of ['pl', 'de', 'ro']) {
    await page.evaluate((lang) => localStorage.setItem('lang', lang), language)
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    for (const width of [721, 761, 961, 1001, 1101, 1321]) {
      await page.setViewportSize({ width, height: 800 })
      await expect.poll(() => overlap('header nav + *'), `${language} at ${width}`).toBeLessThanOrEqual(0)
    }
    // From 1361 px on with the name of the user, who is hidden below.
    const name = page.locator('header').getByText(ADMIN.username, { exact: true })
    for (const width of [1361, 1431, 1500]) {
      await page.setViewportSize({ width, height: 800 })
      await expect(name, `${language} at ${width}`).toBeVisible()
      await expect.poll(() => overlap('header time'), `${language} at ${width}`).toBeLessThanOrEqual(0)
      expect(
        await page
          .locator('header')
          .first()
          .evaluate((one) => one.scrollWidth - one.clientWidth),
      ).toBe(0)
    }
    await page.setViewportSize({ width: 1360, height: 800 })
    await expect(name).toBeHidden()
  }
  await page.setViewportSize({ width: 720, height: 800 })
  await expect(page.locator('header nav')).toBeHidden()
})

test('the theme is selected in the header and restored', async ({ page, portal }) => {
  await signInByApi(page, portal)
  await page.goto('/')
  await page.getByRole('button', { name: 'Motyw' }).click()
  await page.getByRole('menuitemradio', { name: 'Ciemny' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
})

test('shows a not-found page for an unknown address', async ({ page, portal }) => {
  await signInByApi(page, portal)
  await page.goto('/no/such/page')
  await expect(page.getByText('Nie znaleziono strony')).toBeVisible()
  await expectAccessible(page)
})

test('shows links only for held rights, and no page without its right', async ({ page, portal }) => {
  const account = await addAccount(portal, ['Stat'])
  await signInByApi(page, portal, account)
  await page.goto('/')
  const navigation = page.getByRole('navigation', { name: 'Nawigacja główna' })
  await expect(navigation.getByRole('link', { name: 'Statystyki' })).toBeVisible()
  await expect(navigation.getByRole('link', { name: 'Archiwum' })).toHaveCount(0)
  await expect(navigation.getByText('Zarządzanie')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Ustawienia' })).toHaveCount(0)
  await page.goto('/archival')
  await expect(page.getByText('Brak uprawnień do tej czynności.')).toBeVisible()
})

/** By right, or by several of which any one is sufficient. */
const PAGES: Record<string, string[]> = {
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
  UsersAdmin: ['/users'],
  'UsersAdmin,Tickets': ['/station-health'],
  Tickets: ['/tickets', '/tickets/7', '/tickets/7/edit'],
  WantedList: ['/black-list', '/white-list', '/contact'],
  SelfConfig: ['/preference'],
}

test('every page opens with its right alone, and with all other rights it does not', async ({
  page,
  portal,
  consoleErrors,
}) => {
  // The vehicle and the ticket of these paths do not exist.
  consoleErrors.expect(/404/)
  const main = page.getByRole('main')
  for (const [names, paths] of Object.entries(PAGES)) {
    // Any one of them is sufficient.
    const sufficient = names.split(',') as Right[]
    const permissions = sufficient.flatMap((right) => permissionsOf(right))
    const others = rights.filter((other) => !permissions.includes(permissionsOf(other)[0] ?? ''))
    for (const right of sufficient) {
      await signInByApi(page, portal, await addAccount(portal, [right]))
      for (const path of paths) {
        await page.goto(path)
        await expect(main, `${path} with ${right}`).toHaveText(/./)
        await expect(main, `${path} with ${right}`).not.toContainText('Brak uprawnień')
      }
    }
    await signInByApi(page, portal, await addAccount(portal, others))
    for (const path of paths) {
      await page.goto(path)
      await expect(main, `${path} without ${names}`).toHaveText('Brak uprawnień do tej czynności.')
    }
  }
})

test('a lost connection shows in the header and turns station marks to unknown after a minute', async ({
  page,
  consoleErrors,
}) => {
  consoleErrors.expect(/\/api\/v1\/|ERR_CONNECTION_REFUSED|ServerUnavailable: unavailable/)
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
  // It takes the place of the clock, and covers no link.
  const last = page.getByRole('navigation', { name: 'Nawigacja główna' }).getByRole('button').last()
  for (const width of [1600, 1440, 1366, 1280, 1101, 1024, 900, 768]) {
    await page.setViewportSize({ width, height: 900 })
    const [link, shown] = [await last.boundingBox(), await mark.locator('> span').boundingBox()]
    expect((link?.x ?? 0) + (link?.width ?? 0), String(width)).toBeLessThanOrEqual(shown?.x ?? 0)
    await expectNoOverflow(page)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.clock.runFor(70_000)
  await expect(stations.getByRole('img', { name: 'stan nieznany' })).toHaveCount(count)
  // The style of countdowns depends on it.
  await expect(page.locator('html[data-estimate]')).toBeAttached()
  await page.unroute('**/api/v1/**')
  await page.clock.runFor(50_000)
  await expect(known).toHaveCount(count)
  await page.clock.runFor(10_000)
  await expect(mark).toBeEmpty()
  await expect(page.locator('html[data-estimate]')).toHaveCount(0)
})

test('every page has its title, also at a second address and outside the menu', async ({ page, portal }) => {
  await signInByApi(page, portal)
  const [admin] = (await call(portal, await tokenOf(portal), listUsers, { query: { username: ADMIN.username } }))
    .content
  const pages = [
    ['/users', 'Użytkownicy'],
    ['/user-management', 'Użytkownicy'],
    ['/user-activity', 'Aktywność użytkowników'],
    ['/role-group-management', 'Role'],
    ['/tickets', 'Zgłoszenia awarii'],
    ['/station-health', 'Stan stacji'],
    ['/scale-certificates', 'Wagi i świadectwa'],
    ['/stations', 'Stacje i klucze'],
    ['/sign-groups', 'Znaki: grupy i treści'],
    ['/devices', 'Ekrany ścienne'],
    ['/systems', 'Systemy zewnętrzne'],
    ['/webhooks', 'Webhooki'],
    ['/offenders', 'Recydywa'],
    ['/calibration', 'Kalibracja'],
    ['/calibration-deviation', 'Odchylenie kalibracji'],
    ['/preference', 'Ustawienia'],
    ['/contact', 'Kontakty'],
    ['/nigdzie', 'Nie znaleziono strony'],
    // Tabs, steps and records differ from their page.
    ['/alarms', 'Alarmy'],
    ['/alarms?tab=history', 'Historia · Alarmy'],
    ['/user-activity?tab=audit', 'Zmiany · Aktywność użytkowników'],
    ['/?step=2', 'Dane pojazdu · Bieżące pomiary'],
    [`/users?edit=${admin?.id}`, `${ADMIN.username} · Edycja użytkownika`],
  ] as const
  await page.goto('/')
  for (const [path, title] of pages) {
    await openPage(page, path)
    await expect(page, path).toHaveTitle(titled(title))
  }
  // Without Admin there is no menu of management.
  const account = await addAccount(portal, ['UserManagement'])
  await signInByApi(page, portal, account)
  await page.goto('/user-activity')
  await expect(page).toHaveTitle(titled('Aktywność użytkowników'))
})

test('forced colours show by more than colour what is selected, switched on, current or focused', async ({
  page,
  portal,
}) => {
  await signInByApi(page, portal)
  const look = (place: Locator) =>
    place.evaluate((element) => {
      const { backgroundColor, borderBottomColor, borderTopWidth, borderTopStyle } = getComputedStyle(element)
      return [backgroundColor, borderBottomColor, borderTopWidth, borderTopStyle].join(' ')
    })
  const expectDifferent = async (one: Locator, other: Locator) =>
    expect(await look(one.first()), String(one)).not.toBe(await look(other.first()))
  await page.goto('/')
  const lanes = page.getByRole('group', { name: 'Pasy ruchu' }).getByRole('button')
  await lanes.first().click()
  await page.getByRole('group', { name: 'Stacje' }).getByRole('checkbox').first().check()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ forcedColors: 'active', colorScheme })
    await expectDifferent(lanes.first(), lanes.last())
    const boxes = page.getByRole('checkbox')
    await expectDifferent(boxes.and(page.locator(':checked')), boxes.and(page.locator(':not(:checked)')))
    await expectDifferent(page.getByRole('button', { name: 'Dalej' }), page.getByRole('button', { name: /filtry/ }))
    const links = page.getByRole('banner').getByRole('link')
    await expectDifferent(links.and(page.locator('[aria-current]')), page.getByRole('link', { name: 'Statystyki' }))
    await lanes.first().focus()
    await page.keyboard.press('Tab')
    expect(await lanes.nth(1).evaluate((element) => getComputedStyle(element).outlineWidth)).toBe('3px')
  }
  await openPage(page, '/alarms')
  const edge = (name: string) =>
    page.getByRole('link', { name }).evaluate((element) => getComputedStyle(element).borderBottomColor)
  const canvas = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  expect(await edge('Lista')).not.toBe(canvas)
  expect(await edge('Historia')).toBe(canvas)
  await openPage(page, '/station-health')
  const track = page.locator('.mantine-Switch-track').first()
  await expect(track).toBeVisible()
  await expectDifferent(track, track.locator('.mantine-Switch-thumb'))
})

test('pages do not shift when their data arrives', async ({ page, portal }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signInByApi(page, portal)
  const shift = await recordShifts(page)
  await page.goto('/nigdzie')
  await expect(page.getByText('Nie znaleziono strony')).toBeVisible()
  let release = () => {}
  let released = Promise.resolve()
  await page.route('**/api/v1/**', async (route) => {
    await released
    await route.continue()
  })
  const loading = page.locator('main [data-loading]')
  for (const [path, width] of [
    ['/role-group-management?add=true', 390],
    ['/overview', 390],
    ['/preference', 390],
    ['/shift-report', 390],
    ['/statistics/traffic', 1440],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    released = new Promise((done) => {
      release = done
    })
    await openPage(page, path)
    await expect(loading.first(), path).toBeVisible()
    await shift()
    release()
    await expect(loading, path).toHaveCount(0)
    expect(await shift(), path).toBeLessThanOrEqual(0.02)
  }
})

test('Ctrl+Enter sends every form from each of its fields', async ({ page, portal }) => {
  const token = await tokenOf(portal)
  const contact = { contact: 'formularz@example.org', typeOfContact: 0 as const, description: 'Formularz' }
  const { id } = await call(portal, token, addContact, { body: contact })
  const { username } = await addAccount(portal, ['Stat'])
  const [user] = (await call(portal, token, listUsers, { query: { username } })).content
  await signInByApi(page, portal)
  await page.addInitScript(() => {
    const sent: Element[] = []
    Object.assign(window, { sent })
    // Captures the event before the form, so that nothing is saved.
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
    // The dialog of an entry takes the focus when its list has been read.
    if (path.startsWith('/contact'))
      await expect(page.locator('[role="dialog"]:focus, [role="dialog"] :focus'), path).toHaveCount(1)
    const count = await fields.count()
    for (let at = 0; at < count; at++) {
      const field = fields.nth(at)
      // Hidden fields cannot be focused.
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

test('menus of the header open by keyboard at the first key, and return the focus', async ({ page, portal }) => {
  await signInByApi(page, portal)
  await page.goto('/nigdzie')
  for (const [name, first] of [
    ['Motyw', 'Jasny'],
    [/^PL: Język/, 'Polski'],
    ['Dźwięk na tym urządzeniu', 'Wszystkie'],
    ['Zarządzanie', 'Użytkownicy'],
  ] as const) {
    const button = page.getByRole('banner').getByRole('button', { name })
    await button.focus()
    await page.keyboard.press('Enter')
    await expect(button).toHaveAttribute('aria-expanded', 'true')
    await expect(page.getByRole('menu').getByText(first, { exact: true })).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menu').locator(':focus')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(button).toBeFocused()
    await expect(button).toHaveAttribute('aria-expanded', 'false')
  }
})
