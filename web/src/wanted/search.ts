import { plateOrders } from '@rogatka/contract/wanted.ts'

/** By what a list is sorted; with a minus the other way round. The newest stand first where nothing is chosen. */
export const ORDERS = ['-createdAt', 'createdAt', 'plateLpr', 'description', 'expiresAt', '-hits'] as const
export type PlateOrdering = (typeof ORDERS)[number]

/** The orders that a user may choose: by what a mask hides, anonymised users cannot sort. */
export const ordersFor = ({ isMasked }: { isMasked: boolean }): readonly PlateOrdering[] =>
  isMasked ? ORDERS.filter((order) => order !== 'plateLpr' && order !== 'description') : ORDERS

/** The column and the direction of an order. */
export const orderOf = (order: PlateOrdering) => ({
  orderBy: plateOrders.find((name) => name === order.replace('-', '')) ?? 'createdAt',
  orderDirection: order.startsWith('-') ? ('desc' as const) : ('asc' as const),
})

/**
 * What the address of a list holds: its page, whose entries are shown, what is searched for, the order, of which one the
 * hits are shown and which one is changed.
 */
export type WantedSearch = {
  page?: number | undefined
  userId?: number | undefined
  search?: string | undefined
  order?: PlateOrdering | undefined
  hits?: number | undefined
  edit?: number | undefined
}

const positive = (value: unknown) => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '')

/** Reads the address; what is malformed is left out, and the first page stands for itself. */
export function readWantedSearch({ page, userId, search, order, hits, edit }: Record<string, unknown>): WantedSearch {
  const wanted = positive(page)
  const chosen = ORDERS.find((one) => one === order)
  return {
    page: wanted === 1 ? undefined : wanted,
    userId: positive(userId),
    search: text(search).slice(0, 60) || undefined,
    order: chosen === '-createdAt' ? undefined : chosen,
    hits: positive(hits),
    edit: positive(edit),
  }
}
