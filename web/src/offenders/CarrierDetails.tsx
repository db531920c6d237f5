import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import { Plate } from '../ui/vehicle/Plate.tsx'
import { Figure, Figures, Inspections, LastPassages, useFocus } from './DetailParts.tsx'
import css from './Offenders.module.css'
import type { OffenderSearch } from './search.ts'
import type { CarrierDetail } from './useOffenders.ts'

type Props = {
  detail: CarrierDetail
  /** The filters that stay when a plate is opened. */
  search: OffenderSearch
  /** Takes the focus. */
  focus: boolean
}

/** A carrier: figures, its plates, last passages, inspections. */
export function CarrierDetails({ detail, search, focus }: Props) {
  const { t } = useTranslation('offenders')
  const { number } = useFormat()
  const { carrier, passages, overloads, vehicles, inspections } = detail
  const heading = useFocus<HTMLHeadingElement>(focus)
  return (
    <div className={css.details}>
      <h2 ref={heading} tabIndex={-1} className={css.carrierHeading}>
        {carrier.name}
      </h2>
      {carrier.taxId && <p className={css.who}>{t('tax-id', { number: carrier.taxId })}</p>}
      <Figures overloads={overloads} passages={passages}>
        <Figure name={t('vehicles', { count: vehicles.length })}>{number(vehicles.length)}</Figure>
      </Figures>
      <section>
        <h3>{t('group-plate')}</h3>
        <ul className={css.lines}>
          {vehicles.map((vehicle) => (
            <li key={vehicle.id} className={css.spelling}>
              <Link to="/offenders" search={{ ...search, groupBy: undefined, page: undefined, id: vehicle.id }}>
                <Plate plate={vehicle.plate} nationality={vehicle.country} size="s" unreadable={vehicle.plate} />
              </Link>
              <span className={css.rule}>{vehicle.joined > 0 && `+${vehicle.joined}`}</span>
              <span>
                <b className={css.red}>{number(vehicle.overloads)}</b> / {number(vehicle.passages)}
              </span>
            </li>
          ))}
        </ul>
        <p className={css.note}>{t('overloads-of-passages')}</p>
      </section>
      <LastPassages passages={detail.lastPassages} withPlate />
      <Inspections inspections={inspections} />
    </div>
  )
}
