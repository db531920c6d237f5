import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { categoryOf } from '@rogatka/domain/current/match.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { isAtOrOverLimit } from '@rogatka/domain/vehicle/weight.ts'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate, formatTime, useFormat } from '../core/format.ts'
import {
  findingsOf,
  isTagged,
  layoutOf,
  missingWeight,
  overloadedAxles,
  useFilterTexts,
  useFindingTexts,
  useImage,
  useImageExpiry,
} from '../vehicle/publicApi.ts'
import type { ResultRows } from './useResultRows.ts'

/** Texts and props of a result row, for table and cards. */
export function useRow(vehicle: WireVehicle, rows: ResultRows) {
  const { t } = useTranslation('archive')
  const { tonnes, metres, number } = useFormat()
  const { textsOf, markOf } = useFindingTexts()
  const { categoryName } = useFilterTexts()
  const imageRetention = useImageExpiry()(vehicle)
  const { id, createdAt, location, lane, plateLpr, nationality, totalLoad, speed, vehLength, ctg8p1 } = vehicle
  const mark = markOf(vehicle.wanted)
  // White-listed vehicles have no violation marks; values over a limit stay red.
  const isWhiteListed = mark?.kind === 'white'
  const findings = isWhiteListed ? [] : findingsOf(vehicle).map(textsOf)
  const image = vehicle.images?.find(({ type }) => type === 'front') ?? vehicle.images?.[0] ?? null
  const date = formatDate(createdAt)
  const time = formatTime(createdAt)
  const tagged = isTagged(vehicle)

  const label = [
    mark && `${mark.label} ${mark.description}`,
    // As written on the plate.
    plateLpr ? `${nationality ?? '?'} ${displayPlate(plateLpr, nationality)}` : t('vehicle:unreadable-plate'),
    `${date} ${time}`,
    location.shortName,
    t('ui:lane-number', { lane: lane.laneNumber }),
    totalLoad !== null && `${tonnes(totalLoad)} t`,
    speed !== null && `${number(speed)} km/h`,
    ...findings.map(({ name, excess }) => [name, excess].filter(Boolean).join(' ')),
  ]

  return {
    date,
    time,
    stationAndLane: `${location.shortName} · ${t('ui:lane-number', { lane: lane.laneNumber })}`,
    category: categoryName(categoryOf(ctg8p1)),
    layout: layoutOf(vehicle),
    overloaded: isWhiteListed ? [] : overloadedAxles(vehicle),
    mark,
    isOverLimit: isAtOrOverLimit(vehicle),
    weight: tonnes(totalLoad),
    speed: number(speed),
    length: metres(vehLength),
    findings,
    image: {
      url: useImage(image),
      missing: imageRetention === null ? t('vehicle:no-image') : t('images-removed', { count: imageRetention }),
    },
    texts: {
      unreadable: t('vehicle:unreadable-plate'),
      noScale: totalLoad === null ? t(`vehicle:${missingWeight(vehicle)}`) : null,
    },
    /** A plain click or Enter opens it in the portal; anything else acts as a link. */
    link: {
      href: `/vehicleArch/${id}/${location.id}/${createdAt}?step=4`,
      'aria-label': label.filter(Boolean).join(', '),
      onClick: (event: MouseEvent) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        rows.open(vehicle)
      },
    },
    tagged,
    tagText: tagged ? t('vehicle:untag') : t('vehicle:tag'),
    tag: () => rows.tag(vehicle),
    onContextMenu: (event: MouseEvent) => {
      event.preventDefault()
      rows.tag(vehicle)
    },
  }
}

export type Row = ReturnType<typeof useRow>
