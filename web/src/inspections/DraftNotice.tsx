import { useTranslation } from 'react-i18next'
import css from './Inspection.module.css'
import type { InspectionWork } from './useInspectionWork.ts'

type Props = {
  work: InspectionWork
  /** The weights are needed to finish the inspection. */
  isAsked: boolean
  /** Stored weights are kept. */
  onKept: () => void
}

/** Above the keypad while stored weights are corrected: that they are incomplete, and how to keep the stored ones. */
export function DraftNotice({ work, isAsked, onKept }: Props) {
  const { t } = useTranslation('inspections')
  const { draft, dropDraft, inspection } = work
  const canKeep = inspection.state === 'weighed' && !work.work.unsent.some(({ step }) => step === 'weighing')
  const keep = () => {
    dropDraft()
    onKept()
  }
  return (
    <>
      {isAsked && draft === 'incomplete' && (
        <p className={css.incomplete} role="alert">
          {t('weights-incomplete')}
        </p>
      )}
      {canKeep && (
        <button type="button" className={css.skip} onClick={keep}>
          {t('keep-weights')}
        </button>
      )}
    </>
  )
}
