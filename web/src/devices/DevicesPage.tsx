import type { WireDevice } from '@rogatka/contract/devices.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { useListFailure } from '../core/useListFailure.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { AddButton } from '../ui/AddButton.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { ListTitle } from '../ui/ListTitle.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Notice } from '../ui/Notice.tsx'
import { DeviceForm } from './DeviceForm.tsx'
import { DeviceLink } from './DeviceLink.tsx'
import { useDeviceColumns } from './useDeviceColumns.tsx'
import { invalidateDevices, type NewLink, useDevices } from './useDevices.ts'

/** Wall screens: list, form, and the link of a new token. */
export function DevicesPage() {
  const { t } = useTranslation('devices')
  const client = useQueryClient()
  const showSuccess = useSuccessToast()
  const { data, error, refetch } = useDevices()
  useListFailure(t('failed'), error, data !== undefined)
  const [opened, setOpened] = useState<WireDevice | 'new' | null>(null)
  const [link, setLink] = useState<NewLink | null>(null)
  const reload = () => void invalidateDevices(client)
  const columns = useDeviceColumns({ onEdit: setOpened, onLink: setLink, onChanged: reload })
  const close = () => setOpened(null)
  const form = { onStale: reload, onCancel: close, onLink: setLink }
  return (
    <PageLayout
      title={<ListTitle>{t('core:nav-devices')}</ListTitle>}
      actions={<AddButton label={t('add')} onClick={() => setOpened('new')} />}
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
