import { useElementSize } from '@mantine/hooks'
import type { EChartsOption } from 'echarts'
import type { ECharts } from 'echarts/core'
import { useEffect, useRef, useState } from 'react'
import css from './Chart.module.css'

type Props = {
  /** For screen readers; the numbers are in a table beside it. */
  label: string
  /** PNG in base64, shown until the chart script has loaded or if it fails to load. */
  picture: string | null
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
export function Chart({ label, picture, height, optionFor, zoomedFor }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<ECharts | null>(null)
  const { ref: frame, width } = useElementSize()
  const [started, setStarted] = useState(false)
  const isOpened = useRef(false)
  const isMeasured = width > 0

  useEffect(() => {
    if (!isMeasured) return
    let left = false
    import('./echarts.ts').then(
      ({ startChart }) => {
        if (left || !place.current) return
        chart.current = startChart(place.current)
        setStarted(true)
      },
      (error: unknown) => console.warn('The script of the charts did not come.', error),
    )
    return () => {
      left = true
      chart.current?.dispose()
      chart.current = null
      isOpened.current = false
      setStarted(false)
    }
  }, [isMeasured])

  useEffect(() => {
    const drawn = chart.current
    if (!started || !isMeasured || !drawn) return
    drawn.resize({ width, height })
    // Series are replaced; the initial zoom comes from the option, later the user's zoom is kept.
    const option = optionFor(width)
    drawn.setOption(isOpened.current ? withoutZoomEnds(option) : option, { replaceMerge: ['series', 'title'] })
    isOpened.current = true
    if (!zoomedFor) return
    const follow = () => {
      const { dataZoom } = drawn.getOption() as { dataZoom?: Zoom[] }
      drawn.setOption(zoomedFor(width, dataZoom?.[0]?.start ?? 0, dataZoom?.[0]?.end ?? 100))
    }
    follow()
    drawn.on('datazoom', follow)
    return () => {
      if (!drawn.isDisposed()) drawn.off('datazoom', follow)
    }
  }, [started, isMeasured, width, height, optionFor, zoomedFor])

  return (
    <div ref={frame} className={css.frame} style={{ height }} role="img" aria-label={label}>
      {!started && picture && <img className={css.picture} src={`data:image/png;base64,${picture}`} alt="" />}
      <div ref={place} className={css.place} />
    </div>
  )
}
