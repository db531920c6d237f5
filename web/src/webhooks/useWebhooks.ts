import { deliveries, listWebhooks, type WireWebhook } from '@rogatka/contract/webhooks.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'

/** Deliveries are made all the time: how often those of one subscription, and the list of all, are fetched. */
const REFRESH_MS = 5_000
const LIST_REFRESH_MS = 15_000

/** All subscriptions by name. */
export const useWebhooks = () =>
  useQuery({
    queryKey: ['webhooks', 'list'],
    queryFn: ({ signal }) => call(listWebhooks, { signal, background: true }),
    staleTime: 0,
    refetchInterval: LIST_REFRESH_MS,
  })

/** The latest deliveries of a subscription. */
export const useDeliveries = (id: number) =>
  useQuery({
    queryKey: ['webhooks', 'deliveries', id],
    queryFn: ({ signal }) => call(deliveries, { params: { id }, signal, background: true }),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  })

/** Refetches lists after a change. */
export const invalidateWebhooks = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: ['webhooks'] })

/** A subscription and its new secret, until the dialog with it is closed. */
export type NewSecret = { webhook: WireWebhook; secret: string }
