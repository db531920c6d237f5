import type { WireShiftReport } from '@rogatka/contract/shifts.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatMinute, MISSING } from '../core/format.ts'
import { ShiftList, ShiftSection } from './ShiftSection.tsx'

/** Failure reports that were opened or closed. */
export function TicketSection({ tickets }: { tickets: NonNullable<WireShiftReport['tickets']> }) {
  const { t } = useTranslation('shifts')
  const { content, totalCount, opened, closed } = tickets
  return (
    <ShiftSection
      title={t('core:nav-tickets')}
      counts={[
        [t('tickets-opened'), opened],
        [t('tickets-closed'), closed],
      ]}
    >
      <ShiftList
        label={t('core:nav-tickets')}
        rows={content}
        of={totalCount}
        keyOf={({ id }) => id}
        columns={[
          {
            key: 'number',
            title: t('number'),
            head: true,
            share: 12,
            cell: ({ id, number }) => (
              <Link to="/tickets/$id" params={{ id }}>
                {number}
              </Link>
            ),
          },
          { key: 'title', title: t('title'), wide: true, share: 38, cell: ({ title }) => title },
          {
            key: 'station',
            title: t('ui:station'),
            share: 18,
            cell: ({ location }) => location?.shortName ?? MISSING,
          },
          { key: 'opened', title: t('opened'), share: 16, cell: ({ createdAt }) => formatMinute(createdAt) },
          { key: 'closed', title: t('closed'), share: 16, cell: ({ closedAt }) => formatMinute(closedAt) },
        ]}
      />
    </ShiftSection>
  )
}
