import { GRAPH_HEIGHT, GRAPH_WIDTH } from '@rogatka/contract/reports.ts'
import { exceedsDeviation } from '@rogatka/domain/calibration/chart.ts'
import { periodLabel } from '@rogatka/domain/statistics/periods.ts'
import { numberFormat } from '../core/text.ts'
import {
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

/** Points. */
const ROW = 14
const HEAD = 24
const TIME_WIDTH = 110
const MISSING = '–'
const BELOW_CHART = 8
const GRAPH = { width: GRAPH_WIDTH, height: GRAPH_HEIGHT }

/** A document with chart, reference and table for each lane. */
export async function* renderPdf(asked: CalibrationReport): AsyncGenerator<Buffer> {
  const { answer, criteria, language, shows } = asked
  const texts = calibrationTexts(language)
  const pdf = createPdfDocument({ ...asked, title: texts.report.title, landscape: true })
  const pace = createYielder()
  const columns = figureColumns(language)
  const titles = [texts.report.columns.time, ...columns.map(({ title }) => title)]
  const formats = columns.map(({ decimals }) => numberFormat(language, decimals))

  pdf.newPage()
  let y = drawCriteria(pdf, texts.report.title, criteria)
  if (answer.lanes.length === 0) pdf.text(reportTexts(language).nothing, MARGIN, y + 12, { size: 9, color: INK.quiet })
  for (const [index, lane] of answer.lanes.entries()) {
    if (index > 0) {
      pdf.newPage()
      y = MARGIN
    }
    const heading = `${laneName(lane, language)}: ${texts[shows]}`
    y = drawHeading(pdf, heading, referenceLine(lane, language), y)
    y = await drawChart(pdf, await printedChart(asked, lane), y, GRAPH, BELOW_CHART)
    const begin = () => {
      pdf.newPage()
      pdf.text(heading, MARGIN, MARGIN + 6, { size: 8, color: INK.quiet })
      return drawRow(pdf, titles, MARGIN + 14, 'head')
    }
    y = y + HEAD + 3 * ROW < pdf.bottom ? drawRow(pdf, titles, y, 'head') : begin()
    for (const period of lane.periods.toReversed()) {
      if (y + ROW > pdf.bottom) {
        y = begin()
        const finished = pdf.readOutput()
        if (finished) yield finished
      }
      const figures = columns.map(({ value }, i) => {
        const figure = value(period)
        return typeof figure === 'number' ? (formats[i]?.format(figure) ?? MISSING) : MISSING
      })
      const kind = exceedsDeviation(period.deviationFromReference) ? 'outside' : 'row'
      y = drawRow(pdf, [periodLabel(period.dateTime, 'hour'), ...figures], y, kind)
      await pace()
    }
  }
  pdf.end()
  for (let rest = pdf.readOutput(); rest; rest = pdf.readOutput()) yield rest
}

function drawHeading(pdf: PdfDocument, heading: string, reference: string, top: number): number {
  pdf.text(heading, MARGIN, top + 10, { face: 'strong', size: 10 })
  let y = top + 22
  for (const line of pdf.wrap(reference, pdf.width - 2 * MARGIN)) {
    pdf.text(line, MARGIN, y, { size: 8, color: INK.quiet })
    y += 11
  }
  return y
}

/** A row of the table; answers where the next one stands. Red: so far from the reference that it wants a calibration. */
function drawRow(pdf: PdfDocument, cells: readonly string[], y: number, kind: 'head' | 'row' | 'outside'): number {
  const height = kind === 'head' ? HEAD : ROW
  const width = pdf.width - 2 * MARGIN
  const step = (width - TIME_WIDTH) / (cells.length - 1)
  if (kind === 'head') pdf.fill(MARGIN - 4, y, width + 8, height, INK.ground)
  for (const [i, text] of cells.entries()) {
    pdf.text(
      pdf.fit(text, i === 0 ? TIME_WIDTH : step - 6),
      i === 0 ? MARGIN : MARGIN + TIME_WIDTH + step * i,
      y + height / 2 + 3,
      {
        size: kind === 'head' ? 7 : 8,
        face: kind === 'row' ? 'text' : 'strong',
        color: kind === 'head' ? INK.quiet : kind === 'outside' ? INK.red : INK.text,
        align: i === 0 ? 'left' : 'right',
      },
    )
  }
  if (kind !== 'head') pdf.line(MARGIN, y + height, pdf.width - MARGIN, y + height)
  return y + height
}
