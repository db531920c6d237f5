import { ALL_LANES, MAX_PAIRS, unweighedReasons } from '@rogatka/contract/inspections-figures.ts'
import type { Selection } from '@rogatka/contract/options.ts'
import { isBiased } from '@rogatka/domain/inspections/accuracyPairs.ts'
import { criteria, type DifferenceSummary } from '@rogatka/domain/inspections/differences.ts'
import { axisStart, laneOfChart } from '@rogatka/domain/inspections/effectiveness.ts'
import { HIT_RATE_TARGET, MIN_FOR_RATE, missesTarget, type Rate } from '@rogatka/domain/inspections/hitRate.ts'
import { tolerances } from '@rogatka/domain/vehicle/tolerance.ts'
import { drawInThread } from '../core/chart-thread.ts'
import { type Database, SNAPSHOT } from '../core/database.ts'
import { numberFormat } from '../core/text.ts'
import {
  createFigureTable,
  createPdfDocument,
  drawChart,
  drawCriteria,
  INK,
  MARGIN,
  type PdfDocument,
  type ReportContext,
  type TextStyle,
} from '../reports/public-api.ts'
import { accuracyOfLanes, leftOutOf, summaryOf } from './accuracy.ts'
import type { Figures, ScopeWithStations } from './figures.ts'
import type { ChartInput } from './figures-draw.ts'
import { groupedFigures, groupName } from './figures-groups.ts'
import { laneDifferences, pairRows, unweighedCounts } from './figures-queries.ts'
import { pairsOf } from './pairs.ts'
import { inspectionTexts } from './texts.ts'

const DRAW_MODULE = new URL('./figures-draw.ts', import.meta.url).href

/** In points. */
const ROW_HEIGHT = 14
const RATES = { firstWidth: 250, headerHeight: 18, rowHeight: ROW_HEIGHT }
const CLASSES = { firstWidth: 108, headerHeight: 20, rowHeight: ROW_HEIGHT }
const HEADING = 26
/** Whiskers: their column from 0, their width, and their distance to the right end of the column. */
const WHISKER = { column: 3, width: 84, right: 8 }
/** px */
const CHART = { width: 980, height: 330, scale: 2 }
const MISSING = '–'
/** In place of ◆ and ▲, which the fonts lack. */
const MARK = '◊'
const ENDED = '†'
const WARNING = { face: 'strong', color: INK.amber } as const
/** Of the certificate, whose column is narrow. */
const CERTIFICATE = { size: 6.4 } as const

/** The input of the document. `lane`: that of the chart. */
export type FiguresDocument = ReportContext &
  ScopeWithStations & {
    title: string
    criteria: readonly [string, string][]
    chosen: readonly Selection[]
    shiftStarts: readonly string[]
    lane: number | undefined
  }

type Group = Figures['groups'][number]

/** All figures of the document, as the page shows them. */
async function figuresOf(db: Database, input: FiguresDocument) {
  const { scope, stations, chosen, now } = input
  const { total, groups } = await groupedFigures(db, input)
  const lanes = await accuracyOfLanes(db, { scope, stations, chosen, now })
  const lane = input.lane === ALL_LANES ? undefined : laneOfChart(lanes, input.lane)
  const ofLane = lane ? { ...scope, lanes: [lane.lane.id] } : scope
  const rows = await laneDifferences(db, ofLane, chosen)
  const newest = await pairRows(db, ofLane, { chosen, limit: MAX_PAIRS + 1 })
  const pairs = newest.slice(0, MAX_PAIRS).flatMap(pairsOf)
  const hasMorePairs = newest.length > MAX_PAIRS
  const unweighed = await unweighedCounts(db, scope)
  const [differences, leftOut] = [summaryOf(rows), leftOutOf(rows)]
  return { total, unweighed, groups, lanes, lane, pairs, hasMorePairs, differences, leftOut }
}

type ShownFigures = Awaited<ReturnType<typeof figuresOf>>

