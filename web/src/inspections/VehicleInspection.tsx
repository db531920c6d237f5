import { Button } from '@mantine/core'
import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { differenceOf } from '@rogatka/domain/inspections/differences.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatMinute } from '../core/format.ts'
import { ScaleIcon } from '../ui/icons.tsx'
import { useInspectionTexts } from './texts.ts'
import css from './VehicleInspection.module.css'

/** The inspection of a vehicle: number, state, static gross weight, and the link for those who may open it. */
export function VehicleInspection({ vehicle }: { vehicle: WireVehicle }) {
  const { t } = useTranslation('inspections')
  const { difference, withUnit } = useInspectionTexts()
  const { inspection, weighing, totalLoad } = vehicle
  if (!inspection) return null
  const { id, number, state, isVisible } = inspection
  const load = weighing?.gross.load
  return (
    <section className={css.line} aria-label={t('inspection-of-vehicle')}>
      <ScaleIcon size={18} />
      <span>
        {t('inspection')} {number} · <b>{t(`state-${state}`)}</b>
      </span>
      {weighing && load !== undefined && (
        <span className={css.weights}>
          {/* An open inspection may follow one with weights. */}
          {weighing.number !== number && `${weighing.number}: `}
          {t('statically')}{' '}
          <b className={weighing.isScaleValid && weighing.excesses.length > 0 ? css.red : undefined}>
            {withUnit(load)}
          </b>
          {totalLoad !== null &&
            ` · ${t('wim-difference', { percent: difference(differenceOf({ wim: totalLoad, scale: load })) })}`}
          {` · ${formatMinute(weighing.at)}`}
        </span>
      )}
      {isVisible && id !== null && (
        <Button
          className={css.open ?? ''}
          variant="subtle"
          size="xs"
          component={Link}
          to="/inspections/$id"
          params={{ id } as never}
          aria-label={t('open-of', { plate: number })}
        >
          {t('open')}
        </Button>
      )}
    </section>
  )
}
