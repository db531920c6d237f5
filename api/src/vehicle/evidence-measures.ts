import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { interpolate, numberFormat } from '../core/text.ts'
import { INK, MARGIN, type PdfDocument } from '../reports/public-api.ts'
import { type LimitStatus, verdictOf } from './evidence-limit-status.ts'
import { evidenceTexts } from './texts.ts'

type Measure = {
  name: string
  measured: number | null
  range: [number, number] | null
  limit: number | null
  /** Percent; null: none is worked out for it. */
  excess: number | null
  unit: 't' | 'm' | 'km/h'
}

const LINE = 13
const DECIMALS = { t: 2, m: 2, 'km/h': 0 }
/** kg in a tonne, cm in a metre. */
const PARTS = { t: 1000, m: 100, 'km/h': 1 }

/** What was measured against what is allowed, line by line, and on what overload is judged; answers where it ends. */
export function drawMeasures(pdf: PdfDocument, vehicle: Vehicle, basis: 'minimum' | 'measured', top: number): number {
  const { measures: words } = evidenceTexts(pdf.language)
  const right = pdf.width - MARGIN
  const ends = { measured: MARGIN + 228, range: MARGIN + 330, limit: MARGIN + 410, excess: right }
  pdf.text(words.title, MARGIN, top + 9, { face: 'strong', size: 10 })
  let y = top + 24
  pdf.fill(MARGIN - 4, y - 10, right - MARGIN + 8, LINE, INK.ground)
  for (const [name, x] of Object.entries(ends) as [keyof typeof ends, number][]) {
    pdf.text(words[name], x, y, { face: 'strong', size: 7, color: INK.quiet, align: 'right' })
  }
  y += LINE
  for (const measure of measuresOf(vehicle, words)) {
    drawMeasure(pdf, measure, ends, y)
    pdf.line(MARGIN, y + 4, right, y + 4)
    y += LINE
  }
  const note = !vehicle.lane.accuracyClass && basis === 'minimum' ? words['no-accuracy'] : basisNote(words, basis)
  if (vehicle.totalLoad !== null) {
    for (const line of pdf.wrap(note, right - MARGIN, 'text', 7)) {
      pdf.text(line, MARGIN, y, { size: 7, color: INK.quiet })
      y += 9
    }
  }
  return y
}

type Texts = ReturnType<typeof evidenceTexts>['measures']

const basisNote = (words: Texts, basis: 'minimum' | 'measured') =>
  basis === 'minimum' ? words.minimum : words['basis-measured']

function measuresOf(vehicle: Vehicle, words: Texts): Measure[] {
  const { axlesComplex: complex } = vehicle
  const groups = (complex?.axlesGroups ?? []).map(
    ({ axles, totalLoad, minTotalLoad, maxTotalLoad, ...group }): Measure => {
      const [first = 0, last = first] = [axles[0], axles.at(-1)]
      return {
        name: interpolate(axles.length === 1 ? words.single : words.group, { axle: first, first, last }),
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
      name: words.total,
      measured: vehicle.totalLoad,
      range: complex ? [complex.minTotalLoad, complex.maxTotalLoad] : null,
      limit: vehicle.limitTotalLoad,
      excess: vehicle.overloadTL,
      unit: 't',
    },
    ...groups,
    dimension(words.height, vehicle.vehHeight, vehicle.limitHeight, 'm'),
    dimension(words.length, vehicle.vehLength, vehicle.limitLength, 'm'),
    dimension(words.speed, vehicle.speed, vehicle.speedLimit, 'km/h'),
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

function drawMeasure(pdf: PdfDocument, measure: Measure, ends: Record<string, number>, y: number): void {
  const { measures: words } = evidenceTexts(pdf.language)
  const { name, measured, range, limit, unit } = measure
  const verdict = measured === null ? 'within' : verdictAgainst(measure, measured)
  const color = COLORS[verdict]
  const number = (value: number, decimals = DECIMALS[unit]) =>
    numberFormat(pdf.language, decimals).format(value / (decimals === DECIMALS[unit] ? PARTS[unit] : 1))
  const value = (amount: number | null) => (amount === null ? '–' : `${number(amount)} ${unit}`)
  const at = (text: string, x = 0, strong = false) =>
    pdf.text(text, x, y, { face: strong ? 'strong' : 'text', color: strong ? color : INK.text, align: 'right' })

  if (verdict === 'over')
    pdf.ornament((page) => page.polygon([MARGIN, y], [MARGIN + 7, y], [MARGIN + 3.5, y - 6]).fill(INK.red))
  pdf.text(name, MARGIN + 12, y, { face: verdict === 'within' ? 'text' : 'strong', color })
  at(value(measured), ends.measured, true)
  at(range && measured !== null ? `${number(range[0])} – ${number(range[1])} ${unit}` : '', ends.range)
  at(value(limit), ends.limit)
  if (measured === null || limit === null) at('–', ends.excess)
  else at(saidOf(pdf, measure, measured, limit, verdict, words), ends.excess, verdict !== 'within')
}

/** Of height, length and speed the measured value itself is judged. */
const verdictAgainst = ({ range, limit, excess }: Measure, measured: number): LimitStatus =>
  range === null && excess === null
    ? verdictOf(measured, limit, limit !== null && measured > limit ? 1 : 0)
    : verdictOf(measured, limit, excess)

function saidOf(
  pdf: PdfDocument,
  { excess, unit }: Measure,
  measured: number,
  limit: number,
  verdict: LimitStatus,
  words: Texts,
): string {
  if (verdict === 'within') return words.within
  if (verdict === 'tolerance') return words.tolerance
  const percent = (value: number) => `+${numberFormat(pdf.language, 1).format(value)} %`
  if (excess !== null) return percent(excess)
  const over = (measured - limit) / PARTS[unit]
  return `+${numberFormat(pdf.language, DECIMALS[unit]).format(over)} ${unit}`
}
