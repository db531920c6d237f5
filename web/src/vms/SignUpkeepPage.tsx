import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { SearchTabs } from '../core/frame/SearchTabs.tsx'
import { hasDraft } from '../core/useDraft.ts'
import { AddButton } from '../ui/AddButton.tsx'
import { ListTitle } from '../ui/ListTitle.tsx'
import { contentDraft } from './ContentForm.tsx'
import { ContentsTab } from './ContentsTab.tsx'
import { groupDraft } from './GroupForm.tsx'
import { GroupsTab } from './GroupsTab.tsx'
import { readSignUpkeepSearch, upkeepTabs } from './upkeepSearch.ts'

/** Upkeep of groups of signs with their signs, and of contents. */
export function SignUpkeepPage() {
  const { t } = useTranslation('vms')
  const { tab = 'groups' } = readSignUpkeepSearch(useSearch({ strict: false }))
  const hasNewDraft = () => hasDraft(tab === 'groups' ? groupDraft() : contentDraft())
  const [adding, setAdding] = useState(() => (hasNewDraft() ? tab : null))
  const isAdding = adding === tab
  const close = () => setAdding(null)
  return (
    <PageLayout
      title={<ListTitle>{t('core:nav-sign-upkeep')}</ListTitle>}
      actions={<AddButton label={t(tab === 'groups' ? 'add-group' : 'add-content')} onClick={() => setAdding(tab)} />}
    >
      <SearchTabs
        label={t('core:nav-sign-upkeep')}
        tabs={upkeepTabs.map((key) => ({
          key,
          text: t(`tab-${key}`),
          search: { tab: key === 'groups' ? undefined : key },
        }))}
        current={tab}
      />
      {tab === 'groups' ? (
        <GroupsTab isAdding={isAdding} onAdded={close} />
      ) : (
        <ContentsTab isAdding={isAdding} onAdded={close} />
      )}
    </PageLayout>
  )
}
