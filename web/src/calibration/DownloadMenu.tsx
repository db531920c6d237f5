import { calibrationReports, report, type WireCalibration } from '@rogatka/contract/calibration.ts'
import { calibrationPages } from '@rogatka/domain/calibration/document.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { ReportMenu } from '../core/frame/ReportMenu.tsx'
import { type CalibrationSearch, type Kind, toQueries } from './search.ts'
import { calibrationQuery } from './useCalibration.ts'

/** Downloads of the result: table, chart, reference and criteria. */
export function DownloadMenu({ kind, search }: { kind: Kind; search: CalibrationSearch }) {
  const { t, i18n } = useTranslation('calibration')
  // As shown by the page.
  const { data } = useQuery({ ...calibrationQuery(kind, search, i18n.language), enabled: false })
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
      sizeOf={(type) => (data ? sizeOf(type, data) : null)}
      requestLink={(reportType, signal) =>
        call(report, {
          query: { dateTimeStart, dateTimeEnd, locations, ...resolution, shows: kind, reportType },
          signal,
        })
      }
    />
  )
}

/** Pages of the document, or rows of the tables of all lanes. */
function sizeOf(type: (typeof calibrationReports)[number], stations: readonly WireCalibration[]) {
  const lanes = stations.flatMap((station) => station.lanes)
  const periods = lanes[0]?.periods.length ?? 0
  return type === 'pdf' ? { pages: calibrationPages(lanes.length, periods) } : { rows: lanes.length * periods }
}
