import { createRequire } from 'node:module'
import { type Font, openSync } from 'fontkit'

const require = createRequire(import.meta.url)

const font = openSync(
  require.resolve('@expo-google-fonts/barlow-semi-condensed/600SemiBold/BarlowSemiCondensed_600SemiBold.ttf'),
) as Font

const glyphsOf = (text: string) => [...text].map((char) => font.glyphForCodePoint(char.codePointAt(0) ?? 0))

/** The width of a text in pixels, at a font size in pixels; `spacing` between letters in em. Without kerning. */
export const textWidth = (text: string, size: number, spacing = 0): number =>
  (glyphsOf(text).reduce((sum, { advanceWidth }) => sum + advanceWidth / font.unitsPerEm + spacing, 0) - spacing) * size

type TextStyle = {
  x: number
  /** The baseline. */
  y: number
  size: number
  fill: string
  anchor?: 'start' | 'middle' | 'end'
  /** em between letters */
  spacing?: number
  opacity?: number
}

/** A line of text as an SVG path, so that the renderer needs no font. */
export const text = (
  line: string,
  { x, y, size, fill, anchor = 'start', spacing = 0, opacity = 1 }: TextStyle,
): string => {
  const shift = { start: 0, middle: 0.5, end: 1 }[anchor] * textWidth(line, size, spacing)
  const scale = size / font.unitsPerEm
  let pen = 0
  let path = ''
  for (const glyph of glyphsOf(line)) {
    // Font units have their y axis upwards.
    path += glyph.path.transform(1, 0, 0, -1, Math.round(pen), 0).toSVG()
    pen += glyph.advanceWidth + spacing * font.unitsPerEm
  }
  return `<path transform="translate(${(x - shift).toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(5)})" fill="${fill}" opacity="${opacity}" d="${path}"/>`
}
