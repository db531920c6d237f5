import type { TicketStatus } from '@rogatka/contract/tickets.ts'
import { markerIn, serviceTypeOf, statusOfService, titleWithMarker } from '@rogatka/domain/tickets/service.ts'
import { type Clock, clockFrom } from '../core/clock.ts'
import type { Pool } from '../core/database.ts'
import { findServiceUser, validToken } from './account-queries.ts'
import { readAttachments } from './attachment.ts'
import { withLease } from './lease.ts'
import { pushAddedFiles } from './push-files.ts'
import {
  articleSubject,
  assertAttemptOver,
  hasArticle,
  recordInTime,
  SERVICE_LANGUAGE,
  type Service,
} from './service.ts'
import { reportAttachments } from './service-file-queries.ts'
import {
  adoptByMarker,
  deleteArticleAttempt,
  deleteAttempt,
  linkByTicket,
  listProgress,
  markPushed,
  type RemoteState,
  recordArticleAttempt,
  recordAttempt,
  recordChangeAttempt,
  recordPushedMismatch,
  recordSentTexts,
  type TicketLink,
} from './service-queries.ts'
import { ticketTexts } from './texts.ts'
import { isClientError, PAGE_SIZE, type RemoteTicket, type Zammad, ZammadError } from './zammad.ts'

export const toRemoteState = (ticket: RemoteTicket): RemoteState => ({
  id: ticket.id,
  number: ticket.number,
  status: statusOfService({ type: ticket.stateType, hasOwner: ticket.hasOwner }),
  owner: ticket.hasOwner ? String(ticket.owner_id) : null,
  changedAt: ticket.updated_at,
})

/** The name of the remote owner; null without one, or if unavailable. */
export const fetchOwnerName = async (zammad: Zammad, ticket: RemoteTicket): Promise<string | null> =>
  ticket.hasOwner ? zammad.userName(ticket.owner_id as number).catch(() => null) : null

/**
 * Creates or updates a ticket in the ticket service. Idempotent.
 * @throws errors to retry
 */
export async function pushTicket(db: Pool, service: Service, ticketId: number, now: Date): Promise<void> {
  const clock = clockFrom(now)
  const done = await withLease(db, `push ticket ${ticketId}`, async () => {
    const link = await linkByTicket(db, ticketId)
    if (!link) return true
    if (link.pushedVersion < link.version) await pushVersion(db, service, link, clock)
    await pushAddedFiles(db, service, ticketId, clock)
    return true
  })
  if (done === null) throw new Error('The ticket is being sent already')
}

async function pushVersion(db: Pool, service: Service, link: TicketLink, clock: Clock): Promise<void> {
  const remote =
    link.serviceId === null
      ? await createRemote(db, service, link, clock)
      : await changeRemote(db, service, link, clock)
  const ownerName = await fetchOwnerName(service.zammad, remote)
  const state = toRemoteState(remote)
  await db.transaction(async (db) => {
    await recordSentTexts(db, link)
    // If the service set another status, or changed it concurrently, the next pull applies it.
    if (state.status === link.status) await markPushed(db, link.id, { ...state, ownerName }, link.version, clock())
    else await recordPushedMismatch(db, link.id, state, link.version)
  })
}

/**
 * Sends only what the portal changed: the remote owner and status are kept. The owner is set only if the portal started
 * the work, and removed only if it is the portal.
 */
