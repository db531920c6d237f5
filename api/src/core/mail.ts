import { createTransport } from 'nodemailer'

/** A message as it leaves: plain text first, because that is what every reader shows. */
export type Message = {
  to: string
  subject: string
  text: string
  /** The same whenever this message is sent again, so that a receiver knows a repeat. */
  key?: string
}

/** Sends messages, or says that it cannot: then they stay in the outbox. */
export type Mailer = { canSend: boolean; send: (message: Message) => Promise<void> }

const TIMEOUT_MS = 10_000
/** Of a whole mail, for a server that is slow at every step; shorter than a message of the outbox is held. */
const MAIL_TIMEOUT_MS = 60_000

/** SMTP by its URL (`smtp://user:password@host:587`); `from` is the sender that recipients see. */
export function smtpMailer(url: string, from: string, timeoutMs = MAIL_TIMEOUT_MS): Mailer {
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
  const transport = createTransport({ url, ...timeouts })
  return {
    canSend: true,
    send: async ({ key, ...message }) => {
      const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'rogatka'
      const id = key && { messageId: `<${key}@${domain}>` }
      const signal = AbortSignal.timeout(timeoutMs)
      await transport.sendMail({ from, ...message, ...id, signal }).catch((error: unknown) => {
        throw signal.aborted ? new Error(`SMTP timeout: not sent within ${timeoutMs} ms`) : error
      })
    },
  }
}

/**
 * Text messages by a gateway's webhook: `{ id, to, text }` as JSON, with the id in `Idempotency-Key` too. A user and
 * password in the address become basic authentication. Anything but 2xx is a failure.
 */
export function smsWebhook(address: string, timeoutMs = TIMEOUT_MS): Mailer {
  const url = new URL(address)
  const { username, password } = url
  url.username = url.password = ''
  const secret = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  return {
    canSend: true,
    send: async ({ to, text, key }) => {
      const headers = new Headers({ 'content-type': 'application/json' })
      if (username || password) headers.set('authorization', `Basic ${secret}`)
      if (key) headers.set('idempotency-key', key)
      const body = JSON.stringify({ id: key, to, text })
      const answer = await fetch(url, {
        method: 'POST',
        headers,
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      await answer.body?.cancel()
      if (!answer.ok) throw new Error(`SMS webhook: ${answer.status}`)
    },
  }
}

/** Without a mail server or a webhook: messages wait in the outbox, where administrators see them. */
export const noMailer: Mailer = {
  canSend: false,
  send: async () => {
    throw new Error('There is nothing to send by')
  },
}
