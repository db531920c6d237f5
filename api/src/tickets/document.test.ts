import * as tickets from '@rogatka/contract/tickets.ts'
import * as endpoints from '@rogatka/contract/tickets-health.ts'
import { availabilityPages, monthPages } from '@rogatka/domain/tickets/document.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { signingSettings } from '../evidence/testing.ts'
import { extractPages, fetchReport } from '../reports/testing.ts'
import { type TestApi, testApi } from '../testing/test-api.ts'
import { addClosedTicket } from './testing.ts'

const OCTOBER = { year: 2026, month: 10 }

/** Adds stations that are watched since before October, but never sent. */
const addStations = (api: TestApi, from: number, to: number) =>
  api.db.execute(sql`
  with added as (
    insert into location (id, short_name, name, road_number, chainage, direction, added_at)
    select n, 'S' || n || ' Test', 'Test', 'S' || n, '1+000', 'Test', '2026-09-01T00:00Z'
    from generate_series(${from}::int, ${to}::int) n)
  update station_watch set watched_since = '2026-09-01T00:00Z'`)

test('the number of pages of the availability is known before it is made', async () => {
  const api = await testApi()
  const user = await api.as('Tickets')
  let added = 0
  let longest = 0
  for (const [stations, contractPercent] of [
    [1, null],
    [15, null],
    [15, 98],
    [16, 98],
    [25, 98],
    [40, null],
    [60, null],
  ] as const) {
    await addStations(api, added + 1, stations)
    added = stations
    await api.db.execute(sql`update station_watch set contract_percent = ${contractPercent}::numeric`)
    const { body: month } = await user.call(endpoints.availability, { query: OCTOBER })
    expect(month.stations).toHaveLength(stations)
    const { body } = await user.call(endpoints.availabilityReport, { query: OCTOBER })
    const { length } = await extractPages((await fetchReport(user, body)).bytes)
    expect([stations, availabilityPages(month)]).toEqual([stations, length])
    longest = length
  }
  expect(longest).toBeGreaterThan(2)
})

test('the number of pages of the monthly report is known before it is made, with that of its annex', async () => {
  const api = await testApi()
  const user = await api.as('Tickets')
  const pagesOf = async () => {
    const { body: availability } = await user.call(endpoints.availability, { query: OCTOBER })
    const month = (await user.call(tickets.list, { query: OCTOBER })).body
    const { body } = await user.call(tickets.report, { query: OCTOBER })
    const texts = await extractPages((await fetchReport(user, body)).bytes)
    return [monthPages(month.content, availability), texts.length]
  }
  const SENTENCE = 'Kamera przednia nie odpowiada. '
  let day = 0
  for (const [count, description] of [
    [1, 'Opis'],
    [4, 'Opis awarii\n'.repeat(12)],
    [3, SENTENCE.repeat(4)],
    [6, ''],
    [5, SENTENCE.repeat(20)],
  ] as const) {
    for (let at = 0; at < count; at++) await addClosedTicket(api.db, ++day, `Awaria ${day}`, description)
    const [predicted, made] = await pagesOf()
    expect([day, predicted]).toEqual([day, made])
  }
  await addStations(api, 1, 30)
  const [predicted, made] = await pagesOf()
  expect(predicted).toBe(made)
  expect(made).toBeGreaterThan(4)
})

test.each([
  ['without a signature', false],
  ['with that of a long name', true],
])('the number of pages is known before reports are made %s', async (_, isSigned) => {
  const name = 'Generalny Zarząd Dróg i Mostów Krajowych, Wydział Ważenia Pojazdów w Ruchu i Zarządzania Stacjami'
  const api = await testApi(isSigned ? { evidence: (await signingSettings({ name })).evidence } : {})
  const user = await api.as('Tickets')
  const bytesOf = async (endpoint: typeof tickets.report | typeof endpoints.availabilityReport) =>
    (await fetchReport(user, (await user.call(endpoint, { query: OCTOBER })).body)).bytes
  const known: number[] = []
  const made: number[] = []
  const compare = (pages: number, texts: readonly string[]) => {
    known.push(pages)
    made.push(texts.length)
  }
  // Around the end of a page: a row is lower than the two lines of the signature.
  const day = (at: number) => 1 + (at % 28)
  for (let at = 0; at < 17; at++) {
    await addClosedTicket(api.db, day(at), `Awaria ${at}`, '')
    if (at < 12) continue
    const { body: availability } = await user.call(endpoints.availability, { query: OCTOBER })
    const { content } = (await user.call(tickets.list, { query: OCTOBER })).body
    const texts = await extractPages(await bytesOf(tickets.report))
    expect(texts.join(' ').includes('Wydział Ważenia')).toBe(isSigned)
    compare(monthPages(content, availability), texts)
  }
  for (let stations = 10; stations <= 16; stations++) {
    await addStations(api, stations === 10 ? 1 : stations, stations)
    const { body: availability } = await user.call(endpoints.availability, { query: OCTOBER })
    compare(availabilityPages(availability), await extractPages(await bytesOf(endpoints.availabilityReport)))
  }
  expect(known).toEqual(made)
  expect(new Set(made)).toEqual(new Set([1, 2]))
})
