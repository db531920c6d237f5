import type { TitleComponentOption } from 'echarts'
import { textWidth } from './textWidth.ts'
import type { ChartTheme } from './theme.ts'

/** Titles above a chart: station, content, and on the right the range. */
export type Title = { name: string; what: string; range: string }

/** Height of the title line, px. */
export const TITLE_HEIGHT = 36
const SIDE = 16
const NAME_SIZE = 16

/** Title line of a chart; `empty` is shown in the middle of a chart without data. */
export function titlesOf(
  title: Title | null,
  empty: string | null,
  { theme, width }: { theme: ChartTheme; width: number },
): TitleComponentOption[] {
  const quiet = { color: theme.text2, fontWeight: 400 } as const
  const name = { color: theme.text, fontSize: NAME_SIZE, fontWeight: 600 } as const
  const whatFrom = 2 * SIDE + textWidth(title?.name ?? '', NAME_SIZE)
  return [
    ...(title
      ? ([
          { text: title.name, left: SIDE, top: 8, padding: 0, textStyle: name },
          { text: title.what, left: whatFrom, top: 11, padding: 0, textStyle: { ...quiet, fontSize: 13 } },
          {
            text: title.range,
            left: width - SIDE,
            top: 11,
            padding: 0,
            textAlign: 'right',
            textStyle: { ...quiet, fontSize: 12 },
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
            textStyle: { ...quiet, fontSize: 14 },
          } satisfies TitleComponentOption,
        ]),
  ]
}
