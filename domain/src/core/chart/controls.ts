import type { SliderDataZoomComponentOption, TooltipComponentOption } from 'echarts'
import type { ChartTheme } from './theme.ts'

/** Tooltip style of the theme. */
export const tooltipOf = ({ surface, edge, text, font }: ChartTheme): TooltipComponentOption => ({
  confine: true,
  backgroundColor: surface,
  borderColor: edge,
  borderWidth: 1,
  padding: [6, 10],
  textStyle: { color: text, fontFamily: font, fontSize: 13 },
  extraCssText: 'box-shadow: none; font-variant-numeric: tabular-nums',
})

/** Zoom slider style of the theme. */
export function sliderOf({
  surface,
  line,
  edge,
  accent,
  accentSoft,
  text3,
}: ChartTheme): SliderDataZoomComponentOption {
  const muted = { lineStyle: { color: edge, width: 1 }, areaStyle: { color: line, opacity: 1 } }
  return {
    backgroundColor: surface,
    borderColor: line,
    borderRadius: 2,
    fillerColor: `${accent}22`,
    dataBackground: muted,
    selectedDataBackground: { lineStyle: { color: accent, width: 1 }, areaStyle: { color: accentSoft, opacity: 1 } },
    handleStyle: { color: surface, borderColor: accent },
    moveHandleStyle: { color: edge },
    emphasis: { handleStyle: { color: surface, borderColor: accent }, moveHandleStyle: { color: text3 } },
  }
}
