import polishLimits from '@rogatka/domain/vehicle/limits-pl.json' with { type: 'json' }
import { interpolate } from '../core/text.ts'
import { VERSION } from '../core/version.ts'
import { INK, MARGIN, type PdfDocument } from '../reports/public-api.ts'
import { roomFor } from './evidence-room.ts'
import { evidenceTexts } from './texts.ts'

const LABELS = 180
/** pt: the line to sign on, with room for the hand above it. */
const SIGNING = { width: 220, height: 40 }

type Closing = { law: string | null; buildCode: string }

/** By which law it was judged, by which program the sheet was made, and where to sign. */
export function drawClosing(pdf: PdfDocument, { law, buildCode }: Closing, top: number): void {
  const { closing: words } = evidenceTexts(pdf.language)
  const room = pdf.width - 2 * MARGIN - LABELS
  // The document that comes with the product is named in the language of the sheet, any other as it names itself.
  const basis = law === polishLimits.source ? words.law : law
  const lines: [string, string][] = [
    ...(basis ? [[words.basis, basis] as [string, string]] : []),
    [words.software, `Rogatka, ${interpolate(words.version, { version: VERSION, build: buildCode })}`],
  ]
  const wrapped = lines.map(([label, said]) => [label, pdf.wrap(said, room, 'text', 7)] as const)
  const height = wrapped.reduce((sum, [, parts]) => sum + parts.length * 9 + 3, 12) + SIGNING.height
  let y = roomFor(pdf, height, top) + 18
  for (const [label, parts] of wrapped) {
    pdf.text(label, MARGIN, y, { size: 7, color: INK.quiet })
    for (const part of parts) {
      pdf.text(part, MARGIN + LABELS, y, { size: 7 })
      y += 9
    }
    y += 3
  }
  const right = pdf.width - MARGIN
  const line = y + SIGNING.height - 18
  pdf.line(right - SIGNING.width, line, right, line, INK.text)
  pdf.text(words.signature, right - SIGNING.width / 2, line + 10, { size: 7, color: INK.quiet, align: 'center' })
}
