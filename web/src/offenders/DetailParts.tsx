import type { WireOf } from '@rogatka/contract/endpoint.ts'
import type { read } from '@rogatka/contract/offenders.ts'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { formatDate, formatMinute, useFormat } from '../core/format.ts'
import { useRight } from '../core/useSelf.ts'
import css from './Offenders.module.css'
import type { OffenderDetail } from './useOffenders.ts'
import { useOutcomeText } from './useOffenderTexts.ts'

type OffenderPassage = WireOf<typeof read, 'response'>['lastPassages'][number]

/** Passages in the list; the archive has all. */
const SHOWN_PASSAGES = 8

/** A ref of an element that takes the focus. */
export function useFocus<Element extends HTMLElement>(focus: boolean) {
  const element = useRef<Element>(null)
  useEffect(() => {
    if (focus) element.current?.focus()
  }, [focus])
  return element
}

/** Overloads, passages, and one more figure. */
export function Figures({
  overloads,
  passages,
  children,
}: {
  overloads: number
  passages: number
  children: ReactNode
}) {
  const { t } = useTranslation('offenders')
  const { number } = useFormat()
  return (
    <dl className={css.figures}>
      <Figure name={t('overloaded', { count: overloads })} isRed>
        {number(overloads)}
      </Figure>
      <Figure name={t('passages', { count: passages })}>{number(passages)}</Figure>
      {children}
    </dl>
  )
}

export const Figure = ({ name, isRed = false, children }: { name: string; isRed?: boolean; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd className={isRed ? css.red : undefined}>{children}</dd>
  </div>
)

/** The last passages, linked to their vehicles in the archive. */
export function LastPassages({
  passages,
  withPlate = false,
}: {
  passages: readonly OffenderPassage[]
  withPlate?: boolean
}) {
  const { t } = useTranslation('offenders')
  const { tonnes, number } = useFormat()
  const canOpen = useRight('ArchiveMeasurements')
  return (
    <section>
      <h3>{t('last-passages')}</h3>
      <ul className={css.lines}>
        {passages.slice(0, SHOWN_PASSAGES).map(({ id, createdAt, location, plateLpr, totalLoad, overload, excess }) => {
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
              <span className={css.station}>
                {location.shortName}
                {withPlate && <small>{plateLpr}</small>}
              </span>
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

export function Inspections({ inspections }: Pick<OffenderDetail, 'inspections'>) {
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
