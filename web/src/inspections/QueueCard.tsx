import { Button } from '@mantine/core'
import { passBy, type WireInspection } from '@rogatka/contract/inspections.ts'
import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { formatCountdown } from '@rogatka/domain/current/countdown.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { serverNow, useTicking } from '../core/clock.ts'
import { formatClock, useFormat } from '../core/format.ts'
import { queryClient } from '../core/queryClient.ts'
import { useStore } from '../core/store.ts'
import { useRight } from '../core/useSelf.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { ScaleIcon } from '../ui/icons.tsx'
import stretched from '../ui/stretchedLink.module.css'
import { Plate } from '../ui/vehicle/Plate.tsx'
import { Silhouette } from '../ui/vehicle/Silhouette.tsx'
import violationCss from '../ui/vehicle/violation.module.css'
import { WhiteMark } from '../ui/vehicle/WhiteMark.tsx'
import wantedCss from '../ui/vehicle/wanted.module.css'
import { findingsOf, layoutOf, overloadedAxles, useFindingTexts } from '../vehicle/publicApi.ts'
import css from './Queue.module.css'
import { sectionOf } from './queue.ts'
import { takeStep } from './useInspectionWork.ts'
import { progressOf } from './weightEntry.ts'
import { work, workOf } from './work.ts'

/** Reasons on a card. */
const MAX_FINDINGS = 2

type Props = {
  inspection: WireInspection
  userId: number
  /** The queue is of several stations. */
  showsStation: boolean
}

/** An inspection of the queue: plate, time, weight, reasons, and one button under the thumb. */
export function QueueCard({ inspection, userId, showsStation }: Props) {
  const { t } = useTranslation('inspections')
  const { tonnes, excess } = useFormat()
  const { textsOf, markOf } = useFindingTexts()
  const { id, wim, plateLpr, nationality, wanted, passedBy, officer, number, takenOverAt, announced } = inspection
  const hasPlate = wim !== null || plateLpr !== null
  const { entry, refused, unsent } = workOf(useStore(work), id)
  const isClosing = !refused && unsent.some(({ step }) => step === 'close')
  const section = sectionOf(inspection, userId, serverNow())
  const passage = wim as WireVehicle | null
  const mark = markOf(wanted)
  // White-listed vehicles have no violation marks, as in the live list.
  const isWhiteListed = mark?.kind === 'white'
  const findings = passage && !isWhiteListed ? findingsOf(passage).map(textsOf) : []
  const isTaken = section === 'mine' || section === 'ofOthers'
  const checkpoint = wim?.checkpointTime ?? null
  const caption = isTaken
    ? t('in-inspection-since', { time: formatClock(takenOverAt) })
    : section === 'passed'
      ? t(passedBy ? 'passed-at' : 'due-since', { time: formatClock(checkpoint ?? passedBy?.at) })
      : t('to-checkpoint')
  const plate = plateLpr ? displayPlate(plateLpr, nationality) : t('vehicle:unreadable-plate')
  const worst = inspection.static?.excesses[0]
  const progress = entry ? progressOf(entry) : null
  const progressText = progress && progress.done > 0 && t('axles-weighed', progress)
  // Replaces the second reason; null: there is nothing to add.
  const note = isClosing
    ? t('closing-unsent')
    : isTaken
      ? [progressText, officer?.username].filter(Boolean).join(' · ')
      : refused || section === 'passed'
        ? t('announced-at', { time: formatClock(announced.at) })
        : null
  const isWanted = mark?.kind === 'wanted'
  const maxFindings = mark ? 0 : note === null ? MAX_FINDINGS : 1
  const label = [
    hasPlate ? `${plateLpr ? (nationality ?? '?') : ''} ${plate}`.trim() : number,
    mark && `${mark.label}: ${mark.description}`,
    showsStation && inspection.location.shortName,
    caption,
    wim?.totalLoad != null && `${tonnes(wim.totalLoad)} t`,
    findings.length > 0 && t('violations', { count: findings.length }),
    worst && excess(worst.percent),
    isClosing ? t('closing-unsent') : officer?.username,
  ]
  return (
    <article
      className={isWanted && section !== 'passed' ? `${css.card} ${wantedCss.wanted}` : css.card}
      data-place={section}
      data-violating={findings.length > 0 || undefined}
      data-wanted={isWanted || undefined}
      data-timing={isTaken ? 'elapsed' : undefined}
    >
      <i className={css.edge} />
      <Link
        className={`${stretched.link} ${css.plate}`}
        to="/inspections/$id"
        params={{ id }}
        aria-label={label.filter(Boolean).join(', ')}
      >
        {hasPlate ? (
          <Plate plate={plateLpr} nationality={nationality} unreadable={t('vehicle:unreadable-plate')} />
        ) : (
          <b className={css.number}>{number}</b>
        )}
      </Link>
      <span className={css.time}>
        {isTaken && <ScaleIcon size={18} />}
        <CardTime checkpoint={checkpoint} since={isTaken ? takenOverAt : null} />
      </span>
      <div className={css.vehicle}>
        {!passage && <span className={css.remark}>{inspection.note}</span>}
        {passage && (
          <Silhouette
            category={passage.ctg8p1}
            layout={layoutOf(passage)}
            overloaded={isWhiteListed ? [] : overloadedAxles(passage)}
            height={22}
          />
        )}
        {wim?.totalLoad != null && (
          <span className={wim.overload ? `${css.weight} ${css.red}` : css.weight}>
            {tonnes(wim.totalLoad)} <small>t</small>
          </span>
        )}
        <span className={css.caption}>{showsStation ? `${inspection.location.shortName} · ${caption}` : caption}</span>
      </div>
      <div className={css.reasons}>
        {mark?.kind === 'wanted' && <b className={css.wantedLabel}>{mark.label}</b>}
        {isWhiteListed && <WhiteMark label={mark.label} description={mark.description} />}
        {mark?.kind === 'wanted' && <span className={css.wantedText}>{mark.description}</span>}
        {findings.slice(0, maxFindings).map(({ name, excess }) => (
          <span key={name} className={violationCss.violation}>
            {name}
            {'\u2002'}
            {excess && <b className={violationCss.excess}>{excess}</b>}
          </span>
        ))}
        {refused ? (
          <b className={css.refused}>{t(`refused-${refused.step}`)}</b>
        ) : (
          note !== null && !(isWanted && !isTaken && !isClosing) && <span className={css.note}>{note}</span>
        )}
      </div>
      <CardButton inspection={inspection} section={section} plate={plate} isClosing={isClosing} />
    </article>
  )
}

