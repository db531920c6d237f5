import { figureReports, figuresReport } from '@rogatka/contract/inspections-figures.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { ReportMenu } from '../core/frame/ReportMenu.tsx'
import type { EffectivenessQuery } from './effectivenessSearch.ts'
import type { AccuracyLane } from './useEffectiveness.ts'

type Props = {
  query: EffectivenessQuery
  /** Of the chart. */
  lane: number | undefined
  /** The pairs of each lane; undefined while they are loaded. */
  lanes: readonly AccuracyLane[] | undefined
}

/** Downloads: the page as a document, every pair as a workbook or table. */
export function EffectivenessDownload({ query, lane, lanes }: Props) {
  const { t } = useTranslation('inspections')
  return (
    <ReportMenu
      group="effectiveness"
      types={figureReports}
      nameOf={(type) => t(type === 'pdf' ? 'ui:download-pdf' : `effectiveness-download-${type}`)}
      failure={t('ui:file-failed')}
      sizeOf={(type) => (lanes && type !== 'pdf' ? { rows: pairCount(lanes) } : null)}
      requestLink={(reportType, signal) =>
        call(figuresReport, { query: { ...query, ...(lane !== undefined && { lane }), reportType }, signal })
      }
    />
  )
}

/** Pairs of all criteria, each a row. */
const pairCount = (lanes: readonly AccuracyLane[]): number =>
  lanes.flatMap(({ criteria }) => Object.values(criteria)).reduce((sum, { n }) => sum + n, 0)
