import { createTransport } from 'nodemailer'

/** A message to send, as plain text. */
export type Message = {
  to: string
  subject: string
  text: string
  /** Idempotency key: equal in every attempt, so that a receiver detects duplicates. */
  key?: string
}

/** Sends messages; they stay in the outbox while `canSend` is false. */
export type Mailer = { canSend: boolean; send: (message: Message) => Promise<void> }

const TIMEOUT_MS = 10_000
/** For a whole mail, if a server is slow at every step; below the lease of an outbox message. */
export const MAIL_TIMEOUT_MS = 60_000

/** Sends by SMTP (`smtp://user:password@host:587`); `from` is the visible sender. */
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
 * Sends text messages by webhook: `{ id, to, text }` as JSON, with the id in `Idempotency-Key` too. User and password
 * of the URL become basic authentication. @throws unless the response is 2xx
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
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`SMS webhook: ${response.status}`)
    },
  }
}

/** For a portal without mail server or webhook: messages stay in the outbox, where administrators see them. */
export const noMailer: Mailer = {
  canSend: false,
  send: async () => {
    throw new Error('There is nothing to send by')
  },
}
