import { createHash } from 'node:crypto'
import { MAX_ATTACHMENT_BYTES } from '@rogatka/contract/tickets.ts'
import { markerIn } from '@rogatka/domain/tickets/service.ts'
import { auditAsSystem, type NewAuditEntry } from '../core/audit.ts'
import type { Pool } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { storable } from '../core/text.ts'
import { storeAttachment } from './attachment.ts'
import { ownerNameOf, remoteOf } from './push.ts'
import { insertAttachment, insertTicket, lockTicketRow, organizationId } from './queries.ts'
import type { Service } from './service.ts'
import {
  claimAttachment,
  deleteImportAttempts,
  recordImportAttempt,
  recordImportRefused,
  settledFiles,
} from './service-file-queries.ts'
import {
  adoptByMarker,
  applyRemote,
  linkByRemoteId,
  linkByTicket,
  linksToPoll,
  listProgress,
  markPolled,
  markPushed,
  recordSentTexts,
  saveOrganizations,
  setListProgress,
  type TicketLink,
} from './service-queries.ts'
import { PAGE_SIZE, type RemoteArticle, type RemoteTicket, ZammadError } from './zammad.ts'

/** Tickets that one round asks for one by one; the rest has its turn in the next. */
const BATCH_SIZES = { open: 100, closed: 20 }

/** Brings what the ticket service has: its organizations, new tickets of ours, and what became of those that are here. */
export async function pullTickets(db: Pool, service: Service, now: Date): Promise<void> {
  await organizationId(db, service.config.organization)
  await saveOrganizations(db, await service.zammad.organizations())

  for (let page = await listProgress(db); ; page++) {
    const tickets = await service.zammad.ticketPage(page)
    for (const ticket of tickets) await meet(db, service, ticket, now)
    await setListProgress(db, page)
    if (tickets.length >= PAGE_SIZE) continue
    // Tickets that were deleted there draw the later ones to earlier pages.
    if (tickets.length === 0 && page > 1) await setListProgress(db, page - 1)
    break
  }
  for (const { serviceId } of await linksToPoll(db, now, BATCH_SIZES)) {
    try {
      await meet(db, service, await service.zammad.ticket(serviceId), now)
    } catch (error) {
      // It was deleted there; ours stays.
      if (!(error instanceof ZammadError) || error.status !== 404) throw error
    }
    await markPolled(db, serviceId, now)
  }
}

/** A ticket as it stands there: it is ours and may have changed, or is new and of our organization, or is none of us. */
async function meet(db: Pool, service: Service, remote: RemoteTicket, now: Date): Promise<void> {
  const marker = markerIn(remote.title)
  if (marker) await adoptByMarker(db, marker, remoteOf(remote), now)
  const twin = await linkByRemoteId(db, remote.id)
  if (twin) {
    if (twin.remoteChangedAt?.getTime() !== remote.updated_at.getTime()) await follow(db, service, twin, remote, now)
    return markPolled(db, remote.id, now).then(() => {})
  }
  const { organization } = service.config
  const isOurs = organization !== null && remote.organization === organization && remote.group === service.zammad.group
  if (isOurs && !marker) await importTicket(db, service, remote, now)
}

/** Takes over what was changed there. What was changed here and is not there yet goes before it. */
async function follow(db: Pool, service: Service, twin: TicketLink, remote: RemoteTicket, now: Date): Promise<void> {
  const seen = remoteOf(remote)
  await takeAttachments(db, service, twin.id, remote.id, await service.zammad.articles(remote.id), now)
  const ownerName = await ownerNameOf(service.zammad, remote)
  await db.transaction(async (db) => {
    if (twin.pushedVersion < twin.version) return
    let version = twin.pushedVersion
    if (twin.remoteStatus !== seen.status && twin.status !== seen.status) {
      const values = { status: seen.status, closedAt: closedAtOf(twin, remote, now), handleBy: twin.handleBy }
      // Changed here at this very moment: then that goes first.
      if (!(await applyRemote(db, twin, values))) return
      version = twin.version + 1
      const before = { status: twin.status }
      const auditEntry: NewAuditEntry = {
        action: 'ticket-changed-by-service',
        subject: twin.number,
        ticketId: twin.id,
        before,
        after: values,
      }
      await auditAsSystem(db, now, auditEntry)
    }
    await markPushed(db, twin.id, { ...seen, ownerName }, version, now)
  })
}

