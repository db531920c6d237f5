import type { WireDevice } from '@rogatka/contract/devices.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { hasDraft } from '../core/useDraft.ts'
import { useListFailure } from '../core/useListFailure.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { AddButton } from '../ui/AddButton.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { ListTitle } from '../ui/ListTitle.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Notice } from '../ui/Notice.tsx'
import { DeviceForm, draftOf } from './DeviceForm.tsx'
import { DeviceLink } from './DeviceLink.tsx'
import { useDeviceColumns } from './useDeviceColumns.tsx'
import { invalidateDevices, type NewLink, useDevices } from './useDevices.ts'

/** The screen whose form has a draft; null without one. */
function findDraft(devices: readonly WireDevice[]): WireDevice | 'new' | null {
  if (hasDraft(draftOf())) return 'new'
  return devices.find(({ id, manageable, state }) => manageable && state !== 'revoked' && hasDraft(draftOf(id))) ?? null
}

/** Wall screens: list, form, and the link of a new token. */
export function DevicesPage() {
  const { t } = useTranslation('devices')
  const client = useQueryClient()
  const showSuccess = useSuccessToast()
  const { data, error, refetch } = useDevices()
  useListFailure(t('failed'), error, data !== undefined)
  /** Undefined until it is known whether a draft was kept over a sign-in. */
  const [selected, setSelected] = useState<WireDevice | 'new' | null>()
  if (selected === undefined && data) setSelected(findDraft(data))
  const opened = selected ?? null
  const [link, setLink] = useState<NewLink | null>(null)
  const reload = () => void invalidateDevices(client)
  const columns = useDeviceColumns({ onEdit: setSelected, onLink: setLink, onChanged: reload })
  const close = () => setSelected(null)
  const form = { onStale: reload, onCancel: close, onLink: setLink }
  return (
    <PageLayout
      title={<ListTitle>{t('core:nav-devices')}</ListTitle>}
      actions={<AddButton label={t('add')} onClick={() => setSelected('new')} />}
    >
      {!data && !error && <Loading label={t('loading')} />}
      {!data && error && <ErrorBanner error={error} title={t('failed')} retry={() => void refetch()} />}
      {data?.length === 0 && <Notice kind="quiet">{t('none')}</Notice>}
      {data && data.length > 0 && (
        <DataTable
          label={t('core:nav-devices')}
          columns={columns}
          rows={data}
          keyOf={({ id }) => id}
          toneOf={({ state }) => (state === 'active' ? undefined : 'faded')}
        />
      )}
      {opened === 'new' && (
        <Dialog title={t('new')} open onClose={close} wide>
          <DeviceForm
            {...form}
            onSaved={() => {
              reload()
              close()
            }}
          />
        </Dialog>
      )}
      {opened !== null && opened !== 'new' && (
        <Dialog title={t('ui:change-named', { name: opened.name })} open onClose={close} wide>
          <DeviceForm
            {...form}
            entry={opened}
            onSaved={() => {
              showSuccess(t('ui:saved', { name: opened.name }))
              reload()
              close()
            }}
          />
        </Dialog>
      )}
      {link && <DeviceLink link={link} onClose={() => setLink(null)} />}
    </PageLayout>
  )
}
