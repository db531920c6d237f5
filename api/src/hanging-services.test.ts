import { randomBytes } from 'node:crypto'
import * as tickets from '@rogatka/contract/tickets.ts'
import { addContact, addPlate } from '@rogatka/contract/wanted.ts'
import { expect, onTestFinished, test } from 'vitest'
import { startJobs } from './core/jobs.ts'
import { car, send } from './ingest/testing.ts'
import { startService } from './testing/services.ts'
import { eventually, testApi } from './testing/test-api.ts'

const PLATE = 'WPR 8K47M'
const neverAnswers = () => {}

test('a hanging ticket service and SMS gateway do not delay mail', async () => {
  const [service, gateway] = [await startService(neverAnswers), await startService(neverAnswers)]
  const api = await testApi({
    zammad: { url: `http://${service.address}`, token: 'x', auth: 'token', group: 'Users' },
    secretKey: randomBytes(32),
    smsWebhookUrl: `http://${gateway.address}/`,
  })
  const user = await api.as('Tickets', 'WantedList')
  const report = { description: 'Nie działa waga', reporterName: 'Anna Nowak', reporterEmail: 'anna@example.org' }
  for (let ticket = 0; ticket < 6; ticket++) await user.call(tickets.add, { body: report as never })
  await user.call(addPlate, { body: { plateLpr: PLATE, typeOfList: 0, description: 'x' } })
  for (const contact of ['600100200', '600100201', '600100202', '600100203', 'kpp@example.org'])
    await user.call(addContact, {
      body: { contact, typeOfContact: contact.includes('@') ? 0 : 1, description: 'x' },
    })

  const jobs = startJobs(api.url, api.app.jobs, api.app.api.http.log)
  const syncing = api.app.jobs.recurring.find(({ name }) => name === 'sync-tickets')?.work()
  onTestFinished(async () => {
    // Running jobs end with their connections; one sends another request.
    const hangingUp = setInterval(() => [service, gateway].map(({ hangUp }) => hangUp()), 50)
    await Promise.all([jobs.stop(), syncing])
    clearInterval(hangingUp)
  })
  await eventually(() => expect(service.requests.length).toBeGreaterThan(1))

  await send(await api.station(), [car(1, { plateLpr: PLATE })])
  await eventually(() => expect(gateway.requests.length).toBeGreaterThan(1))
  await eventually(() => expect(api.sent.map(({ to }) => to)).toEqual(['kpp@example.org']))
})
