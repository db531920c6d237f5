import {
  availability,
  changeHealthSettings,
  type HealthSettings,
  health,
  readHealthSettings,
} from '@rogatka/contract/tickets-health.ts'
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import type { HealthSearch } from './search.ts'

export const POLL_SECONDS = 15

/** The condition of all stations. */
export const useStationHealth = () =>
  useQuery({
    queryKey: ['health', 'stations'],
    queryFn: ({ signal }) => call(health, { signal, background: true }),
    staleTime: 0,
    refetchInterval: POLL_SECONDS * 1_000,
  })

/** Availability grows by a minute at most. */
const MONTH_POLL_MS = 60_000

type QueryMode = { enabled?: boolean; refetchInterval?: number | false }

/** Availability of the stations in a month, by default in this one; fetched again each minute. */
export const useAvailability = (
  { year, month }: HealthSearch,
  { enabled = true, refetchInterval = MONTH_POLL_MS }: QueryMode = {},
) =>
  useQuery({
    queryKey: ['health', 'availability', year, month],
    queryFn: ({ signal }) => call(availability, { query: { year, month }, signal, background: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    enabled,
    refetchInterval,
  })

const settingsQuery = queryOptions({
  queryKey: ['health', 'settings'],
  queryFn: ({ signal }) => call(readHealthSettings, { signal, background: true }),
  staleTime: 0,
})

/** Whether failures open and close tickets automatically, and the contract; a failed change is reverted, with a toast. */
export function useHealthSettings() {
  const { t } = useTranslation('tickets')
  const client = useQueryClient()
  const showWarning = useWarningToast()
  const { data } = useQuery(settingsQuery)
  const save = useMutation({
    mutationFn: (settings: HealthSettings) => call(changeHealthSettings, { body: settings }),
    onSuccess: (settings) => {
      client.setQueryData(settingsQuery.queryKey, settings)
      void client.invalidateQueries({ queryKey: ['health', 'availability'] })
    },
    onError: (error) => showWarning(t('settings-failed'), error),
  })
  return { settings: save.isPending ? save.variables : data, change: save.mutate, pending: save.isPending }
}
