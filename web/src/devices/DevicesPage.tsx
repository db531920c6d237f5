import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TokenPage } from '../core/tokens/TokenPage.tsx'
import { DeviceForm, draftOf } from './DeviceForm.tsx'
import { DeviceLink } from './DeviceLink.tsx'
import { useDeviceColumns } from './useDeviceColumns.tsx'
import { invalidateDevices, type NewLink, useDevices } from './useDevices.ts'

/** Wall screens: list, form, and the link of a new token. */
export function DevicesPage() {
  const { t } = useTranslation('devices')
  const client = useQueryClient()
  const [newLink, setNewLink] = useState<NewLink | null>(null)
  const reload = () => void invalidateDevices(client)
  const columns = useDeviceColumns({ onLink: setNewLink, onChanged: reload })
  const texts = { title: t('core:nav-devices'), add: t('add'), new: t('new') }
  return (
    <TokenPage
      list={useDevices()}
      texts={{ ...texts, loading: t('loading'), failed: t('failed'), none: t('none') }}
      columns={columns}
      draftOf={draftOf}
      onReload={reload}
      form={(props) => <DeviceForm {...props} onLink={setNewLink} />}
    >
      {newLink && <DeviceLink link={newLink} onClose={() => setNewLink(null)} />}
    </TokenPage>
  )
}
