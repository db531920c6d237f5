import { addContact, addPlate } from '@rogatka/contract/wanted.ts'
import { sql } from '../../core/statement.ts'
import { car, send } from '../../ingest/testing.ts'
import { startMailServer, startService } from '../services.ts'
import { configured, filled, linkIn, requestReset } from './configured.ts'
import type { VariableEffect } from './effects.ts'

/** Effects of the variables of mails and messages. */
export const messageEffects: Record<string, VariableEffect> = {
  SMTP_URL: {
    title: 'receives mail',
    cases: [
      ['smtp://{one}', [true, false]],
      ['smtp://{other}', [false, true]],
    ],
    observe: async (env) => {
      const [one, other] = [await startMailServer(), await startMailServer()]
      await requestReset(await configured(filled(filled(env, 'one', one.address), 'other', other.address)))
      return [one, other].map(({ lines }) => lines.includes('RCPT TO:<anna@example.org>'))
    },
  },
  MAIL_FROM: {
    title: 'sets the sender of mail',
    cases: [
      [undefined, ['MAIL FROM:<rogatka@localhost>', 'From: Rogatka <rogatka@localhost>']],
      ['Waga <wim@road.example>', ['MAIL FROM:<wim@road.example>', 'From: Waga <wim@road.example>']],
    ],
    observe: async (env) => {
      const server = await startMailServer()
      await requestReset(await configured({ SMTP_URL: `smtp://${server.address}`, ...env }))
      return server.lines.filter((line) => /^(MAIL FROM|From: )/.test(line))
    },
  },
  SMS_WEBHOOK_URL: {
    title: 'receives text messages with basic authentication; if absent, they stay in the outbox',
    cases: [
      [undefined, [1, []]],
      ['http://user:p%40ss@{address}/sms?to=all', [0, [['POST', '/sms?to=all', 'user:p@ss', '+48600100200']]]],
    ],
    observe: async (env) => {
      const gateway = await startService()
      const api = await configured(filled(env, 'address', gateway.address))
      const owner = await api.as('WantedList')
      await owner.call(addPlate, { body: { plateLpr: 'WPR 8K47M', typeOfList: 0, description: 'x' } })
      await owner.call(addContact, { body: { contact: '600100200', typeOfContact: 1, description: 'x' } })
      await send(await api.station(), [car(1, { plateLpr: 'WPR 8K47M' })])
      await api.runJobs()
      const waiting = await api.db.query(sql`select id from outbox where sent_at is null`)
      const received = gateway.requests.map(({ method, path, headers, body }) => {
        const user = Buffer.from(headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString()
        return [method, path, user, JSON.parse(body).to]
      })
      return [waiting.length, received]
    },
  },
  PUBLIC_URL: {
    title: 'is the base of links in mail',
    cases: [
      [undefined, 'http://127.0.0.1:8080/'],
      ['https://wim.example/portal/', 'https://wim.example/portal/'],
    ],
    observe: async (env) => linkIn(await configured(env)),
  },
}
