import type { WireShiftReport } from '@rogatka/contract/shifts.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatClock } from '../core/format.ts'
import type { Column } from '../ui/DataTable.tsx'
import { usePlaceColumns } from './columns.tsx'
import { formatStep } from './formatStep.ts'
import { ShiftList, ShiftSection } from './ShiftSection.tsx'

type Inspections = NonNullable<WireShiftReport['inspections']>
type Inspection = Inspections['content'][number]
type Props = { inspections: Inspections; shift: Pick<WireShiftReport, 'from' | 'to'> }

/** Inspections, each with its steps. */
export function InspectionSection({ inspections, shift }: Props) {
  const { t } = useTranslation('shifts')
  const { content, totalCount } = inspections
  const columns = useColumns(shift)
  return (
    <ShiftSection
      title={t('core:nav-inspections')}
      counts={[
        [t('inspections-announced'), inspections.announced],
        [t('inspections-takenOver'), inspections.takenOver],
        [t('inspections-closed'), inspections.closed],
        [t('inspections-passedBy'), inspections.passedBy, true],
        [t('inspections-withdrawn'), inspections.withdrawn],
      ]}
    >
      <ShiftList
        label={t('core:nav-inspections')}
        rows={content}
        of={totalCount}
        columns={columns}
        keyOf={({ id }) => id}
      />
    </ShiftSection>
  )
}

function useColumns(shift: Props['shift']): Column<Inspection>[] {
  const { t } = useTranslation('shifts')
  const { plate, station } = usePlaceColumns<Inspection>()
  const stepsOf = ({ announced, takenOver, closed, withdrawn, passedBy }: Inspection): string =>
    (
      [
        ['announced', announced],
        ['takenOver', takenOver],
        ['closed', closed],
        ['withdrawn', withdrawn],
        ['passedBy', passedBy],
      ] as const
    )
      .flatMap(([state, step]) =>
        step
          ? [
              [t(`inspections:state-${state}`), step.by?.username, formatStep(step.at, shift, formatClock)]
                .filter(Boolean)
                .join(' '),
            ]
          : [],
      )
      .join(' · ')
  return [
    {
      key: 'number',
      title: t('number'),
      head: true,
      share: 17,
      cell: ({ id, number }) => (
        <Link to="/inspections/$id" params={{ id }}>
          {number}
        </Link>
      ),
    },
    plate,
    station,
    { key: 'steps', title: t('steps'), wide: true, share: 47, cell: stepsOf },
  ]
}
