import { renderAsync } from '@resvg/resvg-js'
import { textWidth } from '@rogatka/domain/statistics/textWidth.ts'
import { type EChartsOption, init, setPlatformAPI } from 'echarts'
import { fontFiles } from './reports/faces.ts'

// Without a canvas ECharts knows no font; its guess leaves holes behind every accent.
setPlatformAPI({
  measureText: (text, font) => ({ width: textWidth(text, Number(/(\d+(?:\.\d+)?)px/.exec(font ?? '')?.[1] ?? 12)) }),
})

/**
 * Draws a chart as PNG, `scale` times as large in pixels for print. The drawing itself takes the thread; turning it into
 * pixels does not.
 */
export async function chartImage(option: EChartsOption, width: number, height: number, scale = 1): Promise<Buffer> {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    chart.setOption(option)
    const image = await renderAsync(chart.renderToSVGString(), {
      fitTo: { mode: 'zoom', value: scale },
      font: {
        loadSystemFonts: false,
        fontFiles: [fontFiles.text, fontFiles.strong],
        defaultFontFamily: 'IBM Plex Sans',
      },
    })
    return image.asPng()
  } finally {
    chart.dispose()
  }
}
