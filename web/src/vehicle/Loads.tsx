import type { AxlesGroup, WireVehicle } from '@rogatka/contract/vehicle.ts'
import { isAtOrOverLimit } from '@rogatka/domain/vehicle/weight.ts'
import { useTranslation } from 'react-i18next'
import { MISSING, useFormat } from '../core/format.ts'
import { Gauge, type LimitStatus } from '../ui/vehicle/Gauge.tsx'
import css from './Loads.module.css'
import { drivingFindings, limitStatusOf, missingWeight } from './useFindings.ts'

type LoadWithLimit = {
  key: string
  name: string
  measured: number | null
  limit: number | null
  min?: number
  max?: number
  status: LimitStatus
  text: string
  excess: string | null
}

/** Single axles over their limit, or else the one closest to it; all axle groups. */
function groupsToShow(groups: readonly AxlesGroup[]): AxlesGroup[] {
  const share = ({ totalLoad, limitTotalLoad }: AxlesGroup) => (limitTotalLoad ? totalLoad / limitTotalLoad : 0)
  const single = groups.filter(({ axles }) => axles.length === 1)
  const over = single.filter((group) => limitStatusOf(group) !== 'ok')
  const nearest = single.toSorted((a, b) => share(b) - share(a)).slice(0, 1)
  const singleToShow = over.length > 0 ? over : nearest
  return groups.filter((group) => group.axles.length > 1 || singleToShow.includes(group))
}

/** Gross weight with limit and tolerance, and all other values with limits. */
export function Loads({ vehicle }: { vehicle: WireVehicle }) {
  const { t } = useTranslation('vehicle')
  const loads = useLoads(vehicle)
  return (
    <section className={css.loads} aria-label={t('loads')}>
      <Total vehicle={vehicle} />
      <table className={css.table}>
        <tbody>
          {drivingFindings(vehicle).map(({ kind }) => (
            <tr key={kind}>
              <th scope="row" colSpan={4}>
                <span className={css.over}>{t(`finding-${kind}`)}</span>
              </th>
            </tr>
          ))}
          {loads.map(({ key, name, measured, limit, min, max, status, text, excess }) => (
            <tr key={key}>
              <th scope="row">
                <span className={css[status]}>{name}</span>
              </th>
              <td className={css.gauge}>
                {measured !== null && limit !== null && (
                  <Gauge
                    measured={measured}
                    limit={limit}
                    status={status}
                    {...(min !== undefined && max !== undefined && { min, max })}
                  />
                )}
              </td>
              <td className={css.figure}>{text}</td>
              <td className={`${css.figure} ${css.excess} ${css[status]}`}>{excess}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Total({ vehicle }: { vehicle: WireVehicle }) {
  const { t } = useTranslation('vehicle')
  const { tonnes, excess } = useFormat()
  const { totalLoad, limitTotalLoad, overloadTL, axlesComplex, lane } = vehicle
  if (totalLoad === null) {
    return (
      <div className={css.total}>
        <b>{MISSING} t</b>
        <span>{t(missingWeight(vehicle))}</span>
      </div>
    )
  }
  const status = limitStatusOf({ totalLoad, limitTotalLoad, overload: overloadTL })
  const range = axlesComplex && { min: axlesComplex.minTotalLoad, max: axlesComplex.maxTotalLoad }
  const accuracy = lane.accuracyClass?.name
  return (
    <>
      <div className={css.total}>
        <b className={isAtOrOverLimit(vehicle) ? css.red : undefined}>{tonnes(totalLoad)} t</b>
        <span>{limitTotalLoad === null ? t('no-limit') : t('limit', { value: tonnes(limitTotalLoad) })}</span>
        {status !== 'ok' && (
          <b className={`${css.totalExcess} ${css[`text-${status}`]}`}>
            {status === 'over' ? excess(overloadTL) : t('within-tolerance-short')}
          </b>
        )}
      </div>
      <Gauge measured={totalLoad} limit={limitTotalLoad} status={status} {...range} />
      <p className={css.tolerance}>
        {accuracy && range
          ? t('tolerance', { min: tonnes(range.min), max: tonnes(range.max), class: accuracy })
          : t('no-accuracy')}
      </p>
    </>
  )
}

function useLoads(vehicle: WireVehicle): LoadWithLimit[] {
  const { t } = useTranslation('vehicle')
  const { tonnes, metres, number, excess } = useFormat()
  const groups = groupsToShow(vehicle.axlesComplex?.axlesGroups ?? [])
  const nameOf = ({ axles }: AxlesGroup) => {
    if (axles.length === 1) return t('single-axle-number', { axle: axles[0] })
    const isOnly = groups.filter((other) => other.axles.length === axles.length).length === 1
    return t('axle-group-of', { count: axles.length }) + (isOnly ? '' : ` (${axles[0]}\u2013${axles.at(-1)})`)
  }
  const rows: LoadWithLimit[] = groups.map((group) => {
    const { axles, totalLoad, limitTotalLoad, overload } = group
    const status = limitStatusOf(group)
    return {
      key: axles.join(),
      name: nameOf(group),
      measured: totalLoad,
      limit: limitTotalLoad,
      min: group.minTotalLoad,
      max: group.maxTotalLoad,
      status,
      text: pair(tonnes(totalLoad), limitTotalLoad === null ? null : tonnes(limitTotalLoad)),
      excess: status === 'over' ? excess(overload) : status === 'tolerance' ? t('within-tolerance-short') : null,
    }
  })
  const { vehHeight, limitHeight, vehLength, limitLength, speed, speedLimit } = vehicle
  const measuredRow = (
    key: 'height' | 'length' | 'speed',
    measured: number | null,
    limit: number | null,
    isOver: boolean,
    format: (value: number) => string,
  ): LoadWithLimit | null =>
    measured !== null && measured > 0
      ? {
          key,
          name: t(`${key}-in`),
          measured,
          limit,
          status: isOver ? 'over' : limit !== null && measured > limit ? 'tolerance' : 'ok',
          text: pair(format(measured), limit === null ? null : format(limit)),
          excess: isOver && limit !== null ? `+${format(measured - limit)}` : null,
        }
      : null
  return [
    ...rows,
    measuredRow('height', vehHeight, limitHeight, vehicle.overheight, metres),
    measuredRow('length', vehLength, limitLength, false, metres),
    measuredRow('speed', speed, speedLimit, vehicle.overspeed, number),
  ].filter((row) => row !== null)
}

const pair = (measured: string, limit: string | null) => (limit === null ? measured : `${measured} / ${limit}`)
