import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'

/*
 * Letters as outlines. The face comes as WOFF, which the renderer does not read, so its glyphs
 * are taken out here once and drawn as paths: no font file on disk, and the width of a text is known.
 */

type Point = { x: number; y: number; on: boolean }
type Glyph = { contours: Point[][]; advance: number }
type FontFace = { unitsPerEm: number; glyph: (char: string) => Glyph }

const require = createRequire(import.meta.url)

/** The tables of a WOFF 1.0 file, inflated (W3C WOFF File Format 1.0, sections 3 to 5). */
const tablesOf = (file: Buffer): ((tag: string) => Buffer) => {
  const tables = new Map<string, Buffer>()
  for (let entry = 44, left = file.readUInt16BE(12); left > 0; entry += 20, left--) {
    const offset = file.readUInt32BE(entry + 4)
    const packed = file.readUInt32BE(entry + 8)
    const bytes = file.subarray(offset, offset + packed)
    tables.set(
      file.toString('latin1', entry, entry + 4),
      packed < file.readUInt32BE(entry + 12) ? inflateSync(bytes) : bytes,
    )
  }
  return (tag) => {
    const table = tables.get(tag)
    if (!table) throw new Error(`the font has no ${tag} table`)
    return table
  }
}

/** Glyph numbers by character from the format 4 subtable, which every Unicode font of the basic plane carries. */
const charactersOf = (cmap: Buffer): ((code: number) => number) => {
  let at = -1
  for (let i = 0; i < cmap.readUInt16BE(2); i++) {
    const offset = cmap.readUInt32BE(4 + 8 * i + 4)
    if (cmap.readUInt16BE(offset) === 4) at = offset
  }
  if (at < 0) throw new Error('the font has no character map of format 4')
  const twice = cmap.readUInt16BE(at + 6)
  const ends = at + 14
  const starts = ends + twice + 2
  const deltas = starts + twice
  const ranges = deltas + twice
  return (code) => {
    for (let i = 0; i < twice; i += 2) {
      if (code > cmap.readUInt16BE(ends + i)) continue
      const start = cmap.readUInt16BE(starts + i)
      if (code < start) return 0
      const delta = cmap.readUInt16BE(deltas + i)
      const range = cmap.readUInt16BE(ranges + i)
      if (range === 0) return (code + delta) & 0xffff
      const glyph = cmap.readUInt16BE(ranges + i + range + 2 * (code - start))
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff
    }
    return 0
  }
}

/** The contours of a simple glyph (OpenType, table glyf). */
const simpleContours = (glyf: Buffer, at: number, count: number): Point[][] => {
  const ends = Array.from({ length: count }, (_, i) => glyf.readUInt16BE(at + 10 + 2 * i))
  const points = (ends.at(-1) ?? -1) + 1
  let next = at + 10 + 2 * count
  next += 2 + glyf.readUInt16BE(next)
  const flags: number[] = []
  while (flags.length < points) {
    const flag = glyf.readUInt8(next++)
    const repeat = flag & 8 ? glyf.readUInt8(next++) : 0
    for (let i = 0; i <= repeat; i++) flags.push(flag)
  }
  const axis = (short: number, same: number): number[] => {
    let value = 0
    return flags.map((flag) => {
      if (flag & short) value += (flag & same ? 1 : -1) * glyf.readUInt8(next++)
      else if (!(flag & same)) {
        value += glyf.readInt16BE(next)
        next += 2
      }
      return value
    })
  }
  const xs = axis(2, 16)
  const ys = axis(4, 32)
  let from = 0
  return ends.map((end) => {
    const contour: Point[] = []
    for (let i = from; i <= end; i++) contour.push({ x: xs[i] ?? 0, y: ys[i] ?? 0, on: ((flags[i] ?? 0) & 1) === 1 })
    from = end + 1
    return contour
  })
}

