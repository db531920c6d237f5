import type { Page } from '@playwright/test'
import type { Right } from '@rogatka/contract/access.ts'
import type { WireOf } from '@rogatka/contract/endpoint.ts'
import { addPlate, removePlate } from '@rogatka/contract/wanted.ts'
import { call, tokenOf } from './call.ts'
import { addAccount, signInByApi } from './operator.ts'
import type { Portal } from './portal.ts'

export const WANTED_RIGHTS: Right[] = [
  'WantedList',
  'CurrentMeasurements',
  'ArchiveMeasurements',
  'SelfPersonal',
  'PasswordChange',
]

/** Signs in a new user with empty lists; returns the account and its token. */
export async function signInWithEmptyLists(page: Page, portal: Portal, rights = WANTED_RIGHTS) {
  const account = await addAccount(portal, rights)
  await signInByApi(page, portal, account)
  return { ...account, token: await tokenOf(portal, account) }
}

/** Removals of the entries that the test has added. */
let removals: (() => Promise<unknown>)[] = []

/** Adds an entry to the caller's list, until the end of the test. */
export async function addEntry(portal: Portal, token: string, body: WireOf<typeof addPlate, 'body'>) {
  const entry = await call(portal, token, addPlate, { body })
  removals.push(() => call(portal, token, removePlate, { params: { id: entry.id } }))
  return entry
}

/** Ends the hits of a test, which pages of the next one would announce. */
export async function removeEntries(): Promise<void> {
  const ofTest = removals
  removals = []
  for (const remove of ofTest)
    await remove().catch((error) => {
      // Removed by the test itself.
      if (!/wanted-plate-not-found/.test(error.message)) throw error
    })
}

/** The row of an entry or contact. */
export const listed = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

export const addButton = (page: Page) => page.getByRole('button', { name: 'Dodaj', exact: true })

/** Fills in the form of a black-list entry. */
export async function fillForm(page: Page, plate: string, description: string) {
  await page.getByLabel('Tablica', { exact: true }).fill(plate)
  await page.getByLabel('Opis', { exact: true }).fill(description)
}
