import { expect, type Locator, type Page } from '@playwright/test'
import { HOUR_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { plateText } from './live.ts'
import type { Portal } from './portal.ts'
import { addStation } from './station.ts'

const added = new WeakMap<Portal, ReturnType<typeof addStations>>()

/**
 * The stations of the archive tests, added once to a portal: `station` with four different vehicles, `long` with 23 equal ones of which LST000 is
 * the newest, `other` for what a single test sends, and `marked` for vehicles on lists, with a name of maximum length.
 */
export function archiveStations(portal: Portal) {
  const stations = added.get(portal) ?? addStations(portal)
  added.set(portal, stations)
  return stations
}

async function addStations(portal: Portal) {
  const station = await addStation(portal, 920, 'S61 Testowo')
  const long = await addStation(portal, 921, 'S7 Długie')
  const other = await addStation(portal, 922, 'DK8 Inne')
  const marked = await addStation(portal, 923, 'DK50 Sochaczew Południe')
  const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
  const kinds = [
    { plateLpr: 'KND0001', speed: 70 },
    { plateLpr: 'KND0002', speed: 80, ctg8p1: 5, ctg323: 7, laneNumber: 2 },
    { plateLpr: 'KND0003', speed: 95, overlane: true },
    { plateLpr: 'DWR8K41', speed: 60, axles: null, vehLength: 900 },
  ]
  for (const [at, kind] of kinds.entries()) await station.send({ createdAt: ago((at + 1) * MINUTE_MS), ...kind })
  for (let at = 0; at < 23; at++) {
    await long.send({ plateLpr: `LST0${String(at).padStart(2, '0')}`, createdAt: ago((at + 1) * MINUTE_MS) })
  }
  return { station, long, other, marked }
}

/** Searches the last day of these stations through the wizard, by mouse. */
export async function search(page: Page, ...stations: string[]) {
  await page.goto('/archival')
  for (const name of stations) await page.getByRole('checkbox', { name }).check()
  for (const step of ['Warunki', 'Sortowanie', 'Wyniki']) await nextStep(page, step)
}

/** Opens the next step of the wizard; `name` is its title. */
export async function nextStep(page: Page, name: string) {
  await page.getByRole('button', { name: 'Dalej' }).click()
  await expect(page.locator('[aria-current="step"]')).toHaveText(new RegExp(`^\\d${name}$`))
}

/** Vehicles of the result, as rows or cards. */
export const rows = (page: Page): Locator => page.locator('[data-vehicle]')

/** The row of the vehicle with this plate. */
export const rowOf = (page: Page, plate: string): Locator =>
  rows(page).filter({ has: page.getByRole('link', { name: plateText(plate) }) })

/** Plates of the result, top to bottom, without spaces. */
export const platesOf = async (page: Page): Promise<string[]> =>
  (await rows(page).locator('a b').allInnerTexts()).map((plate) => plate.replaceAll(/\s/g, ''))

/** URL of a result: 26 hours up to the next full hour; `parameters` override. */
export function resultAddress(station: number, parameters: Record<string, string> = {}): string {
  const end = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS
  const range = { dateTimeStart: new Date(end - 26 * HOUR_MS).toISOString(), dateTimeEnd: new Date(end).toISOString() }
  return `/archival?${new URLSearchParams({ step: '4', locations: String(station), ...range, ...parameters })}`
}
