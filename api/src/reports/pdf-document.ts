import type { Language } from '@rogatka/contract/languages.ts'
import type { FontName } from '../core/font-files.ts'
import { warsawTime } from '../core/warsaw.ts'
import { embedFont, type ReportFont } from './fonts.ts'
import { xmpProperties } from './pdf-metadata.ts'
import { addSignatureField } from './pdf-signature.ts'
import { createStructure, type ElementType, figureAttributes } from './structure.ts'
import { createTableTags } from './table-tags.ts'
import { reportTexts } from './texts.ts'

/** The light palette of the page, with the same meanings: red is a violation. */
export const INK = {
  text: '#14191B',
  secondary: '#586369',
  faint: '#717E83',
  line: '#D3D9DB',
  ground: '#F3F5F5',
  white: '#FFFFFF',
  accent: '#14508C',
  red: '#B01E1A',
  redSoft: '#FFDAD4',
  amber: '#8A5200',
  amberFill: '#FFC24A',
  band: '#1F3F94',
} as const

export type TextStyle = {
  face?: FontName
  size?: number
  color?: string
  /** Which part of the text is at x. */
  align?: 'left' | 'right' | 'center'
}

export type PdfOptions = {
  title: string
  language: Language
  landscape?: boolean
  printedBy: string
  /** Owner of the portal. */
  issuer: string
  /** Report number, on every page. */
  number?: string | undefined
  /** Printed on every page. */
  note?: string | undefined
  /** Name of the signer, for which a hidden signature field is added; without it there is none. */
  signer?: string | undefined
  now: Date
}

const A4 = { short: 595.28, long: 841.89 }
/** Page margin in points. */
export const MARGIN = 34
const FOOTER_HEIGHT = 22
/** Height of a note below the footer. */
const NOTE_HEIGHT = 9
const FOOTER_STYLE = { size: 7, color: INK.secondary }

/** A PDF written page by page; in points from the top left. The y of a text is its baseline. */
export type PdfDocument = Awaited<ReturnType<typeof createPdfDocument>>

