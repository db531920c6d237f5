import { randomBytes } from 'node:crypto'
import { markedTitle, markerIn, serviceTypeOf, statusOfService } from '@rogatka/domain/tickets/service.ts'
import type { Config } from '../config.ts'
import type { Pool } from '../core/database.ts'
import type { Files } from '../core/files.ts'
import { userById } from '../users/queries.ts'
import { keepToken, noteServiceUser, passwordFor, serviceUserOf, tokenExpiry, tokenOf, usableToken } from './account.ts'
import { attachmentBytes } from './attachment.ts'
import { attachmentsOf } from './queries.ts'
import {
  adoptByMarker,
  alone,
  forgetAttempt,
  listProgress,
  noteAttempt,
  notePushed,
  type Remote,
  serviceOrganization,
  type Twin,
  twinOf,
} from './service-queries.ts'
import { isRefusal, PAGE_SIZE, type RemoteTicket, ServiceFailure, type Zammad } from './zammad.ts'

export type Service = { zammad: Zammad; files: Files; config: Pick<Config, 'organization'>; key: Buffer }

/** A creation that was not answered may still come true so much later; only then is it begun anew. */
const SETTLED_MS = 60_000

export const remoteOf = (ticket: RemoteTicket): Remote => ({
  id: ticket.id,
  number: ticket.number,
  status: statusOfService({ type: ticket.stateType, hasOwner: ticket.hasOwner }),
  owner: ticket.hasOwner ? String(ticket.owner_id) : null,
  changedAt: ticket.updated_at,
})

/**
 * Brings a ticket to the ticket service as it is now; what is there already stays one. Throws what is to be tried again.
 */
export async function pushTicket(sql: Pool, service: Service, ticketId: number, now: Date): Promise<void> {
  const done = await alone(sql, `push ticket ${ticketId}`, async () => {
    const twin = await twinOf(sql, ticketId)
    if (!twin || twin.pushedVersion >= twin.version) return true
    const remote =
      twin.serviceId === null ? await create(sql, service, twin, now) : await change(service, twin, twin.serviceId)
    await notePushed(sql, twin.id, remoteOf(remote), twin.version, now)
    return true
  })
  if (done === null) throw new Error('The ticket is being sent already')
}

async function change({ zammad }: Service, twin: Twin, serviceId: number): Promise<RemoteTicket> {
  return zammad.changeTicket(serviceId, {
    title: markedTitle(twin.title, twin.marker),
    state: await zammad.stateName(serviceTypeOf(twin.status, false)),
    owner: twin.status === 'in_progress' ? await zammad.me() : null,
  })
}

async function create(sql: Pool, service: Service, twin: Twin, now: Date): Promise<RemoteTicket> {
  if (twin.attemptedAt) {
    const found = await findByMarker(service.zammad, twin.marker, (twin.attemptedPage ?? 1) - 1)
    if (found) {
      await adoptByMarker(sql, twin.marker, remoteOf(found), now)
      return change(service, twin, found.id)
    }
    const wait = twin.attemptedAt.getTime() + SETTLED_MS - now.getTime()
    if (wait > 0) throw new Error('The last attempt was not answered: waiting until it is certain that it failed')
  }
  const { zammad, files, key } = service
  const [state, me, page] = [
    await zammad.stateName(serviceTypeOf(twin.status, true)),
    await zammad.me(),
    await listProgress(sql),
  ]
  const attachments = []
  for (const { name, type, ...stored } of await attachmentsOf(sql, twin.id)) {
    const bytes = await attachmentBytes(files, stored)
    if (bytes) attachments.push({ filename: name, bytes, type })
  }
  const account = twin.userId === null ? null : await serviceUserOf(sql, twin.userId)
  const ticket = {
    title: markedTitle(twin.title, twin.marker),
    customer: account ?? (twin.reporterEmail ? `guess:${twin.reporterEmail}` : me),
    state,
    owner: twin.status === 'in_progress' ? me : null,
    body: bodyOf(twin),
    attachments,
  }
  const own = twin.userId === null ? null : await usableToken(sql, key, twin.userId, now)
  await noteAttempt(sql, twin.id, page, now)
  try {
    return await zammad.addTicket(ticket, own).catch((error) => {
      // A token that was taken back must not keep the ticket from arriving.
      const isTokenRefused = error instanceof ServiceFailure && [401, 403].includes(error.status)
      if (own === null || !isTokenRefused) throw error
      return zammad.addTicket(ticket, null)
    })
  } catch (error) {
    if (isRefusal(error)) await forgetAttempt(sql, twin.id)
    throw error
  }
}

/** Who reports stands above what they say. */
const bodyOf = ({ reporterName, reporterEmail, description, number }: Twin): string =>
  [...[reporterName, reporterEmail].filter((line) => line !== null), `Rogatka ${number}`, '', description].join('\n')

/** Looks through the list of the service from a page on. */
async function findByMarker(zammad: Zammad, marker: string, from: number): Promise<RemoteTicket | null> {
  for (let page = Math.max(1, from); ; page++) {
    const tickets = await zammad.ticketPage(page)
    const found = tickets.find(({ title }) => markerIn(title) === marker)
    if (found) return found
    if (tickets.length < PAGE_SIZE) return null
  }
}

/** Gives a user an account with a token there; one who has a token, or shall have none, stays as they are. */
export async function makeAccount(sql: Pool, service: Service, userId: number, now: Date): Promise<void> {
  const { zammad, key, config } = service
  const user = await userById(sql, userId)
  if (!user?.ticket || !user.email || (await tokenOf(sql, userId)).stored) return
  const { email, username } = user
  const password = await passwordFor(sql, key, { userId, email }, randomBytes(18).toString('base64url'))
  const name = `Rogatka ${username}`
  const token = () => zammad.addToken(email, password, name, tokenExpiry(now))
  const keep = async (made: string) => {
    await keepToken(sql, key, { userId, email, token: made }, now)
  }
  if ((await serviceUserOf(sql, userId)) !== null) return keep(await token())
  try {
    const organizationId = await serviceOrganization(sql, config.organization)
    const person = {
      firstname: user.firstName ?? username,
      lastname: user.lastName ?? '-',
      email,
      password,
      organizationId,
    }
    await noteServiceUser(sql, userId, await zammad.addUser(person))
  } catch (error) {
    if (!(error instanceof ServiceFailure) || error.status !== 422) throw error
    // The address is taken: by an attempt of ours that was not answered, if the password is ours.
    const made = await token().catch(() => null)
    if (made === null) throw error
    return keep(made)
  }
  await keep(await token())
}
