import type { Axle, Vehicle } from '@rogatka/contract/vehicle.ts'
import { numberFormat } from '../core/text.ts'
import { type DrawCell, INK, MARGIN, type PdfDocument } from '../reports/public-api.ts'
import { limitStatusOf } from './evidence-limit-status.ts'
import { evidenceTexts } from './texts.ts'

/** Axles per row; further ones wrap. */
const AXLES_PER_ROW = 8
const NAMES_WIDTH = 92
/** Maximum points per cm: a car does not fill the page. */
const MAX_SCALE = 0.33
const MIN_COLUMN = 30
/** Drawn length of an unmeasured gap. */
const DEFAULT_GAP_CM = 130
const LINE = 12
const WHEEL = 9
/** Space above the load, which has larger type. */
const LOAD_SPACE = 3

/** Draws the axles to scale with their values and groups below; returns the y below them. */
export function drawAxles(pdf: PdfDocument, { axles = [], axlesComplex }: Vehicle, top: number): number {
  const { axles: texts } = evidenceTexts(pdf.language)
  pdf.element('H2', () => pdf.text(texts.title, MARGIN, top + 9, { face: 'strong', size: 10 }))
  if (axles.length === 0) {
    pdf.text(texts.none, MARGIN, top + 24, { color: INK.secondary })
    return top + 30
  }
  let y = top + 18
  for (let first = 0; first < axles.length; first += AXLES_PER_ROW) {
    const row = axles.slice(first, first + AXLES_PER_ROW)
    const xs = wheelCentres(row, pdf.width - 2 * MARGIN)
    y = drawRow(pdf, row, first, xs, y)
    y = drawGroups(pdf, axlesComplex?.axlesGroups ?? [], first, xs, y) + 8
  }
  return y
}

/** The x of the wheel centres. Gaps are to scale, but wide enough for the values. */
function wheelCentres(row: readonly Axle[], width: number): number[] {
  const steps = row.slice(1).map(({ gap }) => (gap > 0 ? gap : DEFAULT_GAP_CM))
  const availableWidth = width - NAMES_WIDTH - 2 * MIN_COLUMN
  const total = steps.reduce((sum, step) => sum + step, 0)
  const scale = total > 0 ? Math.min(MAX_SCALE, availableWidth / total) : 0
  const xs = [MARGIN + NAMES_WIDTH + MIN_COLUMN]
  for (const step of steps) xs.push((xs.at(-1) ?? 0) + step * scale)
  return xs
}

const columnWidth = (xs: readonly number[]) => Math.min(60, ...xs.slice(1).map((x, i) => x - (xs[i] ?? 0)))

