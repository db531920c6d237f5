import { escapeXml } from '@rogatka/domain/core/xml.ts'
import { fontFiles } from '../core/font-files.ts'
import { isPictogram, pictograms } from './pictograms.ts'

/** A pictogram, lines of text, or both, the pictogram above. */
type SignFace = { pictogram: string | null; lines: readonly string[] }

export const hasImage = ({ pictogram, lines }: SignFace): boolean =>
  (pictogram !== null && isPictogram(pictogram)) || lines.some((line) => line.trim() !== '')

/** Amber LEDs on a black front. */
const AMBER = '#ffb21a'
const FRAME = 14
const PICTOGRAM = 220
const LINE = 62
const LINE_GAP = 14
const FONT_SIZE = 46
/** Relative to the letter height; slightly more than the widest letters. */
const LETTER_WIDTH = 0.62
const MIN_WIDTH = 300

/** A sign as seen by drivers, as SVG. */
function drawSign({ pictogram, lines }: SignFace): string {
  const symbol = pictogram !== null && isPictogram(pictogram) ? pictograms[pictogram] : null
  const longest = Math.max(0, ...lines.map((line) => line.length))
  const inner = Math.max(MIN_WIDTH, Math.ceil(longest * FONT_SIZE * LETTER_WIDTH) + 40)
  const textHeight = lines.length === 0 ? 0 : lines.length * LINE + (lines.length - 1) * LINE_GAP + 2 * LINE_GAP
  const symbolHeight = symbol ? PICTOGRAM + 2 * LINE_GAP : 0
  const [width, height] = [inner + 2 * FRAME, symbolHeight + textHeight + 2 * FRAME]
  const texts = lines.map((line, index) => {
    const y = FRAME + symbolHeight + LINE_GAP + index * (LINE + LINE_GAP) + LINE * 0.78
    return `<text x="${width / 2}" y="${y}" text-anchor="middle">${escapeXml(line)}</text>`
  })
  const drawing = symbol
    ? `<svg x="${(width - PICTOGRAM) / 2}" y="${FRAME + LINE_GAP}" width="${PICTOGRAM}" height="${PICTOGRAM}"
        viewBox="0 0 100 100">${symbol}</svg>`
    : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
    <rect width="${width}" height="${height}" rx="16" fill="#3d4349"/>
    <rect x="${FRAME / 2}" y="${FRAME / 2}" width="${width - FRAME}" height="${height - FRAME}" rx="10" fill="#0b0d0f"/>
    ${drawing}
    <g font-family="Barlow Semi Condensed" font-weight="600" font-size="${FONT_SIZE}" letter-spacing="2"
       fill="${AMBER}">${texts.join('')}</g>
  </svg>`
}

/** The same as PNG. */
export async function signPng(face: SignFace): Promise<Buffer> {
  // Loaded on first use, as it takes memory.
  const { renderAsync } = await import('@resvg/resvg-js')
  const image = await renderAsync(drawSign(face), {
    font: {
      loadSystemFonts: false,
      fontFiles: [fontFiles.sign, fontFiles.text],
      defaultFontFamily: 'Barlow Semi Condensed',
    },
  })
  return image.asPng()
}
