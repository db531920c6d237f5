import { type ArchiveFilters, archiveFilters } from '@rogatka/contract/archive.ts'
import { MAX_SHOWN_PLATES } from '@rogatka/contract/looks.ts'
import { hasPlates, listTypes } from '@rogatka/contract/reports.ts'
import { type Vehicle, violations } from '@rogatka/contract/vehicle.ts'
import { instant } from '@rogatka/contract/wire.ts'
import { ROW_HEIGHT } from '@rogatka/domain/archive/document.ts'
import { MIN_LIKENESS } from '@rogatka/domain/archive/history.ts'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { anonymiseFor, isAnonymised } from '../core/anonymity.ts'
import type { Files } from '../core/files.ts'
import { questionOf, shownOf } from '../core/look.ts'
import type { PassageKey } from '../core/passage.ts'
import { numberFormat } from '../core/text.ts'
import { warsawTime } from '../core/warsaw.ts'
import { locations } from '../locations/public-api.ts'
import {
  criteriaSheet,
  csv,
  csvLines,
  dataCsv,
  pdfTable,
  type ReportContext,
  type ReportFile,
  type RowBatches,
  reportKind,
  reportTexts,
  stampedName,
  xlsx,
  type ZipEntry,
  zip,
} from '../reports/public-api.ts'
import { listTags, vehicleByKey } from '../vehicle/public-api.ts'
import { IN_ORDER_OF_TIME } from './filter.ts'
import type { ListVehicle } from './list-vehicle.ts'
import { criteriaOf } from './report-criteria.ts'
import { createLineFormat } from './report-lines.ts'
import { axleColumns, FROZEN_LOAD_COLUMNS, loadColumns, toAxleRows } from './report-loads.ts'
import { legendOf, pageColumns } from './report-page.ts'
import { renderParquet } from './report-parquet.ts'
import { type ReportRow, toRows, withImages } from './report-rows.ts'
import { FROZEN_COLUMNS, sheetColumns } from './report-sheet.ts'
import { wRecords } from './report-w-records.ts'
import { assertSearchAllowed, countOf, listedRecords, listedRows, type RecordBatch, searchRows } from './search.ts'
import { archiveTexts } from './texts.ts'

/** File name prefix of the archive reports; the time follows. */
export const LIST_NAME = 'archive_list'
const LIST_KIND = 'archive-list'
const listName = (now: Date, ending: string) => stampedName(LIST_NAME, now, ending)

/** Either a search or one vehicle. */
const listRequest = z.object({
  reportType: z.enum(listTypes),
  withTags: z.boolean(),
  /** The likely readings of a plate can be more than a caller may search for. */
  search: archiveFilters.extend({ plates: z.array(z.string()).optional() }).optional(),
  /** The search is the history of this plate. */
  plateLpr: z.string().optional(),
  vehicle: z.object({ id: z.int(), locationId: z.int(), createdAt: instant }).optional(),
})
type ListRequest = z.output<typeof listRequest>

