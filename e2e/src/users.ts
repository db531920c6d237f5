import type { Page } from '@playwright/test'
import { add } from '@rogatka/contract/users.ts'
import { call, tokenOf } from './call.ts'
import type { Portal } from './portal.ts'

/** A username that no other test searches for. */
export const uniqueUsername = (): string => `osoba-${crypto.randomUUID().slice(0, 8)}`

export const saveForm = (page: Page) => page.getByRole('button', { name: 'Zapisz' }).first().click()

/** The row of a user in the list. */
export const userRow = (page: Page, username: string) => page.getByRole('row').filter({ hasText: username })

/** Creates a user over HTTP; returns it as stored. */
export async function createUser(portal: Portal, username: string) {
  const token = await tokenOf(portal)
  const body = {
    username,
    password: 'Szlaban-8',
    firstName: 'Jan',
    lastName: 'Kowalski',
    email: `${username}@example.com`,
    phoneNumber: '600100200',
    roles: [2],
  }
  return call(portal, token, add, { body })
}
