import type { TicketStatus } from '@rogatka/contract/tickets.ts'
import { markerIn, serviceTypeOf, statusOfService, titleWithMarker } from '@rogatka/domain/tickets/service.ts'
import type { Pool } from '../core/database.ts'
import { interpolate } from '../core/text.ts'
import { serviceUserOf, validToken } from './account-queries.ts'
import { readAttachments } from './attachment.ts'
import { withLease } from './lease.ts'
import { pushAddedFiles } from './push-files.ts'
import { articleSubject, hasArticle, refuseUnsettled, SERVICE_LANGUAGE, type Service } from './service.ts'
import { reportAttachments } from './service-file-queries.ts'
import {
  adoptByMarker,
  deleteArticleAttempt,
  deleteAttempt,
  linkByTicket,
  listProgress,
  markPushed,
  type Remote,
  recordArticleAttempt,
  recordAttempt,
  recordPushedUnsettled,
  recordSentTexts,
  type TicketLink,
} from './service-queries.ts'
import { ticketTexts } from './texts.ts'
import { isClientError, PAGE_SIZE, type RemoteTicket, type Zammad, ZammadError } from './zammad.ts'

export const remoteOf = (ticket: RemoteTicket): Remote => ({
  id: ticket.id,
  number: ticket.number,
  status: statusOfService({ type: ticket.stateType, hasOwner: ticket.hasOwner }),
  owner: ticket.hasOwner ? String(ticket.owner_id) : null,
  changedAt: ticket.updated_at,
})

/** The name of who has a ticket there; null if nobody has it or the service does not tell. */
export const ownerNameOf = async (zammad: Zammad, ticket: RemoteTicket): Promise<string | null> =>
  ticket.hasOwner ? zammad.userName(ticket.owner_id as number).catch(() => null) : null

/**
 * Brings a ticket to the ticket service as it is now; what is there already stays one. Throws what is to be tried again.
 */
export async function pushTicket(db: Pool, service: Service, ticketId: number, now: Date): Promise<void> {
  const done = await withLease(db, `push ticket ${ticketId}`, async () => {
    const twin = await linkByTicket(db, ticketId)
    if (!twin) return true
    if (twin.pushedVersion < twin.version) await pushVersion(db, service, twin, now)
    await pushAddedFiles(db, service, ticketId, now)
    return true
  })
  if (done === null) throw new Error('The ticket is being sent already')
}

async function pushVersion(db: Pool, service: Service, twin: TicketLink, now: Date): Promise<void> {
  const { remote, isStateSent } =
    twin.serviceId === null ? await create(db, service, twin, now) : await change(db, service, twin, now)
  const ownerName = await ownerNameOf(service.zammad, remote)
  const seen = remoteOf(remote)
  await db.transaction(async (db) => {
    await recordSentTexts(db, twin)
    // What the service made of it otherwise, or changed at the same time, is left for the next round to take over.
    if (seen.status === twin.status) await markPushed(db, twin.id, { ...seen, ownerName }, twin.version, now)
    else await recordPushedUnsettled(db, twin.id, seen, { version: twin.version, isStateSent })
  })
}

type Pushed = { remote: RemoteTicket; isStateSent: boolean }

/**
 * Sends what the portal changed and nothing else: whoever works on the ticket there keeps it, with its state. The owner
 * is set only if the portal began the work, and taken back only if it was the portal.
 */
async function change(db: Pool, service: Service, twin: TicketLink, now: Date): Promise<Pushed> {
  const { zammad } = service
  const serviceId = twin.serviceId as number
  const current = twin.status === twin.remoteStatus ? null : await zammad.ticket(serviceId)
  const isStateSent = current !== null && remoteOf(current).status !== twin.status
  const article = await articleToSend(db, service, twin, now)
  try {
    const remote = await zammad.changeTicket(serviceId, {
      ...(twin.sentTitle !== twin.title && { title: titleWithMarker(twin.title, twin.marker) }),
      ...(isStateSent && { state: await zammad.stateName(serviceTypeOf(twin.status, false)) }),
      ...(isStateSent && (await ownerChange(zammad, twin.status, current))),
      ...(article && { article }),
    })
    return { remote, isStateSent }
  } catch (error) {
    if (isClientError(error)) await deleteArticleAttempt(db, twin.id)
    throw error
  }
}

