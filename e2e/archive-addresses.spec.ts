import { expect } from '@playwright/test'
import { platesOf, resultAddress } from './src/archive.ts'
import { test } from './src/fixtures.ts'
import { cardOf } from './src/live.ts'
import { addAccount, signIn, signInByApi } from './src/operator.ts'
import { addStation } from './src/station.ts'
import { WANTED_RIGHTS } from './src/wanted.ts'

const ID = '[\\w-]{22}'

test('an address with a plate gets an id, which a reload, another tab and a later sign-in of the user open, and nobody else', async ({
  page,
  portal,
  consoleErrors,
  keptPlates,
}) => {
  // The addresses that users kept before there were ids.
  const old = [
    'archival\\?\\S+&plateLpr=ADR1001',
    '\\?step=3\\S+&plateLpr=ADR2002',
    'black-list\\?search=ADR3003&plate=ADR4004',
  ]
  keptPlates.expect(new RegExp(`^(?:address|request): http://[^/]+/(?:${old.join('|')})$`))
  const station = await addStation(portal, 995, 'S2 Adresowo')
  for (const plateLpr of ['ADR1001', 'ADR2002']) await station.send({ plateLpr })
  const [officer, other] = [
    await addAccount(portal, [...WANTED_RIGHTS, 'BlackList']),
    await addAccount(portal, WANTED_RIGHTS),
  ]
  await signInByApi(page, portal, officer)
  const shows = (tab: typeof page) => expect.poll(() => platesOf(tab)).toEqual(['ADR1001'])

  await page.goto(resultAddress(station.id, { plateLpr: 'ADR1001' }))
  await shows(page)
  await expect(page).toHaveURL(new RegExp(`[?&]search=${ID}$`))
  await expect(page).not.toHaveURL(/ADR/)
  const address = page.url()
  await page.reload()
  await shows(page)
  const tab = await page.context().newPage()
  await tab.goto(address)
  await shows(tab)
  await tab.close()

  // The same filter has the same id; another one another, and Back returns to the first.
  await page
    .getByRole('button', { name: /^Warunki|2\s*Warunki/ })
    .first()
    .click()
  await page.getByRole('textbox', { name: 'Numer rejestracyjny' }).fill('ADR2002')
  await page.getByRole('button', { name: 'Dalej' }).click()
  await expect(page).not.toHaveURL(new RegExp(address.slice(-22)))
  await expect(page).toHaveURL(new RegExp(`search=${ID}`))

  // A sign-in in between returns to it.
  await page.goto('/logout')
  await expect(page).toHaveURL(/\/login/)
  await page.goto(address)
  await expect(page).toHaveURL(new RegExp(`/login\\?wanted=\\S+${address.slice(-22)}$`))
  await signIn(page, officer)
  await shows(page)

  // Live list, and a list of plates with the plate of a new entry.
  await page.goto(`/?step=3&locations=${station.id}&plateLpr=ADR2002`)
  await expect(cardOf(page, 'ADR2002')).toBeVisible()
  await expect(cardOf(page, 'ADR1001')).toHaveCount(0)
  await expect(page).toHaveURL(new RegExp(`[?&]search=${ID}$`))
  // The address has the ids before they are saved, and a reload would break that off.
  const saved = ['ADR3003', 'ADR4004'].map((plate) =>
    page.waitForResponse((response) => response.request().postData()?.includes(plate) ?? false),
  )
  await page.goto('/black-list?search=ADR3003&plate=ADR4004')
  await Promise.all(saved)
  const search = page.getByLabel('Szukaj tablicy lub opisu')
  for (const _ of ['opened', 'reloaded']) {
    await expect(search).toHaveValue('ADR3003')
    await expect(page.getByLabel('Tablica', { exact: true })).toHaveValue('ADR4004')
    await expect(page).toHaveURL(new RegExp(`searchId=${ID}&entry=${ID}$`))
    await page.reload()
  }

  // Another user sees why it cannot be opened, at the filters.
  consoleErrors.expect(/404/)
  await page.goto('/logout')
  await expect(page).toHaveURL(/\/login/)
  await page.goto(address)
  await signIn(page, other)
  await expect(page.getByText('Tego wyszukiwania nie można otworzyć')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Numer rejestracyjny' })).toHaveValue('')
  await expect(page).not.toHaveURL(/search=/)
})
