import type { WireInspection } from '@rogatka/contract/inspections.ts'
import { useTranslation } from 'react-i18next'
import { formatMinute } from '../core/format.ts'
import { Notice } from '../ui/Notice.tsx'

/** Who reopened the inspection and why, for the officer who continues. */
export function ReopenedNotice({ inspection: { reopened, reason } }: { inspection: WireInspection }) {
  const { t } = useTranslation('inspections')
  if (!reopened) return null
  return (
    <Notice>
      <b>{t('reopened-by', { name: reopened.by.username, time: formatMinute(reopened.at) })}</b> {reason}
    </Notice>
  )
}
