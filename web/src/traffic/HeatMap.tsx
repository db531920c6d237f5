import { weekdayNames } from '@rogatka/domain/core/calendar.ts'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MISSING, useFormat } from '../core/format.ts'
import { useLanguage } from '../core/language.ts'
import { useChartKeys } from './BarChart.tsx'
import css from './HeatMap.module.css'

/** Shades of the scale. */
const STEPS = 7
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

type Props = {
  label: string
  /** From Monday to Sunday: vehicles per hour; null: no such day, or none with vehicles. */
  rows: readonly (readonly (number | null)[])[]
  /** Accessible name of a cell, without its weekday and hour. */
  nameOf: (weekday: number, hour: number) => string
  /** Figures of the chosen cell, below the map, and a link to its vehicles. */
  figures: (weekday: number, hour: number) => ReactNode
  link: (weekday: number, hour: number) => ReactNode
}

/** Weekdays by hours; arrow keys move between the cells, of which one is chosen, Escape chooses none. */
export function HeatMap({ label, rows, nameOf, figures, link }: Props) {
  const { t } = useTranslation('traffic')
  const language = useLanguage()
  const { number } = useFormat()
  const largest = Math.max(0, ...rows.flat().map((value) => value ?? 0))
  const busiest = rows.flat().indexOf(largest)
  const [at, setAt] = useState<number | null>(null)
  const [chosen, setChosen] = useState<number | null>(null)
  const focusable = at ?? Math.max(0, busiest)
  const keys = useChartKeys({
    ...{ count: rows.length * HOURS.length, columns: HOURS.length, at: focusable, setAt },
    open: chosen,
    close: () => setChosen(null),
  })
  const [short, long] = [weekdayNames(language, 'short'), weekdayNames(language, 'long')]
  const [weekday, hour] = chosen === null ? [] : [Math.floor(chosen / HOURS.length), chosen % HOURS.length]
  return (
    <fieldset className={css.chart} aria-label={label} ref={keys.ref} data-chart onKeyDown={keys.onKeyDown}>
      <div className={css.map}>
        {rows.map((row, day) => (
          <div key={short[day]} className={css.row}>
            <span aria-hidden="true">{short[day]}</span>
            {row.map((value, index) => {
              const cell = day * HOURS.length + index
              return (
                <button
                  // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its position
                  key={index}
                  type="button"
                  data-bar
                  data-step={
                    value === null || largest === 0 ? undefined : Math.max(1, Math.ceil((STEPS * value) / largest))
                  }
                  className={css.cell}
                  aria-label={`${long[day]} ${clock(index)}, ${nameOf(day, index)}`}
                  aria-pressed={cell === chosen}
                  tabIndex={cell === focusable ? 0 : -1}
                  onFocus={keys.onFocusOf(cell)}
                  onClick={() => setChosen(cell === chosen ? null : cell)}
                >
                  {value === null ? MISSING : <span className={css.figure}>{number(value)}</span>}
                </button>
              )
            })}
          </div>
        ))}
        <div className={css.row} aria-hidden="true">
          <span />
          {HOURS.map((one) => (
            <span key={one} className={css.hour}>
              {one % 2 === 0 && String(one).padStart(2, '0')}
            </span>
          ))}
        </div>
      </div>
      <p className={css.foot}>
        <span className={css.chosen}>
          <span role="status">
            {weekday === undefined || hour === undefined ? (
              t('choose-cell')
            ) : (
              <>
                {long[weekday]} {clock(hour)}: {figures(weekday, hour)}
              </>
            )}
          </span>{' '}
          {weekday !== undefined && hour !== undefined && link(weekday, hour)}
        </span>
        <span className={css.scale} aria-hidden="true">
          {largest > 0 && '0'}
          {HOURS.slice(1, STEPS + 1).map((step) => (
            <i key={step} data-step={step} />
          ))}
          {largest > 0 && number(largest)}
        </span>
      </p>
    </fieldset>
  )
}

const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`
