import type { WireDevice } from '@rogatka/contract/devices.ts'
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
  const list = useDevices()
  const { data } = list
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
      <WholeList list={list} texts={{ loading: t('loading'), failed: t('failed'), none: t('none') }}>
        {(rows) => (
          <DataTable
            label={t('core:nav-devices')}
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            toneOf={({ state }) => (state === 'active' ? undefined : 'faded')}
          />
        )}
      </WholeList>
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
