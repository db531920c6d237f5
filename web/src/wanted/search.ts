import { type EntryState, entryStates, MAX_PLATE_LENGTH, plateOrders } from '@rogatka/contract/options.ts'
import { oneOf, pageIn, positiveIn, textIn } from '../core/urlParams.ts'

/** Sort orders; minus means descending. The default is newest first. */
export const ORDERS = [
  '-createdAt',
  'createdAt',
  'plateLpr',
  '-plateLpr',
  'description',
  '-description',
  'expiresAt',
  '-expiresAt',
  '-hits',
  'hits',
] as const
export type PlateOrdering = (typeof ORDERS)[number]

/** Orders available to the user; anonymised users cannot sort by masked values. */
export const ordersFor = ({ isMasked }: { isMasked: boolean }): readonly PlateOrdering[] =>
  isMasked ? ORDERS.filter((order) => !/plateLpr|description/.test(order)) : ORDERS

/** API parameters of an order. */
export const orderOf = (order: PlateOrdering) => ({
  orderBy: plateOrders.find((name) => name === order.replace('-', '')) ?? 'createdAt',
  orderDirection: order.startsWith('-') ? ('desc' as const) : ('asc' as const),
})

/**
 * URL parameters of a list: page, owner, text of a search, state, order, the entries whose hits and edit dialogs are open,
 * and the plate of a new entry.
 */
export type WantedSearch = {
  page?: number | undefined
  userId?: number | undefined
  text?: string | undefined
  state?: EntryState | undefined
  order?: PlateOrdering | undefined
  hits?: number | undefined
  edit?: number | undefined
  plate?: string | undefined
  /** Ids of saved searches that are not open yet, in place of the text and the plate. */
  searchId?: string | undefined
  entry?: string | undefined
}

/** Parses the URL; malformed values and the defaults are omitted. */
export function readWantedSearch({ plate, ...parameters }: Record<string, unknown>): WantedSearch {
  const { page, userId, text, state, order, hits, edit, searchId, entry } = parameters
  const selected = ORDERS.find((option) => option === order)
  return {
    page: pageIn(page),
    userId: positiveIn(userId),
    text: textIn(text)?.slice(0, 60),
    state: oneOf(entryStates, state),
    order: selected === '-createdAt' ? undefined : selected,
    hits: positiveIn(hits),
    edit: positiveIn(edit),
    plate: textIn(plate)?.slice(0, MAX_PLATE_LENGTH),
    searchId: textIn(searchId),
    entry: textIn(entry),
  }
}
