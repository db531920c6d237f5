import { useTranslation } from 'react-i18next'
import { PrintHead } from '../../ui/PrintHead.tsx'
import { serverNow } from '../clock.ts'
import { formatMinute } from '../format.ts'
import { useBuild } from '../useBuild.ts'
import { useSelf } from '../useSelf.ts'

type Props = {
  title: string
  /** Filters in words. */
  criteria: readonly string[]
}

/** Head of a printed page: owner, title, criteria, and who printed it when. */
export function PrintedHead({ title, criteria }: Props) {
  const { t } = useTranslation('core')
  const { build } = useBuild()
  const { data: self } = useSelf()
  return (
    <PrintHead
      title={title}
      lines={[
        [build?.ownerCompany, ...criteria].filter(Boolean).join(' · '),
        t('printed', { user: self?.username, time: formatMinute(new Date(serverNow()).toISOString()) }),
      ]}
    />
  )
}
