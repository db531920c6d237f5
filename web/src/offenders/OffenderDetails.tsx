import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatDate, useFormat } from '../core/format.ts'
import { useRight } from '../core/useSelf.ts'
import { useLocations } from '../locations/publicApi.ts'
import { ListIcon, PlusIcon } from '../ui/icons.tsx'
import { Plate } from '../ui/vehicle/Plate.tsx'
import { Figure, Figures, Inspections, LastPassages, useFocus } from './DetailParts.tsx'
import css from './Offenders.module.css'
import { Spellings } from './Spellings.tsx'
import { archiveSearchOf } from './search.ts'
import type { OffenderDetail } from './useOffenders.ts'

type Props = {
  offender: OffenderDetail
  /** Takes the focus. */
  focus: boolean
}

/** A vehicle: figures, joined spellings, passages, inspections, months, and links to its passages. */
export function OffenderDetails({ offender, focus }: Props) {
  const { t } = useTranslation('offenders')
  const { number } = useFormat()
  const { plate, country, carrier, passages, overloads, inspections, offenderSince } = offender
  const heading = useFocus<HTMLHeadingElement>(focus)
  return (
    <div className={css.details}>
      <h2 ref={heading} tabIndex={-1}>
        <Plate plate={plate} nationality={country} unreadable={plate} />
      </h2>
      <p className={css.who}>
        {carrier ? t('carrier-of', { name: carrier.name }) : t('no-carrier')}
        {carrier?.taxId && <small>{t('tax-id', { number: carrier.taxId })}</small>}
      </p>
      <Figures overloads={overloads} passages={passages}>
        <Figure name={t('inspections', { count: inspections.length })}>{number(inspections.length)}</Figure>
      </Figures>
      {offenderSince && <p className={css.note}>{t('since', { day: formatDate(`${offenderSince}T12:00Z`) })}</p>}
      <Spellings offender={offender} />
      <LastPassages passages={offender.lastPassages} />
      <Inspections inspections={inspections} />
      <Months months={offender.months} />
      <Actions offender={offender} />
    </div>
  )
}

function Months({ months }: Pick<OffenderDetail, 'months'>) {
  const { t } = useTranslation('offenders')
  const { number } = useFormat()
  return (
    <section>
      <h3>{t('months')}</h3>
      <table className={css.months}>
        <thead>
          <tr>
            <th scope="col">{t('month')}</th>
            <th scope="col">{t('column-passages')}</th>
            <th scope="col">{t('column-overloads')}</th>
          </tr>
        </thead>
        <tbody>
          {months.map(({ month, passages, overloads }) => (
            <tr key={month}>
              <th scope="row">{month.split('-').reverse().join('.')}</th>
              <td>{number(passages)}</td>
              <td className={overloads > 0 ? css.red : undefined}>{number(overloads)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Links to the passages in the archive and to a new entry of the black list. */
function Actions({ offender }: Pick<Props, 'offender'>) {
  const { t } = useTranslation('offenders')
  const { data: stations } = useLocations()
  const canSearch = useRight('ArchiveMeasurements')
  const canAdd = useRight('WantedList')
  const { plate, passages } = offender
  return (
    <div className={css.actions}>
      {canSearch && stations && (
        <Button
          leftSection={<ListIcon />}
          renderRoot={(props) => (
            <Link
              to="/archival"
              search={archiveSearchOf(
                offender,
                stations.map(({ id }) => id),
              )}
              {...props}
            />
          )}
        >
          {t('show-passages', { count: passages })}
        </Button>
      )}
      {canAdd && (
        <Button
          variant="default"
          leftSection={<PlusIcon />}
          renderRoot={(props) => <Link to="/black-list" search={{ plate }} {...props} />}
        >
          {t('add-to-list')}
        </Button>
      )}
    </div>
  )
}
