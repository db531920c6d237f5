import { useElementSize } from '@mantine/hooks'
import type { EChartsOption } from 'echarts'
import type { ECharts } from 'echarts/core'
import { useEffect, useRef, useState } from 'react'
import css from './Chart.module.css'

type Props = {
  /** For screen readers; the numbers are in a table beside it. */
  label: string
  /** PNG in base64, shown until the chart script has loaded or if it fails to load. */
  image: string | null
  /** px */
  height: number
  /** ECharts option for a width in px. Must be stable: a new function redraws the chart. */
  optionFor: (width: number) => EChartsOption
  /** Option changes while zoomed; from and to in percent of the whole range. */
  zoomedFor?: (width: number, from: number, to: number) => EChartsOption
  cursor?: ChartCursor | undefined
}

/** Place of a period in the chart, whose width is `frame`, px. */
export type ChartPlace = { left: number; width: number; top: number; height: number; frame: number }

/** A period of the category axis that is marked over the chart. */
export type ChartCursor = {
  /** Index of the period; null: none. */
  at: number | null
  /** A period was clicked, and the name of the series if it was on one. */
  onPick: (index: number, series: string | null) => void
  /** Called with the position of the marked period; null while it is out of view. */
  onPlace: (place: ChartPlace | null) => void
}

type Zoom = { start?: number; end?: number; startValue?: number; endValue?: number }

const zoomOf = (echart: ECharts): Zoom | undefined => (echart.getOption() as { dataZoom?: Zoom[] }).dataZoom?.[0]

/** Where a period is drawn; null out of view. */
function placeOf(echart: ECharts, at: number): ChartPlace | null {
  const left = echart.convertToPixel({ xAxisIndex: 0 }, at)
  const width = echart.convertToPixel({ xAxisIndex: 0 }, at + 1) - left
  const { width: frame, height } = echart.getDom().getBoundingClientRect()
  const inside = Array.from({ length: height }, (_, y) => y).filter((y) => echart.containPixel('grid', [left, y]))
  const [top, bottom] = [inside[0], inside.at(-1)]
  return top === undefined || bottom === undefined || !(width > 0)
    ? null
    : { left: left - width / 2, width, top, height: bottom - top + 1, frame }
}

/** Moves the zoomed range by whole lengths until it contains a period. */
function showPeriod(echart: ECharts, at: number): void {
  const { startValue, endValue } = zoomOf(echart) ?? {}
  if (startValue === undefined || endValue === undefined || (at >= startValue && at <= endValue)) return
  const start = at < startValue ? at : at - (endValue - startValue)
  echart.dispatchAction({ type: 'dataZoom', startValue: start, endValue: start + endValue - startValue })
}

const withoutZoomEnds = ({ dataZoom, ...option }: EChartsOption): EChartsOption => ({
  ...option,
  ...(dataZoom && { dataZoom: [dataZoom].flat().map(({ start: _, end: __, ...zoom }) => zoom) }),
})

/** Interactive chart: tooltip, zoom slider, full width. */
export function Chart({ label, image, height, optionFor, zoomedFor, cursor }: Props) {
  const container = useRef<HTMLDivElement>(null)
  const chart = useRef<ECharts | null>(null)
  const { ref: frame, width } = useElementSize()
  const [isStarted, setIsStarted] = useState(false)
  const isOpened = useRef(false)
  const isMeasured = width > 0

  useEffect(() => {
    if (!isMeasured) return
    let isUnmounted = false
    import('./echarts.ts').then(
      ({ startChart }) => {
        if (isUnmounted || !container.current) return
        chart.current = startChart(container.current)
        setIsStarted(true)
      },
      (error: unknown) => console.warn('The chart script could not be loaded.', error),
    )
    return () => {
      isUnmounted = true
      chart.current?.dispose()
      chart.current = null
      isOpened.current = false
      setIsStarted(false)
    }
  }, [isMeasured])

  useEffect(() => {
    const echart = chart.current
    if (!isStarted || !isMeasured || !echart) return
    echart.resize({ width, height })
    // Series are replaced; the initial zoom comes from the option, later the user's zoom is kept.
    const option = optionFor(width)
    echart.setOption(isOpened.current ? withoutZoomEnds(option) : option, { replaceMerge: ['series', 'title'] })
    isOpened.current = true
    if (!zoomedFor) return
    const updateZoom = () => {
      const { dataZoom } = echart.getOption() as { dataZoom?: Zoom[] }
      echart.setOption(zoomedFor(width, dataZoom?.[0]?.start ?? 0, dataZoom?.[0]?.end ?? 100))
    }
    updateZoom()
    echart.on('datazoom', updateZoom)
    return () => {
      if (!echart.isDisposed()) echart.off('datazoom', updateZoom)
    }
  }, [isStarted, isMeasured, width, height, optionFor, zoomedFor])

  const latestCursor = useRef(cursor)
  latestCursor.current = cursor
  const hasCursor = cursor !== undefined
  const at = cursor?.at ?? null
  useEffect(() => {
    const echart = chart.current
    if (!isStarted || !hasCursor || !echart) return
    let series: string | null = null
    // ECharts reports the series after the click itself, so the click is handled in a microtask.
    const recordSeries = (click: { seriesName?: string }) => {
      series = click.seriesName ?? null
    }
    const pick = ({ offsetX, offsetY }: { offsetX: number; offsetY: number }) => {
      if (!echart.containPixel('grid', [offsetX, offsetY])) return
      const index = Math.round(Number(echart.convertFromPixel({ xAxisIndex: 0 }, offsetX)))
      queueMicrotask(() => {
        latestCursor.current?.onPick(index, series)
        series = null
      })
    }
    echart.on('click', recordSeries)
    echart.getZr().on('click', pick)
    return () => {
      if (echart.isDisposed()) return
      echart.off('click', recordSeries)
      echart.getZr().off('click', pick)
    }
  }, [isStarted, hasCursor])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new option or size moves the place
  useEffect(() => {
    const echart = chart.current
    if (!isStarted || !echart) return
    const place = () => latestCursor.current?.onPlace(at === null ? null : placeOf(echart, at))
    if (at !== null) showPeriod(echart, at)
    place()
    echart.on('datazoom', place)
    return () => {
      if (!echart.isDisposed()) echart.off('datazoom', place)
    }
  }, [isStarted, at, width, height, optionFor, zoomedFor])

  return (
    <div ref={frame} className={css.frame} style={{ height }} role="img" aria-label={label}>
      {!isStarted && image && <img className={css.image} src={`data:image/png;base64,${image}`} alt="" />}
      <div ref={container} className={css.canvas} />
    </div>
  )
}
