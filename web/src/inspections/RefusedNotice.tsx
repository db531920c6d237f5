import { Button } from '@mantine/core'
import type { WireInspection } from '@rogatka/contract/inspections.ts'
import { useTranslation } from 'react-i18next'
import { Notice } from '../ui/Notice.tsx'
import { discardRefused, PHOTO_LOST, retryRefused } from './sending.ts'
import type { InspectionWork } from './useInspectionWork.ts'

/** A step that the server refused, for example as somebody else was faster; what was entered is kept. */
export function RefusedNotice({ inspection, work: { work } }: { inspection: WireInspection; work: InspectionWork }) {
  const { t } = useTranslation('inspections')
  const { refused } = work
  if (!refused) return null
  const { id, officer } = inspection
  return (
    <Notice kind="error">
      <b>{t(`refused-${refused.step}`)}</b>{' '}
      {refused.code === 'inspection-taken-over' && officer
        ? t('taken-over-by', { name: officer.username })
        : refused.code === PHOTO_LOST
          ? t('photo-lost')
          : refused.text}{' '}
      {t('kept')}
      <Notice.Actions>
        {refused.code !== 'inspection-taken-over' && refused.code !== PHOTO_LOST && (
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
