import sharp from 'sharp'

const SCAN = Buffer.from([0xff, 0xda])
const HUFFMAN_TABLE = Buffer.from([0xff, 0xc4])

/**
 * A valid progressive JPEG of one colour with up to 883 scans (ITU-T T.81, annex G): each but the first adds one bit to
 * one coefficient, which remains 0.
 */
export async function withScans(count: number): Promise<Buffer> {
  const whole = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#456' } })
    .jpeg({ progressive: true })
    .toBuffer()
  const tables = whole.subarray(whole.lastIndexOf(HUFFMAN_TABLE), whole.lastIndexOf(SCAN))
  const last = whole.subarray(whole.lastIndexOf(SCAN), -2)
  const scans = Array.from({ length: count - 1 }, (_, at) => {
    const scan = Buffer.from(last)
    const [coefficient, bit] = [1 + Math.floor(at / 14), 13 - (at % 14)]
    // First and last coefficient; the bit before, 0 for none, and this bit.
    scan.set([coefficient, coefficient, ((bit === 13 ? 0 : bit + 1) << 4) | bit], 7)
    return scan
  })
  const first = whole.subarray(0, whole.indexOf(HUFFMAN_TABLE, whole.indexOf(SCAN)))
  return Buffer.concat([first, tables, ...scans, whole.subarray(-2)])
}
