import type { TitleComponentOption } from 'echarts'
import { textWidth } from './textWidth.ts'
import type { ChartTheme } from './theme.ts'

/** Title line of a chart: station, statistic, and on the right the range. */
export type Title = { name: string; subtitle: string; range: string }

/** Height of the title line, px. */
export const TITLE_HEIGHT = 36
const SIDE_MARGIN = 16
const NAME_FONT_SIZE = 16

/** Title line of a chart; `empty` is shown in the middle of a chart without data. */
export function titlesOf(
  title: Title | null,
  empty: string | null,
  { theme, width }: { theme: ChartTheme; width: number },
): TitleComponentOption[] {
  const muted = { color: theme.text2, fontWeight: 400 } as const
  const name = { color: theme.text, fontSize: NAME_FONT_SIZE, fontWeight: 600 } as const
  const subtitleLeft = 2 * SIDE_MARGIN + textWidth(title?.name ?? '', NAME_FONT_SIZE)
  return [
    ...(title
      ? ([
          { text: title.name, left: SIDE_MARGIN, top: 8, padding: 0, textStyle: name },
          { text: title.subtitle, left: subtitleLeft, top: 11, padding: 0, textStyle: { ...muted, fontSize: 13 } },
          {
            text: title.range,
            left: width - SIDE_MARGIN,
            top: 11,
            padding: 0,
            textAlign: 'right',
            textStyle: { ...muted, fontSize: 12 },
          },
        ] satisfies TitleComponentOption[])
      : []),
    ...(empty === null
      ? []
      : [
          {
            text: empty,
            left: 'center',
            top: 'middle',
            padding: [6, 12],
            backgroundColor: theme.surface,
            textStyle: { ...muted, fontSize: 14 },
          } satisfies TitleComponentOption,
        ]),
  ]
}