/** A PDF that equals the page: rates, differences of a lane with their chart, and accuracy classes. */
export async function* renderPdf(input: FiguresDocument): AsyncGenerator<Buffer> {
  const { db, title, criteria, language } = input
  const shown = await db.transaction((db) => figuresOf(db, input), { mode: SNAPSHOT })
  const pdf = await createPdfDocument({ ...input, landscape: true })
  const page = { pdf, input, shown, texts: inspectionTexts(language).figures, format: formatsOf(input) }
  pdf.newPage()
  let y = drawCriteria(pdf, title, criteria)
  const { columns } = page.texts
  y = drawRates(page, [page.texts.rates, columns.of, columns.part], totalRows(page), y)
  y = drawUnweighed(page, y)
  for (const [kind, groups] of Object.entries(shown.groups) as [keyof ShownFigures['groups'], Group[]][])
    if (groups.length > 0)
      y = drawRates(page, [page.texts.groups[kind], columns.weighed, columns.hits], groups.map(rowOf(page, kind)), y)
  y = await drawDifferences(page, y)
  drawClasses(page, y)
  yield* pdf.finish()
}

type Page = {
  pdf: PdfDocument
  input: FiguresDocument
  shown: ShownFigures
  texts: ReturnType<typeof inspectionTexts>['figures']
  format: ReturnType<typeof formatsOf>
}

function formatsOf({ language }: FiguresDocument) {
  const [whole, tenths] = [numberFormat(language), numberFormat(language, 1)]
  const share = (part: number, of: number) =>
    inspectionTexts.format(language, 'figures.share', { part: whole.format(part), of: whole.format(of) })
  return {
    whole: (value: number) => whole.format(value),
    tenths: (value: number | null) => (value === null ? MISSING : tenths.format(value)),
    signed: (value: number | null) => (value === null ? MISSING : `${value > 0 ? '+' : ''}${tenths.format(value)}`),
    share,
    rate: ({ percent, part, of }: Rate) =>
      percent !== null ? tenths.format(percent) : of === 0 ? MISSING : share(part, of),
    /** A share as percentage; as counts if there are too few. */
    percent: (part: number, of: number) =>
      of >= MIN_FOR_RATE ? tenths.format((100 * part) / of) : of === 0 ? MISSING : share(part, of),
  }
}

/** `target`: percentage that the rate should reach; null without one. `isTotal`: of a station, followed by its lanes. */
type RateRow = { name: string; rate: Rate; target: number | null; isMarked: boolean; isTotal?: boolean }

const totalRows = ({ shown: { total }, texts }: Page): RateRow[] =>
  (['hitRate', 'stopRate', 'coverage', 'missedRate'] as const).flatMap((name) => {
    const rate = total[name]
    const isHitRate = name === 'hitRate'
    const target = isHitRate ? HIT_RATE_TARGET : null
    return rate ? [{ name: texts.definitions[name], rate, target, isMarked: isHitRate && missesTarget(rate) }] : []
  })

/** Writes how many announced inspections were not weighed, by reason; returns the y below it. */
function drawUnweighed({ pdf, shown: { unweighed }, texts, format }: Page, top: number): number {
  const ended = unweighedReasons.reduce((sum, reason) => sum + (reason === 'open' ? 0 : unweighed[reason]), 0)
  const reasons = unweighedReasons
    .filter((reason) => unweighed[reason] > 0)
    .map((reason) => `${texts.unweighedBy[reason]} ${format.whole(unweighed[reason])}`)
  const note = reasons.length > 0 ? ` (${reasons.join(', ')})` : ''
  return drawNote(pdf, `${texts.unweighed}: ${format.whole(ended)}${note}`, top)
}

/** Writes a small line; returns the y below it. */
function drawNote(pdf: PdfDocument, text: string, top: number): number {
  pdf.text(text, MARGIN, top + 12, { size: 8, color: INK.secondary })
  return top + 14
}

/** The row of a group; officers are not judged. */
const rowOf =
  ({ input: { language } }: Page, kind: keyof ShownFigures['groups']) =>
  (group: Group): RateRow => {
    const isMarked = kind !== 'officer' && missesTarget(group.hitRate)
    const isTotal = kind === 'station' && group.laneNumber === null
    return { name: groupName(group, language), rate: group.hitRate, target: HIT_RATE_TARGET, isMarked, isTotal }
  }

