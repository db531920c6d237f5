import { createReadStream } from 'node:fs'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { ImportEncoding } from '@rogatka/contract/imports.ts'
import { Refusal } from '../core/refusal.ts'
import { createArraySplitter, isJsonArray } from './json-array.ts'

/** A longer line is no vehicle. */
const MAX_LINE_BYTES = 64 * 1024
const PART_BYTES = 128 * 1024
/**
 * Limits of decompressed files: tables of vehicles shrink to about a tenth, W records with few axles to a thirtieth. Small
 * files may shrink more.
 */
const MAX_UNPACKED_BYTES = 16 * 1024 ** 3
const MAX_RATIO = 200
const FREE_RATIO_BYTES = 64 * 1024 * 1024

const [LF, CR] = [10, 13]

/** Lines in their order; null for one that is too long. `bytes`: of the file as it is on disk, read so far. */
export type Lines = { lines: (string | null)[]; bytes: number }

/**
 * Reads the lines of a file, also of a compressed one, part by part. Lines end with LF, CR LF or, in files without LF, CR;
 * those of a JSON array are its elements, which may be on a single line.
 * @throws Refusal `import-damaged`, `import-too-large-unpacked`, `import-encoding-unknown`
 */
export async function* readLines(path: string, encoding: ImportEncoding): AsyncGenerator<Lines> {
  const decode = decoderOf(encoding)
  let rest = Buffer.alloc(0)
  let isSkipping = false
  let end: number | undefined
  let bytes = 0
  let isFirst = true
  let takeElements: ReturnType<typeof createArraySplitter> | undefined
  for await (const part of unpacked(path)) {
    bytes = part.bytes
    let text = rest.length > 0 ? Buffer.concat([rest, part.content]) : part.content
    if (isFirst) {
      text = withoutByteOrderMark(text)
      if (isJsonArray(text)) takeElements = createArraySplitter(decode, MAX_LINE_BYTES)
      end = text.includes(LF) || !text.includes(CR) ? LF : CR
      isFirst = false
    }
    if (takeElements) {
      const lines = takeElements(text)
      if (lines.length > 0) yield { lines, bytes }
      continue
    }
    const last = text.lastIndexOf(end as number)
    const complete = text.subarray(0, last + 1)
    // A view would keep the whole part in memory.
    rest = Buffer.from(text.subarray(last + 1))
    const lines: (string | null)[] = complete.length > 0 ? splitLines(decode(complete), end as number) : []
    if (isSkipping && lines.length > 0) {
      lines[0] = null
      isSkipping = false
    }
    if (rest.length > MAX_LINE_BYTES) {
      isSkipping = true
      rest = Buffer.alloc(0)
    } else if (isSkipping) rest = Buffer.alloc(0)
    if (lines.length > 0) yield { lines, bytes }
  }
  const unfinished = takeElements?.(null) ?? []
  if (unfinished.length > 0) yield { lines: unfinished, bytes }
  else if (isSkipping) yield { lines: [null], bytes }
  else if (rest.length > 0) yield { lines: [tooLong(decode(rest).replace(/\r$/, ''))], bytes }
}

const tooLong = (line: string) => (line.length > MAX_LINE_BYTES ? null : line)

function splitLines(text: string, end: number): (string | null)[] {
  const lines = text.split(end === LF ? '\n' : '\r')
  lines.pop()
  return lines.map((line) => tooLong(end === LF && line.endsWith('\r') ? line.slice(0, -1) : line))
}

/** Without the byte order mark of UTF-8. @throws Refusal for that of UTF-16 */
function withoutByteOrderMark(text: Buffer): Buffer<ArrayBuffer> {
  const [first, second, third] = text
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new Refusal('import-encoding-unknown', 422)
  const hasMark = first === 0xef && second === 0xbb && third === 0xbf
  return (hasMark ? text.subarray(3) : text) as Buffer<ArrayBuffer>
}

function decoderOf(encoding: ImportEncoding): (bytes: Buffer) => string {
  // Invalid bytes become replacement characters, which the parsers refuse.
  if (encoding === 'utf-8') return (bytes) => bytes.toString('utf8')
  const decoder = new TextDecoder(encoding)
  return (bytes) => decoder.decode(bytes)
}

/** The content of a file, decompressed if it is compressed. */
async function* unpacked(path: string): AsyncGenerator<{ content: Buffer<ArrayBuffer>; bytes: number }> {
  // Before the other stream is opened: its errors, of a file that is gone, have no listener until it is read.
  const isGzip = await isCompressed(path)
  const source = createReadStream(path, { highWaterMark: PART_BYTES })
  let content: Readable = source
  if (isGzip) {
    content = createGunzip({ chunkSize: PART_BYTES })
    // Errors reach the reader of `content`.
    pipeline(source, content as NodeJS.ReadWriteStream & Readable, () => {})
  }
  let size = 0
  try {
    for await (const part of content as AsyncIterable<Buffer<ArrayBuffer>>) {
      size += part.length
      if (content !== source) {
        const isBomb = size > FREE_RATIO_BYTES && size > source.bytesRead * MAX_RATIO
        if (size > MAX_UNPACKED_BYTES || isBomb) throw new Refusal('import-too-large-unpacked', 422)
      }
      yield { content: part, bytes: source.bytesRead }
    }
  } catch (error) {
    throw /^Z_|^ERR_STREAM_PREMATURE_CLOSE/.test(String((error as { code?: string }).code))
      ? new Refusal('import-damaged', 422)
      : error
  } finally {
    source.destroy()
  }
}

async function isCompressed(path: string): Promise<boolean> {
  for await (const part of createReadStream(path, { end: 1 }) as AsyncIterable<Buffer>)
    return part[0] === 0x1f && part[1] === 0x8b
  return false
}

/** The encoding of a file by its first part; null if that is ASCII, which all have in common. */
export async function recogniseEncoding(path: string): Promise<ImportEncoding | null> {
  let head = Buffer.alloc(0)
  for await (const { content } of unpacked(path)) {
    head = Buffer.concat([head, content])
    if (head.length >= PART_BYTES) break
  }
  const text = withoutByteOrderMark(head)
  const hasMark = text.length < head.length
  return hasMark || text.some((byte) => byte >= 0x80) ? encodingOf(text) : null
}

/** The first lines of a file; null for one that is too long. */
export async function readHead(path: string, count: number, encoding: ImportEncoding): Promise<(string | null)[]> {
  const lines: (string | null)[] = []
  for await (const part of readLines(path, encoding)) {
    for (const line of part.lines) lines.push(line)
    if (lines.length >= count) break
  }
  return lines.slice(0, count)
}

/** UTF-8 if it is valid; else by the letters that the two other encodings have in different places. */
function encodingOf(head: Buffer): ImportEncoding {
  // The last character may be cut off.
  const whole =
    head.length < PART_BYTES ? head : head.subarray(0, Math.max(head.lastIndexOf(LF), head.lastIndexOf(CR)) + 1)
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(whole)
    return 'utf-8'
  } catch {
    const count = (isOf: (byte: number) => boolean) => head.reduce((sum, byte) => sum + Number(isOf(byte)), 0)
    // ś, ź, Ś, Ź and quotation marks; none of them is a letter in ISO 8859-2. Ą, ą and ž are elsewhere there.
    const windows = count((byte) => (byte >= 0x80 && byte < 0xa0) || byte === 0xa5 || byte === 0xb9)
    const iso = count((byte) => [0xa1, 0xa6, 0xac, 0xb1, 0xb6, 0xbc].includes(byte))
    return iso > windows ? 'iso-8859-2' : 'windows-1250'
  }
}
