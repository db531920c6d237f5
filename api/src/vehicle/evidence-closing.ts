import polishLimits from '@rogatka/domain/vehicle/limits-pl.json' with { type: 'json' }
import { VERSION } from '../core/version.ts'
import { INK, MARGIN, type PdfDocument } from '../reports/public-api.ts'
import { startBlock } from './page-break.ts'
import { evidenceTexts } from './texts.ts'

const LABEL_WIDTH = 180
/** In points: the signature line, with space above it. */
const SIGNATURE = { width: 220, height: 40 }

/** `statements`: of the signature, as label and value. */
type ClosingSection = { law: string | null; buildCode: string; statements: readonly [string, string][] }

/** Draws the legal basis, the software version and the signature line. */
export function drawClosing(pdf: PdfDocument, { law, buildCode, statements }: ClosingSection, top: number): void {
  const { closing: texts } = evidenceTexts(pdf.language)
  const availableWidth = pdf.width - 2 * MARGIN - LABEL_WIDTH
  // The built-in limits are named in the language of the sheet, others by their own name.
  const basis = law === polishLimits.source ? texts.law : law
  const lines: [string, string][] = [
    ...(basis ? [[texts.basis, basis] as [string, string]] : []),
    [
      texts.software,
      `Rogatka, ${evidenceTexts.format(pdf.language, 'closing.version', { version: VERSION, build: buildCode })}`,
    ],
    ...statements,
  ]
  const wrapped = lines.map(([label, value]) => [label, pdf.wrap(value, availableWidth, 'text', 7)] as const)
  const height = wrapped.reduce((sum, [, parts]) => sum + parts.length * 9 + 3, 12) + SIGNATURE.height
  let y = startBlock(pdf, height, top) + 18
  for (const [label, parts] of wrapped) {
    pdf.element('P', () => {
      pdf.text(label, MARGIN, y, { size: 7, color: INK.secondary })
      for (const part of parts) {
        pdf.text(part, MARGIN + LABEL_WIDTH, y, { size: 7 })
        y += 9
      }
    })
    y += 3
  }
  const right = pdf.width - MARGIN
  const line = y + SIGNATURE.height - 18
  pdf.line(right - SIGNATURE.width, line, right, line, INK.text)
  pdf.text(texts.signature, right - SIGNATURE.width / 2, line + 10, { size: 7, color: INK.secondary, align: 'center' })
}
