/** Camera images are far smaller; one that decodes to more is a decompression bomb. */
export const MAX_PIXELS = 50_000_000

/**
 * Of an image in several scans, as progressive ones are: its decoder keeps the coefficients of the whole image, 2 bytes
 * for each component of each pixel, up to 128 MB.
 */
const MAX_MULTI_SCAN_PIXELS = 16_000_000

/** Cameras and phones write about 10; the time to decode grows with each, even if it holds no data. */
const MAX_SCANS = 100

/** Grey, colour and CMYK; decoders accept no more. */
const MAX_COMPONENTS = 4

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
const TEM = 0x01
/** Start of frame: baseline, progressive, lossless and so on. C4, C8 and CC in this range are other markers. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
/** Of the codings, of which there are four for each kind of compression. */
const isProgressive = (marker: number) => (marker & 3) === 2
const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7

/** Limits of pixels. */
type JpegLimits = { maxPixels: number; maxMultiScanPixels: number }

const CAMERA_LIMITS: JpegLimits = { maxPixels: MAX_PIXELS, maxMultiScanPixels: MAX_MULTI_SCAN_PIXELS }

/** A complete JPEG by its markers; see `endOfJpeg`. */
export const isCompleteJpeg = (bytes: Buffer): boolean => endOfJpeg(bytes) !== null

/**
 * The position after the end marker of a complete JPEG by its markers (ITU-T T.81, annex B): one frame, within the
 * limits of pixels, and 1 to 100 scans. Null if it is none. Does not decode: damaged image data is not found.
 */
export function endOfJpeg(bytes: Buffer, limits = CAMERA_LIMITS): number | null {
  if (bytes[0] !== 0xff || bytes[1] !== SOI) return null
  let frame: Frame | null = null
  let scans = 0
  let at = 2
  while (at + 1 < bytes.length) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] as number
    // Any number of fill bytes may precede a marker.
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === EOI) return frame && scans > 0 ? at + 2 : null
    if (marker === TEM || isRestart(marker)) {
      at += 2
      continue
    }
    if (marker === 0 || marker === SOI || at + 4 > bytes.length) return null
    const length = bytes.readUInt16BE(at + 2)
    const end = at + 2 + length
    if (length < 2 || end > bytes.length) return null
    const content = bytes.subarray(at + 4, end)
    if (isFrame(marker)) {
      if (frame) return null
      frame = parseFrame(content, isProgressive(marker))
      if (!frame || frame.pixels > limits.maxPixels) return null
    }
    at = end
    if (marker !== SOS) continue
    if (!frame || scans === MAX_SCANS) return null
    // Decoders allocate by the first scan: the components that it lacks follow in others.
    const isMultiScan = frame.isProgressive || (content[0] ?? 0) < frame.components
    if (isMultiScan && frame.pixels > limits.maxMultiScanPixels) return null
    scans += 1
    at = endOfScan(bytes, end)
  }
  return null
}

type Frame = { pixels: number; components: number; isProgressive: boolean }

/** A frame header: precision, height, width, number of components, and three bytes for each component. Null if invalid. */
function parseFrame(header: Buffer, isProgressive: boolean): Frame | null {
  if (header.length < 6) return null
  const pixels = header.readUInt16BE(1) * header.readUInt16BE(3)
  const components = header[5] as number
  const isValid = pixels > 0 && components > 0 && components <= MAX_COMPONENTS && header.length === 6 + 3 * components
  return isValid ? { pixels, components, isProgressive } : null
}

/** Position of the first marker after entropy-coded data, in which FF is followed by 0 or is a restart marker. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] as number
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at
  }
  return bytes.length
}
