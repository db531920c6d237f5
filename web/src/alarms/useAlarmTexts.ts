import type { WireAlarm } from '@rogatka/contract/alarms.ts'
import type { AlarmRow } from '@rogatka/domain/alarms/rows.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { useTranslation } from 'react-i18next'
import { formatClock, formatDate, formatMinute, useFormat } from '../core/format.ts'

/** Texts of alarms: title, and what is known beside it. */
export function useAlarmTexts(now: number) {
  const { t } = useTranslation('alarms')
  const { number } = useFormat()
  /** HH:mm of today, else with the date. */
  const timeOf = (at: string) => (formatDate(at) === formatDate(now) ? formatClock(at) : formatMinute(at))
  const lasting = (at: string, until: string | null = null): string => {
    const ms = Math.max(0, (until === null ? now : Date.parse(until)) - Date.parse(at))
    if (ms < HOUR_MS) return t('minutes', { n: Math.floor(ms / MINUTE_MS) })
    return ms < DAY_MS ? t('hours', { n: Math.floor(ms / HOUR_MS) }) : t('days', { n: Math.floor(ms / DAY_MS) })
  }
  const placeOf = ({ location, laneNumber, sign, name }: WireAlarm): string =>
    [
      location?.shortName ?? name,
      laneNumber !== null && t('ui:lane-number', { lane: laneNumber }),
      sign && t('sign-number', { number: sign.number }),
    ]
      .filter(Boolean)
      .join(', ')
  const excess = ({ kind, value }: WireAlarm) => kind === 'overload' && value !== null && `+${number(value, 1)} %`
  return {
    title: (alarm: WireAlarm): string => [t(`kind-${alarm.kind}`), placeOf(alarm)].filter(Boolean).join(': '),
    details: (alarm: WireAlarm): string =>
      [
        t(`priority-${alarm.priority}`),
        t('since', { time: timeOf(alarm.raisedAt), lasting: lasting(alarm.raisedAt, alarm.clearedAt) }),
        alarm.vehicle?.plateLpr && displayPlate(alarm.vehicle.plateLpr, alarm.vehicle.nationality),
        excess(alarm),
        alarm.count > 1 && t('times', { n: alarm.count }),
        alarm.isRepeating && t('repeating'),
        alarm.clearedAt && t('cleared-at', { time: timeOf(alarm.clearedAt) }),
        alarm.acknowledged && t('acknowledged-by', { by: alarm.acknowledged.by, time: timeOf(alarm.acknowledged.at) }),
        alarm.shelved && t('shelved-until', { by: alarm.shelved.by, time: timeOf(alarm.shelved.until) }),
        alarm.shelved?.reason,
      ]
        .filter(Boolean)
        .join(' · '),
    groupDetails: ({ alarms }: AlarmRow<WireAlarm>): string => {
      const since = alarms.map(({ raisedAt }) => raisedAt).toSorted()[0] ?? ''
      const open = alarms.filter(({ acknowledged }) => acknowledged === null)
      return [
        t(`priority-${alarms[0].priority}`),
        t('since', { time: timeOf(since), lasting: lasting(since) }),
        open.length > 0 && t('unacknowledged', { count: open.length }),
      ]
        .filter(Boolean)
        .join(' · ')
    },
    groupTitle: ({ cause, kind, alarms }: AlarmRow<WireAlarm>): string => {
      const count = alarms.length
      const where =
        cause?.by === 'road' ? cause.roadNumber : cause?.by === 'station' ? alarms[0].location?.shortName : null
      const name = kind === null ? t('several-kinds') : t(`kind-${kind}`)
      return [name, [where, t('count-alarms', { count })].filter(Boolean).join(', ')].join(': ')
    },
  }
}
