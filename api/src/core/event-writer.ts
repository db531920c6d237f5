import type { ServerResponse } from 'node:http'
import { constants, crc32, deflateRaw } from 'node:zlib'

/** Events, as bytes and as blocks of deflate, made once for all streams that send them. */
export type EncodedEvents = {
  bytes: Buffer
  /** Blocks that refer to no others and end at a byte, so that any may follow (RFC 1951); a promise until they are compressed. */
  blocks: () => Buffer | Promise<Buffer>
}

/** Writes the events of a stream, in order; none after its end. */
export type EventWriter = {
  write: (events: EncodedEvents) => void
  /** Writes the last events, and ends the response. */
  end: (events: EncodedEvents) => void
}

/** Smaller events are sent as they are: to compress them takes more time than to send them. */
const MIN_COMPRESSED_BYTES = 32 * 1024
/** A megabyte of a list shrinks to a ninth in 3 ms; higher levels take twice the time for a seventh less. */
const LEVEL = 3
const MAX_STORED_BYTES = 0xffff
/** No name, time or flags, of an unknown system (RFC 1952). */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])

export function encodeEvents(text: string): EncodedEvents {
  const bytes = Buffer.from(text)
  let blocks: Buffer | Promise<Buffer> | undefined
  const compress = () =>
    deflatedBlocks(bytes).then((compressed) => {
      blocks = compressed
      return compressed
    })
  return {
    bytes,
    blocks: () => {
      blocks ??= bytes.length < MIN_COMPRESSED_BYTES ? storedBlocks(bytes) : compress()
      return blocks
    },
  }
}

/** Whether a client accepts gzip, by its `Accept-Encoding`. */
export const acceptsGzip = (header: string | undefined): boolean =>
  (header ?? '').split(',').some((coding) => {
    const [name, ...parameters] = coding.split(';').map((part) => part.trim().toLowerCase())
    return name === 'gzip' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })

export const createPlainWriter = (raw: ServerResponse): EventWriter => ({
  write: ({ bytes }) => raw.write(bytes),
  end: ({ bytes }) => raw.end(bytes),
})

/** Writes events as one gzip file (RFC 1952), whose blocks are shared by all streams. */
export function createGzipWriter(raw: ServerResponse): EventWriter {
  let checksum = 0
  let size = 0
  /** What waits for blocks before it that are being compressed. */
  const waiting: (Buffer | Promise<Buffer>)[] = []
  let isWaiting = false
  let isEnding = false

  const count = (bytes: Buffer) => {
    checksum = crc32(bytes, checksum)
    size += bytes.length
  }
  const writeWaiting = async () => {
    isWaiting = true
    try {
      for (let next = waiting.shift(); next; next = waiting.shift()) raw.write(await next)
      if (isEnding) raw.end()
    } catch {
      raw.destroy()
    }
    isWaiting = false
  }
  const put = (blocks: Buffer | Promise<Buffer>) => {
    if (!isWaiting && Buffer.isBuffer(blocks)) return raw.write(blocks)
    waiting.push(blocks)
    if (!isWaiting) void writeWaiting()
  }

  raw.write(GZIP_HEADER)
  return {
    write: ({ bytes, blocks }) => {
      if (isEnding) return
      count(bytes)
      put(blocks())
    },
    end: ({ bytes }) => {
      count(bytes)
      const trailer = Buffer.alloc(8)
      trailer.writeUInt32LE(checksum)
      trailer.writeUInt32LE(size % 2 ** 32, 4)
      put(Buffer.concat([storedBlocks(bytes, true), trailer]))
      isEnding = true
      if (!isWaiting) raw.end()
    },
  }
}

/** Blocks without compression. */
function storedBlocks(bytes: Buffer, isLast = false): Buffer {
  const parts: Buffer[] = []
  for (let from = 0; from < bytes.length || from === 0; from += MAX_STORED_BYTES) {
    const part = bytes.subarray(from, from + MAX_STORED_BYTES)
    const head = Buffer.alloc(5)
    head[0] = isLast && from + MAX_STORED_BYTES >= bytes.length ? 1 : 0
    head.writeUInt16LE(part.length, 1)
    head.writeUInt16LE(part.length ^ MAX_STORED_BYTES, 3)
    parts.push(head, part)
  }
  return Buffer.concat(parts)
}

const deflatedBlocks = (bytes: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH }
    deflateRaw(bytes, options, (error, compressed) => (error ? reject(error) : resolve(compressed)))
  })