/** Creates a document. `readOutput` removes finished pages, so that only the current one is in memory. */
export async function createPdfDocument(options: PdfOptions) {
  // Loaded on first use, as it takes memory.
  const { default: PDFDocument } = await import('pdfkit')
  const { title, language, landscape = false, printedBy, issuer, number, note, signer, now } = options
  const document = new PDFDocument({
    autoFirstPage: false,
    margin: 0,
    pdfVersion: '1.7',
    lang: language,
    displayTitle: true,
    info: { Title: title, Author: printedBy, Creator: 'Rogatka', Producer: 'Rogatka', CreationDate: now },
  })
  const opener = document as unknown as { openImage: (bytes: Uint8Array) => PdfImage }
  const [width, height] = landscape ? [A4.long, A4.short] : [A4.short, A4.long]
  const fonts: Record<FontName, ReportFont> = {
    text: embedFont(document, 'text'),
    strong: embedFont(document, 'strong'),
    sign: embedFont(document, 'sign'),
  }
  const useFont = (name: FontName) => {
    const face = fonts[name]
    ;(document.page as unknown as Resources).fonts[face.id] ??= face.reference
    return face
  }
  // The page count is known at the end: each page shows one form, which is filled then.
  const total = document.ref({
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [0, -4, 60, 12],
    Resources: { Font: { [fonts.text.id]: fonts.text.reference } },
  })
  const printed = [
    number && reportTexts.format(language, 'printed-number', { number }),
    reportTexts.format(language, 'printed', { by: printedBy, at: warsawTime(now) }),
  ]
    .filter(Boolean)
    .join(' · ')
  const structure = createStructure(document)
  const footerHeight = FOOTER_HEIGHT + (note ? NOTE_HEIGHT : 0)
  let pages = 0

  const widthOf = (text: string, face: FontName = 'text', size = 8) => fonts[face].widthOf(text) * size

  function text(value: string, x: number, y: number, style: TextStyle = {}): void {
    if (value === '') return
    const { face = 'text', size = 8, color = INK.text, align = 'left' } = style
    const { id, hexOf } = useFont(face)
    const left = align === 'left' ? x : x - widthOf(value, face, size) / (align === 'right' ? 1 : 2)
    structure.text((isContinued) => {
      // A space before the text keeps a screen reader from joining words.
      const start = isContinued ? left - widthOf(' ', face, size) : left
      const hex = isContinued ? hexOf(` ${value}`) : hexOf(value)
      // The y axis points down, so text is flipped.
      document.addContent(
        `${rgb(color)} rg BT /${id} ${size} Tf 1 0 0 -1 ${round(start)} ${round(y)} Tm <${hex}> Tj ET`,
      )
    })
  }

  /** The text, truncated with an ellipsis if it is too wide. */
  function fit(value: string, maxWidth: number, face: FontName = 'text', size = 8): string {
    if (widthOf(value, face, size) <= maxWidth) return value
    let end = value.length
    while (end > 0 && widthOf(`${value.slice(0, end)}…`, face, size) > maxWidth) end--
    return `${value.slice(0, end).trimEnd()}…`
  }

  function footer(): void {
    const y = height - footerHeight
    line(MARGIN, y - 10, width - MARGIN, y - 10)
    const page = `${reportTexts.format(language, 'page', { page: String(pages) })} `
    const right = width - MARGIN - 26
    const beforePage = right - widthOf(page, 'text', 7) - 16
    text(fit(printed, beforePage - MARGIN - 160, 'text', 7), MARGIN, y, FOOTER_STYLE)
    text(fit(issuer, 150, 'text', 7), beforePage, y, { ...FOOTER_STYLE, align: 'right' })
    text(page, right, y, { ...FOOTER_STYLE, align: 'right' })
    ;(document.page as unknown as Resources).xobjects.Total = total
    document.addContent(`q ${rgb(INK.secondary)} rg 1 0 0 -1 ${round(right)} ${round(y)} cm /Total Do Q`)
    if (note) text(fit(note, width - 2 * MARGIN, 'text', 7), MARGIN, y + NOTE_HEIGHT, FOOTER_STYLE)
  }

  function drawFigure(alt: string, [x, y, w, h]: readonly [number, number, number, number], draw: () => void): void {
    structure.begin('Figure', figureAttributes(alt, [x, height - y - h, x + w, height - y]))
    structure.text(draw)
    structure.end()
  }

  function line(x1: number, y1: number, x2: number, y2: number, color: string = INK.line, lineWidth = 0.5): void {
    structure.ornament()
    document.addContent(`${rgb(color)} RG ${lineWidth} w ${round(x1)} ${round(y1)} m ${round(x2)} ${round(y2)} l S`)
  }

  return {
    document,
    language,
    width,
    height,
    /** y of the footer. */
    bottom: height - footerHeight - 18,
    widthOf,
    text,
    line,
    newPage(): void {
      if (pages > 0) structure.endPage()
      document.addPage({ size: [width, height], margin: 0 })
      pages++
      structure.beginPage()
      structure.artifact(footer)
    },
    /** Tags what `draw` draws as one structure element, for screen readers. */
    element(type: ElementType, draw: () => void, attributes?: string): void {
      structure.begin(type, attributes)
      draw()
      structure.end()
    },
    /** Tags a table that is drawn with it. */
    createTable: () => createTableTags(structure),
    /** Draws an artifact, ignored by screen readers, such as a repeated header. */
    artifact: structure.artifact,
    fit,
    /** Wraps text into lines; breaks words that are too wide. */
    wrap(value: string, maxWidth: number, face: FontName = 'text', size = 8): string[] {
      const lines: string[] = []
      let current = ''
      for (const word of value
        .split(/ +/)
        .flatMap((one) => breakWord(one, (part) => widthOf(part, face, size) <= maxWidth))) {
        const longer = current === '' ? word : `${current} ${word}`
        if (widthOf(longer, face, size) <= maxWidth) current = longer
        else {
          lines.push(current)
          current = word
        }
      }
      return [...lines, current]
    },
    fill(x: number, y: number, w: number, h: number, color: string, radius = 0): void {
      structure.ornament()
      if (radius > 0) document.roundedRect(x, y, w, h, radius).fill(color)
      else document.addContent(`${rgb(color)} rg ${round(x)} ${round(y)} ${round(w)} ${round(h)} re f`)
    },
    frame(x: number, y: number, w: number, h: number, color: string, radius = 0, lineWidth = 0.5): void {
      structure.ornament()
      document.lineWidth(lineWidth).roundedRect(x, y, w, h, radius).stroke(color)
    },
    /**
     * Loads a JPEG or PNG once, to be shown repeatedly, upright. Null if it is invalid, or a PNG that has to be decoded:
     * pdfkit would do so on the event loop, and after the document has ended. Scale such images to a JPEG first.
     */
    openImage(bytes: Uint8Array): OpenedImage | null {
      try {
        const source = opener.openImage(bytes)
        if (needsDecoding(source)) return null
        const { width, height, orientation = 1 } = source
        // From 5 on, Exif turns the image by a quarter.
        return orientation > 4 ? { source, width: height, height: width } : { source, width, height }
      } catch {
        return null
      }
    },
    /** Draws a decorative shape, ignored by screen readers. */
    ornament(draw: (document: PDFKit.PDFDocument) => void): void {
      structure.ornament()
      draw(document)
    },
    /** Draws a shape as a figure with alternative text; `box`: its left, top, width and height. */
    figure(
      alt: string,
      [x, y, w, h]: readonly [number, number, number, number],
      draw: (document: PDFKit.PDFDocument) => void,
    ): void {
      drawFigure(alt, [x, y, w, h], () => draw(document))
    },
    /** Draws an image in exactly this size; `alt` is its alternative text, without which it is decorative. */
    image(opened: OpenedImage, x: number, y: number, w: number, h: number, alt?: string): void {
      const draw = () => document.image(opened.source as never, x, y, { width: w, height: h })
      if (alt === undefined) {
        structure.ornament()
        draw()
        return
      }
      drawFigure(alt, [x, y, w, h], draw)
    },
    /** Returns the output since the last call; null if there is none. */
    readOutput: (): Buffer | null => document.read() as Buffer | null,
    /** Ends the document and yields the remaining output. */
    *finish(): Generator<Buffer> {
      const { id, hexOf } = fonts.text
      if (signer !== undefined)
        addSignatureField(document, { description: reportTexts(language)['signature-field'], signer, at: now })
      structure.endPage()
      structure.finish()
      ;(document as unknown as MetadataHook)._addInfo = () => {
        const isAccessible = structure.hasAllCells()
        document.appendXML(xmpProperties({ title, author: printedBy, createdAt: now, isAccessible }))
      }
      total.end(`BT /${id} 7 Tf 1 0 0 1 0 0 Tm <${hexOf(String(pages))}> Tj ET`)
      document.end()
      for (let rest = document.read(); rest; rest = document.read()) yield rest as Buffer
    },
  }
}

