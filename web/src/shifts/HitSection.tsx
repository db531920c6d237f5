import type { WireShiftHit, WireShiftReport } from '@rogatka/contract/shifts.ts'
import { useTranslation } from 'react-i18next'
import { formatTime } from '../core/format.ts'
import type { Column } from '../ui/DataTable.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { StatusMark } from '../ui/StatusMark.tsx'
import { openHitSheet } from '../wanted/publicApi.ts'
import { usePlaceColumns } from './columns.tsx'
import { formatStep } from './formatStep.ts'
import { ShiftList, ShiftSection } from './ShiftSection.tsx'
import css from './Shifts.module.css'

type Props = { hits: NonNullable<WireShiftReport['hits']>; shift: Pick<WireShiftReport, 'from' | 'to'> }

/** Wanted vehicles: who took each and when; those that nobody took stand out. */
export function HitSection({ hits, shift }: Props) {
  const { t } = useTranslation('shifts')
  const { counts, content, totalCount } = hits
  const columns = useHitColumns(shift)
  return (
    <ShiftSection
      title={t('hits')}
      counts={[
        [t('hits-all'), totalCount],
        [t('hits-untaken'), counts.untaken, true],
        [t('hits-taken'), counts.taken],
        [t('hits-closed'), counts.closed],
        [t('hits-false'), counts.false],
        [t('hits-approaching'), counts.approaching],
        [t('hits-late'), counts.late],
      ]}
    >
      <ShiftList
        label={t('hits')}
        rows={content}
        of={totalCount}
        columns={columns}
        keyOf={(hit) => content.indexOf(hit)}
        toneOf={({ outcome }) => (outcome === 'untaken' ? 'attention' : undefined)}
      />
    </ShiftSection>
  )
}

function useHitColumns(shift: Props['shift']): Column<WireShiftHit>[] {
  const { t } = useTranslation('shifts')
  const { plate, station } = usePlaceColumns<WireShiftHit>()
  const timeOf = (at: string) => formatStep(at, shift, formatTime)
  const outcomeOf = ({ outcome, taken, closed }: WireShiftHit): string =>
    [
      outcome === 'untaken' && t('wanted:passed-untaken'),
      outcome === 'late' && t('wanted:was-late'),
      outcome === 'approaching' && t('wanted:outcome-open'),
      taken && t('did', { step: t('wanted:step-taken', { user: taken.by.username }), time: timeOf(taken.at) }),
      closed && t('did', { step: t('wanted:step-closed', { user: closed.by.username }), time: timeOf(closed.at) }),
      outcome === 'false' &&
        [t('wanted:false-hit'), closed?.reason && t(`wanted:reason-${closed.reason}`)].filter(Boolean).join(': '),
    ]
      .filter(Boolean)
      .join(' · ')
  return [
    {
      key: 'time',
      title: t('time'),
      head: true,
      share: 10,
      cell: (hit) => <LinkButton onClick={() => openHitSheet(hit)}>{formatTime(hit.createdAt)}</LinkButton>,
    },
    plate,
    {
      key: 'description',
      title: t('ui:description'),
      wide: true,
      share: 26,
      cell: ({ entries }) => [...new Set(entries.map(({ description }) => description))].join(' · '),
    },
    station,
    {
      key: 'outcome',
      title: t('wanted:outcome'),
      wide: true,
      share: 28,
      cell: (hit) => (
        <span className={css.outcome}>
          {hit.outcome === 'untaken' && <StatusMark status="attention" />}
          {outcomeOf(hit)}
        </span>
      ),
    },
  ]
}
