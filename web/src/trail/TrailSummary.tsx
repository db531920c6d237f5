import { MANY_PLATES } from '@rogatka/contract/trail.ts'
import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import { useTranslation } from 'react-i18next'
import { formatMinute, useFormat } from '../core/format.ts'
import bare from '../ui/bareButton.module.css'
import { FigurePanel } from '../ui/FigurePanel.tsx'
import type { TrailQuery } from './query.ts'
import css from './Trail.module.css'
import type { Summary } from './useTrail.ts'

type Props = {
  result: { data: Summary | undefined; error: unknown; isFetching: boolean; refetch: () => unknown }
  /** Filters by a user and a time. */
  onOpen: (changes: Pick<TrailQuery, 'userId' | 'dateTimeStart' | 'dateTimeEnd'>) => void
}

/** What is worth a look, and the looks by purpose, beside the list. */
export function TrailSummary({ result, onOpen }: Props) {
  const { t } = useTranslation('trail')
  const { number } = useFormat()
  const skeleton = <div className={css.skeleton} />
  return (
    <div className={css.aside}>
      <FigurePanel title={t('worth-a-look')} result={result} skeleton={skeleton} className={css.box}>
        {({ manyPlates }) =>
          manyPlates.length === 0 ? (
            <p className={css.quiet}>{t('nothing-worth', { number: MANY_PLATES })}</p>
          ) : (
            <>
              <p>{t('many-plates', { number: MANY_PLATES })}</p>
              <ul className={css.hours}>
                {manyPlates.map(({ user, hour, shown }) => (
                  <li key={`${user.id} ${hour}`}>
                    <button
                      type="button"
                      className={`${bare.bare} ${css.hour}`}
                      onClick={() =>
                        onOpen({
                          userId: user.id,
                          dateTimeStart: hour,
                          dateTimeEnd: new Date(Date.parse(hour) + HOUR_MS).toISOString(),
                        })
                      }
                    >
                      <i className={css.mark} />
                      <span>
                        {user.name} <small>{formatMinute(hour)}</small>
                      </span>
                      <b className={css.number}>{number(shown)}</b>
                    </button>
                  </li>
                ))}
              </ul>
              <p className={css.quiet}>{t('no-accusation')}</p>
            </>
          )
        }
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
