import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Files } from './files.ts'
import { type MinimumRate, withMinimumRate } from './minimum-rate.ts'

/** In memory per connection. */
const PART_BYTES = 256 * 1024
const MINIMUM_RATE: MinimumRate = { bytesPerSecond: 8 * 1024, windowMs: 60_000 }
/** After this time without reading, a client is considered gone. */
const STALL_TIMEOUT_MS = 60_000

type SentFile = { path: string; size: number; type: string }

/**
 * Sends a stored file part by part, so that slow readers hold little memory, and disconnects those below the minimum
 * rate. False if the file is missing; nothing is sent then.
 */
export async function sendFile(
  reply: FastifyReply,
  files: Files,
  { path, size, type }: SentFile,
  rate: MinimumRate = MINIMUM_RATE,
): Promise<boolean> {
  const first = await files.getPart(path, 0, PART_BYTES)
  if (!first) return false
  async function* parts(part: Buffer) {
    yield part
    for (let at = part.length; at < size; ) {
      const next = await files.getPart(path, at, PART_BYTES)
      // Ends the connection: a part of a file must not look complete.
      if (!next || next.length === 0) throw new Error(`${path} ended after ${at} of ${size} bytes`)
      yield next
      at += next.length
    }
  }
  const disconnect = () => reply.raw.destroy()
  const content = withMinimumRate(parts(first), { always: rate, contended: rate }, () => false, disconnect)
  const stream = Readable.from(content, { objectMode: false, highWaterMark: PART_BYTES })
  stream.once('error', (error) => reply.log.warn({ err: error }, 'file: not sent completely'))
  reply.raw.once('close', () => stream.destroy())
  reply.raw.setTimeout(STALL_TIMEOUT_MS, disconnect)
  reply.type(type).header('content-length', size).send(stream)
  return true
}
