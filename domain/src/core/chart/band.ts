import type { MarkAreaComponentOption, MarkLineComponentOption } from 'echarts'
import type { ChartTheme } from './theme.ts'

/** The area between a limit and its negative. */
export const bandOf = (limit: number, { accentSoft }: ChartTheme): MarkAreaComponentOption => ({
  silent: true,
  itemStyle: { color: accentSoft },
  data: [[{ yAxis: -limit }, { yAxis: limit }]],
})

/** Lines at both ends of a scale, and at both limits; null: without limits. */
export function bandLines(
  scale: number,
  limit: number | null,
  { line, accent }: ChartTheme,
): NonNullable<MarkLineComponentOption['data']> {
  const solid = (yAxis: number, color: string) => ({ yAxis, lineStyle: { color, type: 'solid' as const, width: 1 } })
  return [
    ...[-scale, scale].map((yAxis) => solid(yAxis, line)),
    ...(limit === null ? [] : [-limit, limit].map((yAxis) => solid(yAxis, accent))),
  ]
}
