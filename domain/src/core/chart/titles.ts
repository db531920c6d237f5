import type { TitleComponentOption } from 'echarts'
import { textWidth } from './textWidth.ts'
import type { ChartTheme } from './theme.ts'

/** What stands above a chart: of which place, what it shows, and on the right what holds for all of it. */
export type Title = { name: string; what: string; range: string }

/** Pixels that the line of titles takes. */
export const TITLE_HEIGHT = 36
const SIDE = 16
const NAME_SIZE = 16

/** The line above a chart; `empty` stands in the middle of one in which there is nothing to draw. */
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
