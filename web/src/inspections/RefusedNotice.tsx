import { Button } from '@mantine/core'
import type { WireInspection } from '@rogatka/contract/inspections.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatClock, useFormat } from '../core/format.ts'
import { useRight, useSelf } from '../core/useSelf.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { Notice } from '../ui/Notice.tsx'
import { conflictOf, loadsOf } from './conflict.ts'
import { lastTakenAt } from './lastTakenAt.ts'
import { discardRefused, PHOTO_LOST, retryRefused } from './sending.ts'
import { aboutOf, useInspectionTexts } from './texts.ts'
import type { InspectionWork } from './useInspectionWork.ts'
import { enteredWeights } from './weightEntry.ts'

type Props = { inspection: WireInspection; work: InspectionWork; onBack: () => void }

/** A step that the server refused, for example as somebody else was faster; what was entered is kept, and shown beside what is stored. */
export function RefusedNotice({ inspection, work, onBack }: Props) {
  const { t } = useTranslation('inspections')
  const { data: self } = useSelf()
  const isReviewer = useRight('InspectionReview')
  const weights = useWeights({ inspection, work })
  const [isAsked, setAsked] = useState(false)
  const { refused } = work.work
  if (!refused) return null
  const { id, officer, reason, number } = inspection
  const isOfOther = officer !== null && self !== undefined && officer.id !== self.id
  const { isLost, canRetry } = conflictOf(refused, { isOfOther, isReviewer })
  const hasInput = hasInputOf(work.work)
  const isPhotoLost = refused.code === PHOTO_LOST
  const takenText = () => {
    const name = officer?.username
    const taken = t('taken-over-by-at', { name, time: formatClock(lastTakenAt(inspection)) })
    // Only a take-over from another officer has a reason.
    const isFromAnother = refused.step !== 'take-over' && reason
    return isFromAnother ? `${taken} ${t('reason')}: ${reason}.` : taken
  }
  const texts = [
    isLost ? takenText() : isPhotoLost ? t('photo-lost') : refused.text,
    // The text of the error says so, too.
    hasInput && (isLost || refused.code !== 'version-outdated') && !isPhotoLost && t('kept'),
  ]
  const discard = () => {
    setAsked(false)
    discardRefused(id)
  }
  const shown = weights.map((text) => <p key={text}>{text}</p>)
  return (
    <Notice kind="error">
      <b>{t(`refused-${refused.step}`)}</b> {texts.filter(Boolean).join(' ')}
      {!isPhotoLost && shown}
      <Notice.Actions>
        {canRetry && (
          <Button variant="default" size="xs" onClick={() => void retryRefused(id)}>
            {t('ui:try-again')}
          </Button>
        )}
        {isLost && !hasInput ? (
          <Button
            variant="default"
            size="xs"
            onClick={() => {
              discard()
              onBack()
            }}
          >
            {t('to-queue')}
          </Button>
        ) : (
          <Button variant="default" size="xs" onClick={isPhotoLost ? discard : () => setAsked(true)}>
            {t('discard-refused')}
          </Button>
        )}
      </Notice.Actions>
      <ConfirmDialog
        title={t('discard-question')}
        open={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={discard}
        confirmLabel={t('discard-refused')}
        destructive
      >
        <p>{aboutOf(number, inspection)}</p>
        {shown}
      </ConfirmDialog>
    </Notice>
  )
}

/** Whether the officer entered anything, besides taking the inspection over. */
const hasInputOf = ({ entry, outcome, photos, unsent }: InspectionWork['work']): boolean =>
  entry !== null ||
  photos.length > 0 ||
  Object.values(outcome).some(Boolean) ||
  unsent.some(({ step }) => step !== 'take-over')

/** The weights that were typed, and those that are stored. */
function useWeights({ inspection, work: { work, entry } }: Omit<Props, 'onBack'>): string[] {
  const { t } = useTranslation('inspections')
  const { tonnes } = useFormat()
  const { withUnit } = useInspectionTexts()
  const textOf = (loads: ReturnType<typeof loadsOf>) =>
    loads && [loads.parts.map(tonnes).join(' + '), withUnit(loads.total)].filter(Boolean).join(' = ')
  const { static: stored, weighed } = inspection
  const typed = work.entry && textOf(loadsOf(enteredWeights(entry)))
  const kept =
    stored &&
    textOf(
      loadsOf({
        axles: stored.axles?.map(({ load }) => load) ?? null,
        groups: stored.groups.map(({ axles, load }) => ({ axles: axles.length, load })),
        gross: stored.gross.load,
      }),
    )
  return [
    typed && t('entered-weight', { value: typed }),
    typed && kept && t('stored-weight', { value: kept, name: weighed?.by.username, time: formatClock(weighed?.at) }),
  ].filter((text): text is string => Boolean(text))
}
