import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import * as endpoints from '@rogatka/contract/imports.ts'
import { assertNotAnonymised } from '../core/anonymity.ts'
import { audit } from '../core/audit.ts'
import { MAX_UPLOAD_MS, restartBodyTime } from '../core/body-time.ts'
import { filesOnDisk } from '../core/files-disk.ts'
import { requirePurposeForFile } from '../core/purpose.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { createUserSemaphore } from '../core/semaphore.ts'
import { sendFile } from '../core/send-file.ts'
import type { Session } from '../core/sessions.ts'
import { requireStepUpForFile } from '../core/step-up.ts'
import { contentDisposition } from '../tickets/public-api.ts'
import { importFolder, refusedName, refusedPath } from './folder.ts'
import { cancel, type ImportActor, requireImport, retryWith, startRun, uploadFile } from './imports.ts'
import { deleteMapping, importPage, selectMappings, upsertMapping } from './queries.ts'
import { toDetail, toEntry } from './view.ts'

/** Uploads of a process; they are written to disk as they arrive. */
const UPLOADS = { total: 3, perUser: 1, waitMs: 0, queue: 0, queuePerUser: 0 }
const FILE_TIMEOUT_MS = 20_000

/** Registers the routes of imports and of saved mappings. */
export function importsRoutes(api: Api): void {
  const { config } = api
  const uploads = createUserSemaphore(UPLOADS)
  const refusedFiles = filesOnDisk(importFolder(config), config.diskReserve, FILE_TIMEOUT_MS)
  type CallContext = { session: Session; request: Parameters<typeof audit>[1]['request']; now: Date }
  const actorOf = ({ session, request, now }: CallContext): ImportActor => {
    // Files may have plates, and their refused rows are shown as they are: there is no masked view.
    assertNotAnonymised(session)
    return { userId: session.userId, now, audit: (db, entry) => audit(db, { session, request, now }, entry) }
  }

  route(api, endpoints.upload, async (call) => {
    const { db, session, query, request, language } = call
    const actor = actorOf(call)
    const source = request.body as Readable | undefined
    if (!source || typeof source.iterator !== 'function') throw new Refusal('unsupported-media-type', 415)
    const release = await uploads.acquire(session.userId)
    if (release === 'busy' || release === null) throw new Refusal('unavailable', 503, null, 5)
    try {
      const onPart = () => restartBodyTime(request, MAX_UPLOAD_MS)
      const id = await uploadFile(db, config, { ...query, source, onPart }, actor)
      return toDetail(await requireImport(db, id), language)
    } finally {
      source.resume()
      release()
    }
  })

  route(api, endpoints.list, async ({ db, session, query: { page, limit }, language }) => {
    assertNotAnonymised(session)
    const { content, totalCount } = await importPage(db, page, limit)
    return { content: content.map((row) => toEntry(row, language)), totalCount }
  })

  route(api, endpoints.detail, async ({ db, session, params, language }) => {
    assertNotAnonymised(session)
    return toDetail(await requireImport(db, params.id), language)
  })

  route(api, endpoints.changeOptions, async (call) => {
    const { db, params, query, body, language } = call
    await retryWith(db, config, params.id, { ...query, options: body }, actorOf(call))
    return toDetail(await requireImport(db, params.id), language)
  })

  route(api, endpoints.run, async (call) => {
    const { db, params, query, language } = call
    await startRun(db, params.id, query.revision, actorOf(call))
    return toDetail(await requireImport(db, params.id), language)
  })

  route(api, endpoints.cancel, async (call) => {
    const { db, params, language } = call
    await cancel(db, config, params.id, actorOf(call))
    return toDetail(await requireImport(db, params.id), language)
  })

  route(api, endpoints.refusedFile, async (call) => {
    const { db, now, session, params, reply, look } = call
    const actor = actorOf(call)
    const { id, hasRefusedFile, fileName, trial } = await requireImport(db, params.id)
    const stats = hasRefusedFile ? await stat(refusedPath(config, id)).catch(() => null) : null
    if (!stats) throw new Refusal('import-file-deleted', 404)
    const shown = { count: trial?.refused ?? 1, plates: null }
    await requirePurposeForFile(api, session, shown.count)
    await requireStepUpForFile(db, session, now, shown.count)
    const after = { importId: id, refusedRows: trial?.refused ?? null }
    await actor.audit(db, { action: 'import-refused-downloaded', subject: fileName, after })
    await look({ kind: 'imports', results: shown.count, shown })
    reply.header('content-disposition', contentDisposition(`${fileName}.refused.csv`))
    const file = { path: refusedName(id), size: stats.size, type: 'text/csv; charset=utf-8' }
    if (!(await sendFile(reply, refusedFiles, file))) throw new Refusal('import-file-deleted', 404)
  })

  route(api, endpoints.mappings, ({ db, session }) => {
    assertNotAnonymised(session)
    return selectMappings(db)
  })

  route(api, endpoints.saveMapping, (call) => {
    const actor = actorOf(call)
    const { name, options } = call.body
    return call.db.transaction(async (db) => {
      const saved = await selectMappings(db)
      const isNew = saved.every((one) => one.name.toLowerCase() !== name.toLowerCase())
      if (isNew && saved.length >= endpoints.MAX_MAPPINGS) throw new Refusal('too-many-import-mappings', 422)
      const id = await upsertMapping(db, name, options, actor.userId)
      await actor.audit(db, { action: 'import-mapping-saved', subject: name, after: { format: options.format } })
      const [mapping] = await selectMappings(db, id)
      if (!mapping) throw new Refusal('import-mapping-not-found', 404)
      return mapping
    })
  })

  route(api, endpoints.removeMapping, (call) => {
    const actor = actorOf(call)
    return call.db.transaction(async (db) => {
      const [mapping] = await selectMappings(db, call.params.id)
      if (!mapping || !(await deleteMapping(db, mapping.id))) throw new Refusal('import-mapping-not-found', 404)
      await actor.audit(db, { action: 'import-mapping-deleted', subject: mapping.name })
    })
  })
}
