/** Walks segments and scans to the end marker, skipping those of thumbnails in segments. */
function jpegEnd(bytes: Buffer): number | null {
  let at = 2
  while (at + 1 < bytes.length) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] as number
    if (marker === 0xff) {
      at++
      continue
    }
    at += 2
    if (marker === 0xd9) return at
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) continue
    if (at + 2 > bytes.length) return null
    const next = at + bytes.readUInt16BE(at)
    at = next
    // In scan data FF is escaped as FF 00; restart markers belong to it.
    if (marker === 0xda)
      while (at + 1 < bytes.length) {
        at = bytes.indexOf(0xff, at)
        if (at < 0) return null
        const following = bytes[at + 1] as number
        if (following !== 0x00 && !(following >= 0xd0 && following <= 0xd7)) break
        at += 2
      }
  }
  return null
}

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
