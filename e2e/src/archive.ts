import { expect, type Locator, type Page } from '@playwright/test'
import { plateText } from './live.ts'

/** Goes through the archive's wizard to what these stations saw in the last day, by mouse. */
export async function search(page: Page, ...stations: string[]) {
  await page.goto('/archival')
  for (const name of stations) await page.getByRole('checkbox', { name }).check()
  for (const step of ['Warunki', 'Sortowanie', 'Wyniki']) await nextStep(page, step)
}

/** One step on in the wizard. */
export async function nextStep(page: Page, name: string) {
  await page.getByRole('button', { name: 'Dalej' }).click()
  await expect(page.locator('[aria-current="step"]')).toHaveText(new RegExp(`^\\d${name}$`))
}

/** The vehicles of the result, as rows or as cards. */
export const rows = (page: Page): Locator => page.locator('[data-vehicle]')

/** The row of the vehicle with this plate. */
export const rowOf = (page: Page, plate: string): Locator =>
  rows(page).filter({ has: page.getByRole('link', { name: plateText(plate) }) })

/** The plates of the result from above, as they were sent. */
export const platesOf = async (page: Page): Promise<string[]> =>
  (await rows(page).locator('a b').allInnerTexts()).map((plate) => plate.replaceAll(/\s/g, ''))

/** The address of a result: one day up to the next hour, unless `more` says another range. */
export function resultAddress(station: number, more: Record<string, string> = {}): string {
  const hour = 3_600_000
  const end = Math.ceil(Date.now() / hour) * hour
  const range = { dateTimeStart: new Date(end - 26 * hour).toISOString(), dateTimeEnd: new Date(end).toISOString() }
  return `/archival?${new URLSearchParams({ step: '4', locations: String(station), ...range, ...more })}`
}
