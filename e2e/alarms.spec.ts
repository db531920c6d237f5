import { expect, type Route } from '@playwright/test'
import { list as listAlarms } from '@rogatka/contract/alarms.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { takeHit } from '@rogatka/contract/wanted.ts'
import { call } from './src/call.ts'
import { test } from './src/fixtures.ts'
import { expectAccessible, inEveryLanguage, openPage, signInByApi } from './src/operator.ts'
import { addStation } from './src/station.ts'
import { recordSounds, recordTones, TONES } from './src/tones.ts'
import { addEntry, signInWithEmptyLists } from './src/wanted.ts'

const by = { id: 1, username: 'jan' }
const location = { id: 974, shortName: 'S8 Zmianowo' }

/** The parts of the report of a Tuesday morning whose vehicles were announced on Monday, and closed after it. */
const STEPS_OF_OTHER_DAYS = {
  from: '2026-10-20T04:00:00.000Z',
  to: '2026-10-20T12:00:00.000Z',
  hits: {
    content: [
      {
        id: 1,
        createdAt: '2026-10-20T11:59:00.000Z',
        location,
        laneNumber: 1,
        plateLpr: 'ZMI0009',
        nationality: 'PL',
        checkpointTime: null,
        entries: [],
        outcome: 'closed',
        taken: { by, at: '2026-10-20T11:59:59.000Z' },
        closed: { by, at: '2026-10-20T12:00:00.000Z', reason: null },
      },
    ],
    totalCount: 1,
    counts: { approaching: 0, untaken: 0, late: 0, taken: 0, closed: 1, false: 0 },
  },
  inspections: {
    content: [
      {
        id: 7,
        number: 'K/7/2026/ZAB',
        state: 'closed',
        location,
        plateLpr: 'ZMI0010',
        nationality: 'PL',
        announced: { by, at: '2026-10-19T11:55:00.000Z' },
        takenOver: { by, at: '2026-10-20T04:00:00.000Z' },
        closed: { by, at: '2026-10-20T05:00:00.000Z' },
        withdrawn: null,
        passedBy: null,
      },
    ],
    totalCount: 1,
    announced: 0,
    takenOver: 1,
    closed: 1,
    withdrawn: 0,
    passedBy: 0,
  },
}

test('an alarm is acknowledged by key, and kept in history and figures', async ({ page, portal }) => {
  const station = await addStation(portal, 971, 'S8 Ostrzegowo')
  await signInByApi(page, portal)
  await page.goto('/alarms')
  const list = page.getByRole('region', { name: 'Alarmy' })
  await expect(list.getByRole('heading', { name: /^Alarmy \d+$/ })).toBeVisible()
  await station.send({ plateLpr: 'ALR0001', wrongDirection: true })
  const row = list.getByRole('listitem').filter({ hasText: 'S8 Ostrzegowo' })
  await expect(row).toContainText(/Pojazd pod prąd: S8 Ostrzegowo, pas 1.*wysoki · od \d\d:\d\d, 0 min · ALR 0001/)
  // A vehicle on the wrong way is never shelved.
  await expect(row.getByRole('button')).toHaveCount(1)
  await expectAccessible(page)
  await row.getByRole('link').focus()
  await page.keyboard.press('a')
  await expect(row).toContainText(/potwierdził .+ \d\d:\d\d/)
  await expect(row.getByRole('button')).toHaveCount(0)

  await page.getByRole('link', { name: 'Historia' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'S8 Ostrzegowo' })).toContainText('ALR 0001')
  await page.getByRole('link', { name: 'Wskaźniki' }).click()
  await expect(page.getByText('Alarmy na 10 min')).toBeVisible()
  await page.getByRole('link', { name: 'Rodzaje alarmów' }).click()
  await expect(page.getByRole('row')).toHaveCount(25)
  await expectAccessible(page)
})

