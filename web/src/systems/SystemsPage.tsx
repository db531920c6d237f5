import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TokenPage } from '../core/tokens/TokenPage.tsx'
import { draftOf, SystemForm } from './SystemForm.tsx'
import { SystemKey } from './SystemKey.tsx'
import { useSystemColumns } from './useSystemColumns.tsx'
import { invalidateSystems, type NewKey, useSystems } from './useSystems.ts'

/** External systems with an exchange key: list, form, and a new key. */
export function SystemsPage() {
  const { t } = useTranslation('systems')
  const client = useQueryClient()
  const [newKey, setNewKey] = useState<NewKey | null>(null)
  const reload = () => void invalidateSystems(client)
  const columns = useSystemColumns({ onKey: setNewKey, onChanged: reload })
  return (
    <TokenPage
      list={useSystems()}
      texts={{
        title: t('core:nav-systems'),
        add: t('add'),
        new: t('new'),
        loading: t('loading'),
        failed: t('failed'),
        none: t('none'),
      }}
      columns={columns}
      draftOf={draftOf}
      onReload={reload}
      form={(props) => <SystemForm {...props} onKey={setNewKey} />}
    >
      {newKey && <SystemKey newKey={newKey} onClose={() => setNewKey(null)} />}
    </TokenPage>
  )
}
