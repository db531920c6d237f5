import { readFileSync } from 'node:fs'
import { type FontName, fontFiles } from '../core/font-files.ts'

/** A font in one document, with its glyphs cached: a report has millions of characters, few of them different. */
export type ReportFont = {
  /** Its name in the resources of a page, and its PDF object. */
  id: string
  reference: unknown
  /** The glyph numbers of a text in this document, in hexadecimal. */
  hexOf: (text: string) => string
  /** The width of a text at size 1. */
  widthOf: (text: string) => number
}

/**
 * pdfkit's internal font of a document. Its text() lays out and caches every word: hundreds of megabytes for the plates
 * of a long report, and a hundred times slower.
 */
type EmbeddedFont = {
  id: string
  ref: () => unknown
  encode: (text: string) => [string[], { xAdvance: number }[]]
  font: { hasGlyphForCodePoint: (point: number) => boolean }
}
type Document = PDFKit.PDFDocument & { _font: EmbeddedFont }

type Glyph = { hex: string; width: number }

const fontBytes = new Map<FontName, Buffer>()

/** Embeds the used glyphs of a font into a document. */
export function embedFont(document: PDFKit.PDFDocument, name: FontName): ReportFont {
  const bytes = fontBytes.get(name) ?? readFileSync(fontFiles[name])
  fontBytes.set(name, bytes)
  document.registerFont(name, bytes)
  const { _font: font } = document.font(name) as Document
  const glyphs = new Map<string, Glyph>()

  const glyphOf = (char: string): Glyph => {
    const cached = glyphs.get(char)
    if (cached) return cached
    // A missing glyph becomes an inverted question mark.
    const supported = font.font.hasGlyphForCodePoint(char.codePointAt(0) ?? 0) ? char : '\u00bf'
    const [hex, positions] = font.encode(supported)
    const glyph = { hex: hex.join(''), width: positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0) / 1000 }
    glyphs.set(char, glyph)
    return glyph
  }

  return {
    id: font.id,
    reference: font.ref(),
    hexOf: (text) => {
      let hex = ''
      for (const char of text) hex += glyphOf(char).hex
      return hex
    },
    widthOf: (text) => {
      let width = 0
      for (const char of text) width += glyphOf(char).width
      return width
    },
  }
}
