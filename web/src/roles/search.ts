import { roleOrders } from '@rogatka/contract/options.ts'
import { flagIn, orderIn, pageIn, positiveIn, textIn } from '../core/urlParams.ts'

/** URL parameters of the roles: page, search, open form. */
export type RolesSearch = {
  page?: number | undefined
  name?: string | undefined
  /** As text, `-users`; absent: by name. */
  order?: string | undefined
  add?: true | undefined
  edit?: number | undefined
}

/** Parses the URL; malformed values and page 1 are omitted. */
export const readRolesSearch = ({ page, name, order, add, edit }: Record<string, unknown>): RolesSearch => ({
  page: pageIn(page),
  name: textIn(name),
  order: orderIn(roleOrders, order),
  add: flagIn(add),
  edit: positiveIn(edit),
})
