import {
  addContact,
  addPlate,
  changeContact,
  changePlate,
  contacts,
  hits,
  markHit,
  plates,
  removeContact,
  testContact,
} from '@rogatka/contract/wanted.ts'
import { expect, onTestFinished, test } from 'vitest'
import { startJobs } from '../core/jobs.ts'
import { smsWebhook, smtpMailer } from '../core/mail.ts'
import { DELIVER } from '../core/outbox.ts'
import { sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { startMailServer, startService } from '../testing/services.ts'
import { type Client, eventually, type TestApi, testApi } from '../testing/test-api.ts'

const PLATE = 'WPR 8K47M'
const plateOf = (sequence: number) => car(sequence, { plateLpr: PLATE })

const wants = (user: Client, more: Record<string, unknown> = {}) =>
  user.call(addPlate, { body: { plateLpr: PLATE, typeOfList: 0, description: 'Kradzież, KPP Wyszków', ...more } })
const tells = (user: Client, contact: string, more: Record<string, unknown> = {}) =>
  user.call(addContact, { body: { contact, typeOfContact: contact.includes('@') ? 0 : 1, description: 'x', ...more } })

const outboxOf = (api: TestApi) =>
  api.db.query<{ recipient: string; sentAt: Date | null; attempts: number }>(sql`
  select recipient, sent_at as "sentAt", attempts from outbox order by id`)

/** Enqueues unsent messages, then runs all jobs. */
async function askAgain(api: TestApi) {
  await api.app.jobs.recurring.find(({ name }) => name === 'deliver-unsent')?.work()
  await api.runJobs()
}

test('mails a black-listed vehicle once to each contact of its owner', async () => {
  const api = await testApi({ publicUrl: 'https://portal.example' })
  const [owner, other] = [await api.as('WantedList'), await api.as('WantedList')]
  const station = await api.station()
  await wants(owner)
  // Two entries for one vehicle give one message.
  await wants(owner, { plateLpr: 'WPR BK47M', allowMisread: true, description: 'Przemyt' })
  await wants(other, { typeOfList: 1 })
  await tells(owner, 'kpp@example.org')
  await tells(owner, 'patrol@example.org')
  await tells(other, 'other@example.org')
  await send(station, [plateOf(1), plateOf(1)])
  await send(station, [plateOf(1)])
  await api.runJobs()

  expect(api.sent.map(({ to }) => to).sort()).toEqual(['kpp@example.org', 'patrol@example.org'])
  expect(api.sent[0]?.subject).toBe('Rogatka: poszukiwany WPR 8K47M, WPR BK47M, S8 Test')
  expect(api.sent[0]?.text).toBe(
    [
      'Pojazd z czarnej listy przejechał przez stację S8 Test, pas 1, kierunek Warszawa.',
      '',
      'Tablica: WPR 8K47M, WPR BK47M (PL), odczytana jako WPR 8K47M',
      'Czas: 20.10.2026 09:59:58',
      'Opis: Kradzież, KPP Wyszków · Przemyt',
      '',
      'https://portal.example/vehicleArch/7696581394433/7/2026-10-20T07:59:58.000Z',
    ].join('\n'),
  )
  expect(new Set(api.sent.map(({ key }) => key)).size).toBe(2)
  await send(station, [plateOf(2)])
  await askAgain(api)
  expect(api.sent).toHaveLength(4)
})

test('sends no message for vehicles over an hour old, disabled owners or lost rights', async () => {
  const api = await testApi()
  const station = await api.station()
  const [late, disabled, demoted] = [await api.as('WantedList'), await api.as('WantedList'), await api.as('WantedList')]
  await wants(late)
  await tells(late, 'late@example.org')
  await send(station, [{ ...plateOf(1), createdAt: '2026-10-20T06:59:59.000Z' }])
  expect(await outboxOf(api)).toEqual([])

  await tells(disabled, 'disabled@example.org')
  await wants(disabled)
  await tells(demoted, 'demoted@example.org')
  await wants(demoted)
  await api.db.execute(sql`update app_user set enabled = false where id = ${disabled.userId}`)
  await api.db.execute(sql`update role set permissions = '{ROLE_10}' where name = ${demoted.username}`)
  await send(station, [plateOf(2)])
  expect((await outboxOf(api)).map(({ recipient }) => recipient)).toEqual(['late@example.org'])
})

test('sends a text message by webhook, and retries with the same idempotency key', async () => {
  let answers = 503
  const gateway = await startService((response) => response.writeHead(answers).end())
  const api = await testApi({ smsWebhookUrl: `http://rogatka:s%C3%B3l@${gateway.address}/send` })
  const owner = await api.as('WantedList')
  await wants(owner)
  await tells(owner, '600 100 200')
  await send(await api.station(), [plateOf(1)])
  await api.runJobs()
  expect(await outboxOf(api)).toMatchObject([{ recipient: '+48600100200', sentAt: null, attempts: 1 }])

  answers = 204
  await api.db.execute(sql`update graphile_worker._private_jobs set run_at = now()`)
  await api.runJobs()
  await askAgain(api)
  expect(await outboxOf(api)).toMatchObject([{ attempts: 2, sentAt: expect.any(Date) }])
  const [first, second] = gateway.requests
  expect(gateway.requests).toHaveLength(2)
  const message = JSON.parse(second?.body ?? '')
  expect(message).toEqual({
    id: expect.stringMatching(/^rogatka-\d+-\d+$/),
    to: '+48600100200',
    text: 'Rogatka: poszukiwany WPR 8K47M, S8 Test, pas 1, 20.10.2026 09:59:58. Kradzież, KPP Wyszków',
  })
  expect(second?.body).toEqual(first?.body)
  expect(second?.headers['idempotency-key']).toBe(message.id)
  expect(second?.headers.authorization).toBe(`Basic ${Buffer.from('rogatka:sól').toString('base64')}`)
})

test('holds messages until the quiet hours of a contact end', async () => {
  const api = await testApi()
  const owner = await api.as('WantedList')
  await wants(owner)
  // It is ten in Warsaw.
  await tells(owner, 'asleep@example.org', { quietHours: { from: '09:00', to: '10:05' } })
  await tells(owner, 'awake@example.org', { quietHours: { from: '10:05', to: '09:00' } })
  await send(await api.station(), [plateOf(1)])
  await askAgain(api)
  expect(api.sent.map(({ to }) => to)).toEqual(['awake@example.org'])
  api.clock.now = new Date('2026-10-20T08:04:59Z')
  await askAgain(api)
  expect(api.sent).toHaveLength(1)
  api.clock.now = new Date('2026-10-20T08:05:00Z')
  await askAgain(api)
  expect(api.sent.map(({ to }) => to)).toEqual(['awake@example.org', 'asleep@example.org'])
})

test('does not send a queued message of a false hit or a deleted contact', async () => {
  const api = await testApi()
  const owner = await api.as('WantedList')
  const entry = await wants(owner)
  const contact = await tells(owner, 'gone@example.org')
  await tells(owner, 'kpp@example.org')
  const station = await api.station()
  await send(station, [plateOf(1)])
  await owner.call(removeContact, { params: { id: contact.body.id } })
  await api.runJobs()
  expect(api.sent.map(({ to }) => to)).toEqual(['kpp@example.org'])

  await send(station, [plateOf(2)])
  const { content } = (await owner.call(hits, { params: { id: entry.body.id } })).body
  const hit = content.find(({ id }) => id % 1000 === (7 * 2 ** 40 + 2) % 1000) ?? content[0]
  await owner.call(markHit, {
    params: { id: entry.body.id, vehicleId: hit?.id ?? 0 },
    query: { createdAt: hit?.createdAt ?? '' },
    body: { falseHit: true },
  })
  await api.runJobs()
  expect(api.sent).toHaveLength(1)
})

test('masks plates in messages to anonymised owners', async () => {
  const api = await testApi()
  const manager = await api.as('WantedList', 'UserManagement')
  const owner = await api.as('WantedList', 'Anonymization')
  await wants(manager, { userId: owner.userId, description: 'Kradzież wpr-8k 47m' })
  await tells(owner, 'kpp@example.org')
  await send(await api.station(), [plateOf(1)])
  await api.runJobs()
  expect(api.sent[0]?.text).toContain('Tablica: WP****** (PL)\n')
  expect(api.sent[0]?.text).toContain('Opis: Kradzież WP******')
  expect(JSON.stringify(api.sent)).not.toMatch(/8k ?47m/i)
})

test('sends mail by SMTP, and again once the server has recovered', async () => {
  const post = await startMailServer()
  const api = await testApi(
    { smtpUrl: `smtp://${post.address}` },
    undefined,
    smtpMailer(`smtp://${post.address}`, 'Rogatka <r@a.pl>'),
  )
  const jobs = startJobs(api.url, api.app.jobs, api.app.api.http.log)
  onTestFinished(() => jobs.stop())
  const owner = await api.as('WantedList')
  await wants(owner)
  await tells(owner, 'kpp@example.org')
  const station = await api.station()
  post.faults.delayMs = 100
  await send(station, [plateOf(1)])
  // The time at which the server has accepted it.
  const sentAt = () =>
    eventually(async () => {
      const [message] = await outboxOf(api)
      return message?.sentAt?.getTime() ?? expect.fail('not sent')
    })
  expect((await sentAt()) - api.clock.now.getTime()).toBeGreaterThanOrEqual(100)
  post.faults.delayMs = 0
  expect(post.received).toHaveLength(1)
  expect(post.received[0]).toMatch(/^Message-ID: <rogatka-\d+-\d+@a\.pl>$/im)

  await post.stop()
  await send(station, [plateOf(2)])
  await eventually(async () => expect((await outboxOf(api))[1]?.attempts).toBeGreaterThan(0))
  await post.restart()
  await eventually(async () => expect((await outboxOf(api))[1]?.sentAt).not.toBeNull())
  expect(post.received).toHaveLength(2)
})

test('a lease keeps other processes from sending, and expires after its process dies', async () => {
  const api = await testApi()
  const owner = await api.as('WantedList')
  await wants(owner)
  await tells(owner, 'kpp@example.org')
  await send(await api.station(), [plateOf(1)])
  // As left behind: a locked job and a leased message.
  await api.db.execute(
    sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'dead', attempts = 1`,
  )
  await api.db.execute(sql`update outbox set leased_until = ${new Date('2026-10-20T08:01:30Z')}::timestamptz`)
  await askAgain(api)
  expect(api.sent).toEqual([])

  await api.db.execute(sql`update graphile_worker._private_jobs set locked_at = now() - interval '2 minutes'`)
  api.clock.now = new Date('2026-10-20T08:01:30Z')
  await Promise.all([askAgain(api), askAgain(api)])
  await askAgain(api)
  expect(api.sent).toHaveLength(1)
})

test('concurrent deliveries send a message once', async () => {
  const api = await testApi()
  const owner = await api.as('WantedList')
  await wants(owner)
  await tells(owner, 'kpp@example.org')
  await send(await api.station(), [plateOf(1)])
  const [message] = await api.db.query<{ id: number }>(sql`select id from outbox`)
  const deliver = api.app.jobs.tasks.find(({ name }) => name === DELIVER)
  await Promise.all(Array.from({ length: 4 }, () => deliver?.run({ id: message?.id })))
  expect(api.sent).toHaveLength(1)
})

const lastMessage = async (user: Client) => (await user.call(contacts)).body.content[0]?.lastMessage

test('shows the state of the last message of a contact, and sends a test message at once', async () => {
  const api = await testApi()
  const owner = await api.as('WantedList')
  await wants(owner)
  const contact = (await tells(owner, 'kpp@example.org', { quietHours: { from: '09:00', to: '10:05' } })).body
  expect(contact.lastMessage).toBeNull()
  await send(await api.station(), [plateOf(1)])
  expect(await lastMessage(owner)).toMatchObject({ isTest: false, fate: 'quiet', attempts: 0, sentAt: null })

  const tried = async (user: Client) => (await user.call(testContact, { params: { id: contact.id } })).body
  expect((await tried(owner)).lastMessage).toMatchObject({ isTest: true, fate: 'waiting' })
  await tried(owner)
  await askAgain(api)
  expect(await lastMessage(owner)).toMatchObject({ isTest: true, fate: 'sent', attempts: 1 })
  expect(api.sent.map(({ to, subject }) => [to, subject])).toEqual([['kpp@example.org', 'Rogatka: wiadomość próbna']])
  expect((await (await api.as('WantedList')).call(testContact, { params: { id: contact.id } })).status).toBe(404)

  // A false hit sends no message: the test stays the last one.
  const entry = (await owner.call(plates)).body.content[0]
  const hit = (await owner.call(hits, { params: { id: entry?.id ?? 0 } })).body.content[0]
  await owner.call(markHit, {
    params: { id: entry?.id ?? 0, vehicleId: hit?.id ?? 0 },
    query: { createdAt: hit?.createdAt ?? '' },
    body: { falseHit: true },
  })
  api.clock.now = new Date('2026-10-20T08:05:00Z')
  await askAgain(api)
  expect(await lastMessage(owner)).toMatchObject({ isTest: true, fate: 'sent' })
})

test('a contact without a delivery channel is unavailable', async () => {
  const api = await testApi()
  const owner = await api.as('WantedList')
  const contact = (await tells(owner, '600 100 200')).body
  const { body } = await owner.call(testContact, { params: { id: contact.id } })
  expect(body.lastMessage).toMatchObject({ fate: 'unavailable' })
})

test('sends queued messages to the current address, by mail or text message', async () => {
  const gateway = await startService()
  const api = await testApi({ smsWebhookUrl: `http://${gateway.address}/` })
  const owner = await api.as('WantedList')
  await wants(owner)
  const [one, two] = [(await tells(owner, 'old@example.org')).body, (await tells(owner, 'two@example.org')).body]
  await send(await api.station(), [plateOf(1)])
  const change = (id: number, contact: string, typeOfContact: 0 | 1) =>
    owner.call(changeContact, { params: { id }, body: { contact, typeOfContact, description: 'x' } })
  expect((await change(one.id, 'new@example.org', 0)).status).toBe(200)
  expect((await change(two.id, '600100200', 1)).body.contact).toBe('+48600100200')
  await api.runJobs()
  await askAgain(api)
  expect(api.sent.map(({ to }) => to)).toEqual(['new@example.org'])
  expect(gateway.requests.map(({ body }) => JSON.parse(body).to)).toEqual(['+48600100200'])
})

test('does not send a queued message after the plate of its entry was corrected', async () => {
  const api = await testApi()
  const owner = await api.as('WantedList')
  const { id } = (await wants(owner, { plateLpr: 'WPR 281' })).body
  await tells(owner, 'kpp@example.org')
  const station = await api.station()
  await send(station, [car(1, { plateLpr: 'WPR 281' })])
  const body = { plateLpr: 'WPR 287', description: 'Kradzież' }
  expect((await owner.call(changePlate, { params: { id }, body })).status).toBe(200)
  await api.runJobs()
  expect(api.sent).toEqual([])
  await send(station, [car(2, { plateLpr: 'WPR 287' })])
  await api.runJobs()
  expect(api.sent.map(({ subject }) => subject)).toEqual(['Rogatka: poszukiwany WPR 287, S8 Test'])
})

test('a contact shows only messages to its current address', async () => {
  const gateway = await startService()
  const api = await testApi({ smsWebhookUrl: `http://${gateway.address}/` })
  const owner = await api.as('WantedList')
  await wants(owner)
  const { id } = (await tells(owner, 'wrong@example.org')).body
  const correct = async (contact: string, typeOfContact: 0 | 1 = 0) =>
    (await owner.call(changeContact, { params: { id }, body: { contact, typeOfContact, description: 'x' } })).body
  const station = await api.station()
  await send(station, [plateOf(1)])
  await api.runJobs()
  expect(await lastMessage(owner)).toMatchObject({ fate: 'sent' })
  expect((await correct('right@example.org')).lastMessage).toBeNull()

  // A queued message is sent to and shown with the new address.
  await send(station, [plateOf(2)])
  expect((await correct('new@example.org')).lastMessage).toMatchObject({ fate: 'waiting' })
  await api.runJobs()
  expect(api.sent.map(({ to }) => to)).toEqual(['wrong@example.org', 'new@example.org'])
  expect(await lastMessage(owner)).toMatchObject({ fate: 'sent' })

  await send(station, [plateOf(3)])
  await correct('600 100 200', 1)
  await api.runJobs()
  await askAgain(api)
  expect(await lastMessage(owner)).toMatchObject({ fate: 'sent' })
  expect((await correct('600 100 300', 1)).lastMessage).toBeNull()
})

test('retries a hanging or failing gateway with the same idempotency key', async () => {
  const accepted: string[] = []
  let fault: 'hangs' | 'fails after' | 'slow' = 'hangs'
  const gateway = await startService((response, { body }) => {
    if (fault !== 'hangs') accepted.push(JSON.parse(body).id)
    if (fault === 'fails after') response.writeHead(500).end()
    if (fault === 'slow') setTimeout(() => response.end(), 150)
  })
  const url = `http://${gateway.address}/`
  const { send } = smsWebhook(url, 100)
  const message = { to: '+48600100200', subject: '', text: 'x', key: 'rogatka-1-1' }
  await expect(send(message)).rejects.toThrow(/timeout/)
  fault = 'slow'
  await expect(send(message)).rejects.toThrow(/timeout/)
  await smsWebhook(url, 5_000).send(message)
  fault = 'fails after'
  await expect(send(message)).rejects.toThrow('SMS webhook: 500')
  // The gateway detects duplicates by the key.
  expect(accepted).toEqual(['rogatka-1-1', 'rogatka-1-1', 'rogatka-1-1'])
})

test('a retried mail has the same Message-ID, whether the server died before or after accepting it', async () => {
  const post = await startMailServer()
  const { send } = smtpMailer(`smtp://${post.address}`, 'Rogatka <r@a.pl>')
  const message = { to: 'kpp@example.org', subject: 'x', text: 'x', key: 'rogatka-1-1' }
  post.faults.dies = 'before'
  await expect(send(message)).rejects.toThrow()
  expect(post.received).toHaveLength(0)
  post.faults.dies = 'after'
  await expect(send(message)).rejects.toThrow()
  post.faults.dies = null
  await send(message)
  const ids = post.received.map((mail) => /^Message-ID: (.+)$/im.exec(mail)?.[1])
  expect(ids).toEqual(['<rogatka-1-1@a.pl>', '<rogatka-1-1@a.pl>'])
})

test('times out on a mail server that does not respond or is slow at every step', async () => {
  const post = await startMailServer()
  const { send } = smtpMailer(`smtp://${post.address}`, 'Rogatka <r@a.pl>', 200)
  const message = { to: 'kpp@example.org', subject: 'x', text: 'x', key: 'rogatka-1-1' }
  for (const delayMs of [60_000, 80]) {
    post.faults.delayMs = delayMs
    await expect(send(message)).rejects.toThrow(/timeout/)
  }
  expect(post.received).toEqual([])
})

test('a webhook error does not contain the password', async () => {
  const { send } = smsWebhook('http://user:geheim@127.0.0.1:1/send')
  const failure = await send({ to: '+48', subject: '', text: 'x' }).catch((error: Error) => error)
  expect(failure).toBeInstanceOf(Error)
  expect(String(failure)).not.toContain('geheim')
})
