import { useNetwork } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { connection } from '../core/connection.ts'
import { formatTime } from '../core/format.ts'
import { useStore } from '../core/store.ts'
import css from './Result.module.css'
import type { InspectionWork } from './useInspectionWork.ts'
import { hasUnsent } from './work.ts'

type Props = {
  work: InspectionWork
  /** Also a draft that is not to be sent yet. */
  isDraftShown?: boolean
}

/** Where the input is: on the device only, or a draft beside what the server has; whether the server is away. */
export function SavedLine({ work: { work, draft }, isDraftShown = true }: Props) {
  const { t } = useTranslation('inspections')
  const { online } = useNetwork()
  const { state } = useStore(connection)
  const isOffline = !online || state === 'lost'
  const time = formatTime(work.savedAt)
  const hasDraft =
    isDraftShown && (draft === 'changed' || draft === 'incomplete' || Object.values(work.outcome).some(Boolean))
  const saved = hasUnsent(work) && !work.refused ? t('saved-unsent', { time }) : hasDraft ? t('saved', { time }) : ''
  if (!isDraftShown && !saved && !isOffline) return null
  return (
    <p className={css.saved} role="status">
      {isOffline ? `${t('offline')} · ${saved || t('offline-kept')}` : saved}
    </p>
  )
}
