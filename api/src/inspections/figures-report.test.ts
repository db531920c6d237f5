import { constants, inflateSync } from 'node:zlib'
import type { WireOf } from '@rogatka/contract/endpoint.ts'
import * as endpoints from '@rogatka/contract/inspections-figures.ts'
import { expect, test } from 'vitest'
import { raw, sql } from '../core/statement.ts'
import { extractPages, fetchReport, parseCsv, readSheets, unzipFiles } from '../reports/testing.ts'
import { stationAt } from '../statistics/testing.ts'
import { type Client, testApi } from '../testing/test-api.ts'
import { codesOf } from './testing.ts'
import { figureScene, randomInspections, storeInspections } from './testing-figures.ts'

const YEAR = { dateTimeStart: '2026-01-01T00:00:00Z', dateTimeEnd: '2027-01-01T00:00:00Z' }
const QUERY = { ...YEAR, selections: 'preselected,random,complaint,reference' }

type ReportQuery = Omit<WireOf<typeof endpoints.figuresReport, 'query'>, 'dateTimeStart' | 'dateTimeEnd'>

async function ordered(user: Client, query: ReportQuery, language = 'pl') {
  const headers = { 'accept-language': language }
  const { status, body } = await user.call(endpoints.figuresReport, { query: { ...QUERY, ...query }, headers })
  expect(status).toBe(200)
  return fetchReport(user, body)
}

/** Two stations with inspections of two officers. */
async function scene() {
  const api = await testApi()
  await figureScene(api)
  await api.station(stationAt(9, 2))
  const officers = [await api.as('Inspections'), await api.as('Inspections')]
  const ids = officers.map(({ userId }) => userId)
  await storeInspections(api, randomInspections(400, ids, [7, 9]))
  return { api, officers }
}

