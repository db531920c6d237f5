import { permissionOf } from '@rogatka/contract/access.ts'
import { languages } from '@rogatka/contract/languages.ts'
import type { Database } from '../core/database.ts'
import { type Compose, enqueueMessage } from '../core/outbox.ts'
import { createTexts } from '../core/texts.ts'
import { warsawTime } from '../core/warsaw.ts'
import { emailsWithPermission } from '../users/public-api.ts'
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import lt from './lt.json' with { type: 'json' }
import pl from './pl.json' with { type: 'json' }
import { type WebhookRow, webhookById } from './queries.ts'
import ro from './ro.json' with { type: 'json' }

const texts = createTexts('webhooks', { pl, en, lt, de, ro })

export const INACTIVE_MAIL = 'webhook-inactive'
export const LATE_MAIL = 'webhook-late'

/** Enqueues a mail to all who manage webhooks: a subscription was stopped, has ended, or its events wait for long. */
export async function notifyManagers(
  db: Database,
  kind: typeof INACTIVE_MAIL | typeof LATE_MAIL,
  { id }: Pick<WebhookRow, 'id'>,
  now: Date,
): Promise<void> {
  const [language] = languages
  for (const { email: recipient } of await emailsWithPermission(db, permissionOf('Exchange')))
    await enqueueMessage(db, { kind, recipient, language, details: { webhookId: id } }, now)
}

/** Composes the mail; null if the subscription is active again, or deleted. */
export const composeInactive =
  (pageUrl: string): Compose =>
  async (db, { recipient, language, details }) => {
    const webhook = await webhookById(db, Number(details.webhookId))
    if (!webhook?.endedAt && (!webhook?.pausedAt || webhook.pausedBy !== null)) return null
    const { name } = webhook
    const reason = texts.format(language, webhook.endedAt ? 'ended' : 'stopped', { name })
    const text = [reason, texts(language).resume, `${pageUrl}/webhooks`].join('\n\n')
    return { to: recipient, subject: texts.format(language, 'subject', { name }), text }
  }

/** Composes the mail of late events; null if none is late any more. */
export const composeLate =
  (pageUrl: string): Compose =>
  async (db, { recipient, language, details }) => {
    const webhook = await webhookById(db, Number(details.webhookId))
    if (!webhook?.lateSince) return null
    const { name } = webhook
    const late = texts.format(language, 'late', { name, since: warsawTime(webhook.lateSince) })
    const text = [late, texts(language)['late-hint'], `${pageUrl}/webhooks`].join('\n\n')
    return { to: recipient, subject: texts.format(language, 'late-subject', { name }), text }
  }
