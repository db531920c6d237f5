import { themes } from '@rogatka/domain/core/chart/theme.ts'
import { HIT_RATE_TARGET, type Rate } from '@rogatka/domain/inspections/hitRate.ts'
import { SNAPSHOT } from '../core/database.ts'
import {
  type ChartSheet,
  type Column,
  type CriteriaSheet,
  type ReportContext,
  type RowBatches,
  xlsxCharts,
} from '../reports/public-api.ts'
import type { ScopeWithStations } from './figures.ts'
import { type GroupKind, groupedFigures, groupName } from './figures-groups.ts'
import { inspectionTexts } from './texts.ts'

type Input<Pair> = ReportContext &
  ScopeWithStations & {
    about: CriteriaSheet
    range: string
    shiftStarts: readonly string[]
    columns: readonly Column<Pair>[]
    pairs: RowBatches<Pair>
  }
type GroupRow = { name: string; rate: Rate }
/** A row of either kind of sheet. */
type SheetRow<Pair> = { pair: Pair } | { group: GroupRow }

/** Columns of the sheets of rates, by index. */
const NAME = 0
const RATE = 3
const { accent, series } = themes.light
/** Ends of the interval, and the target. */
const LINES = [series[1], series[1], series[2]]

/** A workbook with every pair, and sheets of the hit rates by group as in the PDF, each with a chart. */
export function renderXlsx<Pair>(input: Input<Pair>): AsyncGenerator<Buffer> {
  const { db, language, about, range, columns, pairs } = input
  const { figures: texts } = inspectionTexts(language)

  async function* sheets(): AsyncGenerator<ChartSheet<SheetRow<Pair>>> {
    yield {
      name: texts.sheet,
      title: texts.title,
      subtitle: range,
      columns: columns.map(
        ({ isRed: _, value, ...column }): Column<SheetRow<Pair>> => ({
          ...column,
          value: (row) => ('pair' in row ? value(row.pair) : null),
        }),
      ),
      frozen: 1,
      rows: wrapped(pairs),
    }
    const { groups } = await db.transaction((db) => groupedFigures(db, input), { mode: SNAPSHOT })
    for (const [kind, some] of Object.entries(groups) as [GroupKind, (typeof groups)[GroupKind]][])
      if (some.length > 0)
        yield sheetOf(
          kind,
          some.map((group) => ({ name: groupName(group, language), rate: group.hitRate })),
        )
  }

  function sheetOf(kind: GroupKind, groups: readonly GroupRow[]): ChartSheet<SheetRow<Pair>> {
    const column = (title: string, of: (group: GroupRow) => string | number | null, decimals = 0, width = 14) => ({
      title,
      width,
      decimals,
      value: (row: SheetRow<Pair>) => ('group' in row ? of(row.group) : null),
    })
    // Officers are not judged.
    const target = kind === 'officer' ? [] : [column(texts.columns.target, () => HIT_RATE_TARGET)]
    const lines = LINES.slice(0, 2 + target.length).map((color = accent, index) => ({
      column: RATE + 1 + index,
      color,
    }))
    const title = `${texts.title}: ${texts.groups[kind]}`
    return {
      name: texts.groups[kind],
      title,
      subtitle: `${texts.definitions.hitRate}; ${range}`,
      native: {
        kind: kind === 'month' ? 'line' : 'bar',
        title,
        categories: NAME,
        // Only months follow each other, so that lines connect them.
        series: [{ column: RATE, color: accent }, ...(kind === 'month' ? lines : [])],
      },
      columns: [
        column(texts.groups[kind], ({ name }) => name, 0, 28),
        column(texts.columns.weighed, ({ rate }) => rate.of),
        column(texts.columns.hits, ({ rate }) => rate.part),
        column(texts.columns.rate, ({ rate }) => rate.percent, 1),
        column(texts.columns.intervalFrom, ({ rate }) => rate.low, 1),
        column(texts.columns.intervalTo, ({ rate }) => rate.high, 1),
        ...target,
      ],
      frozen: 1,
      rows: groups.map((group) => ({ group })),
    }
  }

  return xlsxCharts(about, sheets())
}

async function* wrapped<Pair>(batches: RowBatches<Pair>): AsyncGenerator<{ pair: Pair }[]> {
  for await (const batch of batches) yield batch.map((pair) => ({ pair }))
}
