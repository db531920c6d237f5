import { Button } from '@mantine/core'
import type { WireInspection } from '@rogatka/contract/inspections.ts'
import { useTranslation } from 'react-i18next'
import { useRight, useSelf } from '../core/useSelf.ts'
import { Notice } from '../ui/Notice.tsx'
import { discardRefused, PHOTO_LOST, retryRefused } from './sending.ts'
import { useInspectionTexts } from './texts.ts'
import type { InspectionWork } from './useInspectionWork.ts'

/** Codes of steps that came too late, unless the user may take the steps of others. */
const CONFLICTS: readonly (string | null)[] = ['version-outdated', 'forbidden']

/** A step that the server refused, for example as somebody else was faster; what was entered is kept, and named. */
export function RefusedNotice({ inspection, work }: { inspection: WireInspection; work: InspectionWork }) {
  const { t } = useTranslation('inspections')
  const { withUnit } = useInspectionTexts()
  const { data: self } = useSelf()
  const isReviewer = useRight('InspectionReview')
  const { refused } = work.work
  if (!refused) return null
  const { id, officer } = inspection
  const isOutdated = CONFLICTS.includes(refused.code) && !isReviewer
  const isOfOther =
    (isOutdated || refused.code === 'inspection-taken-over') && officer !== null && officer.id !== self?.id
  const load = refused.step === 'weighing' ? work.evaluation.gross.load : null
  const texts = [
    isOfOther
      ? t('taken-over-by', { name: officer.username })
      : refused.code === PHOTO_LOST
        ? t('photo-lost')
        : refused.text,
    load !== null && t('entered-weight', { value: withUnit(load) }),
    // The text of the error says so, too.
    (isOfOther || refused.code !== 'version-outdated') && refused.code !== PHOTO_LOST && t('kept'),
  ]
  return (
    <Notice kind="error">
      <b>{t(`refused-${refused.step}`)}</b> {texts.filter(Boolean).join(' ')}
      <Notice.Actions>
        {!isOfOther && refused.code !== PHOTO_LOST && (
          <Button variant="default" size="xs" onClick={() => void retryRefused(id)}>
            {t('ui:try-again')}
          </Button>
        )}
        <Button variant="default" size="xs" onClick={() => discardRefused(id)}>
          {t('discard-refused')}
        </Button>
      </Notice.Actions>
    </Notice>
  )
}
