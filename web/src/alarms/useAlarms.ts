import { acknowledge, figures, history, shelve, unshelve, type WireAlarm } from '@rogatka/contract/alarms.ts'
import { DAY_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { serverNow } from '../core/clock.ts'
import { formatClock } from '../core/format.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { ALARM_LIST, readAlarms } from './alarmFeed.ts'

/** Without a list from the tab that polls for all (alarmFeed.ts) the page fetches it itself, and shows what failed. */
const WATCH_MS = 3_000

/** Open alarms, as every page receives them. */
export const useAlarms = () =>
  useQuery({
    queryKey: ALARM_LIST,
    queryFn: ({ signal }) => readAlarms(signal),
    refetchInterval: WATCH_MS,
    staleTime: 0,
    retry: false,
  })

const NONE: readonly WireAlarm[] = []

/** Open alarms, shelved ones included; none while they are not known. */
export const useOpenAlarms = (): readonly WireAlarm[] => useAlarms().data?.content ?? NONE

/** Acknowledging and shelving; a failure is shown in a toast, and the action stays possible. */
export function useAlarmActions() {
  const { t } = useTranslation('alarms')
  const client = useQueryClient()
  const showSuccess = useSuccessToast()
  const showWarning = useWarningToast()
  const run = async (failed: string, action: () => Promise<unknown>): Promise<boolean> => {
    try {
      await action()
      return true
    } catch (error) {
      showWarning(failed, error)
      return false
    } finally {
      await client.invalidateQueries({ queryKey: ALARM_LIST })
    }
  }
  return {
    acknowledge: (alarms: readonly WireAlarm[]) =>
      run(t('acknowledge-failed'), async () => {
        for (const { id } of alarms) {
          const { isFirst, by, at } = await call(acknowledge, { params: { id } })
          if (!isFirst) showSuccess(t('acknowledged-before', { by, at: formatClock(at) }))
        }
      }),
    shelve: ({ id }: WireAlarm, until: Date, reason: string) =>
      run(t('shelve-failed'), () => call(shelve, { params: { id }, body: { until: until.toISOString(), reason } })),
    unshelve: ({ id }: WireAlarm) => run(t('shelve-failed'), () => call(unshelve, { params: { id } })),
  }
}

const RANGE_DAYS = 7
export const HISTORY_ROWS = 20

/** The last week, to the minute, so that a page is not read again at each rendering. */
const lastWeek = () => {
  const end = Math.ceil(serverNow() / MINUTE_MS) * MINUTE_MS
  return { dateTimeStart: new Date(end - RANGE_DAYS * DAY_MS).toISOString(), dateTimeEnd: new Date(end).toISOString() }
}

/** A page of the alarms of the last week, newest first. */
export const useAlarmHistory = (page: number) =>
  useQuery({
    queryKey: ['alarms', 'history', page],
    queryFn: ({ signal }) => call(history, { query: { ...lastWeek(), page, limit: HISTORY_ROWS }, signal }),
    placeholderData: keepPreviousData,
  })

/** Figures of the last week. */
export const useAlarmFigures = () =>
  useQuery({ queryKey: ['alarms', 'figures'], queryFn: ({ signal }) => call(figures, { query: lastWeek(), signal }) })
