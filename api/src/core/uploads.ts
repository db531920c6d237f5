import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { restartBodyTime, stopBodyTime } from './body-time.ts'
import { Refusal } from './refusal.ts'
import { createUserSemaphore } from './semaphore.ts'

/** Upload bodies are held in memory: a few at a time, one per user. */
const LIMITS = { total: 6, perUser: 1, waitMs: 60_000, queue: 30, queuePerUser: 3 }

/** The upload slot of a request; `release` once it is acquired. */
export type Upload = { isHandled: boolean; release?: () => void }

/** Reads upload bodies under a semaphore. */
export function createUploads() {
  const semaphore = createUserSemaphore(LIMITS)

  return {
    /** Reads an upload body. @throws 503 if there are too many uploads, 413 if it is too large, 400 if it is aborted */
    async read(request: FastifyRequest, payload: Readable): Promise<Buffer> {
      const { uploadBytes } = request.routeOptions.config
      const { upload, caller, raw, headers } = request
      if (!uploadBytes || !upload || !caller.session) throw new Refusal('unsupported-media-type', 415)
      if (Number(headers['content-length'] ?? 0) > uploadBytes) throw new Refusal('too-large', 413)
      const controller = new AbortController()
      const abort = () => controller.abort()
      raw.socket.once('close', abort)
      // No data arrives while the body is not read.
      stopBodyTime(request)
      const release = await semaphore.acquire(caller.session.userId, controller.signal)
      restartBodyTime(request)
      raw.socket.off('close', abort)
      if (release === 'busy') throw new Refusal('unavailable', 503, null, 5)
      if (release === null) throw new Refusal('bad-request', 400)
      upload.release = release
      try {
        return await readAll(request, payload, uploadBytes)
      } catch (error) {
        release()
        payload.resume()
        throw error instanceof Refusal ? error : new Refusal('bad-request', 400)
      }
    },
  }
}

async function readAll(request: FastifyRequest, payload: Readable, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  // The response still needs the connection.
  for await (const part of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    restartBodyTime(request)
    bytes += part.length
    if (bytes > maxBytes) throw new Refusal('too-large', 413)
    parts.push(part)
  }
  return Buffer.concat(parts)
}
