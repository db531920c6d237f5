import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { numberFormat } from '../core/text.ts'
import { INK, MARGIN, type PdfDocument } from '../reports/public-api.ts'
import { evidenceTexts } from './texts.ts'

const HEIGHT = 46
const NAMES_WIDTH = 30

/** Draws the height profile of the vehicle and the limit; returns the y below it. */
export function drawProfile(pdf: PdfDocument, { shapeSamples, limitHeight }: Vehicle, top: number): number {
  const samples = shapeSamples ?? []
  const { profile: texts } = evidenceTexts(pdf.language)
  const metres = (cm: number) => numberFormat(pdf.language, 2).format(cm / 100)
  pdf.element('H2', () => pdf.text(texts.title, MARGIN, top + 9, { face: 'strong', size: 10 }))
  const [ground, left, right] = [top + 22 + HEIGHT, MARGIN + NAMES_WIDTH, pdf.width - MARGIN]
  const highest = Math.max(...samples, limitHeight ?? 0, 1)
  const y = (cm: number) => ground - (cm / highest) * HEIGHT
  const x = (at: number) => left + (at / Math.max(1, samples.length - 1)) * (right - left)

  const outline = samples.map((cm, at): [number, number] => [x(at), y(cm)])
  const limit =
    limitHeight === null ? null : evidenceTexts.format(pdf.language, 'profile.limit', { height: metres(limitHeight) })
  const alt = [`${texts.title}: ${metres(Math.max(...samples))}`, limit].filter(Boolean).join('; ')
  pdf.figure(alt, [left, top + 14, right - left, ground - top - 13], (page) => {
    page.polygon([left, ground], ...outline, [right, ground]).fill(INK.line)
  })
  pdf.line(left, ground, right, ground, INK.text, 1)
  pdf.text(metres(Math.max(...samples)), left - 4, y(Math.max(...samples)) + 3, { size: 7, align: 'right' })
  if (limitHeight !== null && limit !== null) {
    pdf.line(left, y(limitHeight), right, y(limitHeight), INK.red)
    pdf.text(limit, right, y(limitHeight) - 3, { size: 7, color: INK.red, align: 'right' })
  }
  return ground + 6
}
