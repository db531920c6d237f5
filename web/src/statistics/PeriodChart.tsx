import { type CSSProperties, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import beside from '../ui/chart/BesideBar.module.css'
import { Chart, type ChartPlace } from '../ui/chart/Chart.tsx'
import css from './PeriodChart.module.css'

type Props = Omit<Parameters<typeof Chart>[0], 'cursor'> & {
  /** Number of periods. */
  count: number
  /** A period in words: "14:00, 668, poprzednio 646". */
  textOf: (period: number) => string
  /** About a chosen period, and the series that was clicked. */
  panel: (period: number, series: string | null) => ReactNode
}

/** Focuses the next chart of the page. */
function focusNextChart(from: HTMLElement, by: number) {
  const charts = [...document.querySelectorAll<HTMLElement>('main [data-period-chart]')]
  charts[charts.indexOf(from) + by]?.focus()
}

/**
 * A chart whose periods open a panel beside them, by click or Enter. The arrow keys move between periods and charts,
 * Escape closes the panel.
 */
export function PeriodChart({ count, textOf, panel, ...chart }: Props) {
  const { t } = useTranslation('statistics')
  const keys = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<number | null>(null)
  const [chosen, setChosen] = useState<{ series: string | null } | null>(null)
  const [place, setPlace] = useState<ChartPlace | null>(null)
  const [isFocused, setIsFocused] = useState(false)
  // Charts open at their newest periods.
  const period = at === null || at >= count ? count - 1 : at
  const isMarked = isFocused || chosen !== null

  const move = (to: number) => {
    setAt(Math.min(count - 1, Math.max(0, to)))
    setChosen((open) => open && { series: null })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, () => void> = {
      ArrowLeft: () => move(period - 1),
      ArrowRight: () => move(period + 1),
      Home: () => move(0),
      End: () => move(count - 1),
      ArrowUp: () => keys.current && focusNextChart(keys.current, -1),
      ArrowDown: () => keys.current && focusNextChart(keys.current, 1),
      Enter: () => setChosen((open) => (open ? null : { series: null })),
    }
    const run = moves[event.key]
    if (!run || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    run()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the panel from everywhere within
    <div
      className={css.frame}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !chosen) return
        event.stopPropagation()
        setChosen(null)
        keys.current?.focus()
      }}
    >
      <Chart
        {...chart}
        cursor={{
          at: isMarked ? period : null,
          onPick: (index, series) => {
            if (index < 0 || index >= count) return
            setAt(index)
            setChosen((open) => (open && index === period && open.series === series ? null : { series }))
            keys.current?.focus({ preventScroll: true })
          },
          onPlace: setPlace,
        }}
      />
      <div
        ref={keys}
        role="slider"
        tabIndex={0}
        data-period-chart
        className={css.keys}
        aria-label={`${chart.label}, ${t('choose-period')}`}
        aria-valuemin={1}
        aria-valuemax={count}
        aria-valuenow={period + 1}
        aria-valuetext={textOf(period)}
        onKeyDown={onKeyDown}
        onFocus={() => setIsFocused(true)}
        onBlur={() => setIsFocused(false)}
      />
      {place && <i className={css.mark} style={markStyle(place)} aria-hidden="true" />}
      {chosen && place && (
        <section
          className={`${beside.panel} ${css.panel}`}
          style={besidePlace(place)}
          aria-label={`${t('chosen-period')}, ${chart.label}`}
        >
          {panel(period, chosen.series)}
        </section>
      )}
    </div>
  )
}

const markStyle = ({ left, width, top, height }: ChartPlace): CSSProperties => ({ left, width, top, height })

/** Right of a period in the left half, else left of it: never over it. */
function besidePlace({ left, width, frame }: ChartPlace): CSSProperties {
  const gap = 4
  return left + width / 2 < frame / 2
    ? ({ '--left': `${left + width + gap}px` } as CSSProperties)
    : ({ '--right': `${frame - left + gap}px` } as CSSProperties)
}
