import { createTransport } from 'nodemailer'

/** A message as it leaves: plain text first, because that is what every reader shows. */
export type Message = { to: string; subject: string; text: string }

/** Sends messages, or says that it cannot: then they stay in the outbox. */
export type Mailer = { canSend: boolean; send: (message: Message) => Promise<void> }

const TIMEOUT_MS = 10_000

/** SMTP by its URL (`smtp://user:password@host:587`); `from` is the sender that recipients see. */
export function smtpMailer(url: string, from: string): Mailer {
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
  const transport = createTransport({ url, ...timeouts })
  return {
    canSend: true,
    send: async (message) => {
      await transport.sendMail({ from, ...message })
    },
  }
}

/** Without a mail server: messages wait in the outbox, where administrators see them. */
export const noMailer: Mailer = {
  canSend: false,
  send: async () => {
    throw new Error('SMTP_URL is not set')
  },
}