test('a high alarm sounds and is spoken on any page, and keys lead from alarm to alarm', async ({ page, portal }) => {
  const station = await addStation(portal, 972, 'S8 Sygnały')
  const tones = await recordTones(page, TONES.highAlarm)
  const sounds = await recordSounds(page, 'alarms')
  await signInByApi(page, portal)
  const isKnown = page.waitForResponse(/\/alarms$/)
  await page.goto('/stat')
  await isKnown
  // Muting silences neither wanted vehicles nor high alarms.
  await page.keyboard.press('m')
  await station.send({ plateLpr: 'SYG0001', wrongDirection: true })
  await station.send({ plateLpr: 'SYG0002', wrongDirection: true, laneNumber: 2 })
  await expect(page.getByRole('alert').filter({ hasText: /^Alarm: Pojazd pod prąd: S8 Sygnały, pas 1$/ })).toHaveCount(
    1,
  )
  await expect.poll(async () => (await tones()).length).toBeGreaterThanOrEqual(4)
  expect(await sounds()).toBeGreaterThan(0)

  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await expect(page).toHaveURL(/\/alarms$/)
  const rows = page.getByRole('region', { name: 'Alarmy' }).locator('[data-alarm]')
  const mine = rows.filter({ hasText: 'Pojazd pod prąd: S8 Sygnały' })
  await expect(mine).toHaveCount(2)
  // On the overview they are the same rows.
  await page.goto('/overview')
  await expect(mine).toHaveCount(2)
  // Alarms of other tests may be among the rows, and come meanwhile.
  const focused = () => page.evaluate(() => document.activeElement?.closest('[data-alarm]')?.getAttribute('data-alarm'))
  await page.keyboard.press('l')
  await expect.poll(focused).toBeTruthy()
  const top = await focused()
  await page.keyboard.press('ArrowDown')
  expect(await focused()).toBeTruthy()
  expect(await focused()).not.toBe(top)

  const acknowledged = mine.filter({ hasText: /potwierdził/ })
  const open = mine.filter({ hasNotText: /potwierdził/ })
  const requests: string[] = []
  const answer = Promise.withResolvers<void>()
  await page.route('**/alarms/*/acknowledge', async (route) => {
    requests.push(route.request().url())
    await answer.promise
    await route.continue()
  })
  // While the answer is awaited nothing is sent again, and afterwards the focus stays where the user has moved it.
  await open.first().getByRole('link').press('a')
  const pending = page.locator('[data-action="acknowledge"][aria-disabled="true"]')
  await expect(pending).toHaveCount(1)
  await page.keyboard.press('a')
  const soundMenu = page.getByRole('button', { name: 'Dźwięk na tym urządzeniu' })
  await soundMenu.focus()
  answer.resolve()
  await expect(acknowledged).toHaveCount(1)
  await expect(soundMenu).toBeFocused()
  // A key that is held acknowledges one alarm; the next one has the focus, also when rows move.
  const last = await open.getAttribute('data-alarm')
  await open.getByRole('link').focus()
  await page.keyboard.down('a')
  await expect(acknowledged).toHaveCount(2)
  await expect.poll(async () => ![last, undefined].includes(await focused())).toBe(true)
  await page.keyboard.down('a')
  await page.keyboard.up('a')
  await mine.first().getByRole('link').press('Enter')
  await expect(page).toHaveURL(/\/vehicle\/\d+\/972/)

  // Only who says so expressly does not hear them.
  expect(requests).toHaveLength(2)
  await soundMenu.click()
  await page.getByRole('menuitemcheckbox', { name: 'Jazda pod prąd' }).click()
  // Those of other tests would sound alike; medium ones are muted.
  await page.getByRole('menuitemcheckbox', { name: 'Pozostałe alarmy wysokie' }).click()
  await page.keyboard.press('Escape')
  const before = await sounds()
  await station.send({ plateLpr: 'SYG0003', wrongDirection: true })
  await expect(page.getByRole('alert').filter({ hasText: 'S8 Sygnały, pas 1' })).toHaveCount(1)
  expect(await sounds()).toBe(before)
})

