import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { SearchTabs } from '../core/frame/SearchTabs.tsx'
import { useRight } from '../core/useSelf.ts'
import { ListTitle } from '../ui/ListTitle.tsx'
import { LanesTab } from './LanesTab.tsx'
import { ScalesTab } from './ScalesTab.tsx'
import { readCertificatesSearch, tabs } from './search.ts'

/** Static scales, and certificates of WIM lanes; read only without the right to change them. */
export function CertificatesPage() {
  const { t } = useTranslation('certificates')
  const { tab = 'scales', station } = readCertificatesSearch(useSearch({ strict: false }))
  const canChange = useRight('ScaleCertificates')
  return (
    <PageLayout title={<ListTitle>{t('core:nav-certificates')}</ListTitle>}>
      <SearchTabs
        label={t('core:nav-certificates')}
        tabs={tabs.map((key) => ({
          key,
          text: t(`tab-${key}`),
          search: { tab: key === 'scales' ? undefined : key, station },
        }))}
        current={tab}
      />
      {tab === 'scales' ? <ScalesTab canChange={canChange} /> : <LanesTab station={station} canChange={canChange} />}
    </PageLayout>
  )
}
