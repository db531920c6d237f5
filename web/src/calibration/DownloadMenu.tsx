import { calibrationReports, report } from '@rogatka/contract/calibration.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { ReportMenu } from '../core/frame/ReportMenu.tsx'
import { type CalibrationSearch, type Kind, toQueries } from './search.ts'

/** Downloads of the result: table, chart, reference and criteria. */
export function DownloadMenu({ kind, search }: { kind: Kind; search: CalibrationSearch }) {
  const { t } = useTranslation('calibration')
  const queries = toQueries(search)
  if (!queries) return null
  const { dateTimeStart, dateTimeEnd, locations, statResolutionValue } = queries.load
  // The resolution of deviations depends on the range, as on their page.
  const resolution = kind === 'load' ? { statResolutionValue } : {}
  return (
    <ReportMenu
      group="calibration"
      types={calibrationReports}
      nameOf={(type) => t(`ui:download-${type}`)}
      failure={t('download-failed')}
      requestLink={(reportType, signal) =>
        call(report, {
          query: { dateTimeStart, dateTimeEnd, locations, ...resolution, shows: kind, reportType },
          signal,
        })
      }
    />
  )
}
