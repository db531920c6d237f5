import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** What the road says stands in `sign`, what the system says in the others. */
export type ReportFontName = 'text' | 'strong' | 'sign'

const { resolve } = createRequire(import.meta.url)
const fileOf = (path: string) => resolve(`@expo-google-fonts/${path}`)

/** Whole fonts, OFL-1.1: those of the page come in pieces by ranges of letters, of which a document would need several. */
export const fontFiles: Record<ReportFontName, string> = {
  text: fileOf('ibm-plex-sans/400Regular/IBMPlexSans_400Regular.ttf'),
  strong: fileOf('ibm-plex-sans/600SemiBold/IBMPlexSans_600SemiBold.ttf'),
  sign: fileOf('barlow-semi-condensed/600SemiBold/BarlowSemiCondensed_600SemiBold.ttf'),
}

/** A face in one document: glyphs by sign, found once each. A report has millions of signs and few different ones. */
export type ReportFont = {
  /** Its name in the resources of a page, and the object behind it. */
  id: string
  reference: unknown
  /** In the glyph numbers of this document, as hexadecimal digits. */
  hexOf: (text: string) => string
  /** At a size of 1. */
  widthOf: (text: string) => number
}

/**
 * What pdfkit keeps of a font in a document. Its own text() lays out and remembers every different word: hundreds of
 * megabytes over the plates of a long report, and a hundred times slower.
 */
type EmbeddedFont = {
  id: string
  ref: () => unknown
  encode: (text: string) => [string[], { xAdvance: number }[]]
  font: { hasGlyphForCodePoint: (point: number) => boolean }
}
type Document = PDFKit.PDFDocument & { _font: EmbeddedFont }

type Glyph = { hex: string; width: number }

const loaded = new Map<ReportFontName, Buffer>()

/** Puts a face into a document; only the glyphs that it uses are embedded. */
export function embedFont(document: PDFKit.PDFDocument, name: ReportFontName): ReportFont {
  const bytes = loaded.get(name) ?? readFileSync(fontFiles[name])
  loaded.set(name, bytes)
  document.registerFont(name, bytes)
  const { _font: font } = document.font(name) as Document
  const glyphs = new Map<string, Glyph>()

  const glyphOf = (sign: string): Glyph => {
    const known = glyphs.get(sign)
    if (known) return known
    // What the face cannot draw is shown to be missing, not left out.
    const drawn = font.font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0) ? sign : '\u00bf'
    const [hex, positions] = font.encode(drawn)
    const glyph = { hex: hex.join(''), width: positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0) / 1000 }
    glyphs.set(sign, glyph)
    return glyph
  }

  return {
    id: font.id,
    reference: font.ref(),
    hexOf: (text) => {
      let hex = ''
      for (const sign of text) hex += glyphOf(sign).hex
      return hex
    },
    widthOf: (text) => {
      let width = 0
      for (const sign of text) width += glyphOf(sign).width
      return width
    },
  }
}
