import { flagIn, pageIn, positiveIn, textIn } from '../core/address.ts'

/** What the address of the roles holds: the page of the list, the search, and which form is open. */
export type RolesSearch = {
  page?: number | undefined
  name?: string | undefined
  add?: true | undefined
  edit?: number | undefined
}

/** Reads the address; what is malformed is left out, and the first page stands for itself. */
export const readRolesSearch = ({ page, name, add, edit }: Record<string, unknown>): RolesSearch => ({
  page: pageIn(page),
  name: textIn(name),
  add: flagIn(add),
  edit: positiveIn(edit),
})
