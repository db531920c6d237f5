import { createHash } from 'node:crypto'
import { MAX_ATTACHMENT_BYTES } from '@rogatka/contract/tickets.ts'
import { markerIn } from '@rogatka/domain/tickets/service.ts'
import { auditAsSystem, type NewAuditEntry } from '../core/audit.ts'
import type { Pool } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { storable } from '../core/text.ts'
import { storeAttachment } from './attachment.ts'
import { fetchOwnerName, toRemoteState } from './push.ts'
import { findOrCreateOrganization, insertAttachment, insertTicket, lockTicketRow } from './queries.ts'
import type { Service } from './service.ts'
import {
  claimAttachment,
  deleteImportAttempts,
  filesNotToImport,
  recordImportAttempt,
  recordImportRefused,
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

/** Tickets polled one by one per run; the rest follow in the next. */
const BATCH_SIZES = { open: 100, closed: 20 }

/** Imports organizations, new tickets and changes from the ticket service. */
export async function pullTickets(db: Pool, service: Service, now: Date): Promise<void> {
  await findOrCreateOrganization(db, service.config.organization)
  await saveOrganizations(db, await service.zammad.organizations())

  for (let page = await listProgress(db); ; page++) {
    const tickets = await service.zammad.ticketPage(page)
    for (const ticket of tickets) await syncRemoteTicket(db, service, ticket, now)
    await setListProgress(db, page)
    if (tickets.length >= PAGE_SIZE) continue
    // Deleted remote tickets move later ones to earlier pages.
    if (tickets.length === 0 && page > 1) await setListProgress(db, page - 1)
    break
  }
  for (const { serviceId } of await linksToPoll(db, now, BATCH_SIZES)) {
    try {
      await syncRemoteTicket(db, service, await service.zammad.ticket(serviceId), now)
    } catch (error) {
      // Deleted remotely; ours is kept.
      if (!(error instanceof ZammadError) || error.status !== 404) throw error
    }
    await markPolled(db, serviceId, now)
  }
}

/** Handles a remote ticket: updates the linked one, imports a new one of our organization, or ignores it. */
async function syncRemoteTicket(db: Pool, service: Service, remote: RemoteTicket, now: Date): Promise<void> {
  const marker = markerIn(remote.title)
  if (marker) await adoptByMarker(db, marker, toRemoteState(remote), now)
  const link = await linkByRemoteId(db, remote.id)
  if (link) {
    // Read before a change was sent: as it is now, also if the clock of the service was set back.
    const isOlder = link.remoteChangedAt !== null && remote.updated_at < link.remoteChangedAt
    const current = isOlder ? await service.zammad.ticket(remote.id) : remote
    if (link.remoteChangedAt?.getTime() !== current.updated_at.getTime())
      await applyRemoteChange(db, service, link, current, now)
    return markPolled(db, remote.id, now).then(() => {})
  }
  const { organization } = service.config
  const isOurs = organization !== null && remote.organization === organization && remote.group === service.zammad.group
  if (isOurs && !marker) await importTicket(db, service, remote, now)
}

/** Applies remote changes, unless local changes are not pushed yet. */
async function applyRemoteChange(
  db: Pool,
  service: Service,
  link: TicketLink,
  remote: RemoteTicket,
  now: Date,
): Promise<void> {
  const state = toRemoteState(remote)
  await importAttachments(db, service, link.id, remote.id, await service.zammad.articles(remote.id), now)
  const ownerName = await fetchOwnerName(service.zammad, remote)
  await db.transaction(async (db) => {
    await lockTicketRow(db, link.id)
    // Changed meanwhile: that is sent first, and perhaps is being sent.
    const isCurrent = (await linkByTicket(db, link.id))?.version === link.version
    if (!isCurrent || link.pushedVersion < link.version) return
    let version = link.pushedVersion
    if (link.remoteStatus !== state.status && link.status !== state.status) {
      const values = { status: state.status, closedAt: closedAtOf(link, remote, now), handleBy: link.handleBy }
      await applyRemote(db, link.id, values)
      version = link.version + 1
      const before = { status: link.status }
      const auditEntry: NewAuditEntry = {
        action: 'ticket-changed-by-service',
        subject: link.number,
        ticketId: link.id,
        before,
        after: values,
      }
      await auditAsSystem(db, now, auditEntry)
    }
    await markPushed(db, link.id, { ...state, ownerName }, version, now)
  })
}

/** When it was closed remotely, limited to between its creation here and now. */
function closedAtOf(link: Pick<TicketLink, 'createdAt'>, remote: RemoteTicket, now: Date): Date | null {
  if (toRemoteState(remote).status !== 'closed') return null
  const closedAt = Math.min((remote.close_at ?? now).getTime(), now.getTime())
  return new Date(Math.max(closedAt, link.createdAt.getTime()))
}

async function importTicket(db: Pool, service: Service, remote: RemoteTicket, now: Date): Promise<void> {
  const articles = await service.zammad.articles(remote.id)
  const state = toRemoteState(remote)
  const ownerName = await fetchOwnerName(service.zammad, remote)
  // The clock of the service may be ahead.
  const createdAt = new Date(Math.min(remote.created_at.getTime(), now.getTime()))
  const id = await db.transaction(async (db) => {
    const first = articles[0]
    const id = await insertTicket(db, service.config.organization, {
      title: storable(remote.title).trim().slice(0, 200) || '–',
      description: storable(plainText(first?.body ?? '')).slice(0, 10_000),
      status: state.status,
      createdAt,
      closedAt: closedAtOf({ createdAt }, remote, now),
      handleBy: null,
      userId: null,
      reporterName: first?.from ? storable(first.from).slice(0, 120) : null,
      reporterEmail: null,
      about: null,
    })
    const link = (await linkByTicket(db, id)) as TicketLink
    await recordSentTexts(db, link)
    await markPushed(db, id, { ...state, ownerName }, link.version, now)
    const about = { subject: link.number, ticketId: id }
    const auditEntry: NewAuditEntry = { action: 'ticket-added-by-service', ...about, after: { title: remote.title } }
    await auditAsSystem(db, now, auditEntry)
    return id
  })
  await importAttachments(db, service, id, remote.id, articles, now)
}

/** Imports missing files, validated like those of users. */
async function importAttachments(
  db: Pool,
  { zammad, files }: Service,
  ticketId: number,
  serviceId: number,
  articles: readonly RemoteArticle[],
  now: Date,
): Promise<void> {
  const skipped = await filesNotToImport(db, ticketId)
  for (const { id: article, attachments } of articles)
    for (const { id: file, filename, size } of attachments) {
      if (skipped.has(file) || size > MAX_ATTACHMENT_BYTES) continue
      await recordImportAttempt(db, ticketId, file)
      try {
        const bytes = await zammad.attachment(serviceId, article, file)
        const sha256 = createHash('sha256').update(bytes).digest('hex')
        if (await claimAttachment(db, ticketId, { article, file, sha256 })) {
          await deleteImportAttempts(db, ticketId, file)
          continue
        }
        const stored = await storeAttachment(files, { name: filename, bytes })
        await db.transaction(async (db) => {
          // Locked for consecutive numbers, as a user may add files concurrently.
          await lockTicketRow(db, ticketId)
          await insertAttachment(db, ticketId, { ...stored, service: { article, file } }, now)
          await deleteImportAttempts(db, ticketId, file)
        })
      } catch (error) {
        const isRefused = error instanceof Refusal && error.status < 500
        await (isRefused ? recordImportRefused : deleteImportAttempts)(db, ticketId, file)
        if (!isRefused) throw error
      }
    }
}

/** Maximum characters read of an article; a description has up to 10,000. */
const MAX_HTML_LENGTH = 500_000

/** The plain text of an HTML article. */
const plainText = (html: string): string =>
  html
    .slice(0, MAX_HTML_LENGTH)
    // Up to the next bracket of either kind: avoids quadratic time for unclosed brackets.
    .replace(/<(br|\/p|\/div|\/li)\b[^<>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .trim()
