import type { Passage } from '@rogatka/contract/inspections.ts'
import type { Weighing } from '@rogatka/contract/vehicle-weighing.ts'
import { differenceOf } from '@rogatka/domain/inspections/differences.ts'
import { numberedAxles } from '@rogatka/domain/inspections/weighing.ts'
import { numberFormat } from '../core/text.ts'
import { ALIGNED_ROW, INK, MARGIN, type PdfDocument, startAlignedTable } from '../reports/public-api.ts'
import { inspectionTexts } from './texts.ts'

const HEADER = 37
const NOTE_LINE = 9

/** A static load, null of a lifted axle, beside its measured one, kg; null where one is missing. `percent`: certain excess. */
type Row = { name: string; wim: number | null; load: number | null; limit: number | null; percent: number | null }

export type Comparison = {
  /** Null for users of anonymised data, whom it would lead to the papers of the inspection. */
  number: string | null
  /** Null: stopped without a measurement. */
  wim: Pick<Passage, 'totalLoad' | 'axles' | 'axlesComplex'> | null
  weighing: Weighing
}

/** With axles weighed one by one, a group of one is the axle itself. */
const shownGroups = ({ axles, groups }: Weighing) => (axles ? groups.filter((group) => group.axles.length > 1) : groups)

/** Height of the table with two lines of notes, and two more on lifted axles, in points. */
export const comparisonHeight = ({ weighing }: Comparison): number =>
  HEADER +
  (1 + shownGroups(weighing).length + numberedAxles(weighing).length) * ALIGNED_ROW +
  (weighing.lifted ? 4 : 2) * NOTE_LINE

function rowsOf(pdf: PdfDocument, { wim, weighing }: Comparison): Row[] {
  const { comparison: texts } = inspectionTexts(pdf.language)
  const { gross, excesses } = weighing
  const axles = numberedAxles(weighing)
  const percentOf = (kind: string, numbers: readonly number[]) =>
    excesses.find((it) => it.kind === kind && String(it.axles) === String(numbers))?.percent ?? null
  // Axles are the same ones only if both sides count as many.
  const measuredAxles = wim?.axles?.length === axles.length ? wim.axles : undefined
  const measuredGroup = (numbers: readonly number[]) =>
    wim?.axlesComplex?.axlesGroups.find((group) => String(group.axles) === String(numbers))?.totalLoad ?? null
  const nameOf = (numbers: readonly number[]) => {
    const [first = 0, last = first] = [numbers[0], numbers.at(-1)]
    if (first === last) return inspectionTexts.format(pdf.language, 'comparison.axle', { axle: first })
    // A lifted axle may be between those of a group.
    const isInterrupted = last - first + 1 !== numbers.length
    const text = isInterrupted ? numbers.join(', ') : `${first}–${last}`
    return inspectionTexts.format(pdf.language, 'comparison.group', { axles: text })
  }
  return [
    { name: texts.gross, wim: wim?.totalLoad ?? null, ...gross, percent: percentOf('gross', []) },
    ...shownGroups(weighing).map(({ axles: numbers, ...weighed }) => ({
      name: nameOf(numbers),
      wim: measuredGroup(numbers),
      ...weighed,
      percent: percentOf(numbers.length === 1 ? 'axle' : 'group', numbers),
    })),
    ...axles.map(({ number, weighed }) => ({
      name: nameOf([number]),
      wim: measuredAxles?.[number - 1]?.totalLoad ?? null,
      ...(weighed ?? { load: null, limit: null }),
      percent: percentOf('axle', [number]),
    })),
  ]
}

/** Draws WIM against static loads, by axle, with scale and result; returns the y below. */
export function drawComparison(pdf: PdfDocument, comparison: Comparison, top: number): number {
  const { language } = pdf
  const { comparison: texts } = inspectionTexts(language)
  const { scale, isScaleValid, excesses, axles, lifted } = comparison.weighing
  const right = pdf.width - MARGIN
  const ends = { wim: MARGIN + 200, static: MARGIN + 275, difference: MARGIN + 355, limit: MARGIN + 425, excess: right }
  const { number } = comparison
  const title = number ? inspectionTexts.format(language, 'comparison.title', { number }) : texts['title-unnumbered']
  const titles = Object.entries(ends).map(([name, x]) => [texts[name as keyof typeof ends], x] as const)
  const { table, y: firstRow } = startAlignedTable(pdf, title, titles, top)
  let y = firstRow
  const tonnes = (kg: number | null) => (kg === null ? '–' : numberFormat(language, 2).format(kg / 1000))
  const percent = (value: number) => `${value > 0 ? '+' : ''}${numberFormat(language, 1).format(value)}`
  for (const { name, wim, load, limit, percent: over } of rowsOf(pdf, comparison)) {
    const style = { align: 'right', color: over === null ? INK.text : INK.red } as const
    if (over !== null)
      pdf.ornament((page) => page.polygon([MARGIN, y], [MARGIN + 7, y], [MARGIN + 3.5, y - 6]).fill(INK.red))
    const difference = wim && load ? percent(differenceOf({ wim, scale: load })) : '–'
    table.row((cell) => {
      const nameStyle = { face: over === null ? 'text' : 'strong', color: style.color } as const
      cell(() => pdf.text(name, MARGIN + 12, y, nameStyle), 'Row')
      cell(() => pdf.text(tonnes(wim), ends.wim, y, { color: INK.secondary, align: 'right' }))
      cell(() => pdf.text(load === null ? texts.lifted : tonnes(load), ends.static, y, { ...style, face: 'strong' }))
      cell(() => pdf.text(difference, ends.difference, y, { align: 'right' }))
      cell(() => pdf.text(tonnes(limit), ends.limit, y, { align: 'right' }))
      cell(() => pdf.text(over === null ? '–' : `${percent(over)} %`, ends.excess, y, style))
    })
    pdf.line(MARGIN, y + 4, right, y + 4)
    y += ALIGNED_ROW
  }
  table.end()
  const { name, certificate, authority } = scale
  const day = scale.validUntil.split('-').reverse().join('.')
  const accuracy = numberFormat(language, 1).format(scale.accuracyPercent)
  const result = isScaleValid ? (excesses.length > 0 ? texts.confirmed : texts.unconfirmed) : texts.invalid
  const notes = [
    inspectionTexts.format(language, 'comparison.scale', { name, certificate, authority, day, accuracy }),
    ...(lifted
      ? [
          inspectionTexts.format(language, 'comparison.lifted-axles', {
            axles: lifted.join(', '),
            total: (axles?.length ?? 0) + lifted.length,
          }),
        ]
      : []),
    result,
  ]
  for (const note of notes)
    pdf.element('P', () => {
      for (const line of pdf.wrap(note, right - MARGIN, 'text', 7)) {
        pdf.text(line, MARGIN, y, { size: 7, color: INK.secondary })
        y += NOTE_LINE
      }
    })
  return y
}
