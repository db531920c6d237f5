import { VisuallyHidden } from '@mantine/core'
import { BLACK } from '@rogatka/contract/options.ts'
import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { violations } from '@rogatka/contract/vehicle.ts'
import { categoryOf } from '@rogatka/domain/current/match.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../core/copyText.ts'
import { formatDate, formatTime, MISSING, useFormat } from '../core/format.ts'
import { useSelf } from '../core/useSelf.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { Plate } from '../ui/vehicle/Plate.tsx'
import violationCss from '../ui/vehicle/violation.module.css'
import { SignButton } from './SignButton.tsx'
import { useCountdown } from './useCountdown.ts'
import { useFilterTexts } from './useFilterTexts.ts'
import { findingsOf, useFindingTexts } from './useFindings.ts'
import { usePhase } from './usePhase.ts'
import type { Source } from './useVehicle.ts'
import css from './VehicleHeader.module.css'

/** Plate, place and time of the measurement, findings; live vehicles also with the countdown and the sign button. */
export function VehicleHeader({ source, vehicle }: { source: Source; vehicle: WireVehicle }) {
  const { t } = useTranslation('vehicle')
  const { number } = useFormat()
  const { categoryName } = useFilterTexts()
  const { textsOf } = useFindingTexts()
  const { plateLpr, nationality, location, lane, speed, wanted, importId } = vehicle
  // White-listed vehicles have no violation marks; values over a limit stay red.
  const hasViolation = violations.some((violation) => vehicle[violation]) && (!wanted || wanted.typeOfList === BLACK)
  const findings = hasViolation ? findingsOf(vehicle) : []
  const facts: [string, ReactNode, boolean?][] = [
    [t('ui:station'), location.shortName],
    [t('category-8p1'), categoryName(categoryOf(vehicle.ctg8p1))],
    [t('ui:lane'), String(lane.laneNumber)],
    [t('category-cost'), vehicle.ctg323 === null ? MISSING : String(vehicle.ctg323)],
    [t('vehicle-number'), <VehicleNumber key="id" id={vehicle.id} />],
    [t('speed'), speed === null ? MISSING : `${number(speed)} km/h`, vehicle.overspeed],
    [t('registered-on'), formatDate(vehicle.createdAt)],
    [t('registered-time'), formatTime(vehicle.createdAt)],
    ...(importId === undefined ? [] : [[t('source'), t('source-import', { number: importId })] as [string, string]]),
  ]
  return (
    <section className={hasViolation ? `${css.identity} ${css.violating}` : css.identity}>
      {wanted && (
        <p className={wanted.typeOfList === BLACK ? css.wanted : css.white}>
          <b>{t(wanted.typeOfList === BLACK ? 'wanted' : 'white-listed')}</b>
          <span>{wanted.description}</span>
        </p>
      )}
      <div className={css.head}>
        <VisuallyHidden component="h1">
          {t('vehicle', { plate: plateLpr ? displayPlate(plateLpr, nationality) : t('unreadable-plate') })}
        </VisuallyHidden>
        <Plate plate={plateLpr} nationality={nationality} size="l" unreadable={t('unreadable-plate')} />
        <div className={css.about}>
          {findings.length > 0 && (
            <ul className={css.findings} aria-label={t('findings')}>
              {findings.map(textsOf).map(({ name, excess }) => (
                <li key={name} className={violationCss.violation}>
                  {name}
                  {excess && <b className={violationCss.excess}> {excess}</b>}
                </li>
              ))}
            </ul>
          )}
          <dl className={css.facts}>
            {facts.map(([name, value, red]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd className={red ? css.red : undefined}>{value}</dd>
              </div>
            ))}
          </dl>
        </div>
        {source === 'live' && <Arrival vehicle={vehicle} />}
        {source === 'live' && <SignButton vehicle={vehicle} />}
      </div>
    </section>
  )
}

/** The number without separators, as other systems expect it; a click copies it. */
function VehicleNumber({ id }: { id: number }) {
  const { t } = useTranslation('vehicle')
  const showSuccess = useSuccessToast()
  const showWarning = useWarningToast()
  const copy = () =>
    void copyText(String(id)).then(
      () => showSuccess(t('number-copied')),
      (error: unknown) => showWarning(t('copy-failed'), error),
    )
  const label = t('copy-number', { number: id })
  return (
    <button type="button" className={css.copy} aria-label={label} title={label} onClick={copy}>
      {id}
    </button>
  )
}

/** Countdown to the checkpoint. */
function Arrival({ vehicle }: { vehicle: WireVehicle }) {
  const { t } = useTranslation('vehicle')
  const { data: self } = useSelf()
  const additionalSeconds = self?.checkpointAdditionalTime ?? 0
  const phase = usePhase(vehicle, additionalSeconds)
  const label =
    vehicle.checkpointTime === null ? 'no-checkpoint' : phase === 'approaching' ? 'to-checkpoint' : 'checkpoint-passed'
  return (
    <div className={phase === 'approaching' ? css.clock : `${css.clock} ${css.past}`}>
      <b ref={useCountdown(vehicle, additionalSeconds)} role="timer" data-countdown />
      <span>{t(label)}</span>
    </div>
  )
}
