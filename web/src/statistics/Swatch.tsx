import type { BarSeriesOption, LineSeriesOption } from 'echarts'
import { type ReactNode, useId } from 'react'

/** ECharts style of a series. */
export type SeriesStyle = (BarSeriesOption & LineSeriesOption) | undefined

const textOf = (value: unknown, fallback: string) => (typeof value === 'string' ? value : fallback)

/** Legend swatch of a series: colour with pattern, or line with dash and marker. */
export const Swatch = ({ style }: { style: SeriesStyle }) =>
  style?.type === ('line' as string) ? <LineSwatch style={style} /> : <BarSwatch style={style} />

function BarSwatch({ style }: { style: SeriesStyle }) {
  const id = useId()
  const color = textOf(style?.itemStyle?.color, 'currentColor')
  const decal = style?.itemStyle?.decal as Decal | undefined
  return (
    <svg width="14" height="12" aria-hidden="true">
      {decal && (
        <defs>
          <pattern
            id={id}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform={`rotate(${((decal.rotation ?? 0) * 180) / Math.PI})`}
          >
            {patternShape(decal)}
          </pattern>
        </defs>
      )}
      <rect width="14" height="12" rx="2" fill={color} />
      {decal && <rect width="14" height="12" rx="2" fill={`url(#${id})`} />}
    </svg>
  )
}

type Decal = { color?: string; rotation?: number; symbol?: string; dashArrayX?: unknown[] }

function patternShape({ color = 'none', symbol, dashArrayX = [] }: Decal): ReactNode {
  if (symbol === 'circle') return <circle cx="3" cy="3" r="1.6" fill={color} />
  if (symbol === 'triangle') return <path d="M3 0.8L5.2 5H0.8z" fill={color} />
  if (Array.isArray(dashArrayX[0])) return <path d="M0 0h3v3h-3zM3 3h3v3h-3z" fill={color} />
  return <path d="M0 1h6v2h-6z" fill={color} />
}

function LineSwatch({ style }: { style: NonNullable<SeriesStyle> }) {
  const color = textOf(style.lineStyle?.color, 'currentColor')
  const dash = style.lineStyle?.type
  return (
    <svg width="26" height="12" aria-hidden="true" fill={color} stroke={color}>
      <path d="M0 6h26" strokeWidth="2" strokeDasharray={Array.isArray(dash) ? dash.join(' ') : undefined} />
      <g strokeWidth="0">{markerShape(textOf(style.symbol, 'circle'))}</g>
    </svg>
  )
}

function markerShape(symbol: string): ReactNode {
  switch (symbol) {
    case 'rect':
      return <path d="M10 3h6v6h-6z" />
    case 'triangle':
      return <path d="M13 2l4 7.5h-8z" />
    case 'diamond':
      return <path d="M13 1.5L17 6l-4 4.5L9 6z" />
    case 'roundRect':
      return <rect x="9.5" y="2.5" width="7" height="7" rx="2" />
    case 'arrow':
      return <path d="M13 1.5l3.5 9L13 8l-3.5 2.5z" />
    default:
      return <circle cx="13" cy="6" r="3.2" />
  }
}
