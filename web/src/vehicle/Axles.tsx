import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { differenceOf } from '@rogatka/domain/inspections/differences.ts'
import { firstTrailerAxle } from '@rogatka/domain/vehicle/axleRoles.ts'
import { kindOf } from '@rogatka/domain/vehicle/kind.ts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import { AxleDrawing } from '../ui/vehicle/AxleDrawing.tsx'
import type { DrawnAxle, DrawnGroup } from '../ui/vehicle/drawnAxles.ts'
import type { Outline } from '../ui/vehicle/HeightOutline.tsx'
import { limitStatusOf } from './useFindings.ts'
import css from './VehiclePage.module.css'

/** Axle types beyond the tridem have no drawing. */
const MAX_TYPE = 3
const OTHER_TYPE = 'W'

/** Axle spacings and loads, drawn to scale. */
export function Axles({ vehicle }: { vehicle: WireVehicle }) {
  const { t } = useTranslation('vehicle')
  const { tonnes, metres, excess } = useFormat()
  const axles = vehicle.axles ?? []
  const groups = vehicle.axlesComplex?.axlesGroups ?? []
  // A counter without a scale measures axle positions but no loads.
  const isWeighed = vehicle.totalLoad !== null

  const drawnAxles = axles.map((axle, i): DrawnAxle => {
    const status = isWeighed ? limitStatusOf(axle) : 'ok'
    return {
      number: i + 1,
      gap: axle.gap,
      load: isWeighed ? axle.totalLoad : null,
      limit: axle.limitTotalLoad,
      left: axle.leftWeight,
      right: axle.rightWeight,
      status,
      excess: status === 'over' ? excess(axle.overload) : null,
      mark: axle.type > MAX_TYPE ? OTHER_TYPE : null,
    }
  })
  const drawnGroups = groups.map((group): DrawnGroup => {
    const status = limitStatusOf(group)
    const sum = `${tonnes(group.totalLoad)} / ${group.limitTotalLoad === null ? '–' : tonnes(group.limitTotalLoad)}`
    const kind = t(group.type > MAX_TYPE ? 'group-W' : `group-${group.type}`)
    const suffix = { ok: null, tolerance: t('within-tolerance'), over: excess(group.overload) }[status]
    return {
      axles: group.axles,
      text: (group.axles.length === 1 ? [kind] : [sum, suffix ?? kind]).filter(Boolean).join(' · '),
      status,
    }
  })
  const scale = vehicle.weighing?.axles
  // Axles are the same ones only if both sides count as many.
  const staticLines =
    isWeighed && scale?.length === axles.length
      ? [
          { name: t('axle-static'), values: scale.map(({ load }) => tonnes(load)) },
          {
            name: t('axle-difference'),
            values: scale.map(({ load }, at) =>
              excess(Math.round(10 * differenceOf({ wim: axles[at]?.totalLoad ?? 0, scale: load })) / 10),
            ),
          },
        ]
      : []
  const { shapeSamples, vehLength, limitHeight } = vehicle
  const outline: Outline | null =
    shapeSamples && shapeSamples.length > 1 && Math.max(...shapeSamples) > 0
      ? {
          samples: shapeSamples,
          length: vehLength,
          limit: limitHeight,
          title: t('outline'),
          limitText: limitHeight === null ? null : t('outline-limit', { height: metres(limitHeight) }),
          metres,
        }
      : null
  const trailer = firstTrailerAxle({ kind: kindOf(vehicle.ctg8p1, vehicle.ctg323), gaps: axles.map(({ gap }) => gap) })

  return (
    <section className={css.axles} aria-label={t('axles')}>
      {axles.length === 0 && <p className={css.none}>{t('no-axles')}</p>}
      {(axles.length > 0 || outline) && (
        <AxleDrawing
          category={vehicle.ctg8p1}
          axles={drawnAxles}
          groups={drawnGroups}
          trailer={trailer}
          outline={outline}
          tonnes={tonnes}
          metres={metres}
          below={staticLines}
          texts={{
            title: t('axles'),
            gap: t('axle-gap'),
            axle: t('axle'),
            axles: t('axle-numbers'),
            load: t('axle-load'),
            limit: t('axle-limit'),
            wheels: t('axle-wheels'),
            group: t('axle-group-load'),
            over: t('over-limit'),
            tolerance: t('within-tolerance'),
          }}
        />
      )}
    </section>
  )
}
