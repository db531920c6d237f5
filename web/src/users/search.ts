import { flagIn, pageIn, positiveIn, textIn } from '../core/address.ts'

/** What the address of the user management holds: the page of the list, the search, and which form is open. */
export type UsersSearch = {
  page?: number | undefined
  username?: string | undefined
  add?: true | undefined
  edit?: number | undefined
}

/** Reads the address; what is malformed is left out, and the first page stands for itself. */
export const readUsersSearch = ({ page, username, add, edit }: Record<string, unknown>): UsersSearch => ({
  page: pageIn(page),
  username: textIn(username),
  add: flagIn(add),
  edit: positiveIn(edit),
})
