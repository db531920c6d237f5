import type { DeviceState, WireDevice } from '@rogatka/contract/devices.ts'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { formatDateTime, formatDay, MISSING } from '../core/format.ts'
import { useLocations } from '../locations/publicApi.ts'
import type { Column } from '../ui/DataTable.tsx'
import { type Status, StatusMark } from '../ui/StatusMark.tsx'
import { DeviceActions, type DeviceEvents } from './DeviceActions.tsx'
import css from './Devices.module.css'

/** A screen asks at least every minute, and the server writes it some seconds later. */
const NOW_MS = 150_000
/** Names of more stations are replaced by their number. */
const MAX_NAMES = 3

const MARKS: Record<DeviceState, Status> = { active: 'available', ended: 'attention', revoked: 'unavailable' }

/** Columns of the table of wall screens. */
export function useDeviceColumns(events: DeviceEvents): Column<WireDevice>[] {
  const { t } = useTranslation('devices')
  const { data: locations } = useLocations()
  const stationsOf = ({ locationIds }: WireDevice) => {
    if (locations && locationIds.length === locations.length) return t('all-stations')
    if (locationIds.length > MAX_NAMES) return t('stations', { count: locationIds.length })
    return locationIds.map((id) => locations?.find((it) => it.id === id)?.shortName ?? id).join(', ')
  }
  const lastSeen = ({ lastSeenAt, state }: WireDevice) => {
    if (lastSeenAt === null) return t('never')
    // A time in the future is from before a clock was set back.
    const isNow = state === 'active' && Math.abs(serverNow() - Date.parse(lastSeenAt)) < NOW_MS
    return isNow ? t('now') : formatDateTime(lastSeenAt)
  }
  return [
    {
      key: 'name',
      share: 2.6,
      title: t('name'),
      head: true,
      wide: true,
      cell: ({ name, remark }) => (
        <>
          {name}
          {remark && <span className={css.remark}>{remark}</span>}
        </>
      ),
    },
    { key: 'stations', share: 2.4, title: t('ui:stations'), wide: true, cell: stationsOf },
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
    {
      key: 'state',
      share: 1.8,
      title: t('state'),
      cell: ({ state }) => (
        <span className={css.state}>
          <StatusMark status={MARKS[state]} />
          {t(`state-${state}`)}
        </span>
      ),
    },
    {
      key: 'actions',
      share: 3.6,
      title: t('ui:change'),
      plain: true,
      cell: (device) => <DeviceActions device={device} {...events} />,
    },
  ]
}
