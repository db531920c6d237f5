import type { Language } from '@rogatka/contract/languages.ts'
import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { numberFormat } from '../core/text.ts'
import { ALIGNED_ROW, type DrawCell, INK, MARGIN, type PdfDocument, startAlignedTable } from '../reports/public-api.ts'
import { type LimitStatus, limitStatusOf } from './evidence-limit-status.ts'
import { evidenceTexts } from './texts.ts'

type Measure = {
  name: string
  measured: number | null
  range: [number, number] | null
  limit: number | null
  /** In percent; null: not computed. */
  excess: number | null
  unit: 't' | 'm' | 'km/h'
}

const DECIMALS = { t: 2, m: 2, 'km/h': 0 }
/** kg per tonne, cm per metre. */
const UNIT_FACTORS = { t: 1000, m: 100, 'km/h': 1 }

/** Draws measured values with limits, and the basis of overload; returns the y below them. */
export function drawMeasures(pdf: PdfDocument, vehicle: Vehicle, basis: 'minimum' | 'measured', top: number): number {
  const { measures: texts } = evidenceTexts(pdf.language)
  const right = pdf.width - MARGIN
  const ends = { measured: MARGIN + 228, range: MARGIN + 330, limit: MARGIN + 410, excess: right }
  const titles = Object.entries(ends).map(([name, x]) => [texts[name as keyof typeof ends], x] as const)
  const { table, y: firstRow } = startAlignedTable(pdf, texts.title, titles, top)
  let y = firstRow
  for (const measure of measuresOf(vehicle, pdf.language)) {
    table.row((cell) => drawMeasure(pdf, measure, ends, y, cell))
    pdf.line(MARGIN, y + 4, right, y + 4)
    y += ALIGNED_ROW
  }
  table.end()
  const note = !vehicle.lane.accuracyClass && basis === 'minimum' ? texts['no-accuracy'] : basisNote(texts, basis)
  if (vehicle.totalLoad !== null) {
    pdf.element('P', () => {
      for (const line of pdf.wrap(note, right - MARGIN, 'text', 7)) {
        pdf.text(line, MARGIN, y, { size: 7, color: INK.secondary })
        y += 9
      }
    })
  }
  return y
}

type Texts = ReturnType<typeof evidenceTexts>['measures']

const basisNote = (texts: Texts, basis: 'minimum' | 'measured') =>
  basis === 'minimum' ? texts.minimum : texts['basis-measured']

function measuresOf(vehicle: Vehicle, language: Language): Measure[] {
  const { measures: texts } = evidenceTexts(language)
  const { axlesComplex: complex } = vehicle
  const groups = (complex?.axlesGroups ?? []).map(
    ({ axles, totalLoad, minTotalLoad, maxTotalLoad, ...group }): Measure => {
      const [first = 0, last = first] = [axles[0], axles.at(-1)]
      return {
        name: evidenceTexts.format(language, axles.length === 1 ? 'measures.single' : 'measures.group', {
          axle: first,
          first,
          last,
        }),
        measured: totalLoad,
        range: [minTotalLoad, maxTotalLoad],
        limit: group.limitTotalLoad,
        excess: group.overload,
        unit: 't',
      }
    },
  )
  return [
    {
      name: texts.total,
      measured: vehicle.totalLoad,
      range: complex ? [complex.minTotalLoad, complex.maxTotalLoad] : null,
      limit: vehicle.limitTotalLoad,
      excess: vehicle.overloadTL,
      unit: 't',
    },
    ...groups,
    dimension(texts.height, vehicle.vehHeight, vehicle.limitHeight, 'm'),
    dimension(texts.length, vehicle.vehLength, vehicle.limitLength, 'm'),
    dimension(texts.speed, vehicle.speed, vehicle.speedLimit, 'km/h'),
  ]
}

const dimension = (name: string, measured: number | null, limit: number | null, unit: Measure['unit']): Measure => ({
  name,
  measured,
  range: null,
  limit,
  excess: null,
  unit,
})

const COLORS: Record<LimitStatus, string> = { over: INK.red, tolerance: INK.amber, within: INK.text }

function drawMeasure(
  pdf: PdfDocument,
  measure: Measure,
  ends: Record<string, number>,
  y: number,
  cell: DrawCell,
): void {
  const { measures: texts } = evidenceTexts(pdf.language)
  const { name, measured, range, limit, unit } = measure
  const status = measured === null ? 'within' : measureStatus(measure, measured)
  const color = COLORS[status]
  const number = (value: number, decimals = DECIMALS[unit]) =>
    numberFormat(pdf.language, decimals).format(value / (decimals === DECIMALS[unit] ? UNIT_FACTORS[unit] : 1))
  const value = (amount: number | null) => (amount === null ? '–' : `${number(amount)} ${unit}`)
  const at = (text: string, x = 0, strong = false) =>
    cell(() =>
      pdf.text(text, x, y, { face: strong ? 'strong' : 'text', color: strong ? color : INK.text, align: 'right' }),
    )

  if (status === 'over')
    pdf.ornament((page) => page.polygon([MARGIN, y], [MARGIN + 7, y], [MARGIN + 3.5, y - 6]).fill(INK.red))
  cell(() => pdf.text(name, MARGIN + 12, y, { face: status === 'within' ? 'text' : 'strong', color }), 'Row')
  at(value(measured), ends.measured, true)
  at(range && measured !== null ? `${number(range[0])} – ${number(range[1])} ${unit}` : '', ends.range)
  at(value(limit), ends.limit)
  if (measured === null || limit === null) at('–', ends.excess)
  else at(excessText(pdf, measure, measured, limit, status, texts), ends.excess, status !== 'within')
}

/** Height, length and speed are compared without tolerance. */
const measureStatus = ({ range, limit, excess }: Measure, measured: number): LimitStatus =>
  range === null && excess === null
    ? limitStatusOf(measured, limit, limit !== null && measured > limit ? 1 : 0)
    : limitStatusOf(measured, limit, excess)

function excessText(
  pdf: PdfDocument,
  { excess, unit }: Measure,
  measured: number,
  limit: number,
  status: LimitStatus,
  texts: Texts,
): string {
  if (status === 'within') return texts.within
  if (status === 'tolerance') return texts.tolerance
  const percent = (value: number) => `+${numberFormat(pdf.language, 1).format(value)} %`
  if (excess !== null) return percent(excess)
  const excessValue = (measured - limit) / UNIT_FACTORS[unit]
  return `+${numberFormat(pdf.language, DECIMALS[unit]).format(excessValue)} ${unit}`
}
