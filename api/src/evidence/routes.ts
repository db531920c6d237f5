import { Readable } from 'node:stream'
import * as endpoints from '@rogatka/contract/evidence.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { createUserSemaphore } from '../core/semaphore.ts'
import { zip } from '../reports/public-api.ts'
import { sha256 } from './cms.ts'
import { addStamp } from './documents.ts'
import { PACKAGE, withManifestStamp } from './package.ts'
import { readSignedPdf } from './pades.ts'
import { findStamp, type Stamp } from './stamp-queries.ts'
import { isZip } from './unzip.ts'
import { recordsOf, type Trust } from './verify.ts'
import { readPackage, verifyEvidence } from './verify-package.ts'

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
    withDocument(request.body, session.userId, (bytes) => verifyEvidence(recordsOf(db), bytes, trust, now)),
  )

  route(api, endpoints.stampDocument, ({ db, now, session, request, reply }) =>
    withDocument(request.body, session.userId, async (bytes) => {
      const isPackage = isZip(bytes)
      const { imprint, addTo } = isPackage ? stampablePackage(bytes, now) : stampablePdf(bytes)
      const stamp = imprint && (await findStamp(db, imprint))
      if (stamp === undefined) throw new Refusal('document-not-signed', 422)
      if (stamp === null) throw new Refusal('stamp-pending', 409)
      const [type, ending] = isPackage ? ['application/zip', 'zip'] : ['application/pdf', 'pdf']
      return reply
        .type(type)
        .header('content-disposition', `attachment; filename="stamped.${ending}"`)
        .send(await addTo(stamp))
    }),
  )
}

/** What is stamped of a document, and how its stamp is added. `imprint` undefined: nothing. */
type Stampable = { imprint: Buffer | undefined; addTo: (stamp: Stamp) => Promise<Buffer> }

function stampablePdf(pdf: Buffer): Stampable {
  const document = readSignedPdf(pdf)
  const imprint = typeof document === 'string' ? undefined : sha256(document.signed.signature)
  return { imprint, addTo: (stamp) => addStamp(pdf, async () => stamp) }
}

function stampablePackage(bytes: Buffer, now: Date): Stampable {
  const files = readPackage(bytes)
  const manifest = files.get(PACKAGE.manifest)
  const addTo = async ({ token }: Stamp) => collect(Readable.from(zip(withManifestStamp(files, token), now)))
  return { imprint: manifest ? sha256(manifest) : undefined, addTo }
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
