import { flagIn, pageIn, positiveIn, textIn } from '../core/urlParams.ts'

/** URL parameters of the roles: page, search, open form. */
export type RolesSearch = {
  page?: number | undefined
  name?: string | undefined
  add?: true | undefined
  edit?: number | undefined
}

/** Parses the URL; malformed values and page 1 are omitted. */
export const readRolesSearch = ({ page, name, add, edit }: Record<string, unknown>): RolesSearch => ({
  page: pageIn(page),
  name: textIn(name),
  add: flagIn(add),
  edit: positiveIn(edit),
})
