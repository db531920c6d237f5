import type { WireSystem } from '@rogatka/contract/systems.ts'
import { useTranslation } from 'react-i18next'
import { formatDateTime, formatDay } from '../core/format.ts'
import { actionsColumn, nameColumn, stateColumn } from '../core/tokens/tokenColumns.tsx'
import { useStationNames } from '../locations/publicApi.ts'
import type { Column } from '../ui/DataTable.tsx'
import { SystemActions, type SystemEvents } from './SystemActions.tsx'

/** Columns of the table of external systems. */
export function useSystemColumns(events: Omit<SystemEvents, 'onEdit'>) {
  const { t } = useTranslation('systems')
  const { names } = useStationNames()
  const readableOf = ({ rights, plates }: WireSystem) =>
    [...rights.map((right) => t(`right-${right}`)), t(plates ? 'shows-plates' : 'shows-anonymised')].join(', ')
  return (onEdit: SystemEvents['onEdit']): Column<WireSystem>[] => [
    nameColumn(t('name')),
    { key: 'stations', share: 2.2, title: t('ui:stations'), wide: true, cell: (system) => names(system.locationIds) },
    { key: 'rights', share: 3, title: t('rights'), wide: true, cell: readableOf },
    { key: 'validUntil', share: 1.4, title: t('valid-until'), cell: (system) => formatDay(system.validUntil) },
    {
      key: 'lastSeen',
      share: 2,
      title: t('last-seen'),
      cell: ({ lastSeenAt }) => (lastSeenAt === null ? t('never') : formatDateTime(lastSeenAt)),
    },
    stateColumn(t('state'), (state) => t(`state-${state}`)),
    actionsColumn(t('ui:change'), (system) => <SystemActions system={system} {...events} onEdit={onEdit} />),
  ]
}
