import sharp from 'sharp'
import { INK, MARGIN, type PdfDocument } from './pdf-document.ts'

/** Points. */
const TITLE = 17
const INDENT = MARGIN + 110
const LINE = 11.5

/** The title of a document and what was asked for, from the top of the page; returns where the next thing may stand. */
export function drawCriteria(paper: PdfDocument, title: string, criteria: readonly [string, string][]): number {
  paper.text(title, MARGIN, MARGIN + TITLE, { face: 'strong', size: TITLE })
  let y = MARGIN + TITLE + 18
  for (const [label, said] of criteria) {
    paper.text(label, MARGIN, y, { size: 8, color: INK.quiet })
    for (const line of paper.wrap(said, paper.width - MARGIN - INDENT, 'strong', 8)) {
      paper.text(line, INDENT, y, { face: 'strong', size: 8 })
      y += LINE
    }
  }
  return y + 6
}

/** A chart over the whole width, or as large as the rest of the page lets it be; returns where the next thing may stand. */
export async function drawChart(
  paper: PdfDocument,
  png: Buffer,
  y: number,
  { width: chartWidth, height: chartHeight }: { width: number; height: number },
  below: number,
): Promise<number> {
  const width = Math.min(paper.width - 2 * MARGIN, ((paper.bottom - y - below) * chartWidth) / chartHeight)
  const height = (width * chartHeight) / chartWidth
  // Without transparency a PNG goes into the document as it is.
  const image = paper.openImage(await sharp(png).flatten({ background: '#ffffff' }).removeAlpha().png().toBuffer())
  if (image) paper.image(image, MARGIN, y, width, height)
  return y + height + below
}
