import {
  changeHealthSettings,
  type HealthSettings,
  health,
  readHealthSettings,
  type WireHealthCheck,
} from '@rogatka/contract/tickets-health.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { formatDateTime, MISSING, useFormat } from '../core/format.ts'
import { useWarningToast } from '../core/useWarningToast.ts'

/** The health check runs once a minute. */
const POLL_MS = 60_000

export const useStationHealth = () =>
  useQuery({
    queryKey: ['health', 'stations'],
    queryFn: ({ signal }) => call(health, { signal, background: true }),
    staleTime: 0,
    refetchInterval: POLL_MS,
  })

const settingsQuery = queryOptions({
  queryKey: ['health', 'settings'],
  queryFn: ({ signal }) => call(readHealthSettings, { signal, background: true }),
  staleTime: 0,
})

/** Whether failures open and close tickets automatically; a failed change is reverted, with a toast. */
export function useHealthSettings() {
  const { t } = useTranslation('tickets')
  const client = useQueryClient()
  const showWarning = useWarningToast()
  const { data } = useQuery(settingsQuery)
  const save = useMutation({
    mutationFn: (settings: HealthSettings) => call(changeHealthSettings, { body: settings }),
    onSuccess: (settings) => client.setQueryData(settingsQuery.queryKey, settings),
    onError: (error) => showWarning(t('settings-failed'), error),
  })
  return { settings: save.isPending ? save.variables : data, change: save.mutate, pending: save.isPending }
}

/** Evidence of a check as text. */
export function useEvidence(): (check: WireHealthCheck) => string {
  const { t } = useTranslation('tickets')
  const { number } = useFormat()
  return ({ kind, evidence: { lastVehicleTime, silentMinutes, expectedVehicles, vehicles, ...measured } }) => {
    const facts = {
      'station-silent': () => noData(),
      'lane-silent': () => noData(),
      'images-missing': () => share(),
      'plates-unreadable': () => share(),
      'clock-skew': () =>
        measured.clockSeconds !== null && t('evidence-clock', { seconds: number(measured.clockSeconds) }),
      'calibration-deviation': () =>
        measured.deviationPercent !== null &&
        t('evidence-deviation', { percent: number(measured.deviationPercent, 1) }),
    }
    const noData = () =>
      [
        lastVehicleTime !== null && t('evidence-last', { time: formatDateTime(lastVehicleTime) }),
        silentMinutes !== null && t('evidence-silent', { minutes: number(silentMinutes) }),
        expectedVehicles !== null && t('evidence-expected', { vehicles: number(expectedVehicles) }),
      ]
        .filter(Boolean)
        .join(', ')
    const share = () =>
      measured.sharePercent !== null &&
      t('evidence-share', { percent: number(measured.sharePercent, 1), vehicles: number(vehicles) })
    return facts[kind]() || MISSING
  }
}
