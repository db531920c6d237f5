import { useTranslation } from 'react-i18next'
import { StatusMark } from '../StatusMark.tsx'

/** Whether a station sends data, by its last vehicle; unknown while the list is stale. */
export type StationStatus = 'available' | 'unavailable' | 'unknown'

/** ● available, ⌀ unavailable, ○ unknown. */
export function StationMark({ status }: { status: StationStatus }) {
  const { t } = useTranslation('ui')
  return <StatusMark status={status} label={t(`station-${status}`)} />
}
