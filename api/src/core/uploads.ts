import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { restartBodyTime, stopBodyTime } from './body-time.ts'
import { Refusal } from './refusal.ts'
import { createUserSemaphore } from './semaphore.ts'

/** A body of files is held in memory: a few at a time, and one of each user. */
const LIMITS = { total: 6, perUser: 1, waitMs: 60_000, queue: 30, queuePerUser: 3 }

/** The place of a request among the uploads; `leave` once it has one. */
export type Upload = { isHandled: boolean; leave?: () => void }

/** Reads the bodies of uploads when it is their turn. */
export function createUploads() {
  const turns = createUserSemaphore(LIMITS)

  return {
    /** Reads a body of files. @throws a refusal if there are too many uploads, the body is too large or breaks off */
    async read(request: FastifyRequest, payload: Readable): Promise<Buffer> {
      const { uploadBytes } = request.routeOptions.config
      const { upload, caller, raw, headers } = request
      if (!uploadBytes || !upload || !caller.session) throw new Refusal('unsupported-media-type', 415)
      if (Number(headers['content-length'] ?? 0) > uploadBytes) throw new Refusal('too-large', 413)
      const left = new AbortController()
      const abort = () => left.abort()
      raw.socket.once('close', abort)
      // What is not read cannot arrive.
      stopBodyTime(request)
      const leave = await turns.take(caller.session.userId, left.signal)
      restartBodyTime(request)
      raw.socket.off('close', abort)
      if (leave === 'busy') throw new Refusal('unavailable', 503, null, 5)
      if (leave === null) throw new Refusal('bad-request', 400)
      upload.leave = leave
      try {
        return await readAll(request, payload, uploadBytes)
      } catch (error) {
        leave()
        payload.resume()
        throw error instanceof Refusal ? error : new Refusal('bad-request', 400)
      }
    },
  }
}

async function readAll(request: FastifyRequest, payload: Readable, most: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  // The answer still has to be sent through its connection.
  for await (const part of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    restartBodyTime(request)
    bytes += part.length
    if (bytes > most) throw new Refusal('too-large', 413)
    parts.push(part)
  }
  return Buffer.concat(parts)
}