/** Time to the checkpoint, or since the vehicle was taken over. */
function CardTime({ checkpoint, since }: { checkpoint: string | null; since: string | null }) {
  const text = useCallback(
    (now: number) => {
      if (since !== null) return formatCountdown(Math.max(0, Math.floor((now - Date.parse(since)) / 1_000)))
      return checkpoint === null ? '–' : formatCountdown(Math.ceil((Date.parse(checkpoint) - now) / 1_000))
    },
    [checkpoint, since],
  )
  return <b role="timer" data-countdown={since === null ? true : undefined} ref={useTicking(text)} />
}

type ButtonProps = {
  inspection: WireInspection
  section: ReturnType<typeof sectionOf>
  plate: string
  /** Its closing waits to be sent. */
  isClosing: boolean
}

function CardButton({ inspection, section, plate, isClosing }: ButtonProps) {
  const { t } = useTranslation('inspections')
  const navigate = useNavigate()
  const showWarning = useWarningToast()
  const isAnonymised = useRight('Anonymization')
  const { id, version, state } = inspection
  const open = () => void navigate({ to: '/inspections/$id', params: { id } })
  const pass = useMutation({
    mutationFn: () => call(passBy, { params: { id }, body: { version } }),
    onError: (error) => showWarning(t('step-failed'), error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['inspections'] }),
  })
  const take = () => {
    takeStep(id, { step: 'take-over', body: {} })
    open()
  }
  if (section === 'mine' && !isClosing)
    return (
      <Button className={css.button ?? ''} onClick={open} aria-label={t('finish-of', { plate })}>
        {t('go-on')}
      </Button>
    )
  // Users of anonymised data take no step.
  if (section === 'ofOthers' || isClosing || isAnonymised)
    return (
      <Button className={css.button ?? ''} variant="default" onClick={open} aria-label={t('open-of', { plate })}>
        {t('open')}
      </Button>
    )
  const takeButton = (
    <Button className={css.button ?? ''} variant="default" onClick={take} aria-label={t('take-over-of', { plate })}>
      {t('take-over')}
    </Button>
  )
  // It may be late: the server ends the announcement after a while.
  if (section === 'passed' && state === 'announced')
    return (
      <div className={css.buttons}>
        <Button
          className={css.button ?? ''}
          variant="subtle"
          loading={pass.isPending}
          onClick={() => pass.mutate()}
          aria-label={t('has-passed-of', { plate })}
        >
          {t('has-passed')}
        </Button>
        {takeButton}
      </div>
    )
  return takeButton
}
