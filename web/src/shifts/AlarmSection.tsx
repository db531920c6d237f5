import type { WireAlarm } from '@rogatka/contract/alarms.ts'
import type { WireShiftAlarms } from '@rogatka/contract/shifts.ts'
import { useTranslation } from 'react-i18next'
import { AlarmMark, useAlarmTexts } from '../alarms/publicApi.ts'
import { formatMinute, formatTime } from '../core/format.ts'
import type { Column } from '../ui/DataTable.tsx'
import { ShiftList, ShiftSection } from './ShiftSection.tsx'
import css from './Shifts.module.css'

type Props = { alarms: WireShiftAlarms; isRunning: boolean; asOf: string }

/** Alarms: how many were raised and dealt with, what was shelved, and what is handed over. */
export function AlarmSection({ alarms, isRunning, asOf }: Props) {
  const { t } = useTranslation('shifts')
  const { raised, missed, acknowledged, shelved, shelvedCount, open, openCount } = alarms
  const openTitle = t(isRunning ? 'alarms-open-now' : 'alarms-open-at-end')
  return (
    <ShiftSection
      title={t('core:nav-alarms')}
      counts={[
        [t('alarms-raised'), raised.high + raised.medium + raised.low],
        [t('alarms-high'), raised.high],
        [t('alarms-medium'), raised.medium],
        [t('alarms-low'), raised.low],
        [t('alarms-acknowledged'), acknowledged],
        [t('alarms-missed'), missed, true],
        [t('alarms-shelved'), shelvedCount],
        [openTitle, openCount],
      ]}
    >
      <OpenAlarms title={openTitle} open={open} openCount={openCount} asOf={asOf} />
      <Shelved shelved={shelved} shelvedCount={shelvedCount} />
    </ShiftSection>
  )
}

type OpenProps = Pick<WireShiftAlarms, 'open' | 'openCount'> & { title: string; asOf: string }

function OpenAlarms({ title, open, openCount, asOf }: OpenProps) {
  const { t } = useTranslation('shifts')
  const texts = useAlarmTexts(Date.parse(asOf))
  const columns: Column<WireAlarm>[] = [
    {
      key: 'alarm',
      title: t('alarms:alarm'),
      head: true,
      wide: true,
      share: 40,
      cell: (alarm) => (
        <span className={css.outcome}>
          <AlarmMark priority={alarm.priority} hollow={alarm.acknowledged !== null} struck={alarm.clearedAt !== null} />
          {texts.title(alarm)}
        </span>
      ),
    },
    { key: 'raised', title: t('alarms:raised'), share: 18, cell: ({ raisedAt }) => formatMinute(raisedAt) },
    { key: 'details', title: t('alarms:details'), wide: true, share: 42, cell: (alarm) => texts.details(alarm) },
  ]
  if (open.length === 0) return null
  return (
    <>
      <h4>{title}</h4>
      <ShiftList label={title} rows={open} of={openCount} columns={columns} keyOf={({ id }) => id} />
    </>
  )
}

function Shelved({ shelved, shelvedCount }: Pick<WireShiftAlarms, 'shelved' | 'shelvedCount'>) {
  const { t } = useTranslation('shifts')
  if (shelved.length === 0) return null
  return (
    <>
      <h4>{t('alarms-shelved')}</h4>
      <ShiftList
        label={t('alarms-shelved')}
        rows={shelved}
        of={shelvedCount}
        keyOf={(one) => shelved.indexOf(one)}
        columns={[
          {
            key: 'alarm',
            title: t('alarms:alarm'),
            head: true,
            wide: true,
            share: 40,
            cell: ({ kind, subject }) => [t(`alarms:kind-${kind}`), subject].filter((part) => part !== kind).join(': '),
          },
          { key: 'time', title: t('time'), share: 10, cell: ({ at }) => formatTime(at) },
          { key: 'by', title: t('by'), share: 14, cell: ({ by }) => by.username },
          { key: 'until', title: t('until'), share: 16, cell: ({ until }) => formatMinute(until) },
          { key: 'reason', title: t('reason'), wide: true, share: 20, cell: ({ reason }) => reason },
        ]}
      />
    </>
  )
}
