import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { isAtOrOverLimit } from '@rogatka/domain/vehicle/weight.ts'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { MISSING, useFormat } from '../core/format.ts'
import { Plate } from '../ui/vehicle/Plate.tsx'
import violationCss from '../ui/vehicle/violation.module.css'
import { findingsOf, missingWeight, useFindingTexts } from '../vehicle/publicApi.ts'
import { fitFindings } from './fitFindings.ts'
import { WallCountdown } from './WallCountdown.tsx'
import css from './WallRow.module.css'

type Props = { vehicle: WireVehicle; passed: boolean; isLost: boolean; additionalSeconds: number }

/** A vehicle in two lines: countdown, plate, weight, speed; station, violations. */
export const WallRow = memo(function WallRow({ vehicle, passed, isLost, additionalSeconds }: Props) {
  const { t } = useTranslation('wall')
  const { tonnes, number } = useFormat()
  const { textsOf, markOf } = useFindingTexts()
  const { location, lane, plateLpr, nationality, totalLoad, speed } = vehicle
  const mark = markOf(vehicle.wanted)
  const findings = mark?.kind === 'white' ? [] : findingsOf(vehicle).map(textsOf)
  const station = `${location.shortName} · ${t('ui:lane-number', { lane: lane.laneNumber })}`
  const { shown, more } = fitFindings(findings, station.length)
  // Unknown without a scale.
  const remark =
    mark?.label ?? (totalLoad === null ? t(`vehicle:${missingWeight(vehicle)}`) : t('current:no-violations'))
  const className = [
    css.row,
    findings.length > 0 && css.violating,
    passed && css.passed,
    mark?.kind === 'wanted' && css.wanted,
  ]
  return (
    <li className={className.filter(Boolean).join(' ')}>
      <i className={css.edge} />
      <WallCountdown className={css.figure} of={vehicle} additionalSeconds={additionalSeconds} isLost={isLost} />
      <div className={css.plate}>
        <Plate plate={plateLpr} nationality={nationality} size="scaled" unreadable={t('vehicle:unreadable-plate')} />
      </div>
      <Figure value={totalLoad === null ? null : tonnes(totalLoad)} unit="t" isRed={isAtOrOverLimit(vehicle)} />
      <Figure value={speed === null ? null : number(speed)} unit="km/h" isRed={vehicle.overspeed} />
      <div className={css.line}>
        <span className={css.station}>{station}</span>
        {shown.length === 0 || mark?.kind === 'wanted' ? <span className={css.remark}>{remark}</span> : null}
        {shown.map(({ name, excess }) => (
          <span key={name} className={`${violationCss.violation} ${css.violation}`}>
            {name} {excess && <b>{excess}</b>}
          </span>
        ))}
        {more > 0 && <span className={css.violation}>+{more}</span>}
      </div>
    </li>
  )
})

const Figure = ({ value, unit, isRed }: { value: string | null; unit: string; isRed: boolean }) => (
  <div className={isRed ? `${css.figure} ${css.right} ${css.red}` : `${css.figure} ${css.right}`}>
    {value ?? MISSING}
    <small>{unit}</small>
  </div>
)