/** An image of pdfkit; `orientation` of Exif in a JPEG, `image` in a PNG. */
type PdfImage = {
  width: number
  height: number
  orientation?: number
  image?: { hasAlphaChannel: boolean; interlaceMethod: number; transparency: { indexed?: unknown } }
}

/** Size in px, upright. */
export type OpenedImage = { width: number; height: number; source: PdfImage }

/** PNGs that pdfkit decodes: with transparency, or interlaced. */
const needsDecoding = ({ image }: PdfImage): boolean =>
  !!image && (image.hasAlphaChannel || image.interlaceMethod === 1 || !!image.transparency.indexed)

/** Adds the properties to the metadata. */
type MetadataHook = { _addInfo: () => void }

type Resources = { fonts: Record<string, unknown>; xobjects: Record<string, unknown> }

const round = (points: number) => Math.round(points * 100) / 100

const colors = new Map<string, string>()

/** #RRGGBB as three values from 0 to 1. */
function rgb(color: string): string {
  let parts = colors.get(color)
  if (!parts) {
    parts = [1, 3, 5].map((at) => round(Number.parseInt(color.slice(at, at + 2), 16) / 255)).join(' ')
    colors.set(color, parts)
  }
  return parts
}

function breakWord(word: string, fits: (part: string) => boolean): string[] {
  if (fits(word)) return [word]
  const parts: string[] = []
  let part = ''
  for (const char of word) {
    if (part !== '' && !fits(part + char)) {
      parts.push(part)
      part = ''
    }
    part += char
  }
  return [...parts, part]
}
