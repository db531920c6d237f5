import { type CSSProperties, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { MISSING, useFormat } from '../core/format.ts'
import beside from '../ui/chart/BesideBar.module.css'
import css from './BarChart.module.css'
import { scaleOf } from './scale.ts'

/** Meaning of a bar beyond a limit: speeds above it; loads within the tolerance, and certainly above. */
export type Tone = 'above' | 'tolerated' | 'certain'

export type Bar = {
  key: string | number
  /** For example "14:00". */
  name: string
  /** Null: no data, drawn as a dash. */
  value: number | null
  /** Of the earlier period, drawn as a step line. */
  earlier?: number | null | undefined
  tone?: Tone | undefined
}

/** A vertical marker line with a label at its top; `at` in bars from the left. */
export type MarkerLine = { at: number; text: string; isDashed?: boolean; isLeft?: boolean }
/** A text under the axis; `at` in bars from the left. */
export type AxisText = { at: number; text: string }

type Props = {
  /** What it shows, with range and extremes. */
  label: string
  bars: readonly Bar[]
  /** Largest value of the scale; absent: of the bars. */
  max?: number | undefined
  axis: readonly AxisText[]
  lines?: readonly MarkerLine[]
  /** Accessible name of a bar; default: its name and value. */
  nameOf?: (bar: Bar) => string
  /** Content of the panel of a selected bar. */
  panel: (bar: Bar, index: number) => ReactNode
}

/** Share of the width from which a label no longer fits to the right of its line. */
const NEAR_EDGE = 0.75

const percent = (part: number, of: number) => `${(100 * part) / of}%`

/** Focuses the bar of the next chart on the page, at the same place if it has one. */
function focusNextChart(from: HTMLElement, by: number, index: number) {
  const charts = [...document.querySelectorAll<HTMLElement>('main [data-chart]')]
  const next = charts[charts.indexOf(from) + by]
  const buttons = next?.querySelectorAll<HTMLButtonElement>('button[data-bar]')
  buttons?.[Math.min(index, buttons.length - 1)]?.focus()
}

type ChartKeys = {
  count: number
  columns?: number
  /** The bar that can be focused. */
  at: number
  setAt: (index: number) => void
  /** The bar whose panel is open; null: none. */
  open: number | null
  close: () => void
}

/**
 * Keys of a chart: arrows move between its bars, at its upper and lower end to the next chart; Escape closes the open panel
 * and focuses its bar.
 */
export function useChartKeys({ count, columns = count, at, setAt, open, close }: ChartKeys) {
  const area = useRef<HTMLFieldSetElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && open !== null) {
      event.stopPropagation()
      area.current?.querySelectorAll<HTMLElement>('[data-bar]')[open]?.focus()
      close()
      return
    }
    if (event.target instanceof Element && !event.target.matches('[data-bar]')) return
    const moves: Record<string, number> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      Home: -at,
      End: count - 1 - at,
      ArrowUp: -columns,
      ArrowDown: columns,
    }
    const move = moves[event.key]
    if (move === undefined || !area.current) return
    event.preventDefault()
    const next = at + move
    if (next >= 0 && next < count) area.current.querySelectorAll<HTMLElement>('[data-bar]')[next]?.focus()
    else if (event.key === 'ArrowUp' || event.key === 'ArrowDown')
      focusNextChart(area.current, Math.sign(move), at % columns)
  }
  return { ref: area, onKeyDown, onFocusOf: (index: number) => () => setAt(index) }
}

/**
 * Bars, each a button that opens a panel beside it; earlier values as a step line. Arrow keys move between bars and
 * charts, Escape closes the panel.
 */
