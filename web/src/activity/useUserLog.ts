import { userLog } from '@rogatka/contract/activity.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { download, useDownload } from '../core/downloads.ts'

const DOWNLOAD_GROUP = 'user-log'

/** Downloads a user's log of the last seven days as a ZIP; one at a time. */
export function useUserLog() {
  const { t } = useTranslation('activity')
  const running = useDownload(DOWNLOAD_GROUP)
  return {
    isRunning: running !== null,
    fetch: (id: number) =>
      void download({
        group: DOWNLOAD_GROUP,
        item: String(id),
        failure: t('log-failed'),
        requestLink: (signal) => call(userLog, { params: { id }, signal }),
      }),
  }
}
