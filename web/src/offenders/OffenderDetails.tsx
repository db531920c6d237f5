import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { formatDate, formatMinute, useFormat } from '../core/format.ts'
import { useRight } from '../core/useSelf.ts'
import { useLocations } from '../locations/publicApi.ts'
import { ListIcon, PlusIcon } from '../ui/icons.tsx'
import { Plate } from '../ui/vehicle/Plate.tsx'
import css from './Offenders.module.css'
import { Spellings } from './Spellings.tsx'
import { archiveSearchOf } from './search.ts'
import type { OffenderDetail } from './useOffenders.ts'
import { useOutcomeText } from './useOffenderTexts.ts'

type Props = {
  offender: OffenderDetail
  /** Takes the focus. */
  focus: boolean
}

/** Passages in the list; the archive has all. */
const SHOWN_PASSAGES = 8

/** A vehicle: figures, joined spellings, passages, inspections, months, and links to its passages. */
export function OffenderDetails({ offender, focus }: Props) {
  const { t } = useTranslation('offenders')
  const { number } = useFormat()
  const { plate, country, carrier, passages, overloads, inspections, offenderSince } = offender
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (focus) heading.current?.focus()
  }, [focus])
  return (
    <div className={css.details}>
      <h2 ref={heading} tabIndex={-1}>
        <Plate plate={plate} nationality={country} unreadable={plate} />
      </h2>
      <p className={css.who}>
        {carrier ? t('carrier-of', { name: carrier.name }) : t('no-carrier')}
        {carrier?.taxId && <small>{t('tax-id', { number: carrier.taxId })}</small>}
      </p>
      <dl className={css.figures}>
        <Figure name={t('overloaded', { count: overloads })} isRed>
          {number(overloads)}
        </Figure>
        <Figure name={t('passages', { count: passages })}>{number(passages)}</Figure>
        <Figure name={t('inspections', { count: inspections.length })}>{number(inspections.length)}</Figure>
      </dl>
      {offenderSince && <p className={css.note}>{t('since', { day: formatDate(`${offenderSince}T12:00Z`) })}</p>}
      <Spellings offender={offender} />
      <LastPassages offender={offender} />
      <Inspections inspections={inspections} />
      <Months months={offender.months} />
      <Actions offender={offender} />
    </div>
  )
}

const Figure = ({ name, isRed = false, children }: { name: string; isRed?: boolean; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd className={isRed ? css.red : undefined}>{children}</dd>
  </div>
)

function LastPassages({ offender: { lastPassages } }: Pick<Props, 'offender'>) {
  const { t } = useTranslation('offenders')
  const { tonnes, number } = useFormat()
  const canOpen = useRight('ArchiveMeasurements')
  return (
    <section>
      <h3>{t('last-passages')}</h3>
      <ul className={css.lines}>
        {lastPassages.slice(0, SHOWN_PASSAGES).map(({ id, createdAt, location, totalLoad, overload, excess }) => {
          // This year is not repeated.
          const time = formatMinute(createdAt).replace(`.${formatDate(serverNow()).slice(-4)} `, ' ')
          return (
            <li key={`${location.id} ${id}`} className={css.passage}>
              {canOpen ? (
                <Link
                  to="/vehicleArch/$id/$locationId/$createdAt"
                  params={{ id: String(id), locationId: String(location.id), createdAt }}
                >
                  {time}
                </Link>
              ) : (
                time
              )}
              <span className={css.station}>{location.shortName}</span>
              <span className={overload ? `${css.weight} ${css.red}` : css.weight}>{tonnes(totalLoad)}</span>
              <span className={overload ? css.red : undefined}>{excess ? `+${number(excess, 1)}` : ''}</span>
            </li>
          )
        })}
      </ul>
      <p className={css.note}>{t('passages-units')}</p>
    </section>
  )
}

function Inspections({ inspections }: Pick<OffenderDetail, 'inspections'>) {
  const { t } = useTranslation('offenders')
  const outcomeText = useOutcomeText()
  const isInspector = useRight('Inspections')
  const isReviewer = useRight('InspectionReview')
  if (inspections.length === 0) return null
  return (
    <section>
      <h3>{t('column-inspections')}</h3>
      <ul className={css.lines}>
        {inspections.map((inspection) => (
          <li key={inspection.id} className={css.inspection}>
            {isInspector || isReviewer ? (
              <Link to="/inspections/$id" params={{ id: inspection.id }}>
                {inspection.number}
              </Link>
            ) : (
              <span>{inspection.number}</span>
            )}
            <span>{formatDate(inspection.announcedAt)}</span>
            <span>{outcomeText(inspection)}</span>
          </li>
        ))}
      </ul>
    </section>
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