const faceOf = (name: string): FontFace => {
  const table = tablesOf(readFileSync(require.resolve(`@fontsource/barlow-semi-condensed/files/${name}.woff`)))
  const [head, hhea, hmtx, loca, glyf] = [table('head'), table('hhea'), table('hmtx'), table('loca'), table('glyf')]
  const glyphOf = charactersOf(table('cmap'))
  const long = head.readInt16BE(50) === 1
  const placeOf = (glyph: number) => (long ? loca.readUInt32BE(4 * glyph) : 2 * loca.readUInt16BE(2 * glyph))
  const widths = hhea.readUInt16BE(34)

  const contoursOf = (glyph: number): Point[][] => {
    const at = placeOf(glyph)
    if (placeOf(glyph + 1) === at) return []
    const count = glyf.readInt16BE(at)
    if (count >= 0) return simpleContours(glyf, at, count)
    // A composite: letters with accents. Only shifted parts occur in this face.
    const parts: Point[][] = []
    for (let next = at + 10, more = true; more; ) {
      const flags = glyf.readUInt16BE(next)
      const words = (flags & 1) === 1
      const part = contoursOf(glyf.readUInt16BE(next + 2))
      const dx = words ? glyf.readInt16BE(next + 4) : glyf.readInt8(next + 4)
      const dy = words ? glyf.readInt16BE(next + 6) : glyf.readInt8(next + 5)
      parts.push(...part.map((contour) => contour.map(({ x, y, on }) => ({ x: x + dx, y: y + dy, on }))))
      next += words ? 8 : 6
      more = (flags & 32) !== 0
    }
    return parts
  }

  const known = new Map<string, Glyph>()
  return {
    unitsPerEm: head.readUInt16BE(18),
    glyph: (char) => {
      const found = known.get(char)
      if (found) return found
      const number = glyphOf(char.codePointAt(0) ?? 0)
      const glyph = {
        contours: contoursOf(number),
        advance: hmtx.readUInt16BE(4 * Math.min(number, widths - 1)),
      }
      known.set(char, glyph)
      return glyph
    },
  }
}

const regularFace = faceOf('barlow-semi-condensed-latin-600-normal')
/** Polish letters such as ł and ś live in a file of their own. */
const faceExtended = faceOf('barlow-semi-condensed-latin-ext-600-normal')

const glyphOf = (char: string): Glyph => ((char.codePointAt(0) ?? 0) < 0x100 ? regularFace : faceExtended).glyph(char)

const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, on: true })

/** One closed contour of quadratic curves; between two control points lies an implied point. */
const pathOf = (contour: Point[], pen: number): string => {
  const at = (i: number): Point => contour[i % contour.length] as Point
  const first = contour.findIndex((point) => point.on)
  const place = ({ x, y }: Point) => `${x + pen} ${-y}`
  const start = first < 0 ? middle(at(0), at(contour.length - 1)) : at(first)
  const from = first < 0 ? 0 : first + 1
  let path = `M${place(start)}`
  for (let i = from; i < from + contour.length; i++) {
    const point = at(i)
    if (point.on) path += `L${place(point)}`
    else {
      const next = at(i + 1)
      path += `Q${place(point)} ${place(next.on ? next : middle(point, next))}`
      if (next.on) i++
    }
  }
  return `${path}Z`
}

/** The width of a text at a size in pixels, `spacing` between letters in em. */
export const textWidth = (text: string, size: number, spacing = 0): number =>
  ([...text].reduce((sum, char) => sum + glyphOf(char).advance / regularFace.unitsPerEm + spacing, 0) - spacing) * size

type TextStyle = {
  x: number
  /** The base line. */
  y: number
  size: number
  fill: string
  anchor?: 'start' | 'middle' | 'end'
  /** em between letters */
  spacing?: number
  opacity?: number
}

/** A line of text as an SVG path. */
export const text = (
  line: string,
  { x, y, size, fill, anchor = 'start', spacing = 0, opacity = 1 }: TextStyle,
): string => {
  const shift = { start: 0, middle: 0.5, end: 1 }[anchor] * textWidth(line, size, spacing)
  const scale = size / regularFace.unitsPerEm
  let pen = 0
  let path = ''
  for (const char of line) {
    const { contours, advance } = glyphOf(char)
    path += contours.map((contour) => pathOf(contour, Math.round(pen))).join('')
    pen += advance + spacing * regularFace.unitsPerEm
  }
  return `<path transform="translate(${(x - shift).toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(5)})" fill="${fill}" opacity="${opacity}" d="${path}"/>`
}