/** The list of a search's vehicles as CSV, XLSX or PDF. */
export const archiveList = (files: Files, { overloadBasis }: Pick<Config, 'overloadBasis'>) =>
  reportKind({
    name: LIST_KIND,
    access: ['ArchiveMeasurements'],
    query: listRequest,
    shows: async ({ db, session, signal }, { reportType, search, plateLpr, vehicle }) => {
      const isShown = hasPlates(reportType)
      if (!search) {
        if (!isShown) return null
        const found = vehicle && (await vehicleByKey(db, vehicle))
        return found ? { results: 1, shown: shownOf([found.plateLpr]), vehicle } : null
      }
      assertSearchAllowed(session, search)
      const { criteria = {}, asked = [] } = questionOf({ params: {}, query: search })
      const question = {
        criteria: { report: LIST_KIND, reportType, ...criteria },
        asked: plateLpr === undefined ? asked : [plateLpr],
      }
      // The vehicles of a plate are those of a plate also without it.
      if (!isShown && question.asked.length === 0) return null
      const results = await countOf(db, search, session, signal)
      if (!isShown) return { ...question, results, shown: { count: 0, plates: [] } }
      if (results > MAX_SHOWN_PLATES) return { ...question, results, shown: { count: results, plates: null } }
      const plates: (string | null)[] = []
      for await (const batch of listedRows(db, search, session)) for (const row of batch) plates.push(row.plateLpr)
      return { ...question, results, shown: shownOf(plates) }
    },
    create: async (context, request) => {
      // Before the criteria, which name the plate: the caller may have lost the right since the link was made.
      if (request.search) assertSearchAllowed(context.session, request.search)
      const [format, kind] = parseReportType(request.reportType)
      if (format === 'w') return renderWRecords(context, request, kind)
      // The endpoint refuses one vehicle.
      if (format === 'parquet') return renderParquet(context, request.search as ArchiveFilters)
      const hasImages = kind === 'with-image'
      if (format !== 'pdf' && (kind === 'loads' || kind === 'axles'))
        return renderLoads({ ...context, overloadBasis }, request, format, kind)
      if (format === 'csv' && !hasImages && request.search) return renderLines(context, request, request.search)
      const rows = rowsOf(context, request, files, format, hasImages)
      return { csv: renderCsv, xlsx: renderXlsx, pdf: renderPdf }[format]({ ...context, overloadBasis }, request, {
        rows,
        hasImages,
      })
    },
  })

export type ArchiveList = ReturnType<typeof archiveList>

/** With the basis of overload percents. */
type ListContext = ReportContext & Pick<Config, 'overloadBasis'>

const EMPTY = Buffer.alloc(0)

type Source = { rows: RowBatches<ReportRow>; hasImages: boolean }

type Format = 'csv' | 'xlsx' | 'pdf' | 'w' | 'parquet'
const parseReportType = (type: ListRequest['reportType']) => {
  const [format = '', ...kind] = type.split('-')
  return [format as Format, kind.join('-')] as const
}

/** Only images need complete vehicles; other lists read fewer columns. */
function rowsOf(
  { db, session }: ReportContext,
  request: ListRequest,
  files: Files,
  format: Format,
  hasImages: boolean,
) {
  const { search, vehicle, withTags } = request
  const flags = { withTags, withAxles: format !== 'pdf' }
  const one = oneVehicle(db, vehicle, session)
  if (!hasImages) return toRows(search ? listedRows(db, { ...search, ...flags }, session) : one)
  const found = search ? searchRows(db, { ...search, ...flags, withDataImages: true }, session) : one
  return withImages(found, files, { scaled: format !== 'csv', blurred: isAnonymised(session) })
}

async function* oneVehicle(db: ReportContext['db'], key: PassageKey | undefined, session: ReportContext['session']) {
  const vehicle = key && (await vehicleByKey(db, key))
  if (vehicle) yield [{ ...anonymiseFor(session, vehicle), tags: [...(await listTags(db, session.userId, key))] }]
}

/** The criteria name the plate instead of each likely reading. */
const asHistory = (search: ArchiveFilters, plateLpr: string): ArchiveFilters => ({
  ...search,
  plates: undefined,
  plateLpr,
  similarity: MIN_LIKENESS,
})

/** Title, criteria, author and time of the report. */
async function createHead(context: ListContext, { search, plateLpr, vehicle }: ListRequest) {
  const { db, language, printedBy, number, issuer, now, overloadBasis } = context
  const texts = archiveTexts(language)
  const sharedTexts = reportTexts(language)
  const names = new Map((await locations(db)).map(({ id, shortName }) => [id, shortName]))
  const basis = texts['overload-basis'][overloadBasis]
  const criteria: [string, string][] = [
    ...(search
      ? criteriaOf(plateLpr === undefined ? search : asHistory(search, plateLpr), names, language)
      : [[texts.criteria.vehicle, String(vehicle?.id)] as [string, string]]),
    [texts.criteria.overload, basis],
  ]
  const origin: [string, string][] = [
    [sharedTexts.issuer, issuer],
    [sharedTexts['report-number'], number],
    [sharedTexts['printed-by'], printedBy],
    [sharedTexts['printed-at'], warsawTime(now)],
  ]
  return { title: texts.title, sheet: texts.sheet, criteria, origin, basis }
}

