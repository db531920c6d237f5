import type { Readable } from 'node:stream'
import * as endpoints from '@rogatka/contract/evidence.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { createUserSemaphore } from '../core/semaphore.ts'
import { sha256 } from './cms.ts'
import { addStamp } from './documents.ts'
import { readSignedPdf } from './pades.ts'
import { findStamp } from './stamp-queries.ts'
import { type Trust, verifyPdf } from './verify.ts'

/** Documents of a process that are in memory. */
const UPLOADS = { total: 2, perUser: 1, waitMs: 0, queue: 0, queuePerUser: 0 }

/** Registers the verification of documents. They are not stored. */
export function signedDocumentRoutes(api: Api, trust: Trust): void {
  const uploads = createUserSemaphore(UPLOADS)

  /** Calls `use` with the document that a user sends. */
  async function withDocument<T>(body: unknown, userId: number, use: (document: Buffer) => Promise<T>): Promise<T> {
    const source = body as Readable | undefined
    if (!source || typeof source.iterator !== 'function') throw new Refusal('unsupported-media-type', 415)
    const release = await uploads.acquire(userId)
    if (release === 'busy' || release === null) {
      source.resume()
      throw new Refusal('unavailable', 503, null, 5)
    }
    try {
      return await use(await collect(source))
    } finally {
      source.resume()
      release()
    }
  }

  route(api, endpoints.verifyDocument, ({ db, now, session, request }) =>
    withDocument(request.body, session.userId, (pdf) => verifyPdf(db, pdf, trust, now)),
  )

  route(api, endpoints.stampDocument, ({ db, session, request, reply }) =>
    withDocument(request.body, session.userId, async (pdf) => {
      const document = readSignedPdf(pdf)
      const stamp = typeof document === 'string' ? undefined : await findStamp(db, sha256(document.signed.signature))
      if (stamp === undefined) throw new Refusal('document-not-signed', 422)
      if (stamp === null) throw new Refusal('stamp-pending', 409)
      const stamped = await addStamp(pdf, async () => stamp)
      return reply
        .type('application/pdf')
        .header('content-disposition', 'attachment; filename="stamped.pdf"')
        .send(stamped)
    }),
  )
}

async function collect(source: Readable): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of source.iterator({ destroyOnReturn: false })) {
    size += (part as Buffer).length
    if (size > endpoints.MAX_DOCUMENT_BYTES) throw new Refusal('too-large', 413)
    parts.push(part as Buffer)
  }
  return Buffer.concat(parts)
}