/** How often an operator occurs in the contents of the pages. */
const countInContents = (pdf: Buffer, operator: string) =>
  pdf
    .toString('latin1')
    .split('endstream')
    .map((part) => Buffer.from(part.slice(part.search(/stream\r?\n/)).replace(/^stream\r?\n/, ''), 'latin1'))
    .map((content) => {
      try {
        return inflateSync(content, { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1')
      } catch {
        return content.toString('latin1')
      }
    })
    .reduce((count, content) => count + content.split(operator).length - 1, 0)

const tenths = (value: number) => value.toFixed(1).replace('.', ',').replace('-', '−')

test('CSV and XLSX have every pair, with the number of its inspection for those who may see it', async () => {
  const { api } = await scene()
  const user = await api.as('Stat', 'InspectionReview')
  const { body } = await user.call(endpoints.pairs, { query: { ...QUERY, limit: 1_000 } })
  expect(body.next).toBeNull()
  const warsaw = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Warsaw', dateStyle: 'short', timeStyle: 'medium' })
  const CRITERIA = {
    gross: 'Masa całkowita',
    group: 'Grupa osi',
    singleAxle: 'Oś pojedyncza',
    axleOfGroup: 'Oś w grupie',
  }
  const expected = body.content.flatMap(({ at, location, laneNumber, inspection, pairs }) =>
    pairs.map(({ criterion, wim, static: scale }) => [
      warsaw.format(new Date(at)),
      location.shortName,
      String(laneNumber),
      inspection?.number,
      CRITERIA[criterion],
      ...[wim, scale, wim - scale].map(String),
    ]),
  )
  expect(expected.length).toBeGreaterThan(500)

  const table = await ordered(user, { reportType: 'csv' })
  expect(table.headers['content-disposition']).toMatch(/filename="effectiveness_[\d_]+\.csv"/)
  const [head, ...rows] = parseCsv(table.bytes)
  expect(head).toEqual([
    'Czas pomiaru',
    'Stacja',
    'Pas',
    'Sposób wyboru',
    'Numer',
    'Kryterium',
    'WIM [kg]',
    'Statycznie [kg]',
    'Różnica [kg]',
    'Różnica [%]',
  ])
  expect(rows.map((row) => row.filter((_, at) => at !== 3 && at !== 9))).toEqual(expected)
  for (const [wim, scale, percent] of rows.map((row) => [Number(row[6]), Number(row[7]), row[9]] as const))
    expect(Number(percent?.replace(',', '.'))).toBeCloseTo((wim / scale - 1) * 100, 1)
  expect(new Set(rows.map((row) => row[3]))).toEqual(
    new Set(['preselekcja', 'losowo', 'zgłoszenie', 'ważenie referencyjne']),
  )

  const book = await ordered(user, { reportType: 'xlsx' })
  const sheets = await readSheets(book.bytes)
  const [sheet, about] = [sheets[0], sheets.at(-1)]
  expect(sheet?.name).toBe('Pary')
  expect(sheet?.rows[2]).toEqual(head)
  expect(sheet?.rows.slice(3).map((row) => row.slice(4, 9))).toEqual(
    rows.map((row) => [row[4], row[5], ...row.slice(6, 9).map(Number)]),
  )
  expect(about?.rows.flat()).toEqual(
    expect.arrayContaining(['Stacje', 'wszystkie', 'Uwaga', 'pary z preselekcji zawyżają średnią']),
  )

  // One station, one lane, and the selections without bias.
  const narrow = { locations: '9', lanes: '902', selections: 'random,reference' }
  const part = parseCsv((await ordered(user, { ...narrow, reportType: 'csv' })).bytes).slice(1)
  expect(part.length).toBeGreaterThan(20)
  expect(part.every((row) => row[1] === 'S9' && row[2] === '2' && /losowo|referencyjne/.test(row[3] ?? ''))).toBe(true)
  const narrowed = await readSheets((await ordered(user, { ...narrow, reportType: 'xlsx' })).bytes)
  const criteria = narrowed.at(-1)?.rows.flat()
  expect(criteria).toEqual(expect.arrayContaining(['S9', 'S9 2', 'losowo, ważenie referencyjne']))
  expect(criteria).not.toContain('Uwaga')

  const masked = await api.as('Stat', 'Inspections', 'InspectionReview', 'Anonymization')
  for (const other of [await api.as('Stat'), masked]) {
    const { bytes } = await ordered(other, { reportType: 'csv' })
    expect(bytes.toString()).not.toContain('K/')
    expect(parseCsv(bytes)).toEqual([head ?? [], ...rows].map((row) => row.toSpliced(4, 1)))
  }
})

test('an XLSX has hit rates by group with native charts of their cells, by officer only for supervisors', async () => {
  const { api, officers } = await scene()
  const user = await api.as('Stat', 'InspectionReview')
  const { bytes } = await ordered(user, { reportType: 'xlsx' })
  const sheets = await readSheets(bytes)
  expect(sheets.map(({ name }) => name)).toEqual(['Pary', 'Stacja, pas', 'Zmiana', 'Miesiąc', 'Inspektor', 'Kryteria'])
  const months = sheets[3]?.rows ?? []
  expect(months[0]?.[0]).toBe('Skuteczność preselekcji: Miesiąc')
  expect(months[1]?.[0]).toBe('Trafność = trafione / zważone; 01.01.2026 01:00:00 – 01.01.2027 01:00:00')
  const shown = ['Miesiąc', 'Zważone', 'Trafione', '[%]', 'Przedział 95 % od', 'Przedział 95 % do', 'Cel [%]']
  expect(months[2]).toEqual(shown)
  const { body } = await user.call(endpoints.figures, { query: { ...YEAR, groupBy: 'month' } })
  expect(body.groups.length).toBeGreaterThan(2)
  expect(months.slice(3)).toEqual(
    body.groups.map(({ month, hitRate: { part, of, percent, low, high } }) => [
      `${month?.slice(5)}.${month?.slice(0, 4)}`,
      ...[of, part, percent, low, high, 95],
    ]),
  )
  expect(sheets[4]?.rows.slice(3).map(([name]) => name)).toEqual(officers.map(({ username }) => username).toSorted())
  expect(sheets[4]?.rows[2]).not.toContain('Cel [%]')

  const files = unzipFiles(bytes)
  const rangesOf = (name: string) =>
    Array.from((files[name]?.toString() ?? '').matchAll(/<c:f>([^<]+)<\/c:f>/g), ([, range]) => range)
  const last = 3 + body.groups.length
  expect(rangesOf('xl/charts/chart4.xml')).toEqual(
    ['D', 'E', 'F', 'G'].flatMap((column) => [
      `'Miesiąc'!$${column}$3`,
      `'Miesiąc'!$A$4:$A$${last}`,
      `'Miesiąc'!$${column}$4:$${column}$${last}`,
    ]),
  )
  expect(files['xl/charts/chart4.xml']?.toString()).toContain('<c:lineChart>')
  // Without an order in time: bars of the rate only.
  expect(rangesOf('xl/charts/chart2.xml')[2]).toBe(`'Stacja, pas'!$D$4:$D$${sheets[1]?.rows.length}`)
  expect(files['xl/charts/chart2.xml']?.toString()).toContain('<c:barChart>')
  expect(files['xl/charts/chart1.xml']).toBeUndefined()

  const masked = await api.as('Stat', 'InspectionReview', 'Anonymization')
  for (const other of [await api.as('Stat'), masked]) {
    const seen = await readSheets((await ordered(other, { reportType: 'xlsx' })).bytes)
    expect(seen.map(({ name }) => name)).not.toContain('Inspektor')
  }
})

test('the PDF equals the figures of the page, by officer only for supervisors', async () => {
  const { api, officers } = await scene()
  const user = await api.as('Stat', 'InspectionReview')
  const { bytes } = await ordered(user, {})
  const text = (await extractPages(bytes)).join('\n').replace(/\s+/g, ' ')
  expect(text).toContain('Skuteczność preselekcji')
  expect(text).toContain('powtarzalność R2')
  for (const groupBy of endpoints.figureGroupings) {
    const { body } = await user.call(endpoints.figures, { query: { ...YEAR, groupBy } })
    const named = body.groups.filter(({ laneNumber, officer }) =>
      groupBy === 'lane' ? laneNumber !== null : groupBy === 'officer' ? officer !== null : true,
    )
    for (const { hitRate } of [body.total, ...named]) {
      const { part, of, percent, low, high } = hitRate
      const figures =
        percent === null || low === null || high === null
          ? `${of} ${part} ${of === 0 ? '–' : `${part} z ${of}`} –`
          : `${tenths(percent)} ${tenths(low)}–${tenths(high)}`
      expect(text, groupBy).toContain(figures)
    }
  }
  for (const { username } of officers) expect(text).toContain(username)
  const { body } = await user.call(endpoints.accuracy, { query: QUERY })
  for (const { location, lane, criteria } of body.lanes) {
    const { n, confidence, required } = criteria.gross
    expect(text).toContain(`${location.shortName}, pas ${lane.laneNumber}`)
    if (confidence !== null && required !== null)
      expect(text).toContain(`${n} ${tenths(confidence)} ${tenths(required)}`)
  }
  // The first lane with pairs, its chart and its differences.
  const [first] = body.lanes
  const ofLane = await user.call(endpoints.pairs, { query: { ...QUERY, lanes: String(first?.lane.id) } })
  const { n, mean, s } = ofLane.body.differences.gross
  const signed = `${(mean ?? 0) > 0 ? '+' : ''}${tenths(mean ?? 0)}`
  expect(text).toContain(`Masa całkowita ${n} ${signed} ${tenths(s ?? 0)}`)
  expect(text).toContain('inna liczba osi')
  expect(bytes.toString('latin1').match(/\/Subtype \/Image/g)).toHaveLength(1)

  // Only hit rates have a target.
  const hitRates: unknown[] = []
  for (const groupBy of endpoints.figureGroupings) {
    const { total, groups } = (await user.call(endpoints.figures, { query: { ...YEAR, groupBy } })).body
    const shown = groups.filter((it) => (groupBy === 'lane' ? it.laneNumber : groupBy !== 'officer' || it.officer))
    hitRates.push(...(groupBy === 'location' ? [total] : []), ...shown)
  }
  const withPercent = (hitRates as { hitRate: { percent: number | null } }[]).filter(({ hitRate }) => hitRate.percent)
  expect(countInContents(bytes, ' 0.7 w ')).toBe(withPercent.length)

  expect(text).not.toContain('najnowszych par')
  const copy = (table: string, key: string, columns: string) =>
    api.db.execute(sql`
      insert into ${raw(table)} overriding system value
      select (jsonb_populate_record(one, jsonb_build_object(${raw(columns)}))).* from ${raw(table)} one, generate_series(1, 1001) n
      where ${raw(key)} = (select max(inspection_id) from inspection_figure where has_pairs)`)
  await copy('inspection', 'id', `'id', 100000 + n, 'sequence', 100000 + n, 'idempotency_key', 'copy-' || n`)
  await copy('inspection_figure', 'inspection_id', `'inspection_id', 100000 + n`)
  const all = (await extractPages((await ordered(user, { lane: '0' as never }, 'en')).bytes)).join(' ')
  expect(all).toMatch(/The chart shows the newest \d{3} pairs\./)
  expect(all).toContain('all lanes')
  expect(all).toContain('Accuracy class of the lanes')

  const masked = await api.as('Stat', 'Inspections', 'InspectionReview', 'Anonymization')
  for (const other of [await api.as('Stat'), masked]) {
    const seen = (await extractPages((await ordered(other, {})).bytes)).join(' ')
    for (const { username } of officers) expect(seen).not.toContain(username)
  }
})

test('a report without inspections says so, and wrong parameters are refused with the link', async () => {
  const api = await testApi()
  await figureScene(api)
  const user = await api.as('Stat')
  const text = (await extractPages((await ordered(user, {})).bytes)).join(' ')
  expect(text).toContain('wszystkie pasy')
  expect(text).toContain('za mało')
  expect(parseCsv((await ordered(user, { reportType: 'csv' })).bytes)).toHaveLength(1)
  expect(Object.keys(unzipFiles((await ordered(user, { reportType: 'xlsx' })).bytes))).toContain('xl/workbook.xml')
  const reversed = { dateTimeStart: QUERY.dateTimeEnd, dateTimeEnd: QUERY.dateTimeStart }
  const refused = await user.call(endpoints.figuresReport, { query: reversed })
  expect([refused.status, ...codesOf(refused)]).toEqual([400, 'dateTimeStart start-after-end'])
  expect((await (await api.as('Inspections')).call(endpoints.figuresReport, { query: QUERY })).status).toBe(403)
})
