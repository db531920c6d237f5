import { createHash } from 'node:crypto'
import type { Config } from '../config.ts'
import type { Clock } from '../core/clock.ts'
import type { Files } from '../core/files.ts'
import type { Zammad } from './zammad.ts'

export type Service = { zammad: Zammad; files: Files; config: Pick<Config, 'organization'>; key: Buffer }

/** The language of texts in the ticket service: that of the road authority. */
export const SERVICE_LANGUAGE = 'pl'

/** A request without a response may still take effect within this time; it is repeated only after it. */
const ATTEMPT_TIMEOUT_MS = 60_000
/** Maximum time between the record of an attempt and its request. */
const MAX_RECORD_MS = 5_000
const RECORD_ATTEMPTS = 3

/** The subject of an article about a ticket: unique for its content, so that it is found again. */
export const articleSubject = (ticketNumber: string, content: string): string =>
  `Rogatka ${ticketNumber} [${createHash('sha256').update(content).digest('hex').slice(0, 8)}]`

/** Whether an attempt to send an article, with one of these subjects, arrived; throws while it may still be carried out. */
export async function hasArticle(
  zammad: Zammad,
  serviceId: number,
  { subjects, attemptedAt, now }: { subjects: readonly string[]; attemptedAt: Date; now: Date },
): Promise<boolean> {
  const articles = await zammad.articles(serviceId)
  if (articles.some(({ subject }) => subject && subjects.includes(subject))) return true
  assertAttemptOver(attemptedAt, now)
  return false
}

/**
 * Records an attempt directly before its request; again, if that took long, as its time-out counts from the recorded time.
 * @throws if it takes long each time
 */
export async function recordInTime(clock: Clock, record: (at: Date) => Promise<unknown>): Promise<void> {
  for (let attempt = 1; attempt <= RECORD_ATTEMPTS; attempt++) {
    const at = clock()
    await record(at)
    if (clock().getTime() - at.getTime() <= MAX_RECORD_MS) return
  }
  throw new Error('The database is too slow to record the attempt')
}

/** Throws while an unanswered request may still take effect. */
export function assertAttemptOver(attemptedAt: Date, now: Date): void {
  if (attemptedAt.getTime() + ATTEMPT_TIMEOUT_MS > now.getTime())
    throw new Error('The last attempt was not answered: waiting until it is certain that it failed')
}
