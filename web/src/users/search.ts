import { userOrders } from '@rogatka/contract/options.ts'
import { flagIn, orderIn, pageIn, positiveIn, textIn } from '../core/urlParams.ts'

/** URL parameters of the user management: page, search, open form. */
export type UsersSearch = {
  page?: number | undefined
  username?: string | undefined
  /** As text, `-lastLogin`; absent: by username. */
  order?: string | undefined
  add?: true | undefined
  edit?: number | undefined
}

/** Parses the URL; malformed values and page 1 are omitted. */
export const readUsersSearch = ({ page, username, order, add, edit }: Record<string, unknown>): UsersSearch => ({
  page: pageIn(page),
  username: textIn(username),
  order: orderIn(userOrders, order),
  add: flagIn(add),
  edit: positiveIn(edit),
})
