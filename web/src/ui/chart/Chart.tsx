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
}

type Zoom = { start?: number; end?: number }

const withoutZoomEnds = ({ dataZoom, ...option }: EChartsOption): EChartsOption => ({
  ...option,
  ...(dataZoom && { dataZoom: [dataZoom].flat().map(({ start: _, end: __, ...zoom }) => zoom) }),
})

/** Interactive chart: tooltip, zoom slider, full width. */
export function Chart({ label, image, height, optionFor, zoomedFor }: Props) {
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

  return (
    <div ref={frame} className={css.frame} style={{ height }} role="img" aria-label={label}>
      {!isStarted && image && <img className={css.image} src={`data:image/png;base64,${image}`} alt="" />}
      <div ref={container} className={css.canvas} />
    </div>
  )
}
