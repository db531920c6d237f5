import * as archive from '@rogatka/contract/archive.ts'
import * as current from '@rogatka/contract/current.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { type Download, download, useDownload } from '../core/downloads.ts'
import { keyOf, type VehicleLocator } from './useVehicle.ts'

/** Evidence sheet, or the evidence package. */
type Evidence = 'pdf-with-image' | 'zip'

function requestReport(locator: VehicleLocator, reportType: Evidence, signal: AbortSignal) {
  const { source, id } = locator
  return source === 'live'
    ? call(current.report, { params: { id }, query: { ...keyOf(locator), reportType }, signal })
    : call(archive.report, { query: { ...keyOf(locator), id, reportType, withTags: true }, signal })
}

/** Download of a vehicle's evidence; shows errors above the page. */
export function useVehicleReport(locator: VehicleLocator): {
  running: Download | null
  startDownload: (type: Evidence) => void
} {
  const { t } = useTranslation('vehicle')
  const group = `vehicle ${locator.id}`
  return {
    running: useDownload(group),
    startDownload: (type) =>
      void download({
        group,
        item: type,
        failure: t('ui:file-failed'),
        requestLink: (signal) => requestReport(locator, type, signal),
      }),
  }
}
