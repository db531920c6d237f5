import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { isAtOrOverLimit } from '@rogatka/domain/vehicle/weight.ts'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTime, useFormat } from '../core/format.ts'
import { canToggle, openInspection } from '../inspections/publicApi.ts'
import { VehicleCard } from '../ui/vehicle/VehicleCard.tsx'
import {
  findingsOf,
  isTagged,
  layoutOf,
  missingWeight,
  overloadedAxles,
  useCountdown,
  useFindingTexts,
  useImage,
} from '../vehicle/publicApi.ts'
import type { LiveEntry } from './liveList.ts'

type Props = {
  entry: LiveEntry
  additionalSeconds: number
  /** What a sign shows for it now. */
  onSign: 'plate' | 'trucks' | undefined
  /** Who attends to a wanted vehicle; null: nobody. */
  takenBy: string | null
  onOpen: (vehicle: WireVehicle) => void
  onTag: (vehicle: WireVehicle) => void
  /** Announces an inspection, or takes it back; absent without the right. */
  onAnnounce: ((vehicle: WireVehicle) => void) | undefined
}

/** Card of a live vehicle. Re-rendered only when its entry changes; the countdown updates itself. */
export const LiveVehicleCard = memo(function LiveVehicleCard({
  entry,
  additionalSeconds,
  onSign,
  takenBy,
  onOpen,
  onTag,
  onAnnounce,
}: Props) {
  const { vehicle, phase, justArrived } = entry
  const { t } = useTranslation('current')
  const { textsOf, markOf } = useFindingTexts()
  const { tonnes, number } = useFormat()
  const countdown = useCountdown(vehicle, additionalSeconds)
  const front = vehicle.images?.find(({ type }) => type === 'front') ?? null
  const image = useImage(front)

  const { location, lane, plateLpr, totalLoad, limitTotalLoad, speed, ctg8p1, ctg323, numberOfAxles } = vehicle
  const listMark = markOf(vehicle.wanted)
  const mark = listMark && takenBy !== null ? { ...listMark, taken: t('taken-by', { user: takenBy }) } : listMark
  // White-listed vehicles have no violation marks; values over a limit stay red.
  const isWhiteListed = mark?.kind === 'white'
  const findings = isWhiteListed ? [] : findingsOf(vehicle).map(textsOf)
  const detection = [
    formatTime(vehicle.createdAt),
    location.shortName,
    t('ui:lane-number', { lane: lane.laneNumber }),
  ].join(' · ')
  const isClassified = ctg8p1 !== null && ctg8p1 !== 6
  const vehicleLabel = [
    isClassified ? String(ctg8p1) : t('no-category'),
    ctg323 !== null && isClassified && `COST ${ctg323}`,
    numberOfAxles !== null && isClassified && t('axles', { count: numberOfAxles }),
  ]
    .filter(Boolean)
    .join(' · ')
  const limit = limitTotalLoad === null ? '\u00a0' : t('vehicle:limit', { value: tonnes(limitTotalLoad) })
  // As written on the plate.
  const plate = plateLpr ? displayPlate(plateLpr, vehicle.nationality) : t('vehicle:unreadable-plate')
  // Unknown without a scale.
  const noViolations = totalLoad === null ? '' : t('no-violations')
  const inspected = openInspection(vehicle)
  const inspectionLabel = inspected
    ? t(inspected.state === 'announced' ? 'vehicle:mark-announced' : 'vehicle:mark-taken')
    : null
  const label = [
    mark && `${mark.label}: ${mark.description}`,
    mark?.taken,
    plateLpr ? `${vehicle.nationality ?? '?'} ${plate}` : plate,
    detection,
    inspectionLabel,
    onSign && t(`on-sign-${onSign}`),
    totalLoad === null ? t(`vehicle:${missingWeight(vehicle)}`) : `${tonnes(totalLoad)} t`,
    speed !== null && `${number(speed)} km/h`,
    ...findings.map(({ name, excess }) => `${name} ${excess ?? ''}`),
    findings.length === 0 && !mark && noViolations,
  ]
    .filter(Boolean)
    .join(', ')

  return (
    <VehicleCard
      href={`/vehicle/${vehicle.id}/${location.id}?step=3`}
      label={label}
      justArrived={justArrived}
      passed={phase !== 'approaching'}
      tagged={isTagged(vehicle)}
      countdown={<div ref={countdown} role="timer" data-countdown />}
      countdownLabel={t(
        vehicle.checkpointTime === null
          ? 'no-checkpoint'
          : phase === 'approaching'
            ? 'to-checkpoint'
            : 'checkpoint-passed',
      )}
      signLabel={onSign ? t(`on-sign-${onSign}`) : null}
      inspectionLabel={inspectionLabel}
      image={image === null ? null : image ? <img src={image} alt="" /> : undefined}
      plate={plateLpr}
      nationality={vehicle.nationality}
      // A break would part the lane from its number.
      detection={detection.replace(/ (\d+)$/, '\u00a0$1')}
      category={ctg8p1}
      layout={layoutOf(vehicle)}
      overloadedAxles={isWhiteListed ? [] : overloadedAxles(vehicle)}
      vehicleLabel={vehicleLabel}
      weight={totalLoad === null ? null : tonnes(totalLoad)}
      weightRed={isAtOrOverLimit(vehicle)}
      weightLabel={totalLoad === null ? t(`vehicle:${missingWeight(vehicle)}`) : limit}
      speed={speed === null ? null : number(speed)}
      speedRed={vehicle.overspeed}
      violations={findings}
      mark={mark}
      texts={{
        unreadable: t('vehicle:unreadable-plate'),
        noImage: t('vehicle:no-image'),
        justArrived: t('new'),
        noViolations,
        tag: plateLpr ? t('tag-plate', { plate }) : t('tag-unread', { time: formatTime(vehicle.createdAt) }),
        tagHint: t(isTagged(vehicle) ? 'vehicle:untag' : 'vehicle:tag'),
      }}
      onOpen={() => onOpen(vehicle)}
      onTag={() => onTag(vehicle)}
      {...(onAnnounce &&
        canToggle(vehicle) && {
          announce: {
            isAnnounced: inspected !== undefined,
            label: t(inspected ? 'vehicle:withdraw-of' : 'vehicle:announce-of', { plate }),
            run: () => onAnnounce(vehicle),
          },
        })}
    />
  )
})
