import type { WireUpkeepStation } from '@rogatka/contract/locations-upkeep.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { WholeList } from '../core/frame/WholeList.tsx'
import { hasDraft } from '../core/useDraft.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { AddButton } from '../ui/AddButton.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ListTitle } from '../ui/ListTitle.tsx'
import { CloseStation, closingDraft } from './CloseStation.tsx'
import { draftOf, StationForm } from './StationForm.tsx'
import { StationKeys } from './StationKeys.tsx'
import { useStationColumns } from './useStationColumns.tsx'
import { invalidateStations, useUpkeepStations } from './useUpkeepStations.ts'

type DialogState = { dialog: 'new' } | { dialog: 'edit' | 'keys' | 'close'; station: WireUpkeepStation }

/** The dialog whose form has a draft; null without one. */
function findDraft(stations: readonly WireUpkeepStation[]): DialogState | null {
  if (hasDraft(draftOf())) return { dialog: 'new' }
  const station = stations.find(({ id }) => hasDraft(draftOf(id)))
  if (station) return { dialog: 'edit', station }
  const closing = stations.find(({ id }) => hasDraft(closingDraft(id)))
  return closing ? { dialog: 'close', station: closing } : null
}

/** Upkeep of stations: list, form, keys, closing. */
export function StationsPage() {
  const { t } = useTranslation('locations')
  const client = useQueryClient()
  const list = useUpkeepStations()
  const { data } = list
  /** Undefined until it is known whether a draft was kept over a sign-in. */
  const [selected, setSelected] = useState<DialogState | null>()
  if (selected === undefined && data) setSelected(findDraft(data))
  const reload = () => void invalidateStations(client)
  const openFor = (dialog: 'edit' | 'keys' | 'close') => (station: WireUpkeepStation) =>
    setSelected({ dialog, station })
  const columns = useStationColumns({
    onEdit: openFor('edit'),
    onKeys: openFor('keys'),
    onClose: openFor('close'),
    onChanged: reload,
  })
  const texts = { loading: t('loading'), failed: t('failed'), none: t('none') }
  return (
    <PageLayout
      title={<ListTitle>{t('core:nav-stations')}</ListTitle>}
      actions={<AddButton label={t('add')} onClick={() => setSelected({ dialog: 'new' })} />}
    >
      <WholeList list={list} texts={texts}>
        {(rows) => (
          <DataTable
            label={t('core:nav-stations')}
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            toneOf={({ closedAt }) => (closedAt === null ? undefined : 'faded')}
          />
        )}
      </WholeList>
      {selected && (
        <StationDialog opened={selected} stations={data ?? []} onClose={() => setSelected(null)} onChanged={reload} />
      )}
    </PageLayout>
  )
}

type DialogProps = {
  opened: DialogState
  stations: readonly WireUpkeepStation[]
  onClose: () => void
  onChanged: () => void
}

function StationDialog({ opened, stations, onClose, onChanged }: DialogProps) {
  const { t } = useTranslation('locations')
  const showSuccess = useSuccessToast()
  const form = { onStale: onChanged, onCancel: onClose }
  if (opened.dialog === 'new')
    return (
      <Dialog title={t('new')} open onClose={onClose} wide>
        <StationForm
          {...form}
          onSaved={() => {
            showSuccess(t('added'))
            onChanged()
            onClose()
          }}
        />
      </Dialog>
    )
  const station = stations.find(({ id }) => id === opened.station.id) ?? opened.station
  if (opened.dialog === 'keys') return <StationKeys station={station} onClose={onClose} />
  const saved = () => {
    showSuccess(t('ui:saved', { name: station.shortName }))
    onChanged()
    onClose()
  }
  if (opened.dialog === 'close') return <CloseStation {...form} entry={station} onSaved={saved} />
  return (
    <Dialog title={t('ui:change-named', { name: opened.station.shortName })} open onClose={onClose} wide>
      <StationForm key={opened.station.id} {...form} entry={opened.station} onSaved={saved} />
    </Dialog>
  )
}
