import { plateOrders } from '@rogatka/contract/wanted.ts'
import { pageIn, positiveIn, textIn } from '../core/address.ts'

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

/** Reads the address; what is malformed is left out, and the first page stands for itself. */
export function readWantedSearch({ page, userId, search, order, hits, edit }: Record<string, unknown>): WantedSearch {
  const selected = ORDERS.find((one) => one === order)
  return {
    page: pageIn(page),
    userId: positiveIn(userId),
    search: textIn(search)?.slice(0, 60),
    order: selected === '-createdAt' ? undefined : selected,
    hits: positiveIn(hits),
    edit: positiveIn(edit),
  }
}
