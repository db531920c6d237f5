import { expect, type Locator, type Page } from '@playwright/test'

/** Opens the live list of these stations through the wizard, by mouse. */
export async function openLiveList(page: Page, ...stations: string[]) {
  await page.goto('/')
  for (const name of stations) await page.getByRole('checkbox', { name }).check()
  await openVehicleData(page)
  await page.getByRole('button', { name: 'Dalej' }).click()
  // Vehicles sent before the first response would not be arrivals.
  await expect(page.locator('[aria-busy=false]').getByRole('list', { name: 'Pojazdy' })).toBeAttached()
}

/** Opens the second step of the wizard and waits for it: a click before would open it again. */
export async function openVehicleData(page: Page) {
  await page.getByRole('button', { name: 'Dalej' }).click()
  await expect(page.locator('[aria-current="step"]')).toHaveText(/^2/)
}

/** Matches a plate as displayed, with the spaces of its country; `before`: a pattern before it. */
export const plateText = (plate: string, before = ''): RegExp => new RegExp(before + [...plate].join('\\s?'))

/** The card of the vehicle with this plate. */
export const cardOf = (page: Page, plate: string): Locator =>
  page.locator('[data-vehicle]').filter({ has: page.getByRole('link', { name: plateText(plate) }) })

/** Parses a countdown into seconds, negative after the checkpoint. */
export async function secondsOf(timer: Locator): Promise<number> {
  const text = await timer.innerText()
  const [, minus, minutes, seconds] = /^(−?)(\d+):(\d\d)$/.exec(text) ?? []
  if (seconds === undefined) throw new Error(`No countdown: ${text}`)
  return (Number(minutes) * 60 + Number(seconds)) * (minus ? -1 : 1)
}

/** Removes the Date header for the page, so that it uses its own clock, which tests can advance. */
export async function hideServerTime(page: Page) {
  await page.addInitScript(() => {
    const { get } = Headers.prototype
    Headers.prototype.get = function (name) {
      return name.toLowerCase() === 'date' ? null : get.call(this, name)
    }
  })
}
