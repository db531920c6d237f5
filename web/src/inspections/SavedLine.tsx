import { useTranslation } from 'react-i18next'
import { formatTime } from '../core/format.ts'
import css from './Result.module.css'
import type { InspectionWork } from './useInspectionWork.ts'
import { hasUnsent } from './work.ts'

/** Where the input is: on the device only, or a draft beside what the server has; nothing without input. */
export function SavedLine({ work: { work, draft } }: { work: InspectionWork }) {
  const { t } = useTranslation('inspections')
  const time = formatTime(work.savedAt)
  const hasDraft = draft === 'changed' || draft === 'incomplete' || Object.values(work.outcome).some(Boolean)
  return (
    <p className={css.saved} role="status">
      {hasUnsent(work) && !work.refused ? t('saved-unsent', { time }) : hasDraft ? t('saved', { time }) : ''}
    </p>
  )
}