async function renderCsv(context: ListContext, request: ListRequest, { rows, hasImages }: Source): Promise<ReportFile> {
  const { language, now } = context
  const { columns } = sheetColumns(language, { withTags: request.withTags, withImages: hasImages })
  const name = listName(now, 'csv')
  if (!hasImages) return { name, content: csv(columns, rows, language) }

  // Images are streamed; the rows, small in comparison, are kept and written last.
  async function* entries(): AsyncGenerator<ZipEntry> {
    const listed: ReportRow[] = []
    for await (const batch of rows) {
      for (const { vehicle, image } of batch) {
        if (!image) listed.push({ vehicle })
        else {
          listed.push({ vehicle, image: { ...image, bytes: EMPTY } })
          yield { name: `images/${image.name}`, content: [image.bytes], isCompressed: true }
        }
      }
    }
    yield {
      name,
      content: csv(
        columns,
        (async function* () {
          yield listed
        })(),
        language,
      ),
    }
  }
  return { name: listName(now, 'zip'), content: zip(entries(), now) }
}

/** The same CSV of a search without images, several times faster: formats vehicles as they come from the database. */
function renderLines(
  { db, session, language, now }: ReportContext,
  { withTags }: ListRequest,
  search: ArchiveFilters,
): ReportFile {
  const format = createLineFormat(language, { withTags, anonymised: isAnonymised(session) })
  function* linesOf(batch: RecordBatch) {
    for (const record of batch.records) {
      const line = format(record, batch)
      if (line !== null) yield line
    }
  }
  async function* lines() {
    for await (const batch of listedRecords(db, { ...search, withTags }, session)) yield linesOf(batch)
  }
  const titles = sheetColumns(language, { withTags, withImages: false }).columns.map(({ title }) => title)
  return { name: listName(now, 'csv'), content: csvLines(titles, lines()) }
}

/** W records of the vehicles that fit, in the order of time: within an hour only their order differs. */
function renderWRecords(
  { db, session, now }: ReportContext,
  { search, vehicle }: ListRequest,
  kind: string,
): ReportFile {
  const layout = kind === '2013' ? '2013' : '2001'
  const units = kind === '2001-us' ? 'us' : 'metric'
  const ofSearch = search && { ...search, ...IN_ORDER_OF_TIME, withAxles: true }
  const vehicles = ofSearch
    ? listedRows(db, ofSearch, session)
    : (oneVehicle(db, vehicle, session) as RowBatches<ListVehicle>)
  return { name: stampedName('archive_w', now, 'txt'), content: wRecords(vehicles, layout, units) }
}

async function renderXlsx(
  context: ListContext,
  request: ListRequest,
  { rows, hasImages }: Source,
): Promise<ReportFile> {
  const { language, now } = context
  const texts = archiveTexts(language)
  const { title, sheet, criteria, origin } = await createHead(context, request)
  const about = criteriaSheet(context, title, [...criteria, ...origin])
  const { columns, printed } = sheetColumns(language, { withTags: request.withTags, withImages: hasImages })
  const images = {
    title: texts.columns.image,
    of: ({ image }: ReportRow) => (image?.scaled ? { ...image.scaled, name: image.name } : null),
  }
  const book = {
    about,
    sheet,
    columns,
    frozen: FROZEN_COLUMNS,
    printedColumns: printed,
    rows,
    ...(hasImages && { images }),
  }
  return { name: listName(now, 'xlsx'), content: xlsx<ReportRow>(book) }
}

