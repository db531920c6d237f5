import sharp from 'sharp'
import { INK, MARGIN, type PdfDocument } from './pdf-document.ts'

/** In points. */
const TITLE_SIZE = 17
const INDENT = MARGIN + 110
const LINE_HEIGHT = 11.5

/** Draws the title and criteria at the top of the page; returns the y below them. */
export function drawCriteria(pdf: PdfDocument, title: string, criteria: readonly [string, string][]): number {
  pdf.element('H1', () => pdf.text(title, MARGIN, MARGIN + TITLE_SIZE, { face: 'strong', size: TITLE_SIZE }))
  let y = MARGIN + TITLE_SIZE + 18
  for (const [label, value] of criteria) {
    pdf.element('P', () => {
      pdf.text(label, MARGIN, y, { size: 8, color: INK.secondary })
      for (const line of pdf.wrap(value, pdf.width - MARGIN - INDENT, 'strong', 8)) {
        pdf.text(line, INDENT, y, { face: 'strong', size: 8 })
        y += LINE_HEIGHT
      }
    })
  }
  return y + 6
}

/**
 * Draws a chart over the full width, or as large as fits the rest of the page; returns the y below it and `spacing`. `alt`
 * says in words what it shows.
 */
export async function drawChart(
  pdf: PdfDocument,
  png: Buffer,
  y: number,
  { width: chartWidth, height: chartHeight, alt }: { width: number; height: number; alt: string },
  spacing: number,
): Promise<number> {
  const width = Math.min(pdf.width - 2 * MARGIN, ((pdf.bottom - y - spacing) * chartWidth) / chartHeight)
  const height = (width * chartHeight) / chartWidth
  // A PNG without transparency is embedded unchanged.
  const image = pdf.openImage(await sharp(png).flatten({ background: '#ffffff' }).removeAlpha().png().toBuffer())
  if (image) pdf.image(image, MARGIN, y, width, height, alt)
  return y + height + spacing
}
