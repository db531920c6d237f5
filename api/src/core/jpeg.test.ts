import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { withScans } from '../testing/jpeg.ts'
import { isCompleteJpeg } from './jpeg.ts'

const noise = () =>
  sharp({
    create: {
      width: 120,
      height: 80,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
const exif = { IFD0: { Make: 'Camera', ImageDescription: '\u00ff\u00d9 S8' } }

/** By an encoder of its own (libjpeg-turbo and mozjpeg in libvips). */
const encodings = {
  baseline: () => noise().jpeg({ quality: 90 }),
  progressive: () => noise().jpeg({ progressive: true }),
  grey: () => noise().greyscale().jpeg(),
  'without chroma subsampling': () => noise().jpeg({ chromaSubsampling: '4:4:4' }),
  'optimised scans': () => noise().jpeg({ mozjpeg: true }),
  'with EXIF': () => noise().withExif(exif).jpeg(),
  'with a colour profile': () => noise().withIccProfile('srgb').jpeg(),
}

describe.each(Object.entries(encodings))('a %s image', (_name, encode) => {
  test('is complete, also followed by other data, and no part of it is', async () => {
    const whole = await encode().toBuffer()
    expect(isCompleteJpeg(whole)).toBe(true)
    expect(isCompleteJpeg(Buffer.concat([whole, Buffer.from('maker data')]))).toBe(true)
    for (let length = 0; length < whole.length; length++) expect(isCompleteJpeg(whole.subarray(0, length))).toBe(false)
  })
})

test('finds the end after a thumbnail in EXIF', async () => {
  const [thumbnail, whole] = [await noise().resize(16).jpeg().toBuffer(), await noise().jpeg().toBuffer()]
  const payload = Buffer.concat([Buffer.from('Exif\0\0'), thumbnail])
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe1, (payload.length + 2) >> 8, (payload.length + 2) & 255])
  const withThumbnail = Buffer.concat([head, payload, whole.subarray(2)])
  expect(isCompleteJpeg(withThumbnail)).toBe(true)
  expect(isCompleteJpeg(withThumbnail.subarray(0, head.length + payload.length))).toBe(false)
  expect(isCompleteJpeg(withThumbnail.subarray(0, -2))).toBe(false)
})

test('accepts fill bytes before markers and restart markers in a scan', async () => {
  const whole = await noise().jpeg().toBuffer()
  expect(isCompleteJpeg(Buffer.concat([whole.subarray(0, 2), Buffer.from([0xff, 0xff]), whole.subarray(2)]))).toBe(true)
  const restarts = Buffer.concat([
    whole.subarray(0, -2),
    Buffer.from([0xff, 0xd0, 0x12, 0xff, 0xd7, 0x00]),
    whole.subarray(-2),
  ])
  expect(isCompleteJpeg(restarts)).toBe(true)
})

test('refuses frames without pixels, of more than 50 megapixels, and twice', async () => {
  const whole = await noise().jpeg().toBuffer()
  const frame = whole.indexOf(Buffer.from([0xff, 0xc0]))
  const withSize = (height: number, width: number) => resized(whole, 0xc0, height, width)
  expect(isCompleteJpeg(withSize(5_000, 10_000))).toBe(true)
  expect(isCompleteJpeg(withSize(5_001, 10_000))).toBe(false)
  expect(isCompleteJpeg(withSize(0, 10))).toBe(false)
  expect(isCompleteJpeg(withSize(10, 0))).toBe(false)
  const header = whole.subarray(frame, frame + 2 + whole.readUInt16BE(frame + 2))
  expect(isCompleteJpeg(Buffer.concat([whole.subarray(0, frame), header, whole.subarray(frame)]))).toBe(false)
})

test('refuses an image without a scan, a scan without a frame, and other formats', async () => {
  const whole = await noise().jpeg().toBuffer()
  const scan = whole.indexOf(Buffer.from([0xff, 0xda]))
  expect(isCompleteJpeg(Buffer.concat([whole.subarray(0, scan), Buffer.from([0xff, 0xd9])]))).toBe(false)
  expect(isCompleteJpeg(Buffer.concat([whole.subarray(0, 2), whole.subarray(scan)]))).toBe(false)
  expect(isCompleteJpeg(Buffer.from([0xff, 0xd8, 0xff, 0xd9]))).toBe(false)
  expect(isCompleteJpeg(await noise().png().toBuffer())).toBe(false)
})

/** The frame header begins after its marker and length with precision, height and width. */
function resized(whole: Buffer, marker: number, height: number, width: number): Buffer {
  const changed = Buffer.from(whole)
  const frame = changed.indexOf(Buffer.from([0xff, marker]))
  changed.writeUInt16BE(height, frame + 5)
  changed.writeUInt16BE(width, frame + 7)
  return changed
}

test('refuses an image in several scans of more than 16 megapixels, which is decoded as a whole', async () => {
  const progressive = await noise().jpeg({ progressive: true }).toBuffer()
  expect(isCompleteJpeg(resized(progressive, 0xc2, 4_000, 4_000))).toBe(true)
  expect(isCompleteJpeg(resized(progressive, 0xc2, 4_001, 4_000))).toBe(false)
  const baseline = await noise().jpeg().toBuffer()
  const scan = baseline.indexOf(Buffer.from([0xff, 0xda]))
  // Two of the three components, each with two bytes.
  const partial = Buffer.concat([
    baseline.subarray(0, scan),
    Buffer.from([0xff, 0xda, 0, 10, 2]),
    baseline.subarray(scan + 5, scan + 9),
    baseline.subarray(scan + 11),
  ])
  expect(isCompleteJpeg(resized(partial, 0xc0, 4_000, 4_000))).toBe(true)
  expect(isCompleteJpeg(resized(partial, 0xc0, 4_001, 4_000))).toBe(false)
})

test('refuses an image of more than 100 scans', async () => {
  expect(isCompleteJpeg(await withScans(100))).toBe(true)
  expect(isCompleteJpeg(await withScans(101))).toBe(false)
})
