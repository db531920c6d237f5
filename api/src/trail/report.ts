import {
  MAX_PLATES_WITHOUT_PURPOSE,
  type TrailEntry,
  trailEntry,
  trailFileTypes,
  trailFilters,
} from '@rogatka/contract/trail.ts'
import { z } from 'zod'
import { assertNotAnonymised } from '../core/anonymity.ts'
import { warsawTime } from '../core/warsaw.ts'
import {
  type Column,
  criteriaSheet,
  csv,
  type ReportContext,
  type ReportFile,
  reportKind,
  reportTexts,
  stampedName,
  xlsx,
} from '../reports/public-api.ts'
import { type TrailEvidence, trailEvidence } from './evidence.ts'
import { trailCount, trailRows } from './queries.ts'
import { trailTexts } from './texts.ts'
import { lookAtLines, type TrailReader, toEntry, toTrailSearch } from './view.ts'

/** Lines of a report at most. */
export const MAX_TRAIL_ROWS = 250_000

/** Each line may name the plates that it asked for. */
export const namesManyPlates = (lines: number): boolean => lines > MAX_PLATES_WITHOUT_PURPOSE

const reportQuery = trailFilters.extend({ reportType: z.enum(trailFileTypes) })

export type TrailReport = ReturnType<typeof trailReport>

/** The access trail as a table, as JSON line by line for programs, or as evidence. */
export const trailReport = (reader: TrailReader, evidence: TrailEvidence) =>
  reportKind({
    name: 'access-trail',
    access: ['PlateAccess'],
    query: reportQuery,
    shows: async (context, { reportType: _, ...filters }) => {
      const { db, session } = context
      assertNotAnonymised(session)
      const { search, asked } = await toTrailSearch(reader, context, filters)
      return lookAtLines([], await trailCount(db, search), asked)
    },
    needsPurpose: (_, look) => namesManyPlates(look?.results ?? 0),
    create: async (context, { reportType, ...filters }): Promise<ReportFile> => {
      const { db, now, language } = context
      const key = await reader.trail.key()
      const { search, asked } = await toTrailSearch(reader, context, filters)
      async function* entries(): AsyncGenerator<TrailEntry[]> {
        for await (const batch of trailRows(db, search)) yield batch.map((row) => toEntry(key, row))
      }
      if (reportType === 'zip') {
        const found: TrailEntry[] = []
        for await (const batch of entries()) found.push(...batch)
        const content = trailEvidence(context, { ...filters, plates: asked }, found, evidence)
        return { name: stampedName('access_trail_evidence', now, reportType), content }
      }
      const name = stampedName('access_trail', now, reportType)
      if (reportType === 'jsonl') return { name, content: jsonLines(entries()) }
      const columns = columnsOf(language)
      if (reportType === 'csv') return { name, content: csv(columns, entries(), language) }
      return { name, content: renderXlsx(context, filters, columns, entries()) }
    },
  })

async function* jsonLines(batches: AsyncIterable<readonly TrailEntry[]>): AsyncGenerator<Buffer> {
  for await (const batch of batches)
    yield Buffer.from(batch.map((entry) => `${JSON.stringify(trailEntry.encode(entry))}\n`).join(''))
}

function columnsOf(language: ReportContext['language']): Column<TrailEntry>[] {
  const { columns, kinds, purposes } = trailTexts(language)
  return [
    { title: columns.at, width: 19, value: ({ at }) => at },
    { title: columns.endedAt, width: 19, value: ({ visit }) => visit?.endedAt ?? null },
    {
      title: columns.who,
      width: 20,
      value: ({ user, system, device, webhook }) => (user ?? system ?? device ?? webhook)?.name ?? null,
    },
    { title: columns.role, width: 20, value: ({ role }) => role },
    { title: columns.ip, width: 18, value: ({ ip }) => ip },
    { title: columns.kind, width: 24, value: ({ kind }) => kinds[kind] },
    { title: columns.call, width: 34, value: ({ call }) => call },
    { title: columns.purpose, width: 24, value: ({ purpose }) => purpose && purposes[purpose] },
    { title: columns.reference, width: 20, value: ({ reference }) => reference },
    { title: columns.note, width: 30, value: ({ note }) => note },
    { title: columns.plates, width: 20, value: ({ plates }) => plates?.join(', ') ?? null },
    { title: columns.criteria, width: 60, value: ({ criteria }) => JSON.stringify(criteria) },
    { title: columns.results, width: 12, value: ({ results }) => results },
    { title: columns.shown, width: 12, value: ({ shown }) => shown },
  ]
}

function renderXlsx(
  context: ReportContext,
  { dateTimeStart, dateTimeEnd }: { dateTimeStart: Date; dateTimeEnd: Date },
  columns: Column<TrailEntry>[],
  rows: AsyncIterable<TrailEntry[]>,
): ReportFile['content'] {
  const { language, now, printedBy } = context
  const texts = trailTexts(language)
  const sharedTexts = reportTexts(language)
  const lines: [string, string][] = [
    [texts.range, `${warsawTime(dateTimeStart)} – ${warsawTime(dateTimeEnd)}`],
    [sharedTexts['printed-by'], printedBy],
    [sharedTexts['printed-at'], warsawTime(now)],
  ]
  return xlsx({ about: criteriaSheet(context, texts.title, lines), sheet: texts.sheet, columns, rows })
}
