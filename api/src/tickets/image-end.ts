import { endOfJpeg } from '../core/jpeg.ts'

/** Pixels are limited when the image is decoded. */
const jpegEnd = (bytes: Buffer) => endOfJpeg(bytes, { maxPixels: Infinity, maxMultiScanPixels: Infinity })

function pngEnd(bytes: Buffer): number | null {
  let at = 8
  while (at + 12 <= bytes.length) {
    const next = at + 12 + bytes.readUInt32BE(at)
    const type = bytes.subarray(at + 4, at + 8).toString('latin1')
    at = next
    if (type === 'IEND') return at
  }
  return null
}

function gifEnd(bytes: Buffer): number | null {
  const colorsIn = (flags: number | undefined) => (flags !== undefined && flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  let at = 13 + colorsIn(bytes[10])
  const skipBlocks = () => {
    while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] as number)
    at++
  }
  while (at < bytes.length) {
    const marker = bytes[at]
    if (marker === 0x3b) return at + 1
    if (marker === 0x21) at += 2
    else if (marker === 0x2c) at += 11 + colorsIn(bytes[at + 9])
    else return null
    skipBlocks()
  }
  return null
}

function webpEnd(bytes: Buffer): number {
  const size = bytes.readUInt32LE(4) + 8
  return size + (size % 2)
}

const readers = { 'image/jpeg': jpegEnd, 'image/png': pngEnd, 'image/gif': gifEnd, 'image/webp': webpEnd }

export type ImageType = keyof typeof readers

/** The end of an image by its own format, to detect appended data; null if truncated. */
export function endOfImage(bytes: Buffer, type: ImageType): number | null {
  const end = readers[type](bytes)
  return end !== null && end <= bytes.length ? end : null
}