test('the report of a shift has what was taken, missed and left open, leads to its parts, and prints', async ({
  page,
  portal,
}) => {
  const station = await addStation(portal, 974, 'S8 Zmianowo', 50)
  const { token, username } = await signInWithEmptyLists(page, portal, ['BlackList', 'CurrentMeasurements'])
  for (const plateLpr of ['ZMI 0001', 'ZMI 0002'])
    await addEntry(portal, token, { plateLpr, typeOfList: 0, description: `Kradzież ${plateLpr}` })
  // Both have passed the checkpoint, two seconds away.
  const createdAt = new Date(Date.now() - 10_000).toISOString()
  const { sequence } = await station.send({ plateLpr: 'ZMI0001', createdAt })
  await station.send({ plateLpr: 'ZMI0002', createdAt, laneNumber: 2 })
  await station.send({ plateLpr: 'ZMI0003', createdAt, wrongDirection: true })
  await expect
    .poll(async () => (await call(portal, token, listAlarms)).content.map(({ location }) => location?.shortName))
    .toContain(station.shortName)
  const taken = { params: { id: vehicleId(station.id, sequence) }, query: { createdAt } }
  await call(portal, token, takeHit, { ...taken, body: {} })

  // Without Admin the palette leads there.
  await page.goto('/alarms')
  await expect(page.getByRole('heading', { name: /^Alarmy \d+$/ })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('raport zm')
  await page.getByRole('option', { name: 'Raport zmiany' }).click()
  await expect(page).toHaveURL(/\/shift-report$/)
  const next = page.getByRole('button', { name: 'Następna zmiana' })
  await expect(next).toBeDisabled()
  await expect(page.getByText(/^trwa, stan z \d\d:\d\d:\d\d/)).toBeVisible()
  // Whichever shift it is by now.
  await openPage(page, `/shift-report?at=${createdAt}`)
  const heading = page.getByRole('heading', { level: 2 })
  await expect(heading).toHaveText(/^\p{L}+ \d\d\.\d\d\.\d{4}, (06:00–14:00|14:00–22:00|22:00–06:00)$/u)
  await expect(page).toHaveTitle(/Raport zmiany, \p{L}+ \d\d\.\d\d/u)
  const hits = page.getByRole('region', { name: 'Poszukiwane pojazdy' })
  const rowOf = (plate: string) => hits.getByRole('row').filter({ hasText: plate })
  await expect(rowOf('ZMI 0001')).toContainText(new RegExp(`przyjął ${username} \\d\\d:\\d\\d:\\d\\d`))
  await expect(rowOf('ZMI 0002')).toContainText('minął punkt, nikt nie przyjął')
  await expect(page.getByRole('region', { name: 'Alarmy' })).toContainText('Pojazd pod prąd: S8 Zmianowo, pas 1')
  // Nothing of signs, tickets and inspections without their rights.
  await expect(page.getByRole('region', { name: /Znaki|Zgłoszenia|Kontrola|Polecenia/ })).toHaveCount(0)
  await expectAccessible(page)
  await rowOf('ZMI 0002').getByRole('button').click()
  await expect(page.getByRole('complementary', { name: /ZMI 0002/ })).toBeVisible()
  await page.keyboard.press('Escape')

  const now = await heading.textContent()
  // While another shift loads the page stays as it is, and the focus where it was. Steps of other days have their date.
  const previous = page.getByRole('button', { name: 'Poprzednia zmiana' })
  const held = Promise.withResolvers<Route>()
  await page.route(/\/shifts\/report/, (route) => held.resolve(route), { times: 1 })
  await previous.press('Enter')
  const request = await held.promise
  await expect(heading).toHaveText(now as string)
  await expect(page.locator('[aria-busy="true"]')).toContainText('ZMI 0001')
  await expect(previous).toBeFocused()
  const response = await request.fetch()
  await request.fulfill({ response, json: { ...(await response.json()), ...STEPS_OF_OTHER_DAYS } })
  await expect(heading).toHaveText('wtorek 20.10.2026, 06:00–14:00')
  await expect(previous).toBeFocused()
  await expect(page.getByText('trwa, stan z')).toHaveCount(0)
  await expect(rowOf('ZMI 0001')).toHaveCount(0)
  await expect(rowOf('ZMI 0009')).toContainText('przyjął jan 13:59:59 · zamknął jan 20.10.2026 14:00')
  await expect(page.getByRole('row').filter({ hasText: 'K/7/2026/ZAB' })).toContainText(
    /zapowiedziana jan 19\.10\.2026 13:55 · .* 06:00 · zamknięta jan 07:00/,
  )
  await next.press('Enter')
  await expect(heading).toHaveText(now as string)
  await expect(next).toBeFocused()

  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Raport zmiany')
  await expect(page.getByRole('paragraph').filter({ hasText: now as string })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Poprzednia zmiana' })).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  await page.setViewportSize({ width: 390, height: 844 })
  await inEveryLanguage(page, () => expect(page.getByRole('row').filter({ hasText: 'ZMI 0001' })).toBeVisible())
})
