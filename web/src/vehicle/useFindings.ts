import { BLACK } from '@rogatka/contract/options.ts'
import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import type { LimitStatus } from '../ui/vehicle/Gauge.tsx'
import type { CardMark } from '../ui/vehicle/VehicleCard.tsx'

/** A violation; most serious kinds first, as lists show only the first ones. */
type Finding =
  | { kind: 'total'; percent: number }
  | { kind: 'axle'; axle: number | null; percent: number }
  | { kind: 'group'; axles: number | null; percent: number }
  | { kind: 'height'; cm: number | null }
  | { kind: 'speed'; over: number | null }
  | { kind: 'overlane' }
  | { kind: 'wrongDirection' }

/** Driving violations, which have no limit: the most serious, as they endanger others. */
export const drivingFindings = (vehicle: Pick<WireVehicle, 'wrongDirection' | 'overlane'>) =>
  (['wrongDirection', 'overlane'] as const).filter((kind) => vehicle[kind]).map((kind) => ({ kind }))

type Load = { totalLoad: number | null; limitTotalLoad: number | null; overload: number | null }

/** Compares a load with its limit: over beyond the tolerance, over within the tolerance, or within the limit. */
export function limitStatusOf({ totalLoad, limitTotalLoad, overload }: Load): LimitStatus {
  if (overload) return 'over'
  return totalLoad !== null && limitTotalLoad !== null && totalLoad > limitTotalLoad ? 'tolerance' : 'ok'
}

/** Why the weight is missing, as a text key: lanes without an accuracy class have no scale. */
export const missingWeight = ({ lane }: Pick<WireVehicle, 'lane'>): 'no-scale' | 'not-weighed' =>
  lane.accuracyClass === null ? 'no-scale' : 'not-weighed'

const groupsOf = (vehicle: WireVehicle) => vehicle.axlesComplex?.axlesGroups ?? []

/** Axles per group, from the front. */
export const layoutOf = (vehicle: WireVehicle): number[] => groupsOf(vehicle).map(({ type }) => type)

/** Overloaded axles, alone or within their group. */
export const overloadedAxles = (vehicle: WireVehicle): number[] => [
  ...new Set([
    ...groupsOf(vehicle).flatMap(({ overload, axles }) => (overload > 0 ? axles : [])),
    ...(vehicle.axles ?? []).flatMap(({ overload }, i) => (overload > 0 ? [i + 1] : [])),
  ]),
]

/** All violations. Lists every overloaded axle and group; without axle data only the worst one. */
export function findingsOf(vehicle: WireVehicle): Finding[] {
  const { overloadTL, overloadSA, overloadMA, overheight, overspeed, speed, speedLimit } = vehicle
  const groups = groupsOf(vehicle).filter(({ overload }) => overload > 0)
  const single = groups.filter(({ axles }) => axles.length === 1)
  const axleGroups = groups.filter(({ axles }) => axles.length > 1)
  const findings: (Finding | false)[] = [
    ...drivingFindings(vehicle),
    (overloadTL ?? 0) > 0 && { kind: 'total', percent: overloadTL ?? 0 },
    ...single.map(({ axles, overload }): Finding => ({ kind: 'axle', axle: axles[0] ?? null, percent: overload })),
    single.length === 0 && (overloadSA ?? 0) > 0 && { kind: 'axle', axle: null, percent: overloadSA ?? 0 },
    ...axleGroups.map(({ axles, overload }): Finding => ({ kind: 'group', axles: axles.length, percent: overload })),
    axleGroups.length === 0 && (overloadMA ?? 0) > 0 && { kind: 'group', axles: null, percent: overloadMA ?? 0 },
    overheight && { kind: 'height', cm: vehicle.vehHeight },
    overspeed && { kind: 'speed', over: speed !== null && speedLimit !== null ? speed - speedLimit : null },
  ]
  return findings.filter((finding) => finding !== false)
}

/** Texts of findings and list marks. */
export function useFindingTexts() {
  const { t } = useTranslation('vehicle')
  const { excess, metres, number } = useFormat()

  const textsOf = (finding: Finding): { name: string; short?: string; excess: string | null } => {
    switch (finding.kind) {
      case 'total':
        return { name: t('total-load'), short: t('total-load-short'), excess: excess(finding.percent) }
      case 'axle':
        return {
          name: finding.axle === null ? t('single-axle') : t('single-axle-number', { axle: finding.axle }),
          excess: excess(finding.percent),
        }
      case 'group':
        return {
          name: finding.axles === null ? t('axle-group') : t('axle-group-of', { count: finding.axles }),
          excess: excess(finding.percent),
        }
      case 'height':
        return { name: t('height'), excess: finding.cm === null ? null : `${metres(finding.cm)}\u00a0m` }
      case 'speed':
        return { name: t('speed'), excess: finding.over === null ? null : `+${number(finding.over)}\u00a0km/h` }
      default:
        return { name: t(`finding-${finding.kind}`), excess: null }
    }
  }
  /** List mark: wanted or white-listed; null if on no list. */
  const markOf = (wanted: WireVehicle['wanted']): CardMark | null =>
    wanted
      ? wanted.typeOfList === BLACK
        ? { kind: 'wanted', label: t('wanted'), description: wanted.description }
        : { kind: 'white', label: t('white-listed'), description: wanted.description }
      : null
  return { textsOf, markOf }
}
