import { expect, type Locator, type Page } from '@playwright/test'

/** Goes through the wizard to the live list of these stations, by mouse. */
export async function openLiveList(page: Page, ...stations: string[]) {
  await page.goto('/')
  for (const name of stations) await page.getByRole('checkbox', { name }).check()
  await page.getByRole('button', { name: 'Dalej' }).click()
  await page.getByRole('button', { name: 'Dalej' }).click()
  await expect(page.getByRole('list', { name: 'Pojazdy' })).toBeAttached()
}

/** A plate as it may stand on the screen: countries space theirs. */
export const plateText = (plate: string, before = ''): RegExp => new RegExp(before + [...plate].join('\\s?'))

/** The strip of the vehicle with this plate in the live list. */
export const cardOf = (page: Page, plate: string): Locator =>
  page.locator('[data-vehicle]').filter({ has: page.getByRole('link', { name: plateText(plate) }) })

/** The seconds that a countdown shows, negative behind the checkpoint. */
export async function secondsOf(timer: Locator): Promise<number> {
  const text = await timer.innerText()
  const [, minus, minutes, seconds] = /^(−?)(\d+):(\d\d)$/.exec(text) ?? []
  if (seconds === undefined) throw new Error(`No countdown: ${text}`)
  return (Number(minutes) * 60 + Number(seconds)) * (minus ? -1 : 1)
}

/** From here on the page goes by its own clock alone, so that a test may turn it forward. */
export async function hideServerTime(page: Page) {
  await page.addInitScript(() => {
    const { get } = Headers.prototype
    Headers.prototype.get = function (name) {
      return name.toLowerCase() === 'date' ? null : get.call(this, name)
    }
  })
}
