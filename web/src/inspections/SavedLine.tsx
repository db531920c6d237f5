import { useTranslation } from 'react-i18next'
import { formatTime } from '../core/format.ts'
import css from './Result.module.css'
import type { InspectionWork } from './useInspectionWork.ts'
import { hasUnsent } from './work.ts'

/** Where the input is: on the device only, or a draft beside what the server has. */
export function SavedLine({ work: { work } }: { work: InspectionWork }) {
  const { t } = useTranslation('inspections')
  const time = formatTime(work.savedAt)
  return (
    <p className={css.saved} role="status">
      {hasUnsent(work) && !work.refused ? t('saved-unsent', { time }) : work.savedAt ? t('saved', { time }) : ''}
    </p>
  )
}
