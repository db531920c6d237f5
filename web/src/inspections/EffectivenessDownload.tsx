import { figureReports, figuresReport } from '@rogatka/contract/inspections-figures.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { ReportMenu } from '../core/frame/ReportMenu.tsx'
import type { EffectivenessQuery } from './effectivenessSearch.ts'

type Props = {
  query: EffectivenessQuery
  /** Of the chart. */
  lane: number | undefined
}

/** Downloads: the page as a document, every pair as a workbook or table. */
export function EffectivenessDownload({ query, lane }: Props) {
  const { t } = useTranslation('inspections')
  return (
    <ReportMenu
      group="effectiveness"
      types={figureReports}
      nameOf={(type) => t(type === 'pdf' ? 'ui:download-pdf' : `effectiveness-download-${type}`)}
      failure={t('effectiveness-download-failed')}
      requestLink={(reportType, signal) =>
        call(figuresReport, { query: { ...query, ...(lane !== undefined && { lane }), reportType }, signal })
      }
    />
  )
}
