import { Button } from '@mantine/core'
import { reopenStation, type WireUpkeepStation } from '@rogatka/contract/locations-upkeep.ts'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { formatDateTime } from '../core/format.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import type { Column } from '../ui/DataTable.tsx'
import { EntryActions } from '../ui/EntryActions.tsx'
import { StatusMark } from '../ui/StatusMark.tsx'
import { laneTexts } from './LanesField.tsx'
import css from './Stations.module.css'

export type StationEvents = {
  onEdit: (station: WireUpkeepStation) => void
  onKeys: (station: WireUpkeepStation) => void
  onClose: (station: WireUpkeepStation) => void
  onChanged: () => void
}

/** Columns of the table of stations. */
export function useStationColumns(events: StationEvents): Column<WireUpkeepStation>[] {
  const { t } = useTranslation('locations')
  return [
    { key: 'id', share: 0.7, title: t('id'), right: true, sortBy: ({ id }) => id, cell: ({ id }) => id },
    {
      key: 'name',
      share: 2.6,
      title: t('shortName'),
      head: true,
      wide: true,
      sortBy: ({ shortName }) => shortName,
      cell: ({ shortName, name }) => (
        <>
          {shortName}
          {name !== shortName && <span className={css.detail}>{name}</span>}
        </>
      ),
    },
    {
      key: 'place',
      share: 2.4,
      title: t('place'),
      wide: true,
      cell: ({ roadNumber, chainage, direction }) => [roadNumber, chainage, direction].join(' · '),
    },
    { key: 'lanes', share: 2, title: t('lanes'), wide: true, cell: ({ lanes }) => laneTexts(lanes).join(', ') },
    {
      key: 'lastVehicle',
      share: 1.8,
      title: t('last-vehicle'),
      cell: ({ lastVehicleTime }) => (lastVehicleTime === null ? t('never') : formatDateTime(lastVehicleTime)),
    },
    {
      key: 'state',
      share: 1.8,
      title: t('state'),
      wide: true,
      cell: ({ closedAt, validKeys }) => (
        <span className={css.state}>
          <StatusMark status={closedAt !== null ? 'unavailable' : validKeys === 0 ? 'attention' : 'available'} />
          {closedAt !== null
            ? t('closed-since', { at: formatDateTime(closedAt) })
            : validKeys === 0
              ? t('no-valid-key')
              : t('open')}
        </span>
      ),
    },
    {
      key: 'actions',
      share: 3.4,
      title: t('ui:change'),
      plain: true,
      cell: (station) => <StationActions station={station} {...events} />,
    },
  ]
}

/** Buttons of a station. */
function StationActions({
  station,
  onEdit,
  onKeys,
  onClose,
  onChanged,
}: StationEvents & { station: WireUpkeepStation }) {
  const { t } = useTranslation('locations')
  const showSuccess = useSuccessToast()
  const showWarning = useWarningToast()
  const { id, shortName: name } = station
  const reopening = useMutation({
    mutationFn: () => call(reopenStation, { params: { id } }),
    onSuccess: () => showSuccess(t('reopen-done', { name })),
    onError: (error) => showWarning(t('reopen-failed'), error),
    onSettled: onChanged,
  })
  return (
    <EntryActions name={name} onEdit={() => onEdit(station)}>
      <Button variant="default" size="xs" aria-label={t('keys-named', { name })} onClick={() => onKeys(station)}>
        {t('keys')}
      </Button>
      {station.closedAt === null ? (
        <Button variant="default" size="xs" aria-label={t('close-named', { name })} onClick={() => onClose(station)}>
          {t('close')}
        </Button>
      ) : (
        <Button
          variant="default"
          size="xs"
          aria-label={t('reopen-named', { name })}
          loading={reopening.isPending}
          onClick={() => reopening.mutate()}
        >
          {t('reopen')}
        </Button>
      )}
    </EntryActions>
  )
}
