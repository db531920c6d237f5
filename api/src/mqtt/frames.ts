/** A violation of the protocol, after which the connection ends. `code`: reason code of MQTT 5. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
  readonly code: number

  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }
}

export const MALFORMED = 0x81
export const TOO_LARGE = 0x95

/** A packet as it was received. `isTruncated`: it was larger than permitted, and only its beginning was kept. */
export type Frame = { bytes: Buffer; isTruncated: boolean }

/** How many bytes of a packet to keep, by its type and length, both without the fixed header. @throws ProtocolError if none */
type KeepBytes = (type: number, length: number) => number

/** A remaining length has at most four bytes. */
const MAX_LENGTH_BYTES = 4

/**
 * Splits the bytes of a connection into packets, so that the size of each is known before it is held in memory: the rest of
 * one that is too large is skipped as it arrives.
 */
export function createFrames(keepBytes: KeepBytes) {
  let header: number[] = []
  let parts: Buffer[] = []
  let length = 0
  let kept = 0
  let received = 0
  let hasHeader = false

  const finish = (): Frame => {
    const bytes = Buffer.concat([Buffer.from([header[0] as number, ...encodeLength(kept)]), ...parts])
    const frame = { bytes, isTruncated: kept < length }
    header = []
    parts = []
    received = 0
    hasHeader = false
    return frame
  }

  return {
    /** Whether the last packet is incomplete. */
    isPartial: () => header.length > 0,
    /** The packets that these bytes complete. @throws ProtocolError */
    *push(chunk: Buffer): Generator<Frame> {
      for (let at = 0; at < chunk.length; ) {
        if (!hasHeader) {
          const byte = chunk[at++] as number
          header.push(byte)
          const isComplete = header.length > 1 && (byte & 0x80) === 0
          if (!isComplete && header.length > MAX_LENGTH_BYTES) throw new ProtocolError('malformed length', MALFORMED)
          if (!isComplete) continue
          length = header.slice(1).reduce((sum, digit, index) => sum + (digit & 0x7f) * 128 ** index, 0)
          kept = Math.min(length, keepBytes((header[0] as number) >> 4, length))
          hasHeader = true
        } else {
          const part = chunk.subarray(at, at + length - received)
          if (received < kept) parts.push(part.subarray(0, kept - received))
          received += part.length
          at += part.length
        }
        if (received === length) yield finish()
      }
    },
  }
}

function encodeLength(length: number): number[] {
  const digits: number[] = []
  for (let rest = length; digits.length === 0 || rest > 0; rest = Math.floor(rest / 128))
    digits.push((rest % 128) + (rest >= 128 ? 0x80 : 0))
  return digits
}
