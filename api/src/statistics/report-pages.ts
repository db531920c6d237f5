import { GRAPH_HEIGHT, GRAPH_WIDTH } from '@rogatka/contract/reports.ts'
import {
  BELOW_CHART,
  HEAD,
  HEADING,
  hasRoomForTable,
  PERIOD_WIDTH,
  ROW,
  SERIES_PER_PART,
} from '@rogatka/domain/statistics/document.ts'
import { periodLabel } from '@rogatka/domain/statistics/periods.ts'
import {
  createPdfDocument,
  createYielder,
  drawChart,
  drawCriteria,
  INK,
  MARGIN,
  type PdfDocument,
} from '../reports/public-api.ts'
import { rangeText, statisticsChartPng, statisticTitle } from './graph.ts'
import { PRINT_SCALE, type ReportInput } from './report-workbook.ts'
import { formatFigures, seriesName, statisticTexts, sumName } from './texts.ts'

const GRAPH = { width: GRAPH_WIDTH, height: GRAPH_HEIGHT }
/** Points between two columns. */
const GAP = 6

/** A document with a chart and a table for each location. */
export async function* renderPdf(asked: ReportInput): AsyncGenerator<Buffer> {
  const { filters, answer, criteria, language } = asked
  const words = statisticTexts(language)
  const pdf = createPdfDocument({ ...asked, title: words.report.title, landscape: true })
  const pace = createYielder()
  const { starts, resolution, tables } = answer
  const { figure } = formatFigures(filters.statName, language)
  const labels = starts.map((start) => periodLabel(start, resolution.unit))

  pdf.newPage()
  let y = drawCriteria(pdf, words.report.title, criteria)
  for (const [index, { location, table }] of tables.entries()) {
    const place = `${location.shortName}, ${location.chainage}`
    const whole = ((pdf.width - 2 * MARGIN) * GRAPH_HEIGHT) / GRAPH_WIDTH
    // Beside the criteria the first chart may be smaller.
    if (y + (index === 0 ? whole / 2 : whole) > pdf.bottom) {
      pdf.newPage()
      y = MARGIN
    }
    const chart = await statisticsChartPng(filters, { location, table, starts, resolution }, language, {
      scale: PRINT_SCALE,
    })
    y = await drawChart(pdf, chart, y, GRAPH, BELOW_CHART)

    const rows = [
      ...labels.map((label, i) => ({
        label,
        cells: table.groups.map(({ series }) => series[i] ?? null),
        sum: table.summaries[i] ?? null,
      })),
      { label: words.all, cells: table.groups.map(({ summary }) => summary), sum: table.summary },
    ]
    for (let from = 0; from === 0 || from < table.groups.length; from += SERIES_PER_PART) {
      const part = table.groups.slice(from, from + SERIES_PER_PART)
      const isLast = from + SERIES_PER_PART >= table.groups.length
      const titles = part.map(({ value }) => seriesName(filters.groupBy, value, language))
      const columns = [words.period, ...titles, ...(isLast ? [sumName(filters.statName, language)] : [])]
      const heading = `${place}: ${statisticTitle(filters, resolution, language)}; ${rangeText(filters, language)}`
      const begin = () => {
        pdf.newPage()
        pdf.text(heading, MARGIN, MARGIN + 6, { size: 8, color: INK.quiet })
        return drawHead(pdf, columns, MARGIN + HEADING)
      }
      y = from === 0 && hasRoomForTable(y, pdf.bottom) ? drawHead(pdf, columns, y) : begin()
      for (const { label, cells, sum } of rows) {
        if (y + ROW > pdf.bottom) {
          y = begin()
          const finished = pdf.readOutput()
          if (finished) yield finished
        }
        const texts = [
          label,
          ...cells.slice(from, from + SERIES_PER_PART).map(figure),
          ...(isLast ? [figure(sum)] : []),
        ]
        drawRow(pdf, texts, y, { isTotal: label === words.all, boldLast: isLast })
        y += ROW
        await pace()
      }
    }
    y += ROW
    const finished = pdf.readOutput()
    if (finished) yield finished
  }
  pdf.end()
  for (let rest = pdf.readOutput(); rest; rest = pdf.readOutput()) yield rest
}

/** Right ends of the columns after the first, which all are of the same width. */
const rightEnd = (pdf: PdfDocument, columns: number, index: number) =>
  MARGIN + PERIOD_WIDTH + ((pdf.width - 2 * MARGIN - PERIOD_WIDTH) / Math.max(1, columns - 1)) * index

function drawHead(pdf: PdfDocument, titles: readonly string[], y: number): number {
  pdf.fill(MARGIN - 4, y, pdf.width - 2 * MARGIN + 8, HEAD, INK.ground)
  for (const [i, title] of titles.entries()) {
    const right = rightEnd(pdf, titles.length, i)
    const width = i === 0 ? PERIOD_WIDTH : right - rightEnd(pdf, titles.length, i - 1) - GAP
    const lines = pdf.wrap(title, width, 'strong', 7).slice(0, 3)
    for (const [at, line] of lines.entries()) {
      const base = y + HEAD / 2 + 2.5 + (at - (lines.length - 1) / 2) * 8.5
      const place = i === 0 ? MARGIN : right
      pdf.text(pdf.fit(line, width, 'strong', 7), place, base, {
        face: 'strong',
        size: 7,
        color: INK.quiet,
        align: i === 0 ? 'left' : 'right',
      })
    }
  }
  return y + HEAD
}

function drawRow(
  pdf: PdfDocument,
  texts: readonly string[],
  y: number,
  { isTotal, boldLast }: { isTotal: boolean; boldLast: boolean },
) {
  for (const [i, text] of texts.entries()) {
    const isBold = isTotal || (boldLast && i === texts.length - 1)
    pdf.text(text, i === 0 ? MARGIN : rightEnd(pdf, texts.length, i), y + 10, {
      size: 8,
      face: isBold ? 'strong' : 'text',
      align: i === 0 ? 'left' : 'right',
    })
  }
  pdf.line(MARGIN, y + ROW, pdf.width - MARGIN, y + ROW)
}
