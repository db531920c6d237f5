import type { Clock } from '../core/clock.ts'
import type { Pool } from '../core/database.ts'
import { readAttachments } from './attachment.ts'
import { articleSubject, hasArticle, recordInTime, SERVICE_LANGUAGE, type Service } from './service.ts'
import {
  filesToSend,
  recordFileAttempt,
  recordFilesRefused,
  recordFilesSent,
  type UnsentFile,
} from './service-file-queries.ts'
import { linkByTicket } from './service-queries.ts'
import { ticketTexts } from './texts.ts'
import { isClientError, isContentRefusal } from './zammad.ts'

/**
 * Sends files added after the report, each addition as one article. A refused one does not block the others.
 * @throws errors to retry, or the first refusal
 */
export async function pushAddedFiles(db: Pool, service: Service, ticketId: number, clock: Clock): Promise<void> {
  const additions = Map.groupBy(await filesToSend(db, ticketId, clock()), ({ createdAt }) => createdAt.toISOString())
  if (additions.size === 0) return
  const link = await linkByTicket(db, ticketId)
  if (!link || link.serviceId === null) return
  const refusals: unknown[] = []
  for (const [addedAt, files] of additions) {
    const subject = articleSubject(link.number, `${ticketId} ${addedAt}`)
    try {
      await sendAddition(db, service, { ticketId, serviceId: link.serviceId, subject, files }, clock)
    } catch (error) {
      if (!isContentRefusal(error)) throw error
      await recordFilesRefused(
        db,
        ticketId,
        files.map(({ number }) => number),
        clock(),
      )
      refusals.push(error)
    }
  }
  if (refusals.length > 0) throw refusals[0]
}

type Addition = { ticketId: number; serviceId: number; subject: string; files: readonly UnsentFile[] }

async function sendAddition(
  db: Pool,
  { zammad, files: store }: Service,
  { ticketId, serviceId, subject, files }: Addition,
  clock: Clock,
): Promise<void> {
  const numbers = files.map(({ number }) => number)
  const attemptedAt = files.find((file) => file.attemptedAt !== null)?.attemptedAt
  if (!attemptedAt || !(await hasArticle(zammad, serviceId, { subjects: [subject], attemptedAt, now: clock() }))) {
    const attachments = await readAttachments(store, files)
    const names = attachments.map(({ filename }) => filename).join(', ')
    const body = `${ticketTexts(SERVICE_LANGUAGE).service.files}: ${names}`
    await recordInTime(clock, (at) => recordFileAttempt(db, ticketId, numbers, at))
    try {
      if (attachments.length > 0) await zammad.changeTicket(serviceId, { article: { subject, body, attachments } })
    } catch (error) {
      if (isClientError(error)) await recordFileAttempt(db, ticketId, numbers, null)
      throw error
    }
  }
  await recordFilesSent(db, ticketId, numbers, clock())
}
