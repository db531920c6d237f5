import type { WireInspection } from '@rogatka/contract/inspections.ts'
import { useRight, useSelf } from '../core/useSelf.ts'
import { useInspectionWork } from './useInspectionWork.ts'

export type InspectionProps = ReturnType<typeof useInspectionProps>

/** An inspection with what the user has entered for it, and may do with it. */
export function useInspectionProps(shown: WireInspection, onBack: () => void) {
  const work = useInspectionWork(shown)
  const { inspection } = work
  const { data: self } = useSelf()
  const isReviewer = useRight('InspectionReview')
  const { state, officer } = inspection
  const isUnsent = (step: string) => work.work.unsent.some((it) => it.step === step)
  // A result that was refused is corrected and sent again.
  const isClosing = isUnsent('close') && work.work.refused?.step !== 'close'
  const isTaken = state === 'takenOver' || state === 'weighed' || isUnsent('take-over')
  const isOfficer = officer ? officer.id === self?.id : isUnsent('take-over')
  return {
    inspection,
    work,
    onBack,
    isReviewer,
    isOfficer,
    /** The user may enter weights and results. */
    canWork: isTaken && (isOfficer || isReviewer) && !isClosing,
    isWeighed: state === 'weighed' || isUnsent('weighing'),
  }
}