/** Draws the heading of a section; on a new page unless `height` fits below. Returns the y below it. */
function startSection({ pdf }: Page, heading: string, y: number, height: number): number {
  let top = y + 12
  if (top + HEADING + height > pdf.bottom) {
    pdf.newPage()
    top = MARGIN
  }
  pdf.element('H2', () => pdf.text(heading, MARGIN, top + 12, { face: 'strong', size: 11 }))
  return top + HEADING - 6
}

type Table = ReturnType<typeof createFigureTable>
/** `drawBehind` draws what is behind the texts. */
type TableRow = { texts: string[]; styleOf: (column: number) => TextStyle; drawBehind?: (y: number) => void }

/** Draws the rows of a table, over several pages if needed; returns the y below it. */
function drawRows({ pdf }: Page, table: Table, heading: string, rows: readonly TableRow[], top: number): number {
  let y = table.header(top)
  for (const { texts, styleOf, drawBehind } of rows) {
    if (y + ROW_HEIGHT > pdf.bottom) y = table.onNewPage(heading)
    drawBehind?.(y)
    y = table.row(texts, y, styleOf)
  }
  table.end()
  return y
}

/** Draws rates with counts, whiskers and intervals; `heads` are those of name, whole and part. */
function drawRates(page: Page, heads: [string, string, string], rates: readonly RateRow[], y: number): number {
  const { pdf, texts, format } = page
  const { rate: percent, interval } = texts.columns
  const [heading] = heads
  const from = axisStart(rates.map(({ rate }) => rate))
  const table = createFigureTable(pdf, ['', ...heads.slice(1), `${from} … 100`, percent, interval], RATES)
  const rows = rates.map(({ name, rate, target, isMarked, isTotal }): TableRow => {
    const hasRate = rate.percent !== null
    return {
      texts: [
        name,
        format.whole(rate.of),
        format.whole(rate.part),
        '',
        `${isMarked ? `${MARK} ` : ''}${format.rate(rate)}`,
        hasRate ? `${format.tenths(rate.low)}–${format.tenths(rate.high)}` : MISSING,
      ],
      styleOf: (column) =>
        column === 4 && isMarked ? WARNING : isTotal || (column === 4 && hasRate) ? { face: 'strong' } : {},
      ...(hasRate && { drawBehind: (top) => drawWhisker(pdf, { ...rate, target }, from, top) }),
    }
  })
  const needed = RATES.headerHeight + Math.min(rows.length, 3) * ROW_HEIGHT
  return drawRows(page, table, heading, rows, startSection(page, heading, y, needed))
}

/** The share as a point, its interval as a line, a target as a stroke; the axis begins at `from` percent. */
function drawWhisker(
  pdf: PdfDocument,
  { percent, low, high, target }: Rate & Pick<RateRow, 'target'>,
  from: number,
  top: number,
): void {
  const step = (pdf.width - 2 * MARGIN - RATES.firstWidth) / 5
  const left = MARGIN + RATES.firstWidth + step * WHISKER.column - WHISKER.right - WHISKER.width
  const x = (value: number | null) => left + (WHISKER.width * ((value ?? from) - from)) / (100 - from)
  const y = top + ROW_HEIGHT / 2
  pdf.line(left, y, left + WHISKER.width, y, INK.line, 1)
  if (target !== null) pdf.line(x(target), y - 4, x(target), y + 4, INK.secondary, 0.7)
  pdf.line(x(low), y, x(high), y, INK.accent, 1.6)
  pdf.fill(x(percent) - 2.4, y - 2.4, 4.8, 4.8, INK.accent, 2.4)
}

