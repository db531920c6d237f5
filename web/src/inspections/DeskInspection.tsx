import { Button, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMinute, formatTime, useFormat } from '../core/format.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { FactList } from '../ui/FactList.tsx'
import { LeftIcon } from '../ui/icons.tsx'
import { Kbd } from '../ui/Kbd.tsx'
import { Plate } from '../ui/vehicle/Plate.tsx'
import { ComparedAxles } from './ComparedAxles.tsx'
import { Comparison } from './Comparison.tsx'
import css from './Desk.module.css'
import { DraftNotice } from './DraftNotice.tsx'
import { Facts } from './Facts.tsx'
import { InspectionActions } from './InspectionActions.tsx'
import { lastTakenAt } from './lastTakenAt.ts'
import { PassageLink } from './PassageLink.tsx'
import { Photos } from './Photos.tsx'
import { ProtocolButton } from './ProtocolButton.tsx'
import { RefusedNotice } from './RefusedNotice.tsx'
import { ReopenedNotice } from './ReopenedNotice.tsx'
import { ResultFigures, ResultVerdict } from './ResultFigures.tsx'
import { ResultForm } from './ResultForm.tsx'
import { useInspectionTexts } from './texts.ts'
import type { InspectionProps } from './useInspectionProps.ts'
import { WeighingStep } from './WeighingStep.tsx'

/** An inspection on a desk: comparison and axles on the left, results on the right. */
export function DeskInspection(props: InspectionProps) {
  const { inspection, work, onBack, canWork, isWeighed } = props
  const { t } = useTranslation('inspections')
  // A correction that was not sent goes on where it was left.
  const [isWeighing, setWeighing] = useState(work.draft === 'changed' || work.draft === 'incomplete')
  const [isAsked, setAsked] = useState(false)
  /** The button that was pressed is gone, or leads to the weights. */
  const [takesFocus, setTakesFocus] = useState(false)
  const correct = () => {
    setTakesFocus(true)
    setWeighing(true)
  }
  const { id, number, location, weighed, officer } = inspection
  const takenAt = lastTakenAt(inspection)
  const crumbs = [
    `${t('inspection')} ${number}`,
    location.shortName,
    weighed
      ? `${t('weighed')} ${formatMinute(weighed.at)}, ${weighed.by.username}`
      : takenAt && `${t('taken-over')} ${formatMinute(takenAt)}, ${officer?.username}`,
  ]
  const isUnsent = work.work.unsent.some(({ step }) => step === 'weighing')
  const showsWeighing = canWork && (isWeighing || !isWeighed)
  return (
    <PageLayout
      title={
        <nav className={css.breadcrumb} aria-label={t('vehicle:breadcrumb')}>
          <Button variant="default" leftSection={<LeftIcon />} rightSection={<Kbd>Esc</Kbd>} onClick={onBack}>
            {t('ui:back')}
          </Button>
          <span>{crumbs.filter(Boolean).join(' · ')}</span>
        </nav>
      }
      actions={
        <>
          {inspection.wim && <PassageLink passage={inspection.wim} />}
          <ProtocolButton id={id} />
        </>
      }
    >
      <div className={css.desk} data-toasts="bar">
        <RefusedNotice inspection={inspection} work={work} onBack={onBack} />
        {canWork && <ReopenedNotice inspection={inspection} />}
        <Head {...props} />
        <div className={css.columns}>
          <div className={css.left}>
            {showsWeighing ? (
              <section className={css.panel}>
                <WeighingStep
                  inspection={inspection}
                  work={work}
                  onDone={() => setWeighing(false)}
                  takesFocus={takesFocus}
                >
                  <DraftNotice work={work} isAsked={isAsked} onKept={() => setWeighing(false)} />
                </WeighingStep>
              </section>
            ) : inspection.static && !isUnsent ? (
              <>
                <Comparison inspection={inspection} />
                <ComparedAxles inspection={inspection} />
                {canWork && (
                  <Button variant="default" onClick={correct}>
                    {t('correct-weights')}
                  </Button>
                )}
              </>
            ) : (
              <section className={css.panel}>
                {isUnsent && <ResultFigures work={work} />}
                <p className={css.none}>{t(isWeighed ? 'weights-unsent' : 'not-weighed')}</p>
              </section>
            )}
          </div>
          <div className={`${css.panel} ${css.right}`}>
            {isWeighed && !showsWeighing && <ResultVerdict inspection={inspection} work={work} />}
            {canWork ? (
              <ResultForm
                inspection={inspection}
                work={work}
                isWeighed={isWeighed}
                onClosed={onBack}
                onIncomplete={() => {
                  setAsked(true)
                  correct()
                }}
              />
            ) : (
              <>
                <Facts inspection={inspection} />
                {inspection.photos.length > 0 && <Photos inspection={inspection} work={work} isChangeable={false} />}
              </>
            )}
            <InspectionActions {...props} />
          </div>
        </div>
      </div>
    </PageLayout>
  )
}

/** Vehicle, station and class; WIM, static weight and their difference. */
function Head({ inspection, work }: InspectionProps) {
  const { t } = useTranslation('inspections')
  const { tonnes, number } = useFormat()
  const { difference } = useInspectionTexts()
  const { wim, static: weighing, location } = inspection
  // Stored weights that are being corrected are not those of the result.
  const isCurrent = work.isStored
  const isOver = isCurrent && inspection.confirmed === true
  const load = isCurrent ? (weighing?.gross.load ?? null) : null
  const measured = wim?.totalLoad ?? null
  // Later ones correct the first.
  const weighings = inspection.steps?.filter(({ step }) => step === 'weighed') ?? []
  const [first, last] = [weighings[0], weighings.at(-1)]
  const facts: [string, string][] = [
    [t('station-and-lane'), [location.shortName, wim?.lane.laneNumber].filter(Boolean).join(', ')],
    [t('vehicle:category-8p1'), inspection.ctg8p1 === null ? '–' : String(inspection.ctg8p1)],
    [t('class'), wim?.lane.accuracyClass?.name ?? '–'],
  ]
  return (
    <section className={css.head} data-over={isOver || undefined}>
      <VisuallyHidden component="h1">{`${t('inspection')} ${inspection.number}`}</VisuallyHidden>
      <Plate
        plate={inspection.plateLpr}
        nationality={inspection.nationality}
        size="l"
        unreadable={t(wim ? 'vehicle:unreadable-plate' : 'no-passage')}
      />
      <FactList facts={facts} className={css.about} />
      <div className={css.figures}>
        {wim && (
          <Figure value={tonnes(measured)} unit="t" note={`WIM ${formatTime(wim.createdAt)}`} className={css.quiet} />
        )}
        {weighing && isCurrent && (
          <Figure
            value={tonnes(load)}
            unit="t"
            note={[
              `${t('statically')} ${formatTime(first?.at ?? inspection.weighed?.at)}`,
              last && last !== first && t('corrected-at', { time: formatTime(last.at) }),
            ]
              .filter(Boolean)
              .join(', ')}
            className={isOver ? css.red : undefined}
          />
        )}
        {measured !== null && load !== null && (
          <Figure
            value={difference((100 * (measured - load)) / load).replace(/\s?%$/, '')}
            unit="%"
            note={`${t('difference')} ${measured > load ? '+' : ''}${number(measured - load)} kg`}
          />
        )}
      </div>
    </section>
  )
}

type FigureProps = { value: string; unit: string; note: string; className?: string | undefined }

const Figure = ({ value, unit, note, className }: FigureProps) => (
  <div className={className}>
    <b>
      {value}
      <small>{unit}</small>
    </b>
    <span>{note}</span>
  </div>
)