/** When it was closed there, as far as it can be: after its report here, and not later than now. */
function closedAtOf(twin: Pick<TicketLink, 'createdAt'>, remote: RemoteTicket, now: Date): Date | null {
  if (remoteOf(remote).status !== 'closed') return null
  const said = Math.min((remote.close_at ?? now).getTime(), now.getTime())
  return new Date(Math.max(said, twin.createdAt.getTime()))
}

async function importTicket(db: Pool, service: Service, remote: RemoteTicket, now: Date): Promise<void> {
  const articles = await service.zammad.articles(remote.id)
  const seen = remoteOf(remote)
  const ownerName = await ownerNameOf(service.zammad, remote)
  // The clock of the service may be ahead.
  const createdAt = new Date(Math.min(remote.created_at.getTime(), now.getTime()))
  const id = await db.transaction(async (db) => {
    const first = articles[0]
    const id = await insertTicket(db, service.config.organization, {
      title: storable(remote.title).trim().slice(0, 200) || '–',
      description: storable(plainText(first?.body ?? '')).slice(0, 10_000),
      status: seen.status,
      createdAt,
      closedAt: closedAtOf({ createdAt }, remote, now),
      handleBy: null,
      userId: null,
      reporterName: first?.from ? storable(first.from).slice(0, 120) : null,
      reporterEmail: null,
      about: null,
    })
    const twin = (await linkByTicket(db, id)) as TicketLink
    await recordSentTexts(db, twin)
    await markPushed(db, id, { ...seen, ownerName }, twin.version, now)
    const about = { subject: twin.number, ticketId: id }
    const auditEntry: NewAuditEntry = { action: 'ticket-added-by-service', ...about, after: { title: remote.title } }
    await auditAsSystem(db, now, auditEntry)
    return id
  })
  await takeAttachments(db, service, id, remote.id, articles, now)
}

/** Fetches files that are not here yet. What would not be accepted from a user is not accepted from there. */
async function takeAttachments(
  db: Pool,
  { zammad, files }: Service,
  ticketId: number,
  serviceId: number,
  articles: readonly RemoteArticle[],
  now: Date,
): Promise<void> {
  const settled = await settledFiles(db, ticketId)
  for (const { id: article, attachments } of articles)
    for (const { id: file, filename, size } of attachments) {
      if (settled.has(file) || size > MAX_ATTACHMENT_BYTES) continue
      await recordImportAttempt(db, ticketId, file)
      try {
        const bytes = await zammad.attachment(serviceId, article, file)
        const sha256 = createHash('sha256').update(bytes).digest('hex')
        if (await claimAttachment(db, ticketId, { article, file, sha256 })) {
          await deleteImportAttempts(db, ticketId, file)
          continue
        }
        const kept = await storeAttachment(files, { name: filename, bytes })
        await db.transaction(async (db) => {
          // A user may add files at the same time: the numbers follow each other.
          await lockTicketRow(db, ticketId)
          await insertAttachment(db, ticketId, { ...kept, service: { article, file } }, now)
          await deleteImportAttempts(db, ticketId, file)
        })
      } catch (error) {
        const isRefused = error instanceof Refusal && error.status < 500
        await (isRefused ? recordImportRefused : deleteImportAttempts)(db, ticketId, file)
        if (!isRefused) throw error
      }
    }
}

/** Characters of an article that are read; a description has 10,000 of them. */
const MAX_HTML_LENGTH = 500_000

/** The words of an HTML article. */
const plainText = (html: string): string =>
  html
    .slice(0, MAX_HTML_LENGTH)
    // Up to the next bracket of either kind: an open one without an end costs no search to the end of the text.
    .replace(/<(br|\/p|\/div|\/li)\b[^<>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .trim()