export function BarChart({ label, bars, max, axis, lines = [], nameOf, panel }: Props) {
  const { number } = useFormat()
  const [at, setAt] = useState(0)
  const [chosen, setChosen] = useState<string | number | null>(null)
  const { top, ticks } = scaleOf(
    max ?? Math.max(0, ...bars.flatMap(({ value, earlier }) => [value ?? 0, earlier ?? 0])),
  )
  const focusable = Math.min(at, bars.length - 1)
  const open = bars.findIndex(({ key }) => key === chosen)
  const openBar = bars[open]
  const keys = useChartKeys({
    ...{ count: bars.length, at: focusable, setAt },
    open: openBar ? open : null,
    close: () => setChosen(null),
  })
  return (
    <fieldset className={css.chart} aria-label={label} ref={keys.ref} data-chart onKeyDown={keys.onKeyDown}>
      <div className={css.plot}>
        {ticks.map((tick) => (
          <i key={tick} className={css.level} style={{ bottom: percent(tick, top) }} aria-hidden="true">
            <span>{number(tick)}</span>
          </i>
        ))}
        <div className={css.bars}>
          {bars.map((bar, index) => (
            <button
              key={bar.key}
              type="button"
              data-bar
              data-tone={bar.tone}
              className={css.bar}
              tabIndex={index === focusable ? 0 : -1}
              aria-label={nameOf ? nameOf(bar) : `${bar.name}, ${bar.value === null ? MISSING : number(bar.value)}`}
              aria-expanded={index === open}
              onFocus={keys.onFocusOf(index)}
              onClick={() => setChosen(index === open ? null : bar.key)}
            >
              {bar.value === null ? (
                <span className={css.none}>–</span>
              ) : (
                <i className={css.fill} style={{ height: percent(bar.value, top) }} />
              )}
            </button>
          ))}
        </div>
        <Steps bars={bars} top={top} />
        {layOutMarkers(lines, bars.length).map(({ at: position, text, isDashed, isLeft, isLow }) => (
          <i
            key={text}
            className={css.line}
            data-dashed={isDashed || undefined}
            data-left={isLeft || undefined}
            data-low={isLow || undefined}
            style={{ left: percent(position, bars.length) }}
            aria-hidden="true"
          >
            <span>{text}</span>
          </i>
        ))}
        {openBar && (
          <div
            className={beside.panel}
            // Never over its bar.
            style={besideBar(open, bars.length)}
          >
            {panel(openBar, open)}
          </div>
        )}
      </div>
      <div className={css.axis} aria-hidden="true">
        {axis.map(({ at: position, text }) => (
          <span key={`${position} ${text}`} className={css.text} style={{ left: percent(position, bars.length) }}>
            {text}
          </span>
        ))}
      </div>
    </fieldset>
  )
}

/** Places the labels of lines near the right edge to the left of them, and those beside another label on that side lower. */
function layOutMarkers(lines: readonly MarkerLine[], count: number): (MarkerLine & { isLow: boolean })[] {
  const sided = lines.map((line) => ({ ...line, isLeft: line.isLeft || line.at > count * NEAR_EDGE }))
  return sided.map((line, index) => ({
    ...line,
    isLow: sided.slice(0, index).some(({ at, isLeft }) => isLeft === line.isLeft && Math.abs(at - line.at) < count / 4),
  }))
}

/** Right of a bar in the left half, else left of it. */
function besideBar(index: number, count: number): CSSProperties {
  const isInLeftHalf = index * 2 < count
  const [side, position] = isInLeftHalf ? ['--left', index + 1] : ['--right', count - index]
  return { [side]: percent(position, count) }
}

/** Earlier values as a line of steps. */
function Steps({ bars, top }: { bars: readonly Bar[]; top: number }) {
  return bars.map(({ key, earlier }, index) => {
    if (earlier == null) return null
    const before = index === 0 ? earlier : (bars[index - 1]?.earlier ?? earlier)
    return (
      <i
        key={key}
        className={css.step}
        style={{
          left: percent(index, bars.length),
          width: percent(1, bars.length),
          bottom: percent(Math.min(before, earlier), top),
          height: percent(Math.abs(before - earlier), top),
        }}
        data-falls={before > earlier || undefined}
        aria-hidden="true"
      />
    )
  })
}
