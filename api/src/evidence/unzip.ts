import { inflateRawSync } from 'node:zlib'

/* Reads ZIP files that are in memory, as packages are: no encryption, no parts, no ZIP64. */

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const END_BYTES = 22
const MAX_COMMENT_BYTES = 0xffff
const STORED = 0
const DEFLATED = 8
const MAX_ENTRIES = 10_000
/** Of all files together, so that a small file cannot fill the memory. */
const MAX_BYTES = 128 * 1024 * 1024

/** Whether bytes begin like a ZIP with files. */
export const isZip = (bytes: Buffer): boolean => bytes.length > 4 && bytes.readUInt32LE(0) === LOCAL

/**
 * The files of a ZIP by name; null for one that cannot be decompressed. Checksums are not compared, as hashes of the files are.
 * @throws Error if its directory cannot be read, or the files are too large
 */
export function unzip(bytes: Buffer): Map<string, Buffer | null> {
  const files = new Map<string, Buffer | null>()
  const end = findEnd(bytes)
  const count = bytes.readUInt16LE(end + 10)
  if (count > MAX_ENTRIES) throw new Error('ZIP: too many files')
  let at = bytes.readUInt32LE(end + 16)
  let left = MAX_BYTES
  for (let entry = 0; entry < count; entry++) {
    if (bytes.readUInt32LE(at) !== ENTRY) throw new Error('ZIP: an entry is damaged')
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const content = contentOf(bytes, at, left)
    left -= content?.length ?? 0
    if (files.has(name)) throw new Error('ZIP: a file occurs twice')
    if (!name.endsWith('/')) files.set(name, content)
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return files
}

/** Where the end of the directory is, behind which there is only a comment. */
function findEnd(bytes: Buffer): number {
  const last = bytes.length - END_BYTES
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT_BYTES); at--)
    if (bytes.readUInt32LE(at) === END && at + END_BYTES + bytes.readUInt16LE(at + 20) === bytes.length) return at
  throw new Error('ZIP: there is no directory')
}

function contentOf(bytes: Buffer, at: number, maxOutputLength: number): Buffer | null {
  const [method, compressed, size] = [
    bytes.readUInt16LE(at + 10),
    bytes.readUInt32LE(at + 20),
    bytes.readUInt32LE(at + 24),
  ]
  const local = bytes.readUInt32LE(at + 42)
  if (size > maxOutputLength) throw new Error('ZIP: the files are too large')
  if (local + 30 > bytes.length || bytes.readUInt32LE(local) !== LOCAL) return null
  const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
  const raw = bytes.subarray(start, start + compressed)
  if (method === STORED) return raw.length === size ? raw : null
  if (method !== DEFLATED) return null
  try {
    // At least one byte, as zero is no limit.
    return inflateRawSync(raw, { maxOutputLength: Math.max(1, size) })
  } catch {
    return null
  }
}
