import type { WireOf } from '@rogatka/contract/endpoint.ts'
import { report, trafficReports } from '@rogatka/contract/statistics-distributions.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { ReportMenu } from '../core/frame/ReportMenu.tsx'
import { figureRows } from './figureRows.ts'
import type { Period } from './search.ts'
import type { FigureFilters } from './useTraffic.ts'

type Props = {
  ids: readonly number[]
  period: Period
  filters?: FigureFilters & Pick<WireOf<typeof report, 'query'>, 'loadCtg8p1'>
}

/** Downloads: all figures and distributions of the stations as a workbook or table. */
export function TrafficDownload({ ids, period: { from, until }, filters = {} }: Props) {
  const { t } = useTranslation('traffic')
  return (
    <ReportMenu
      group="traffic"
      types={trafficReports}
      nameOf={(type) => t(`download-${type}`)}
      failure={t('download-failed')}
      sizeOf={() => ({ rows: figureRows(ids.length, { from, until }), isEstimate: true })}
      requestLink={(reportType, signal) =>
        call(report, { query: { from, until, locations: [...ids], ...filters, reportType }, signal })
      }
    />
  )
}
