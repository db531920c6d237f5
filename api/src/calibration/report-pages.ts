import { GRAPH_HEIGHT, GRAPH_WIDTH } from '@rogatka/contract/statistics.ts'
import { exceedsDeviation } from '@rogatka/domain/calibration/chart.ts'
import { periodLabel } from '@rogatka/domain/statistics/periods.ts'
import { numberFormat } from '../core/text.ts'
import { drawChart, drawCriteria } from '../reports/criteria.ts'
import { createPdfDocument, INK, MARGIN, type PdfDocument } from '../reports/pdf-document.ts'
import { reportTexts } from '../reports/texts.ts'
import { createYielder } from '../reports/yielding.ts'
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
  const paper = createPdfDocument({ ...asked, title: texts.report.title, landscape: true })
  const pace = createYielder()
  const columns = figureColumns(language)
  const titles = [texts.report.columns.time, ...columns.map(({ title }) => title)]
  const formats = columns.map(({ decimals }) => numberFormat(language, decimals))

  paper.newPage()
  let y = drawCriteria(paper, texts.report.title, criteria)
  if (answer.lanes.length === 0)
    paper.text(reportTexts(language).nothing, MARGIN, y + 12, { size: 9, color: INK.quiet })
  for (const [index, lane] of answer.lanes.entries()) {
    if (index > 0) {
      paper.newPage()
      y = MARGIN
    }
    const heading = `${laneName(lane, language)}: ${texts[shows]}`
    y = drawHeading(paper, heading, referenceLine(lane, language), y)
    y = await drawChart(paper, await printedChart(asked, lane), y, GRAPH, BELOW_CHART)
    const begin = () => {
      paper.newPage()
      paper.text(heading, MARGIN, MARGIN + 6, { size: 8, color: INK.quiet })
      return drawRow(paper, titles, MARGIN + 14, 'head')
    }
    y = y + HEAD + 3 * ROW < paper.bottom ? drawRow(paper, titles, y, 'head') : begin()
    for (const period of lane.periods.toReversed()) {
      if (y + ROW > paper.bottom) {
        y = begin()
        const finished = paper.taken()
        if (finished) yield finished
      }
      const figures = columns.map(({ value }, i) => {
        const figure = value(period)
        return typeof figure === 'number' ? (formats[i]?.format(figure) ?? MISSING) : MISSING
      })
      const kind = exceedsDeviation(period.deviationFromReference) ? 'outside' : 'row'
      y = drawRow(paper, [periodLabel(period.dateTime, 'hour'), ...figures], y, kind)
      await pace()
    }
  }
  paper.end()
  for (let rest = paper.taken(); rest; rest = paper.taken()) yield rest
}

function drawHeading(paper: PdfDocument, heading: string, reference: string, top: number): number {
  paper.text(heading, MARGIN, top + 10, { face: 'strong', size: 10 })
  let y = top + 22
  for (const line of paper.wrap(reference, paper.width - 2 * MARGIN)) {
    paper.text(line, MARGIN, y, { size: 8, color: INK.quiet })
    y += 11
  }
  return y
}

/** A row of the table; answers where the next one stands. Red: so far from the reference that it wants a calibration. */
function drawRow(paper: PdfDocument, cells: readonly string[], y: number, kind: 'head' | 'row' | 'outside'): number {
  const height = kind === 'head' ? HEAD : ROW
  const width = paper.width - 2 * MARGIN
  const step = (width - TIME_WIDTH) / (cells.length - 1)
  if (kind === 'head') paper.fill(MARGIN - 4, y, width + 8, height, INK.ground)
  for (const [i, text] of cells.entries()) {
    paper.text(
      paper.fit(text, i === 0 ? TIME_WIDTH : step - 6),
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
  if (kind !== 'head') paper.line(MARGIN, y + height, paper.width - MARGIN, y + height)
  return y + height
}