async function ownerChange(
  zammad: Zammad,
  status: TicketStatus,
  current: RemoteTicket,
): Promise<{ owner?: number | null }> {
  if (status === 'in_progress' && !current.hasOwner) return { owner: await zammad.me() }
  if (status === 'open' && current.owner_id === (await zammad.me())) return { owner: null }
  return {}
}

/** The texts that changed since they were last sent, as an article; null if the service has them all. */
async function articleToSend(db: Pool, { zammad }: Service, twin: TicketLink, now: Date) {
  const body = changedTexts(twin)
  if (body === null) return null
  const subject = articleSubject(twin.number, `${twin.pushedVersion} ${body}`)
  const attemptedAt = twin.articleAttemptedAt
  if (attemptedAt && (await hasArticle(zammad, twin.serviceId as number, { subject, attemptedAt, now }))) return null
  await recordArticleAttempt(db, twin.id, now)
  return { subject, body }
}

function changedTexts({ sentTitle, sentDescription, sentHandleBy, description, handleBy }: TicketLink): string | null {
  const words = ticketTexts(SERVICE_LANGUAGE).service
  const isKnown = sentTitle !== null
  const lines = []
  if (isKnown ? handleBy !== sentHandleBy : handleBy !== null) lines.push(`${words.handleBy}: ${handleBy ?? '–'}`)
  if (!isKnown || description !== sentDescription) lines.push(`${words.description}:`, description)
  return lines.length > 0 ? [words.changed, '', ...lines].join('\n') : null
}

async function create(db: Pool, service: Service, twin: TicketLink, now: Date): Promise<Pushed> {
  if (twin.attemptedAt) {
    const found = await findByMarker(service.zammad, twin.marker, (twin.attemptedPage ?? 1) - 1)
    if (found) {
      await adoptByMarker(db, twin.marker, remoteOf(found), now)
      return change(db, service, (await linkByTicket(db, twin.id)) as TicketLink, now)
    }
    refuseUnsettled(twin.attemptedAt, now)
  }
  const { zammad, files, key } = service
  const [state, me, page] = [
    await zammad.stateName(serviceTypeOf(twin.status, true)),
    await zammad.me(),
    await listProgress(db),
  ]
  const attachments = await readAttachments(files, await reportAttachments(db, twin.id))
  const account = twin.userId === null ? null : await serviceUserOf(db, twin.userId)
  const ticket = {
    title: titleWithMarker(twin.title, twin.marker),
    customer: account ?? (twin.reporterEmail ? `guess:${twin.reporterEmail}` : me),
    state,
    owner: twin.status === 'in_progress' ? me : null,
    body: bodyOf(twin),
    attachments,
  }
  const own = twin.userId === null ? null : await validToken(db, key, twin.userId, now)
  await recordSentTexts(db, twin)
  await recordAttempt(db, twin.id, page, now)
  try {
    const remote = await zammad.addTicket(ticket, own).catch((error) => {
      // A token that was taken back must not keep the ticket from arriving.
      const isTokenRefused = error instanceof ZammadError && [401, 403].includes(error.status)
      if (own === null || !isTokenRefused) throw error
      return zammad.addTicket(ticket, null)
    })
    return { remote, isStateSent: true }
  } catch (error) {
    if (isClientError(error)) await deleteAttempt(db, twin.id)
    throw error
  }
}

/** Who reports, and what it is about, stand above what they say. */
function bodyOf(twin: TicketLink): string {
  const { reporterName, reporterEmail, description, handleBy, number, station, laneNumber, sign } = twin
  const words = ticketTexts(SERVICE_LANGUAGE).service
  const place = [station, laneNumber && interpolate(words.lane, { lane: String(laneNumber) })]
    .filter(Boolean)
    .join(', ')
  return [
    ...[reporterName, reporterEmail].filter((line) => line !== null),
    `Rogatka ${number}`,
    ...(place ? [`${words.station}: ${place}`] : []),
    ...(sign === null ? [] : [`${words.sign}: ${sign}`]),
    ...(handleBy === null ? [] : [`${words.handleBy}: ${handleBy}`]),
    '',
    description,
  ].join('\n')
}

/** Looks through the list of the service from a page on. */
async function findByMarker(zammad: Zammad, marker: string, from: number): Promise<RemoteTicket | null> {
  for (let page = Math.max(1, from); ; page++) {
    const tickets = await zammad.ticketPage(page)
    const found = tickets.find(({ title }) => markerIn(title) === marker)
    if (found) return found
    if (tickets.length < PAGE_SIZE) return null
  }
}
