import { GRAPH_HEIGHT, GRAPH_WIDTH } from '@rogatka/contract/reports.ts'
import {
  CHART_GAP,
  HEADER_HEIGHT,
  hasRoomForTable,
  PERIOD_WIDTH,
  ROW_HEIGHT,
  SERIES_PER_PART,
} from '@rogatka/domain/statistics/document.ts'
import { periodLabel } from '@rogatka/domain/statistics/periods.ts'
import {
  createFigureTable,
  createPdfDocument,
  createYielder,
  drawChart,
  drawCriteria,
  MARGIN,
} from '../reports/public-api.ts'
import { rangeText, statisticsChartPng, statisticTitle } from './graph.ts'
import { PRINT_SCALE, type ReportInput } from './report-workbook.ts'
import { formatFigures, seriesName, statisticTexts, sumName } from './texts.ts'

const GRAPH = { width: GRAPH_WIDTH, height: GRAPH_HEIGHT }

/** A PDF with a chart and a table for each location. */
export async function* renderPdf(input: ReportInput): AsyncGenerator<Buffer> {
  const { filters, result, criteria, language } = input
  const allTexts = statisticTexts(language)
  const pdf = await createPdfDocument({ ...input, title: allTexts.report.title, landscape: true })
  const maybeYield = createYielder()
  const { starts, resolution, tables } = result
  const { figure } = formatFigures(filters.statName, language)
  const labels = starts.map((start) => periodLabel(start, resolution.unit))

  pdf.newPage()
  let y = drawCriteria(pdf, allTexts.report.title, criteria)
  for (const [index, locationTable] of tables.entries()) {
    const { location, table, earlier } = locationTable
    const site = `${location.shortName}, ${location.chainage}`
    const fullHeight = ((pdf.width - 2 * MARGIN) * GRAPH_HEIGHT) / GRAPH_WIDTH
    // Below the criteria the first chart may be smaller.
    if (y + (index === 0 ? fullHeight / 2 : fullHeight) > pdf.bottom) {
      pdf.newPage()
      y = MARGIN
    }
    const chart = await statisticsChartPng(filters, { ...locationTable, starts, resolution }, language, {
      scale: PRINT_SCALE,
    })
    const heading = `${site}: ${statisticTitle(filters, resolution, language)}; ${rangeText(filters, language)}`
    y = await drawChart(pdf, chart, y, { ...GRAPH, alt: heading }, CHART_GAP)

    const rows = [
      ...labels.map((label, i) => ({
        label,
        cells: table.groups.map(({ series }) => series[i] ?? null),
        totals: [table.summaries[i] ?? null, ...(earlier ? [earlier.summaries[i] ?? null] : [])],
      })),
      {
        label: allTexts.all,
        cells: table.groups.map(({ summary }) => summary),
        totals: [table.summary, ...(earlier ? [earlier.summary] : [])],
      },
    ]
    for (let from = 0; from === 0 || from < table.groups.length; from += SERIES_PER_PART) {
      const part = table.groups.slice(from, from + SERIES_PER_PART)
      const isLast = from + SERIES_PER_PART >= table.groups.length
      const titles = part.map(({ value }) => seriesName(filters.groupBy, value, language))
      const totalTitles = [sumName(filters.statName, language), ...(earlier ? [allTexts.earlier] : [])]
      const columns = [allTexts.period, ...titles, ...(isLast ? totalTitles : [])]
      const figures = createFigureTable(pdf, columns, {
        firstWidth: PERIOD_WIDTH,
        headerHeight: HEADER_HEIGHT,
        rowHeight: ROW_HEIGHT,
      })
      y = from === 0 && hasRoomForTable(y, pdf.bottom) ? figures.header(y) : figures.onNewPage(heading)
      for (const { label, cells, totals } of rows) {
        if (y + ROW_HEIGHT > pdf.bottom) {
          y = figures.onNewPage(heading)
          const finished = pdf.readOutput()
          if (finished) yield finished
        }
        const texts = [
          label,
          ...cells.slice(from, from + SERIES_PER_PART).map(figure),
          ...(isLast ? totals.map(figure) : []),
        ]
        const isBold = (column: number) => label === allTexts.all || (isLast && column === texts.length - totals.length)
        y = figures.row(texts, y, (column) => ({ face: isBold(column) ? 'strong' : 'text' }))
        await maybeYield()
      }
      figures.end()
    }
    y += ROW_HEIGHT
    const finished = pdf.readOutput()
    if (finished) yield finished
  }
  yield* pdf.finish()
}
