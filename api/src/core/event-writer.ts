import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { constants, crc32, deflateRaw } from 'node:zlib'

/** Events, as bytes and as blocks of deflate, made once for all streams that send them. */
export type EncodedEvents = {
  bytes: Buffer
  /** Blocks that refer to no others and end at a byte, so that any may follow (RFC 1951). The promise never rejects. */
  blocks: () => Buffer | Promise<Buffer>
}

/** Writes the events of a stream, in order; none after its end. */
export type EventWriter = {
  write: (events: EncodedEvents) => void
  /** Writes the last events, and ends the response. */
  end: (events: EncodedEvents) => void
}

/** Shorter ones are sent as they are: to compress them takes more time than to send them. */
const MIN_COMPRESSED_BYTES = 32 * 1024
/** Of a process: more are sent as they are, so that neither memory nor the threads of others run out. */
const MAX_COMPRESSIONS = 4
/** What is not compressed by then, because all threads are busy, is sent as it is. */
const MAX_COMPRESSION_MS = 1_000
/** A megabyte of a list shrinks to a ninth in 3 ms; higher levels take twice the time for a seventh less. */
const LEVEL = 3
const MAX_STORED_BYTES = 0xffff
/** No name, time or flags, of an unknown system (RFC 1952). */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])

/** Events that are sent as they are. */
export const encodeEvents = (text: string): EncodedEvents => encode(text, storedBlocks)

/** Events that may be long, and are compressed if they are. */
export const encodeLongEvents = (text: string): EncodedEvents =>
  encode(text, (bytes) =>
    bytes.length < MIN_COMPRESSED_BYTES || compressions >= MAX_COMPRESSIONS ? storedBlocks(bytes) : compress(bytes),
  )

function encode(text: string, makeBlocks: (bytes: Buffer) => Buffer | Promise<Buffer>): EncodedEvents {
  const bytes = Buffer.from(text)
  let blocks: Buffer | Promise<Buffer> | undefined
  return {
    bytes,
    blocks: () => {
      blocks ??= makeBlocks(bytes)
      return blocks
    },
  }
}

let compressions = 0

/** Compressed blocks, or stored ones if that fails or takes too long. */
async function compress(bytes: Buffer): Promise<Buffer> {
  const options = {
    level: LEVEL,
    finishFlush: constants.Z_SYNC_FLUSH,
    // Each chunk of what it returns waits for the event loop.
    chunkSize: Math.max(constants.Z_DEFAULT_CHUNK, bytes.length >> 2),
  }
  compressions += 1
  const compressed = new Promise<Buffer | null>((resolve) => {
    deflateRaw(bytes, options, (error, result) => {
      compressions -= 1
      resolve(error ? null : result)
    })
  })
  const timeout = new AbortController()
  const inTime = await Promise.race([compressed, pause(MAX_COMPRESSION_MS, null, { signal: timeout.signal })])
  timeout.abort()
  return inTime ?? storedBlocks(bytes)
}

/** Whether a client names gzip in its `Accept-Encoding` (RFC 9110, 12.5.3), and does not refuse it. */
export const acceptsGzip = (header: string | undefined): boolean =>
  (header ?? '').split(',').some((coding) => {
    const [name, ...parameters] = coding.split(';').map((part) => part.trim().toLowerCase())
    return (name === 'gzip' || name === 'x-gzip') && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })

export const createPlainWriter = (raw: ServerResponse): EventWriter => ({
  write: ({ bytes }) => raw.write(bytes),
  end: ({ bytes }) => {
    if (!raw.writableEnded) raw.end(bytes)
  },
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
    for (let next = waiting.shift(); next; next = waiting.shift()) raw.write(await next)
    isWaiting = false
    if (isEnding) raw.end()
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
      if (isEnding) return
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
