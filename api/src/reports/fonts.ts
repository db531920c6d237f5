import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** `sign` is for plates, the others for all other text. */
export type ReportFontName = 'text' | 'strong' | 'sign'

const { resolve } = createRequire(import.meta.url)
const fileOf = (path: string) => resolve(`@expo-google-fonts/${path}`)

/** Complete fonts, OFL-1.1: those of the page are split by ranges of letters. */
export const fontFiles: Record<ReportFontName, string> = {
  text: fileOf('ibm-plex-sans/400Regular/IBMPlexSans_400Regular.ttf'),
  strong: fileOf('ibm-plex-sans/600SemiBold/IBMPlexSans_600SemiBold.ttf'),
  sign: fileOf('barlow-semi-condensed/600SemiBold/BarlowSemiCondensed_600SemiBold.ttf'),
}

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

const fontBytes = new Map<ReportFontName, Buffer>()

/** Embeds the used glyphs of a font into a document. */
export function embedFont(document: PDFKit.PDFDocument, name: ReportFontName): ReportFont {
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
