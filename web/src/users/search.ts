import { flagIn, pageIn, positiveIn, textIn } from '../core/urlParams.ts'

/** URL parameters of the user management: page, search, open form. */
export type UsersSearch = {
  page?: number | undefined
  username?: string | undefined
  add?: true | undefined
  edit?: number | undefined
}

/** Parses the URL; malformed values and page 1 are omitted. */
export const readUsersSearch = ({ page, username, add, edit }: Record<string, unknown>): UsersSearch => ({
  page: pageIn(page),
  username: textIn(username),
  add: flagIn(add),
  edit: positiveIn(edit),
})
