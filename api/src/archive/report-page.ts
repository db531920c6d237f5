import type { Language } from '@rogatka/contract/languages.ts'
import { isAtOrOverLimit } from '@rogatka/domain/vehicle/weight.ts'
import { numberFormat } from '../core/text.ts'
import { warsawTime } from '../core/warsaw.ts'
import {
  type Box,
  categoryName,
  INK,
  type PageColumn,
  type PdfDocument,
  reportTexts,
  type TextStyle,
  violationsOf,
} from '../reports/public-api.ts'
import type { ListVehicle } from './list-vehicle.ts'
import type { ReportRow } from './report-rows.ts'
import { archiveTexts } from './texts.ts'

export const ROW_HEIGHT = { plain: 18, withImages: 56 }
const PLATE_HEIGHT = 13
const SIZE = 7.5

/** The columns of a PDF list, in the units of the screen: tonnes, metres, violations in red. */
export function pageColumns(
  language: Language,
  { withTags, withImages }: { withTags: boolean; withImages: boolean },
): PageColumn<ReportRow>[] {
  const { heads, 'no-photo': noPhoto } = archiveTexts(language)
  const kit = reportTexts(language)
  const decimals = (value: number | null, digits: number) =>
    value === null ? '–' : numberFormat(language, digits).format(value)
  const tonnes = (kg: number | null) => decimals(kg === null ? null : kg / 1000, 2)
  const metres = (cm: number | null) => decimals(cm === null ? null : cm / 100, 2)
  const excess = (percent: number | null) => (percent === 0 ? '' : percent ? `+${decimals(percent, 1)}` : '–')
  const against = (measured: string, limit: string) => (limit === '–' ? measured : `${measured} / ${limit}`)

  const text = (title: string, width: number, of: (v: ListVehicle) => string): PageColumn<ReportRow> => ({
    title,
    width,
    draw: ({ vehicle }, box, { pdf }) => drawLines(pdf, of(vehicle), box),
  })
  const figure = (
    title: string,
    width: number,
    of: (v: ListVehicle) => string,
    isOver: (v: ListVehicle) => boolean = () => false,
  ): PageColumn<ReportRow> => ({
    title,
    width,
    align: 'right',
    draw: ({ vehicle }, box, { pdf }) => {
      const over = isOver(vehicle)
      const style = over ? ({ face: 'strong', color: INK.red } as const) : {}
      pdf.text(of(vehicle), box.x + box.width, box.base, { ...style, size: SIZE, align: 'right' })
    },
  })

  // Makes room for the column of tags.
  const tight = withTags ? 6 : 0
  const number: PageColumn<ReportRow> = {
    title: kit.number,
    width: 28,
    align: 'right',
    draw: (_, { x, base, width }, { pdf }, position) =>
      pdf.text(numberFormat(language).format(position), x + width, base, {
        size: SIZE,
        color: INK.faint,
        align: 'right',
      }),
  }
  const imageColumn: PageColumn<ReportRow> = {
    title: heads.picture,
    width: 90,
    draw: (row, box, { pdf }) => drawImage(row, box, pdf, { title: heads.picture, missing: noPhoto }),
  }
  const plate: PageColumn<ReportRow> = {
    title: heads.plate,
    width: 80,
    draw: ({ vehicle: { plateLpr, nationality } }, { x, y, height }, { plates }) => {
      plates.paint({ plate: plateLpr, nationality }, x, y + (height - PLATE_HEIGHT) / 2, PLATE_HEIGHT)
    },
  }
  const violationColumn: PageColumn<ReportRow> = {
    title: heads.violations,
    width: withImages ? 56 : 92 - tight,
    draw: ({ vehicle }, box, { pdf }) => {
      const names = violationsOf(vehicle).map((violation) => kit['violations-short'][violation])
      drawLines(pdf, names.join(', '), box, { face: 'strong', size: 7, color: INK.red })
    },
  }

  const narrow = withImages
  return [
    number,
    ...(withImages ? [imageColumn] : []),
    text(heads.time, 86, (v) => warsawTime(v.createdAt)),
    text(heads.station, narrow ? 58 : 74 - tight, (v) => v.location.shortName),
    figure(heads.lane, 28, (v) => String(v.lane.laneNumber)),
    plate,
    text(heads.category, narrow ? 60 : 76 - 2 * tight, (v) => categoryName(v.ctg8p1, language)),
    figure(
      heads.speed,
      52,
      (v) => against(decimals(v.speed, 0), decimals(v.speedLimit, 0)),
      (v) => v.overspeed,
    ),
    figure(heads.load, 66, (v) => against(tonnes(v.totalLoad), tonnes(v.limitTotalLoad)), isAtOrOverLimit),
    figure(
      heads.overloadTL,
      34,
      (v) => excess(v.overloadTL),
      (v) => isPositive(v.overloadTL),
    ),
    figure(
      heads.overloadSA,
      34,
      (v) => excess(v.overloadSA),
      (v) => isPositive(v.overloadSA),
    ),
    figure(
      heads.overloadMA,
      34,
      (v) => excess(v.overloadMA),
      (v) => isPositive(v.overloadMA),
    ),
    figure(heads.length, 34, (v) => metres(v.vehLength)),
    figure(
      heads.height,
      34,
      (v) => metres(v.vehHeight),
      (v) => v.overheight,
    ),
    figure(heads.axles, 34, (v) => decimals(v.numberOfAxles, 0)),
    violationColumn,
    ...(withTags ? [text(heads.tag, 26, (v) => ((v.tags?.length ?? 0) > 0 ? kit.yes : '–'))] : []),
  ]
}

/** Wraps the text; nothing is cut. */
function drawLines(pdf: PdfDocument, text: string, { x, y, width, height }: Box, style: TextStyle = {}): void {
  const { face = 'text', size = SIZE } = style
  const lines = pdf.wrap(text, width, face, size)
  const step = size + 0.8
  for (const [at, line] of lines.entries()) {
    pdf.text(line, x, y + height / 2 + size * 0.36 + (at - (lines.length - 1) / 2) * step, { ...style, face, size })
  }
}

const isPositive = (percent: number | null) => percent !== null && percent > 0

/** Scaled to fit, never cropped: the cropped part might be evidence. */
function drawImage(
  { vehicle, image }: ReportRow,
  { x, y, width, height }: Box,
  pdf: PdfDocument,
  texts: { title: string; missing: string },
): void {
  const shown = image?.shown && pdf.openImage(image.shown.bytes)
  if (!shown) {
    pdf.text(texts.missing, x, y + height / 2 + 2.5, { size: 7, color: INK.faint })
    return
  }
  const scale = Math.min(width / shown.width, (height - 6) / shown.height)
  const shows = [texts.title, vehicle.plateLpr].filter(Boolean).join(' ')
  pdf.image(shown, x, y + (height - shown.height * scale) / 2, shown.width * scale, shown.height * scale, shows)
}

/** Explains red and the short column heads. */
export function legendOf(language: Language): [string, string][] {
  const { legend } = archiveTexts(language)
  return [
    [legend.red, legend['red-means']],
    [legend.excess, legend['excess-means']],
    ['–', legend['missing-means']],
  ]
}