async function renderPdf(context: ListContext, request: ListRequest, { rows, hasImages }: Source): Promise<ReportFile> {
  const { language } = context
  const { title, criteria, basis } = await createHead(context, request)
  const totals = createTotals()
  const content = pdfTable<ReportRow>({
    ...context,
    title,
    criteria,
    note: basis,
    columns: pageColumns(language, { withTags: request.withTags, withImages: hasImages }),
    rowHeight: hasImages ? ROW_HEIGHT.withImages : ROW_HEIGHT.plain,
    rows,
    prepare: async (rows, { plates }) => {
      for (const { vehicle } of rows) totals.add(vehicle)
      await plates.prepare(rows.map(({ vehicle }) => ({ plate: vehicle.plateLpr, nationality: vehicle.nationality })))
    },
    summary: () => totals.summary(language),
    legend: legendOf(language),
  })
  return { name: listName(context.now, 'pdf'), content }
}

/** Vehicles with axles, wheels and groups, for calculation: a row for each vehicle or each axle. */
async function renderLoads(
  context: ListContext,
  request: ListRequest,
  format: 'csv' | 'xlsx',
  kind: 'loads' | 'axles',
): Promise<ReportFile> {
  const { db, session, language, now } = context
  const { search, vehicle } = request
  const vehicles = search
    ? searchRows(db, { ...search, withAxles: true }, session)
    : (oneVehicle(db, vehicle, session) as RowBatches<Vehicle>)
  const name = stampedName(kind === 'axles' ? 'archive_axles' : 'archive_loads', now, format)
  if (format === 'csv') {
    if (kind === 'axles') return { name, content: dataCsv(axleColumns(language), toAxleRows(vehicles)) }
    return { name, content: dataCsv(loadColumns(language).columns, toVehicleRows(vehicles)) }
  }
  const { title, criteria, origin } = await createHead(context, request)
  const { loads } = archiveTexts(language)
  const about = criteriaSheet(context, title, [...criteria, [loads.note, loads['note-text']], ...origin])
  const book = { about, frozen: FROZEN_LOAD_COLUMNS }
  if (kind === 'axles')
    return {
      name,
      content: xlsx({ ...book, sheet: loads.axlesSheet, columns: axleColumns(language), rows: toAxleRows(vehicles) }),
    }
  const { columns, printed } = loadColumns(language)
  const sheet = archiveTexts(language).sheet
  return {
    name,
    content: xlsx({ ...book, sheet, columns, printedColumns: printed, rows: toVehicleRows(vehicles) }),
  }
}

async function* toVehicleRows(batches: RowBatches<Vehicle>) {
  for await (const batch of batches) yield batch.map((vehicle) => ({ vehicle }))
}

/** Totals, counted while rows are streamed. */
function createTotals() {
  const count = { vehicles: 0, heaviest: 0, fastest: 0 }
  const violationCounts = new Map(violations.map((violation) => [violation, 0]))
  return {
    add(vehicle: ListVehicle): void {
      count.vehicles++
      count.heaviest = Math.max(count.heaviest, vehicle.totalLoad ?? 0)
      count.fastest = Math.max(count.fastest, vehicle.speed ?? 0)
      for (const violation of violations)
        if (vehicle[violation]) violationCounts.set(violation, (violationCounts.get(violation) ?? 0) + 1)
    },
    summary(language: ReportContext['language']): [string, string][] {
      const texts = archiveTexts(language)
      const number = (value: number, decimals = 0) => numberFormat(language, decimals).format(value)
      return [
        [texts.vehicles, number(count.vehicles)],
        ...[...violationCounts].map(([violation, times]): [string, string] => [
          reportTexts(language).violations[violation],
          number(times),
        ]),
        ...(count.heaviest > 0 ? [[texts.heaviest, `${number(count.heaviest / 1000, 2)} t`] as [string, string]] : []),
        ...(count.fastest > 0 ? [[texts.fastest, `${number(count.fastest)} km/h`] as [string, string]] : []),
      ]
    },
  }
}
