import { MANY_PLATES } from '@rogatka/contract/trail.ts'
import { HOUR_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { useTranslation } from 'react-i18next'
import { formatDate, formatMinute, MISSING, useFormat } from '../core/format.ts'
import bare from '../ui/bareButton.module.css'
import { FigurePanel } from '../ui/FigurePanel.tsx'
import { IntegrityPanel } from './IntegrityPanel.tsx'
import type { TrailQuery } from './query.ts'
import css from './Trail.module.css'
import type { useIntegrity } from './useIntegrity.ts'
import type { Summary } from './useTrail.ts'

/** Lists of no more occasions are open at first. */
const MAX_OPENED = 5

type Props = {
  query: TrailQuery
  result: { data: Summary | undefined; error: unknown; isFetching: boolean; refetch: () => unknown }
  integrity: ReturnType<typeof useIntegrity>
  /** Filters by a user and a time. */
  onOpen: (changes: Pick<TrailQuery, 'userId' | 'dateTimeStart' | 'dateTimeEnd'>) => void
}

type Occasion = {
  user: { id: number; name: string }
  at: string
  /** The range that shows it in the list. */
  from: string
  to: string
  /** Looks or plates; null: none are counted. */
  figure: number | null
}

const after = (instant: string, ms: number) => new Date(Date.parse(instant) + ms).toISOString()

/** What needs attention, by kind. */
function attentionItems({ manyPlates, outsideShift, shiftsKnownSince, withoutPurpose }: Summary, from: string) {
  const shifts = outsideShift.map(
    ({ user, from, to, lines }): Occasion => ({ user, at: from, from, to: after(to, 1), figure: lines }),
  )
  const hours = manyPlates.map(
    ({ user, hour, shown }): Occasion => ({ user, at: hour, from: hour, to: after(hour, HOUR_MS), figure: shown }),
  )
  const refusals = withoutPurpose.map(
    ({ user, at }): Occasion => ({
      user,
      at,
      from: after(at, -HOUR_MS),
      to: after(at, HOUR_MS + MINUTE_MS),
      figure: null,
    }),
  )
  return [
    {
      key: 'shifts',
      title: 'outside-shift',
      occasions: shifts,
      knownSince: Date.parse(from) < Date.parse(shiftsKnownSince) && shiftsKnownSince,
    },
    { key: 'hours', title: 'many-plates', occasions: hours, knownSince: false },
    { key: 'refusals', title: 'refused-without-purpose', occasions: refusals, knownSince: false },
  ] as const
}

/** Whether the log holds, what needs attention, and the looks by purpose, beside the list. */
export function TrailSummary({ query, result, integrity, onOpen }: Props) {
  const { t } = useTranslation('trail')
  const { number } = useFormat()
  const skeleton = <div className={css.skeleton} />
  return (
    <div className={css.aside}>
      <IntegrityPanel result={integrity} query={query} />
      <FigurePanel title={t('worth-a-look')} result={result} skeleton={skeleton} className={css.box}>
        {(summary) => (
          <>
            {attentionItems(summary, query.dateTimeStart).map(({ key, title, occasions, knownSince }) => (
              <details
                key={key}
                className={css.point}
                open={(occasions.length > 0 && occasions.length <= MAX_OPENED) || knownSince !== false}
              >
                <summary>
                  {occasions.length > 0 && <i className={css.mark} />}
                  <span>{t(title, { number: MANY_PLATES })}</span>
                  <b className={`${css.number} ${css.count}`}>
                    {occasions.length === 0 && knownSince ? MISSING : number(occasions.length)}
                  </b>
                </summary>
                {knownSince && <p className={css.quiet}>{t('shifts-known-since', { day: formatDate(knownSince) })}</p>}
                {occasions.length === 0 ? (
                  !knownSince && <p className={css.quiet}>{t('nobody')}</p>
                ) : (
                  <ul className={css.hours}>
                    {occasions.map(({ user, at, from, to, figure }) => (
                      <li key={`${user.id} ${at}`}>
                        <button
                          type="button"
                          className={`${bare.bare} ${css.hour}`}
                          onClick={() => onOpen({ userId: user.id, dateTimeStart: from, dateTimeEnd: to })}
                        >
                          <span>
                            {user.name} <small>{formatMinute(at)}</small>
                          </span>
                          {figure !== null && <b className={css.number}>{number(figure)}</b>}
                        </button>
                      </li>
                    ))}
                  </ul>
                )}
              </details>
            ))}
            <p className={css.quiet}>{t('no-accusation')}</p>
          </>
        )}
      </FigurePanel>
      <FigurePanel title={t('by-purpose')} result={result} skeleton={skeleton} className={css.box}>
        {({ purposes }) => (
          <ul className={css.bars}>
            {purposes.map(({ purpose, lines }) => (
              <li key={purpose}>
                <span>{t(purpose ? `purpose-${purpose}` : 'without-purpose')}</span>
                <span className={css.meter} aria-hidden="true">
                  <i style={{ width: `${(100 * lines) / Math.max(...purposes.map((one) => one.lines))}%` }} />
                </span>
                <b className={css.number}>{number(lines)}</b>
              </li>
            ))}
          </ul>
        )}
      </FigurePanel>
      <p className={css.quiet}>{t('self-logged')}</p>
    </div>
  )
}