async function changeRemote(db: Pool, service: Service, link: TicketLink, clock: Clock): Promise<RemoteTicket> {
  const { zammad } = service
  const serviceId = link.serviceId as number
  const current = link.status === link.remoteStatus ? null : await zammad.ticket(serviceId)
  const isStateSent = current !== null && toRemoteState(current).status !== link.status
  const isTitleSent = link.sentTitle !== link.title
  const article = await articleToSend(db, service, link, clock)
  if (isStateSent || isTitleSent) await recordChangeAttempt(db, link.id, { isStateSent, isTitleSent })
  try {
    return await zammad.changeTicket(serviceId, {
      ...(isTitleSent && { title: titleWithMarker(link.title, link.marker) }),
      ...(isStateSent && { state: await zammad.stateName(serviceTypeOf(link.status, false)) }),
      ...(isStateSent && (await ownerChange(zammad, link.status, current))),
      ...(article && { article }),
    })
  } catch (error) {
    if (isClientError(error)) await deleteArticleAttempt(db, link.id)
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

/** The texts changed since last sent, as an article; null if none. */
async function articleToSend(db: Pool, { zammad }: Service, link: TicketLink, clock: Clock) {
  let body = changedTexts(link)
  const subjectOf = (texts: string) => articleSubject(link.number, `${link.pushedVersion} ${texts}`)
  const attemptedAt = link.articleAttemptedAt
  if (attemptedAt) {
    // It is unknown which texts an article without an answer has left there: unless these have arrived, all are sent.
    const all = allTexts(link)
    const subjects = [body, all].flatMap((texts) => (texts === null ? [] : [subjectOf(texts)]))
    if (await hasArticle(zammad, link.serviceId as number, { subjects, attemptedAt, now: clock() })) return null
    body = all
  }
  if (body === null) return null
  await recordInTime(clock, (at) => recordArticleAttempt(db, link.id, at))
  return { subject: subjectOf(body), body }
}

const allTexts = ({ description, handleBy }: TicketLink): string => {
  const texts = ticketTexts(SERVICE_LANGUAGE).service
  return [texts.changed, '', `${texts.handleBy}: ${handleBy ?? '–'}`, `${texts.description}:`, description].join('\n')
}

function changedTexts({ sentTitle, sentDescription, sentHandleBy, description, handleBy }: TicketLink): string | null {
  const texts = ticketTexts(SERVICE_LANGUAGE).service
  const wasSent = sentTitle !== null
  const lines = []
  if (wasSent ? handleBy !== sentHandleBy : handleBy !== null) lines.push(`${texts.handleBy}: ${handleBy ?? '–'}`)
  if (!wasSent || description !== sentDescription) lines.push(`${texts.description}:`, description)
  return lines.length > 0 ? [texts.changed, '', ...lines].join('\n') : null
}

async function createRemote(db: Pool, service: Service, link: TicketLink, clock: Clock): Promise<RemoteTicket> {
  if (link.attemptedAt) {
    const found = await findByMarker(service.zammad, link.marker, (link.attemptedPage ?? 1) - 1)
    if (found) {
      await adoptByMarker(db, link.marker, toRemoteState(found), clock())
      return changeRemote(db, service, (await linkByTicket(db, link.id)) as TicketLink, clock)
    }
    assertAttemptOver(link.attemptedAt, clock())
  }
  const { zammad, files, key } = service
  const [state, me, page] = [
    await zammad.stateName(serviceTypeOf(link.status, true)),
    await zammad.me(),
    await listProgress(db),
  ]
  const attachments = await readAttachments(files, await reportAttachments(db, link.id))
  const account = link.userId === null ? null : await findServiceUser(db, link.userId)
  const ticket = {
    title: titleWithMarker(link.title, link.marker),
    customer: account ?? (link.reporterEmail ? `guess:${link.reporterEmail}` : me),
    state,
    owner: link.status === 'in_progress' ? me : null,
    body: bodyOf(link),
    attachments,
  }
  const userToken = link.userId === null ? null : await validToken(db, key, link.userId, clock())
  await recordSentTexts(db, link)
  await recordInTime(clock, (at) => recordAttempt(db, link.id, page, at))
  try {
    return await zammad.addTicket(ticket, userToken).catch((error) => {
      // A revoked token must not block the ticket.
      const isTokenRefused = error instanceof ZammadError && [401, 403].includes(error.status)
      if (userToken === null || !isTokenRefused) throw error
      return zammad.addTicket(ticket, null)
    })
  } catch (error) {
    if (isClientError(error)) await deleteAttempt(db, link.id)
    throw error
  }
}

/** The text of a ticket: reporter and station above the description. */
function bodyOf(link: TicketLink): string {
  const { reporterName, reporterEmail, description, handleBy, number, station, laneNumber, sign } = link
  const texts = ticketTexts(SERVICE_LANGUAGE).service
  const stationText = [
    station,
    laneNumber && ticketTexts.format(SERVICE_LANGUAGE, 'service.lane', { lane: String(laneNumber) }),
  ]
    .filter(Boolean)
    .join(', ')
  return [
    ...[reporterName, reporterEmail].filter((line) => line !== null),
    `Rogatka ${number}`,
    ...(stationText ? [`${texts.station}: ${stationText}`] : []),
    ...(sign === null ? [] : [`${texts.sign}: ${sign}`]),
    ...(handleBy === null ? [] : [`${texts.handleBy}: ${handleBy}`]),
    '',
    description,
  ].join('\n')
}

/** Searches the remote list from a page on. */
async function findByMarker(zammad: Zammad, marker: string, from: number): Promise<RemoteTicket | null> {
  for (let page = Math.max(1, from); ; page++) {
    const tickets = await zammad.ticketPage(page)
    const found = tickets.find(({ title }) => markerIn(title) === marker)
    if (found) return found
    if (tickets.length < PAGE_SIZE) return null
  }
}
