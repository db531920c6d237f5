import type { WireShiftReport } from '@rogatka/contract/shifts.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { useTranslation } from 'react-i18next'
import { formatTime } from '../core/format.ts'
import type { Column } from '../ui/DataTable.tsx'
import { StatusMark } from '../ui/StatusMark.tsx'
import { ShiftList, ShiftSection } from './ShiftSection.tsx'
import css from './Shifts.module.css'

type Commands = NonNullable<WireShiftReport['commands']>
type Command = Commands['content'][number]

/** What users commanded signs to show, and whether they did. */
export function CommandSection({ commands }: { commands: Commands }) {
  const { t } = useTranslation('shifts')
  const { totalCount, failed, content } = commands
  const columns = useColumns()
  return (
    <ShiftSection
      title={t('commands')}
      counts={[
        [t('commands-all'), totalCount],
        [t('commands-failed'), failed, true],
      ]}
    >
      <ShiftList columns={columns} keyOf={({ id }) => id} label={t('commands')} of={totalCount} rows={content} />
    </ShiftSection>
  )
}

function useColumns(): Column<Command>[] {
  const { t } = useTranslation('shifts')
  const textOf = ({ kind, variant, plateLpr, allTrucks }: Command): string => {
    const vehicle = allTrucks ? t('all-lorries') : plateLpr && displayPlate(plateLpr, null)
    return [t(`command-${kind}`), kind === 'variant' ? variant : vehicle].filter(Boolean).join(': ')
  }
  return [
    { key: 'time', title: t('time'), head: true, share: 10, cell: ({ at }) => formatTime(at) },
    { key: 'by', title: t('by'), share: 14, cell: ({ by }) => by.username },
    {
      key: 'sign',
      title: t('sign'),
      wide: true,
      share: 30,
      cell: ({ location, sign: { number, roadNumber, chainage } }) =>
        `${location.shortName}, ${t('alarms:sign-number', { number })} (${roadNumber} ${chainage})`,
    },
    { key: 'command', title: t('command'), wide: true, share: 22, cell: textOf },
    {
      key: 'result',
      title: t('result'),
      wide: true,
      share: 24,
      cell: ({ done, error }) => (
        <span className={css.outcome}>
          {done === false && <StatusMark status="malfunction" />}
          {error?.userMessage ?? t(done ? 'done' : 'pending')}
        </span>
      ),
    },
  ]
}
