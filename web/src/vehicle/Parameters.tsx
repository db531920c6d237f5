import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { useTranslation } from 'react-i18next'
import { formatDate, formatTime, MISSING } from '../core/format.ts'
import css from './Parameters.module.css'
import { layoutOf } from './useFindings.ts'

type Facts = [string, string][]

/** Measured values and catalogue data. */
export function Parameters({ vehicle }: { vehicle: WireVehicle }) {
  const { t } = useTranslation('vehicle')
  const catalogue = useCatalogue(vehicle)
  return (
    <section className={css.parameters}>
      <h2>{t('parameters')}</h2>
      <List facts={useMeasuredFacts(vehicle)} />
      {catalogue.length > 0 && (
        <>
          <h2>{t('catalogue')}</h2>
          <List facts={catalogue} />
        </>
      )}
    </section>
  )
}

const List = ({ facts }: { facts: Facts }) => (
  <dl className={css.list}>
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

function useMeasuredFacts(vehicle: WireVehicle): Facts {
  const { t } = useTranslation('vehicle')
  const { location, lane, numberOfAxles, checkpointTime } = vehicle
  const layout = layoutOf(vehicle)
  return [
    [t('axles-number'), numberOfAxles === null ? MISSING : String(numberOfAxles)],
    [t('layout'), layout.length > 0 ? layout.join(' + ') : MISSING],
    [t('checkpoint-at'), formatTime(checkpointTime)],
    [t('accuracy-class'), lane.accuracyClass?.name ?? MISSING],
    [t('road'), [location.roadNumber, location.chainage].filter(Boolean).join(' · ') || MISSING],
    [t('direction'), location.direction || MISSING],
  ]
}

/** Only fields with a value. */
function useCatalogue({ euro }: WireVehicle): Facts {
  const { t } = useTranslation('vehicle')
  if (!euro) return []
  const facts: [string, string | null | undefined][] = [
    [t('make-model'), [euro.make, euro.model].filter(Boolean).join(' ')],
    [t('catalogue-number'), euro.catalogue_number],
    [t('euro-norm'), euro.euro_norm],
    [t('fuel'), euro.fuel_type],
    [t('production-date'), euro.production_date && formatDate(euro.production_date)],
    [t('vehicle-type'), euro.veh_type],
  ]
  return facts.flatMap(([name, value]): Facts => (value ? [[name, value]] : []))
}
