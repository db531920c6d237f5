/** What the address of the user management holds: the page of the list, the search, and which form is open. */
export type UsersSearch = {
  page?: number | undefined
  username?: string | undefined
  add?: true | undefined
  edit?: number | undefined
}

const positive = (value: unknown) => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

/** Reads the address; what is malformed is left out, and the first page stands for itself. */
export function readUsersSearch({ page, username, add, edit }: Record<string, unknown>): UsersSearch {
  const wanted = positive(page)
  return {
    page: wanted === 1 ? undefined : wanted,
    username: String(username ?? '').trim() || undefined,
    add: String(add) === 'true' || undefined,
    edit: positive(edit),
  }
}
