import { Menu } from '@mantine/core'
import { calibrationReports, report } from '@rogatka/contract/calibration.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { download, useDownload } from '../core/downloads.ts'
import { FileMenu } from '../ui/FileMenu.tsx'
import { type CalibrationSearch, type Kind, toQueries } from './search.ts'

const DOWNLOAD_GROUP = 'calibration'

/** Downloads of the result: table, chart, reference and criteria. */
export function DownloadMenu({ kind, search }: { kind: Kind; search: CalibrationSearch }) {
  const { t } = useTranslation('calibration')
  const running = useDownload(DOWNLOAD_GROUP)
  const queries = toQueries(search)
  if (!queries) return null
  const { dateTimeStart, dateTimeEnd, locations, statResolutionValue } = queries.load
  // The resolution of deviations depends on the range, as on their page.
  const resolution = kind === 'load' ? { statResolutionValue } : {}
  const startDownload = (reportType: (typeof calibrationReports)[number]) =>
    void download({
      group: DOWNLOAD_GROUP,
      item: reportType,
      failure: t('download-failed'),
      requestLink: (signal) =>
        call(report, {
          query: { dateTimeStart, dateTimeEnd, locations, ...resolution, shows: kind, reportType },
          signal,
        }),
    })
  return (
    <FileMenu
      label={t('ui:download')}
      isPreparing={running !== null}
      isDisabled={running !== null}
      reason={running ? t('ui:download-running') : undefined}
    >
      {calibrationReports.map((type) => (
        <Menu.Item key={type} onClick={() => startDownload(type)}>
          {t(`ui:download-${type}`)}
        </Menu.Item>
      ))}
    </FileMenu>
  )
}