function drawRow(pdf: PdfDocument, row: readonly Axle[], first: number, xs: readonly number[], top: number): number {
  const { axles: texts } = evidenceTexts(pdf.language)
  const number = (value: number, decimals: number) => numberFormat(pdf.language, decimals).format(value)
  const tonnes = (kg: number | null) => (kg === null ? '–' : number(kg / 1000, 2))
  const isWeighed = ({ leftWeight, rightWeight }: Axle) => leftWeight !== null || rightWeight !== null
  const column = columnWidth(xs)
  const [left, right] = [xs[0] ?? 0, xs.at(-1) ?? 0]
  const size = Math.min(8, column / 3.6)
  const wheels = top + WHEEL + 2
  const dimension = wheels + WHEEL + 9
  const lines: [string, (axle: Axle, at: number) => string, 'plain' | 'large'][] = [
    [texts.number, (_, at) => String(first + at + 1), 'plain'],
    [texts.kind, ({ type }) => (type > 3 ? 'W' : String(type)), 'plain'],
    [texts.load, (axle) => (isWeighed(axle) ? tonnes(axle.totalLoad) : '–'), 'large'],
    [texts.least, (axle) => (isWeighed(axle) ? tonnes(axle.minTotalLoad) : '–'), 'plain'],
    [texts.most, (axle) => (isWeighed(axle) ? tonnes(axle.maxTotalLoad) : '–'), 'plain'],
    [texts.limit, ({ limitTotalLoad }) => tonnes(limitTotalLoad), 'plain'],
    [texts.excess, ({ overload }) => (overload > 0 ? `+${number(overload, 1)}` : '–'), 'plain'],
    [texts.left, ({ leftWeight }) => tonnes(leftWeight), 'plain'],
    [texts.right, ({ rightWeight }) => tonnes(rightWeight), 'plain'],
  ]
  const table = dimension + 16

  for (const [at, axle] of row.entries()) {
    const x = xs[at] ?? 0
    if (axle.overload > 0) {
      pdf.fill(x - column / 2 + 1, table - 9, column - 2, lines.length * LINE + LOAD_SPACE + 2, INK.redSoft)
    }
  }
  // The chassis, the road and the dimension line.
  pdf.line(left - 14, wheels - 3, right + 14, wheels - 3, INK.faint, 3)
  pdf.line(left - 24, wheels + WHEEL, right + 24, wheels + WHEEL, INK.text, 1)
  pdf.line(left, dimension, right, dimension, INK.faint)
  for (const [at, axle] of row.entries()) {
    const x = xs[at] ?? 0
    const color = axle.overload > 0 ? INK.red : INK.text
    pdf.ornament((page) => {
      page.circle(x, wheels, WHEEL).fill(color)
      page.circle(x, wheels, WHEEL * 0.36).fill(INK.white)
    })
    pdf.line(x, dimension - 3, x, dimension + 3, INK.faint)
  }

  const tags = pdf.createTable()
  for (const [index, [name, format, kind]] of lines.entries()) {
    const y = table + index * LINE + (index > 1 ? LOAD_SPACE : 0)
    const drawName = () => pdf.text(name, MARGIN, y, { size: 7, color: INK.secondary })
    const drawValue = (axle: Axle, at: number) => () => {
      const text = format(axle, at)
      const isLarge = kind === 'large'
      const isOver = axle.overload > 0 && (isLarge || name === texts.excess)
      pdf.text(text, xs[at] ?? 0, y, {
        face: isLarge ? 'sign' : isOver ? 'strong' : 'text',
        size: isLarge ? size * 1.5 : size,
        color: isOver ? INK.red : INK.text,
        align: 'center',
      })
    }
    const drawCells = (cell: DrawCell) => {
      cell(drawName, 'Row')
      for (const [at, axle] of row.entries()) cell(drawValue(axle, at))
    }
    // The numbers of the axles head the columns.
    if (index === 0) tags.header(drawCells)
    else tags.row(drawCells)
  }
  tags.row((cell) => {
    cell(() => pdf.text(texts.gap, MARGIN, dimension + 2.5, { size: 7, color: INK.secondary }), 'Row')
    for (const [at, { gap }] of row.entries())
      cell(() => {
        if (at > 0)
          drawGap(pdf, ((xs[at] ?? 0) + (xs[at - 1] ?? 0)) / 2, dimension, gap > 0 ? number(gap / 100, 2) : '–')
      })
  })
  tags.end()
  return table + lines.length * LINE + LOAD_SPACE
}

function drawGap(pdf: PdfDocument, x: number, y: number, text: string): void {
  const width = pdf.widthOf(text, 'sign', 8) + 4
  pdf.fill(x - width / 2, y - 4, width, 8, INK.white)
  pdf.text(text, x, y + 2.8, { face: 'sign', size: 8, align: 'center' })
}

type Groups = NonNullable<Vehicle['axlesComplex']>['axlesGroups']

/** Draws brackets under axle groups with their load and limit; returns the y below them. */
function drawGroups(pdf: PdfDocument, groups: Groups, first: number, xs: readonly number[], top: number): number {
  const { axles: texts, measures } = evidenceTexts(pdf.language)
  const tonnes = (kg: number) => numberFormat(pdf.language, 2).format(kg / 1000)
  const half = Math.min(20, columnWidth(xs) / 2 - 2)
  const colors = { over: INK.red, tolerance: INK.amber, within: INK.text }
  let hasGroups = false
  for (const group of groups) {
    const indexes = group.axles.map((axle) => axle - 1 - first).filter((at) => at >= 0 && at < xs.length)
    const [from, to] = [xs[indexes[0] ?? -1], xs[indexes.at(-1) ?? -1]]
    if (group.axles.length < 2 || from === undefined || to === undefined) continue
    const status = limitStatusOf(group.totalLoad, group.limitTotalLoad, group.overload)
    const color = colors[status]
    pdf.line(from - half, top, from - half, top + 5, color, 1)
    pdf.line(to + half, top, to + half, top + 5, color, 1)
    pdf.line(from - half, top + 5, to + half, top + 5, color, 1)
    const limit = group.limitTotalLoad === null ? '' : ` / ${tonnes(group.limitTotalLoad)}`
    const excess = status === 'over' ? `  +${numberFormat(pdf.language, 1).format(group.overload)} %` : ''
    const text = `${tonnes(group.totalLoad)}${limit}${excess}`
    if (!hasGroups) pdf.text(texts.group, MARGIN, top + 15, { size: 7, color: INK.secondary })
    hasGroups = true
    pdf.element('P', () => {
      pdf.text(text, (from + to) / 2, top + 15, { face: 'sign', size: 8.5, color, align: 'center' })
      if (status === 'tolerance')
        pdf.text(measures.tolerance, (from + to) / 2, top + 24, { size: 6.5, color, align: 'center' })
    })
  }
  return hasGroups ? top + 28 : top
}