/** Draws the chart of the lane, and the differences by criterion; returns the y below them. */
async function drawDifferences(page: Page, y: number): Promise<number> {
  const { pdf, input, shown, texts, format } = page
  const { language, chosen } = input
  const { lane, pairs, hasMorePairs, differences, leftOut } = shown
  const name = lane
    ? inspectionTexts.format(language, 'figures.lane', {
        station: lane.location.shortName,
        lane: String(lane.lane.laneNumber),
      })
    : texts.allLanes
  const tolerance = lane?.configured ? tolerances[lane.configured].gross : null
  const chart: ChartInput['chart'] = {
    points: pairs.filter(({ criterion }) => criterion === 'gross').map((pair) => ({ ...pair, label: '' })),
    tolerance,
    mean: differences.gross.mean,
    title: { name, subtitle: texts.axis, range: lane?.configured ?? '' },
    texts: { empty: texts.noPairs, tonnes: texts.tonnes },
  }
  const heading = isBiased(chosen) ? `${texts.differences} (${texts.biased})` : texts.differences
  const chartHeight = ((pdf.width - 2 * MARGIN) * CHART.height) / CHART.width
  let top = startSection(page, heading, y, chartHeight + 6 * ROW_HEIGHT)
  const image = await drawInThread({ module: DRAW_MODULE, input: { chart, language, ...CHART } satisfies ChartInput })
  top = await drawChart(pdf, image, top, { ...CHART, alt: `${heading}: ${name}; ${texts.axis}` }, 6)
  if (hasMorePairs) {
    const number = format.whole(chart.points.length)
    top = drawNote(pdf, inspectionTexts.format(language, 'figures.newest', { number }), top)
  }
  const { n, mean, s } = texts.columns
  const table = createFigureTable(pdf, [name, n, mean, s, '±5 %', '±10 %'], RATES)
  const rowFor = ({ n, mean, s, within5, within10 }: DifferenceSummary) => [
    format.whole(n),
    format.signed(mean),
    format.tenths(s),
    format.percent(within5, n),
    format.percent(within10, n),
  ]
  top = drawRows(
    page,
    table,
    name,
    criteria.map((one) => ({ texts: [texts.criteria[one], ...rowFor(differences[one])], styleOf: () => ({}) })),
    top,
  )
  const reasons = Object.entries(leftOut) as [keyof typeof leftOut, number][]
  const named = reasons
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `${texts.leftOutBy[reason]} ${format.whole(count)}`)
  if (named.length === 0) return top
  return drawNote(pdf, `${texts.leftOut}: ${named.join(', ')}`, top)
}

/** Draws the class that each lane has earned, with its confidences and its certificate. */
function drawClasses(page: Page, y: number): void {
  const { pdf, input, shown, texts, format } = page
  const { configured, earned, certificate, n } = texts.columns
  const titles = [
    texts.groups.station,
    configured,
    earned,
    ...criteria.flatMap((one) => [n, 'π', 'π₀'].map((figure) => `${texts.criteriaShort[one]} ${figure}`)),
    certificate,
  ]
  const rows = shown.lanes.map((lane): TableRow => {
    const { warning, lastDay, endedOn } = lane.expiry
    const day = lastDay ?? endedOn ?? lane.certificate?.validUntil ?? null
    const until = day ? `${day.slice(8)}.${day.slice(5, 7)}.${day.slice(0, 4)}` : MISSING
    const figures = criteria.map((one) => lane.criteria[one])
    const isFailing = ({ confidence, required }: (typeof figures)[number]) =>
      confidence !== null && required !== null && confidence < required
    const last = titles.length - 1
    return {
      texts: [
        inspectionTexts.format(input.language, 'figures.lane', {
          station: lane.location.shortName,
          lane: String(lane.lane.laneNumber),
        }),
        lane.configured ?? MISSING,
        lane.earned === null ? texts.tooFew : `${lane.isWorse ? `${MARK} ` : ''}${lane.earned}`,
        ...figures.flatMap((one) => [format.whole(one.n), format.tenths(one.confidence), format.tenths(one.required)]),
        `${warning === null ? '' : warning === 'ended' ? `${ENDED} ` : `${MARK} `}${until}`,
      ],
      styleOf: (column) => {
        if (column === last)
          return warning === null ? CERTIFICATE : { ...CERTIFICATE, color: warning === 'ended' ? INK.red : INK.amber }
        if (column === 2) return lane.isWorse ? WARNING : lane.earned === null ? { size: 7 } : { face: 'strong' }
        const figure = figures[Math.floor((column - 3) / 3)]
        return column > 2 && (column - 3) % 3 === 1 && figure && isFailing(figure) ? WARNING : {}
      },
    }
  })
  const table = createFigureTable(pdf, titles, CLASSES)
  const top = startSection(page, texts.classes, y, CLASSES.headerHeight + Math.min(3, rows.length) * ROW_HEIGHT)
  pdf.text(`${texts.classNote} · ${texts.legend}`, MARGIN, top + 4, { size: 8, color: INK.secondary })
  drawRows(page, table, texts.classes, rows, top + 10)
}
