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

const PLATE_HEIGHT = 13
const FONT_SIZE = 7.5

/** The columns of a PDF list, in the units of the screen: tonnes, metres, violations in red. */
export function pageColumns(
  language: Language,
  { withTags, withImages }: { withTags: boolean; withImages: boolean },
): PageColumn<ReportRow>[] {
  const { heads: headers, 'no-image': noImage } = archiveTexts(language)
  const sharedTexts = reportTexts(language)
  const decimals = (value: number | null, digits: number) =>
    value === null ? '–' : numberFormat(language, digits).format(value)
  const tonnes = (kg: number | null) => decimals(kg === null ? null : kg / 1000, 2)
  const metres = (cm: number | null) => decimals(cm === null ? null : cm / 100, 2)
  const excess = (percent: number | null) => (percent === 0 ? '' : percent ? `+${decimals(percent, 1)}` : '–')
  const withLimit = (measured: string, limit: string) => (limit === '–' ? measured : `${measured} / ${limit}`)

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
      pdf.text(of(vehicle), box.x + box.width, box.base, { ...style, size: FONT_SIZE, align: 'right' })
    },
  })

  // Makes room for the column of tags.
  const narrowing = withTags ? 6 : 0
  const number: PageColumn<ReportRow> = {
    title: sharedTexts.number,
    width: 28,
    align: 'right',
    draw: (_, { x, base, width }, { pdf }, position) =>
      pdf.text(numberFormat(language).format(position), x + width, base, {
        size: FONT_SIZE,
        color: INK.faint,
        align: 'right',
      }),
  }
  const imageColumn: PageColumn<ReportRow> = {
    title: headers.image,
    width: 90,
    draw: (row, box, { pdf }) => drawImage(row, box, pdf, { title: headers.image, missing: noImage }),
  }
  const plate: PageColumn<ReportRow> = {
    title: headers.plate,
    width: 80,
    draw: ({ vehicle: { plateLpr, nationality } }, { x, y, height }, { plates }) => {
      plates.paint({ plate: plateLpr, nationality }, x, y + (height - PLATE_HEIGHT) / 2, PLATE_HEIGHT)
    },
  }
  const violationColumn: PageColumn<ReportRow> = {
    title: headers.violations,
    width: withImages ? 56 : 92 - narrowing,
    draw: ({ vehicle }, box, { pdf }) => {
      const names = violationsOf(vehicle).map((violation) => sharedTexts['violations-short'][violation])
      drawLines(pdf, names.join(', '), box, { face: 'strong', size: 7, color: INK.red })
    },
  }

  const narrow = withImages
  return [
    number,
    ...(withImages ? [imageColumn] : []),
    text(headers.time, 86, (v) => warsawTime(v.createdAt)),
    text(headers.station, narrow ? 58 : 74 - narrowing, (v) => v.location.shortName),
    figure(headers.lane, 28, (v) => String(v.lane.laneNumber)),
    plate,
    text(headers.category, narrow ? 60 : 76 - 2 * narrowing, (v) => categoryName(v.ctg8p1, language)),
    figure(
      headers.speed,
      52,
      (v) => withLimit(decimals(v.speed, 0), decimals(v.speedLimit, 0)),
      (v) => v.overspeed,
    ),
    figure(headers.load, 66, (v) => withLimit(tonnes(v.totalLoad), tonnes(v.limitTotalLoad)), isAtOrOverLimit),
    figure(
      headers.overloadTL,
      34,
      (v) => excess(v.overloadTL),
      (v) => isPositive(v.overloadTL),
    ),
    figure(
      headers.overloadSA,
      34,
      (v) => excess(v.overloadSA),
      (v) => isPositive(v.overloadSA),
    ),
    figure(
      headers.overloadMA,
      34,
      (v) => excess(v.overloadMA),
      (v) => isPositive(v.overloadMA),
    ),
    figure(headers.length, 34, (v) => metres(v.vehLength)),
    figure(
      headers.height,
      34,
      (v) => metres(v.vehHeight),
      (v) => v.overheight,
    ),
    figure(headers.axles, 34, (v) => decimals(v.numberOfAxles, 0)),
    violationColumn,
    ...(withTags ? [text(headers.tag, 26, (v) => ((v.tags?.length ?? 0) > 0 ? sharedTexts.yes : '–'))] : []),
  ]
}

/** Wraps the text; nothing is cut. */
function drawLines(pdf: PdfDocument, text: string, { x, y, width, height }: Box, style: TextStyle = {}): void {
  const { face = 'text', size = FONT_SIZE } = style
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
  const opened = image?.scaled && pdf.openImage(image.scaled.bytes)
  if (!opened) {
    pdf.text(texts.missing, x, y + height / 2 + 2.5, { size: 7, color: INK.faint })
    return
  }
  const scale = Math.min(width / opened.width, (height - 6) / opened.height)
  const alt = [texts.title, vehicle.plateLpr].filter(Boolean).join(' ')
  pdf.image(opened, x, y + (height - opened.height * scale) / 2, opened.width * scale, opened.height * scale, alt)
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
