import { renderAsync } from '@resvg/resvg-js'
import { textWidth } from '@rogatka/domain/core/chart/textWidth.ts'
import { type EChartsOption, init, setPlatformAPI } from 'echarts'
import { fontFiles } from './font-files.ts'

// Without a canvas, ECharts estimates text widths, which leaves gaps after accented letters.
setPlatformAPI({
  measureText: (text, font) => ({ width: textWidth(text, Number(/(\d+(?:\.\d+)?)px/.exec(font ?? '')?.[1] ?? 12)) }),
})

/** A chart and its size in pixels; `scale` multiplies the resolution for print. */
export type Drawing = { option: EChartsOption; width: number; height: number; scale?: number | undefined }

/**
 * Renders a chart as PNG. Building the SVG blocks the thread for up to 0.1 s (server code calls `drawInThread`);
 * rasterising does not.
 */
export async function drawImage({ option, width, height, scale = 1 }: Drawing): Promise<Buffer> {
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
