/** Segments, scans, end mark: a thumbnail in a segment has an end mark of its own there. */
function jpegEnd(bytes: Buffer): number | null {
  let at = 2
  while (at + 1 < bytes.length) {
    if (bytes[at] !== 0xff) return null
    const mark = bytes[at + 1] as number
    if (mark === 0xff) {
      at++
      continue
    }
    at += 2
    if (mark === 0xd9) return at
    if (mark === 0x01 || (mark >= 0xd0 && mark <= 0xd8)) continue
    if (at + 2 > bytes.length) return null
    const next = at + bytes.readUInt16BE(at)
    at = next
    // In a scan FF stands for itself only before 00; restart marks belong to it.
    if (mark === 0xda)
      while (at + 1 < bytes.length) {
        at = bytes.indexOf(0xff, at)
        if (at < 0) return null
        const follows = bytes[at + 1] as number
        if (follows !== 0x00 && !(follows >= 0xd0 && follows <= 0xd7)) break
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
  const passBlocks = () => {
    while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] as number)
    at++
  }
  while (at < bytes.length) {
    const mark = bytes[at]
    if (mark === 0x3b) return at + 1
    if (mark === 0x21) at += 2
    else if (mark === 0x2c) at += 11 + colorsIn(bytes[at + 9])
    else return null
    passBlocks()
  }
  return null
}

function webpEnd(bytes: Buffer): number {
  const size = bytes.readUInt32LE(4) + 8
  return size + (size % 2)
}

const readers = { 'image/jpeg': jpegEnd, 'image/png': pngEnd, 'image/gif': gifEnd, 'image/webp': webpEnd }

export type ImageType = keyof typeof readers

/** Where an image ends by its own word, so that nothing can ride behind it; null where it breaks off before. */
export function endOfImage(bytes: Buffer, type: ImageType): number | null {
  const end = readers[type](bytes)
  return end !== null && end <= bytes.length ? end : null
}
