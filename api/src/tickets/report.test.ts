import * as endpoints from '@rogatka/contract/tickets.ts'
import { expect, test } from 'vitest'
import { extractPages, fetchReport } from '../reports/testing.ts'
import { testApi } from '../testing/test-api.ts'
import { insertTicket } from './queries.ts'
import { addClosedTicket } from './testing.ts'

const OCTOBER = { year: 2026, month: 10 }

test('the monthly report of one organization has columns, totals and signatures in the requested language', async () => {
  const api = await testApi({ organization: 'Zarząd Dróg Testowych', ownerCompany: 'Zarząd' })
  const user = await api.as('Tickets')
  const add = (organization: string, title: string, from: string, to: string | null) =>
    insertTicket(api.db, organization, {
      title,
      description: 'Kamera przednia nie odpowiada. '.repeat(20),
      status: to ? 'closed' : 'open',
      createdAt: new Date(from),
      closedAt: to === null ? null : new Date(to),
      handleBy: null,
      userId: user.userId,
      reporterName: null,
      reporterEmail: null,
      about: null,
    })
  await add('Zarząd Dróg Testowych', 'Brak zdjęć', '2026-10-05T08:00Z', '2026-10-05T10:30Z')
  await add('Zarząd Dróg Testowych', 'Nie działa waga', '2026-10-20T07:00Z', null)
  await add('Inny zarząd', 'Cudza awaria', '2026-10-06T08:00Z', null)

  const order = (language: string) =>
    user.call(endpoints.report, { query: OCTOBER, headers: { 'accept-language': language } })
  const answer = await fetchReport(user, (await order('pl')).body)
  expect(answer.headers['content-type']).toBe('application/pdf')
  expect(answer.headers['content-disposition']).toBe('attachment; filename="tickets_10_2026.pdf"')
  const text = (await extractPages(answer.bytes)).join(' ').replace(/\s+/g, ' ')
  for (const said of [
    'Raport awarii – październik 2026',
    'Numer Opis awarii Data zgłoszenia Data usunięcia Czas trwania Łączny czas trwania',
    '1/2026 Brak zdjęć',
    '05.10.2026 10:00:00 05.10.2026 12:30:00 2 h 30 min 2 h 30 min',
    '20.10.2026 09:00:00 nieusunięta 1 h 3 h 30 min',
    'Łączny czas trwania awarii w miesiącu 3 h 30 min',
    'Zamawiający',
    'Wykonawca',
  ])
    expect(text).toContain(said)
  expect(text).not.toContain('Cudza awaria')
  // The table begins 20 mm from the edge: nothing is hidden behind its header.
  expect(text).not.toContain('Numer raportu')
  expect(text).toMatch(/nr [\dA-F]{4}-[\dA-F]{4} ·/)

  const german = (await extractPages((await fetchReport(user, (await order('de')).body)).bytes)).join(' ')
  expect(german).toContain('Störungsbericht – Oktober 2026')
})

test('a long month is split into pages, with the signatures on the last one', async () => {
  const api = await testApi()
  const user = await api.as('Tickets')
  for (let day = 1; day <= 19; day++) await addClosedTicket(api.db, day, `Awaria ${day}`, 'Opis awarii\n'.repeat(12))
  const { body } = await user.call(endpoints.report, { query: OCTOBER })
  const pages = await extractPages((await fetchReport(user, body)).bytes)
  expect(pages.length).toBeGreaterThan(2)
  expect(pages.join(' ').match(/Awaria \d+/g)).toHaveLength(19)
  expect(pages.at(-1)).toContain('Wykonawca')
  expect(pages.at(-1)).toContain('Zamawiający')
})
