import type { Language } from '@rogatka/contract/languages.ts'
import { isAtOrOverLimit } from '@rogatka/domain/vehicle/weight.ts'
import { numberFormat } from '../core/text.ts'
import { warsawTime } from '../core/warsaw.ts'
import { INK, type PdfDocument, type TextStyle } from '../reports/pdf-document.ts'
import type { Box, PageColumn } from '../reports/pdf-table.ts'
import { categoryName, reportTexts, violationsOf } from '../reports/texts.ts'
import type { ListVehicle } from './list-vehicle.ts'
import type { ReportRow } from './report-rows.ts'
import { archiveTexts } from './texts.ts'

export const ROW_HEIGHT = { plain: 18, withPictures: 56 }
const PLATE_HEIGHT = 13
const SIZE = 7.5

/** The columns of a printed list, in the units of the screen: tonnes, metres, red where the law was broken. */
export function pageColumns(
  language: Language,
  { withTags, withPictures }: { withTags: boolean; withPictures: boolean },
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

  // The column of tags takes its place from these.
  const tight = withTags ? 6 : 0
  const number: PageColumn<ReportRow> = {
    title: kit.number,
    width: 28,
    align: 'right',
    draw: (_, { x, base, width }, { pdf }, place) =>
      pdf.text(numberFormat(language).format(place), x + width, base, {
        size: SIZE,
        color: INK.faint,
        align: 'right',
      }),
  }
  const picture: PageColumn<ReportRow> = {
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
  const broken: PageColumn<ReportRow> = {
    title: heads.violations,
    width: withPictures ? 56 : 92 - tight,
    draw: ({ vehicle }, box, { pdf }) => {
      const said = violationsOf(vehicle).map((violation) => kit['violations-short'][violation])
      drawLines(pdf, said.join(', '), box, { face: 'strong', size: 7, color: INK.red })
    },
  }

  const narrow = withPictures
  return [
    number,
    ...(withPictures ? [picture] : []),
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
      (v) => isAbove(v.overloadTL),
    ),
    figure(
      heads.overloadSA,
      34,
      (v) => excess(v.overloadSA),
      (v) => isAbove(v.overloadSA),
    ),
    figure(
      heads.overloadMA,
      34,
      (v) => excess(v.overloadMA),
      (v) => isAbove(v.overloadMA),
    ),
    figure(heads.length, 34, (v) => metres(v.vehLength)),
    figure(
      heads.height,
      34,
      (v) => metres(v.vehHeight),
      (v) => v.overheight,
    ),
    figure(heads.axles, 34, (v) => decimals(v.numberOfAxles, 0)),
    broken,
    ...(withTags ? [text(heads.tag, 26, (v) => ((v.tags?.length ?? 0) > 0 ? kit.yes : '–'))] : []),
  ]
}

/** In as many lines as it takes: nothing of what a list says is cut. */
function drawLines(pdf: PdfDocument, said: string, { x, y, width, height }: Box, style: TextStyle = {}): void {
  const { face = 'text', size = SIZE } = style
  const lines = pdf.wrap(said, width, face, size)
  const step = size + 0.8
  for (const [at, line] of lines.entries()) {
    pdf.text(line, x, y + height / 2 + size * 0.36 + (at - (lines.length - 1) / 2) * step, { ...style, face, size })
  }
}

const isAbove = (percent: number | null) => percent !== null && percent > 0

/** Never cropped: what is not shown of a picture might be what matters. */
function drawImage(
  { vehicle, picture }: ReportRow,
  { x, y, width, height }: Box,
  pdf: PdfDocument,
  words: { title: string; missing: string },
): void {
  const shown = picture?.shown && pdf.openImage(picture.shown.bytes)
  if (!shown) {
    pdf.text(words.missing, x, y + height / 2 + 2.5, { size: 7, color: INK.faint })
    return
  }
  const scale = Math.min(width / shown.width, (height - 6) / shown.height)
  const shows = [words.title, vehicle.plateLpr].filter(Boolean).join(' ')
  pdf.image(shown, x, y + (height - shown.height * scale) / 2, shown.width * scale, shown.height * scale, shows)
}

/** What red and the short heads of the columns mean. */
export function legendOf(language: Language): [string, string][] {
  const { legend } = archiveTexts(language)
  return [
    [legend.red, legend['red-means']],
    [legend.excess, legend['excess-means']],
    ['–', legend['missing-means']],
  ]
}
