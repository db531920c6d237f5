/** Camera images are far smaller; one that decodes to more is a decompression bomb. */
export const MAX_PIXELS = 50_000_000

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
const TEM = 0x01
/** Start of frame: baseline, progressive, lossless and so on. C4, C8 and CC in this range are other markers. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7

/**
 * Whether the bytes are a complete JPEG by its markers (ITU-T T.81, annex B): one frame of at most 50 megapixels, at
 * least one scan, and the end of the image. Does not decode: damaged image data is not found.
 */
export function isCompleteJpeg(bytes: Buffer): boolean {
  if (bytes[0] !== 0xff || bytes[1] !== SOI) return false
  let hasFrame = false
  let hasScan = false
  let at = 2
  while (at + 1 < bytes.length) {
    if (bytes[at] !== 0xff) return false
    const marker = bytes[at + 1] as number
    // Any number of fill bytes may precede a marker.
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === EOI) return hasFrame && hasScan
    if (marker === TEM || isRestart(marker)) {
      at += 2
      continue
    }
    if (marker === 0 || marker === SOI || at + 4 > bytes.length) return false
    const length = bytes.readUInt16BE(at + 2)
    const end = at + 2 + length
    if (length < 2 || end > bytes.length) return false
    if (isFrame(marker)) {
      if (hasFrame || !isValidFrame(bytes.subarray(at + 4, end))) return false
      hasFrame = true
    }
    at = end
    if (marker !== SOS) continue
    if (!hasFrame) return false
    hasScan = true
    at = endOfScan(bytes, end)
  }
  return false
}

/** A frame header: precision, height, width, number of components, and three bytes for each component. */
function isValidFrame(header: Buffer): boolean {
  if (header.length < 6) return false
  const pixels = header.readUInt16BE(1) * header.readUInt16BE(3)
  const components = header[5] as number
  return pixels > 0 && pixels <= MAX_PIXELS && components > 0 && header.length === 6 + 3 * components
}

/** Position of the first marker after entropy-coded data, in which FF is followed by 0 or is a restart marker. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] as number
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at
  }
  return bytes.length
}
