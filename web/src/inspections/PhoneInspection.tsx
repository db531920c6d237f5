import { VisuallyHidden } from '@mantine/core'
import { formatCountdown } from '@rogatka/domain/current/countdown.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useTicking } from '../core/clock.ts'
import { Main } from '../core/frame/Main.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { LeftIcon, ScaleIcon } from '../ui/icons.tsx'
import { Plate } from '../ui/vehicle/Plate.tsx'
import { Comparison } from './Comparison.tsx'
import { DraftNotice } from './DraftNotice.tsx'
import { Facts } from './Facts.tsx'
import css from './Inspection.module.css'
import { InspectionActions } from './InspectionActions.tsx'
import { Photos } from './Photos.tsx'
import { ProtocolButton } from './ProtocolButton.tsx'
import { RefusedNotice } from './RefusedNotice.tsx'
import { ReopenedNotice } from './ReopenedNotice.tsx'
import { ResultFigures, ResultVerdict } from './ResultFigures.tsx'
import { ResultForm } from './ResultForm.tsx'
import { SavedLine } from './SavedLine.tsx'
import type { InspectionProps } from './useInspectionProps.ts'
import { WeighingStep } from './WeighingStep.tsx'

/** An inspection on a phone: weighing, then result, without the navigation of the portal. */
export function PhoneInspection(props: InspectionProps) {
  const { inspection, work, onBack, canWork, isWeighed } = props
  const { t } = useTranslation('inspections')
  const [step, setStep] = useState<'weighing' | 'result'>(
    (isWeighed && work.draft !== 'incomplete') || inspection.results.length > 0 ? 'result' : 'weighing',
  )
  const [isAsked, setAsked] = useState(false)
  const askForWeights = () => {
    setAsked(true)
    setStep('weighing')
  }
  const isResult = canWork && step === 'result'
  const hasWeights = isWeighed || work.draft === 'changed'
  const title = useRef<HTMLHeadingElement>(null)
  const heading = canWork ? t(isResult ? 'result' : 'weighing') : t('inspection')
  // The control that was pressed may be gone with its step.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the step
  useEffect(() => {
    if (document.activeElement === document.body) title.current?.focus()
  }, [heading])
  return (
    <div className={css.phone} data-immersive data-toasts="bar">
      <header className={css.top}>
        <IconButton
          aria-label={t(isResult ? 'back-to-weighing' : 'back-to-queue')}
          onClick={isResult ? () => setStep('weighing') : onBack}
        >
          <LeftIcon size={20} />
        </IconButton>
        <VisuallyHidden component="h1" ref={title} tabIndex={-1}>{`${heading} ${inspection.number}`}</VisuallyHidden>
        {inspection.wim || inspection.plateLpr ? (
          <Plate
            plate={inspection.plateLpr}
            nationality={inspection.nationality}
            unreadable={t('vehicle:unreadable-plate')}
          />
        ) : (
          <div className={css.unmeasured}>
            <b>{inspection.number}</b>
            {inspection.note && <span>{inspection.note}</span>}
          </div>
        )}
        {inspection.takenOverAt && canWork && <Elapsed since={inspection.takenOverAt} />}
      </header>
      <Main>
        <RefusedNotice inspection={inspection} work={work} onBack={onBack} />
        {canWork && <ReopenedNotice inspection={inspection} />}
        {!canWork && (
          <div className={css.summary}>
            <Facts inspection={inspection} />
            <InspectionActions {...props} />
            {inspection.static && <Comparison inspection={inspection} />}
            {inspection.photos.length > 0 && <Photos inspection={inspection} work={work} isChangeable={false} />}
            <ProtocolButton id={inspection.id} />
          </div>
        )}
        {canWork && !isResult && (
          <WeighingStep inspection={inspection} work={work} onDone={() => setStep('result')}>
            <SavedLine work={work} isDraftShown={false} />
            <DraftNotice work={work} isAsked={isAsked} onKept={() => setStep('result')} />
            {!isWeighed && (
              <button type="button" className={css.skip} onClick={() => setStep('result')}>
                {t('without-weighing')}
              </button>
            )}
          </WeighingStep>
        )}
        {isResult && (
          <>
            {hasWeights && <ResultFigures work={work} />}
            {hasWeights && (
              <div className={css.verdict}>
                <ResultVerdict inspection={inspection} work={work} />
              </div>
            )}
            <ResultForm
              inspection={inspection}
              work={work}
              isWeighed={isWeighed}
              onClosed={onBack}
              onIncomplete={askForWeights}
            />
          </>
        )}
      </Main>
    </div>
  )
}

/** Time since the officer took it over. */
function Elapsed({ since }: { since: string }) {
  const text = useCallback(
    (now: number) => formatCountdown(Math.max(0, Math.floor((now - Date.parse(since)) / 1_000))),
    [since],
  )
  return (
    <span className={css.elapsed}>
      <ScaleIcon size={18} />
      <b role="timer" ref={useTicking(text)} />
    </span>
  )
}
