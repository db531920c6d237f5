import type { WireDevice } from '@rogatka/contract/devices.ts'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { formatDateTime, formatDay, MISSING } from '../core/format.ts'
import { actionsColumn, nameColumn, stateColumn } from '../core/tokens/tokenColumns.tsx'
import { useStationNames } from '../locations/publicApi.ts'
import type { Column } from '../ui/DataTable.tsx'
import { DeviceActions, type DeviceEvents } from './DeviceActions.tsx'

/** A screen asks at least every minute, and the server writes it some seconds later. */
const NOW_MS = 150_000

/** Columns of the table of wall screens. */
export function useDeviceColumns(events: Omit<DeviceEvents, 'onEdit'>) {
  const { t } = useTranslation('devices')
  const { names } = useStationNames()
  const lastSeen = ({ lastSeenAt, state }: WireDevice) => {
    if (lastSeenAt === null) return t('never')
    // A time in the future is from before a clock was set back.
    const isNow = state === 'active' && Math.abs(serverNow() - Date.parse(lastSeenAt)) < NOW_MS
    return isNow ? t('now') : formatDateTime(lastSeenAt)
  }
  return (onEdit: DeviceEvents['onEdit']): Column<WireDevice>[] => [
    nameColumn(t('name')),
    { key: 'stations', share: 2.4, title: t('ui:stations'), wide: true, cell: ({ locationIds }) => names(locationIds) },
    {
      key: 'shows',
      share: 2.2,
      title: t('shows'),
      wide: true,
      cell: ({ anonymised, wanted }) =>
        [t(anonymised ? 'shows-anonymised' : 'shows-plates'), wanted && t('shows-wanted')].filter(Boolean).join(', '),
    },
    { key: 'columns', share: 1.2, title: t('columns'), right: true, cell: ({ columns }) => columns },
    {
      key: 'validUntil',
      share: 1.4,
      title: t('valid-until'),
      cell: ({ validUntil }) => (validUntil === null ? MISSING : formatDay(validUntil)),
    },
    { key: 'lastSeen', share: 2, title: t('last-seen'), cell: lastSeen },
    stateColumn(t('state'), (state) => t(`state-${state}`)),
    actionsColumn(t('ui:change'), (device) => <DeviceActions device={device} {...events} onEdit={onEdit} />),
  ]
}
