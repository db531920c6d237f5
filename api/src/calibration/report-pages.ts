import { GRAPH_HEIGHT, GRAPH_WIDTH } from '@rogatka/contract/reports.ts'
import { exceedsDeviation } from '@rogatka/domain/calibration/chart.ts'
import { periodLabel } from '@rogatka/domain/statistics/periods.ts'
import { numberFormat } from '../core/text.ts'
import {
  createFigureTable,
  createPdfDocument,
  createYielder,
  drawChart,
  drawCriteria,
  INK,
  MARGIN,
  type PdfDocument,
  reportTexts,
} from '../reports/public-api.ts'
import { calibrationTexts } from './graph.ts'
import { type CalibrationReport, figureColumns, laneName, printedChart, referenceLine } from './report-figures.ts'

/** In points. */
const ROW_HEIGHT = 14
const LAYOUT = { firstWidth: 110, headerHeight: 24, rowHeight: ROW_HEIGHT }
const OUTSIDE_STYLE = { face: 'strong', color: INK.red } as const
const MISSING = '–'
const CHART_GAP = 8
const GRAPH = { width: GRAPH_WIDTH, height: GRAPH_HEIGHT }

/** A PDF with chart, reference and table for each lane. */
export async function* renderPdf(input: CalibrationReport): AsyncGenerator<Buffer> {
  const { result, criteria, language, shows } = input
  const texts = calibrationTexts(language)
  const pdf = await createPdfDocument({ ...input, title: texts.report.title, landscape: true })
  const maybeYield = createYielder()
  const columns = figureColumns(language)
  const titles = [texts.report.columns.time, ...columns.map(({ title }) => title)]
  const formats = columns.map(({ decimals }) => numberFormat(language, decimals))

  pdf.newPage()
  let y = drawCriteria(pdf, texts.report.title, criteria)
  if (result.lanes.length === 0)
    pdf.text(reportTexts(language).nothing, MARGIN, y + 12, { size: 9, color: INK.secondary })
  for (const [index, lane] of result.lanes.entries()) {
    if (index > 0) {
      pdf.newPage()
      y = MARGIN
    }
    const heading = `${laneName(lane, language)}: ${texts[shows]}`
    y = drawHeading(pdf, heading, referenceLine(lane, language), y)
    y = await drawChart(pdf, await printedChart(input, lane), y, { ...GRAPH, alt: heading }, CHART_GAP)
    const table = createFigureTable(pdf, titles, LAYOUT)
    y = y + LAYOUT.headerHeight + 3 * ROW_HEIGHT < pdf.bottom ? table.header(y) : table.onNewPage(heading)
    for (const period of lane.periods.toReversed()) {
      if (y + ROW_HEIGHT > pdf.bottom) {
        y = table.onNewPage(heading)
        const finished = pdf.readOutput()
        if (finished) yield finished
      }
      const figures = columns.map(({ value }, i) => {
        const figure = value(period)
        return typeof figure === 'number' ? (formats[i]?.format(figure) ?? MISSING) : MISSING
      })
      // Red: so far from the reference that the lane should be calibrated.
      const style = exceedsDeviation(period.deviationFromReference) ? OUTSIDE_STYLE : {}
      y = table.row([periodLabel(period.dateTime, 'hour'), ...figures], y, () => style)
      await maybeYield()
    }
    table.end()
  }
  yield* pdf.finish()
}

function drawHeading(pdf: PdfDocument, heading: string, reference: string, top: number): number {
  pdf.element('H2', () => pdf.text(heading, MARGIN, top + 10, { face: 'strong', size: 10 }))
  let y = top + 22
  pdf.element('P', () => {
    for (const line of pdf.wrap(reference, pdf.width - 2 * MARGIN)) {
      pdf.text(line, MARGIN, y, { size: 8, color: INK.secondary })
      y += 11
    }
  })
  return y
}
