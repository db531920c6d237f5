/** What the address of the roles holds: the page of the list, the search, and which form is open. */
export type RolesSearch = {
  page?: number | undefined
  name?: string | undefined
  add?: true | undefined
  edit?: number | undefined
}

const positive = (value: unknown) => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

/** Reads the address; what is malformed is left out, and the first page stands for itself. */
export function readRolesSearch({ page, name, add, edit }: Record<string, unknown>): RolesSearch {
  const wanted = positive(page)
  return {
    page: wanted === 1 ? undefined : wanted,
    name: String(name ?? '').trim() || undefined,
    add: String(add) === 'true' || undefined,
    edit: positive(edit),
  }
}
