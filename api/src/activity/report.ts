import { hasRight } from '@rogatka/contract/access.ts'
import type { Activity, AuditEntry } from '@rogatka/contract/activity.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import { eventTypes } from '@rogatka/contract/options.ts'
import { instant } from '@rogatka/contract/wire.ts'
import { platesIn } from '@rogatka/domain/vehicle/anonymity.ts'
import { z } from 'zod'
import { anonymiseAuditFor } from '../core/anonymity.ts'
import { shownOf } from '../core/look.ts'
import { Refusal } from '../core/refusal.ts'
import type { Session } from '../core/sessions.ts'
import { numberFormat } from '../core/text.ts'
import { createTexts } from '../core/texts.ts'
import { warsawTime } from '../core/warsaw.ts'
import {
  type Column,
  criteriaSheet,
  csv,
  type PageColumn,
  pdfTable,
  type ReportContext,
  type ReportFile,
  reportKind,
  reportTexts,
  stampedName,
  xlsx,
  type ZipEntry,
  zip,
} from '../reports/public-api.ts'
import { userById } from '../users/public-api.ts'
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import lt from './lt.json' with { type: 'json' }
import pl from './pl.json' with { type: 'json' }
import { activityCount, activityRows, auditRows, type HistorySearch } from './queries.ts'
import ro from './ro.json' with { type: 'json' }

const activityTexts = createTexts('activity', { pl, en, lt, de, ro })

const historyQuery = z.object({
  dateTimeStart: instant,
  dateTimeEnd: instant,
  userId: z.int().optional(),
  eventTypes: z.array(z.int()).optional(),
})

/** The activity history as PDF or XLSX. */
export const activityReport = reportKind({
  name: 'activity',
  access: ['UserManagement'],
  query: historyQuery.extend({ reportType: z.enum(['pdf', 'xlsx']) }),
  shows: () => null,
  create: async (context, { reportType, ...search }) => {
    const name = stampedName('activity', context.now, reportType)
    return { name, content: await (reportType === 'pdf' ? renderPdf : renderXlsx)(context, search) }
  },
})

/** @throws 403 for the log of another user without UserManagement */
export function assertUserLogAllowed(session: Session, userId: number): void {
  if (userId !== session.userId && !hasRight(session.permissions, 'UserManagement')) throw new Refusal('forbidden', 403)
}

/** A ZIP with a user's activity history as PDF and CSV, and their audit entries. */
export const userLogReport = reportKind({
  name: 'user-log',
  // One's own needs no right, that of others UserManagement.
  access: [],
  query: historyQuery.required({ userId: true }),
  shows: async ({ db, session }, search) => {
    // The caller may have lost the right since the link was made.
    assertUserLogAllowed(session, search.userId)
    let results = 0
    const plates: string[] = []
    for await (const batch of auditRows(db, search)) {
      results += batch.length
      for (const { before, after } of batch) plates.push(...platesIn(before), ...platesIn(after))
    }
    return { results, shown: shownOf(plates) }
  },
  create: async (context, search): Promise<ReportFile> => {
    const { language, now, db, session } = context
    async function* changes(): AsyncGenerator<AuditEntry[]> {
      for await (const batch of auditRows(db, search)) yield batch.map((entry) => anonymiseAuditFor(session, entry))
    }
    async function* entries(): AsyncGenerator<ZipEntry> {
      yield { name: 'activity.pdf', content: await renderPdf(context, search) }
      yield { name: 'activity.csv', content: csv(columnsOf(language), activityRows(db, search, now), language) }
      yield { name: 'changes.csv', content: csv(auditColumnsOf(language), changes(), language) }
    }
    return { name: stampedName('user_log', now, 'zip'), content: zip(entries(), now) }
  },
})

const eventName = ({ eventType }: Activity, language: Language): string => {
  const names: Record<string, string> = activityTexts(language).eventNames
  return names[eventType] ?? String(eventType)
}

function siteText({ location, vms, variant }: Activity, language: Language): string {
  return [location?.shortName, vms && signName(vms, language), variant].filter(Boolean).join(' · ')
}

/** A deleted sign has only its number. */
const signName = ({ id, roadNumber, chainage }: NonNullable<Activity['vms']>, language: Language): string =>
  roadNumber ? `${roadNumber} ${chainage}` : activityTexts.format(language, 'sign', { id: String(id) })

function columnsOf(language: Language): Column<Activity>[] {
  const { columns } = activityTexts(language)
  return [
    { title: columns.event, width: 30, value: (row) => eventName(row, language) },
    { title: columns.user, width: 20, value: (row) => row.user.username },
    { title: columns.site, width: 22, value: (row) => siteText(row, language) },
    { title: columns.from, width: 19, value: (row) => row.loginAt },
    { title: columns.to, width: 19, value: (row) => row.logoutAt },
    { title: columns.ip, width: 18, value: (row) => row.ip },
  ]
}

function auditColumnsOf(language: Language): Column<AuditEntry>[] {
  const { columns } = activityTexts(language)
  const state = (value: unknown) => (value == null ? null : JSON.stringify(value))
  return [
    { title: columns.at, width: 19, value: ({ at }) => at },
    { title: columns.action, width: 20, value: ({ action }) => action },
    { title: columns.subject, width: 24, value: ({ subject }) => subject },
    { title: columns.before, width: 60, value: ({ before }) => state(before) },
    { title: columns.after, width: 60, value: ({ after }) => state(after) },
    { title: columns.ip, width: 18, value: ({ ip }) => ip },
  ]
}

/** The criteria in the header of the report. */
async function criteriaOf({ db, language }: ReportContext, search: HistorySearch): Promise<[string, string][]> {
  const texts = activityTexts(language)
  const user = search.userId === undefined ? undefined : await userById(db, search.userId)
  const selected = eventTypes.filter((type) => search.eventTypes?.includes(type))
  return [
    [texts.range, `${warsawTime(search.dateTimeStart)} – ${warsawTime(search.dateTimeEnd)}`],
    [texts.user, search.userId === undefined ? texts.all : (user?.username ?? String(search.userId))],
    [texts.events, selected.length > 0 ? selected.map((type) => texts.eventNames[type]).join(', ') : texts.allEvents],
  ]
}

async function renderXlsx(context: ReportContext, search: HistorySearch): Promise<ReportFile['content']> {
  const { db, language, now, printedBy } = context
  const { title, sheet } = activityTexts(language)
  const sharedTexts = reportTexts(language)
  const origin: [string, string][] = [
    [sharedTexts['printed-by'], printedBy],
    [sharedTexts['printed-at'], warsawTime(now)],
  ]
  const lines = [...(await criteriaOf(context, search)), ...origin]
  return xlsx({
    about: criteriaSheet(context, title, lines),
    sheet,
    columns: columnsOf(language),
    rows: activityRows(db, search, now),
  })
}

const FONT_SIZE = 8

async function renderPdf(context: ReportContext, search: HistorySearch): Promise<ReportFile['content']> {
  const { db, language, now, printedBy, number, issuer } = context
  const { title, columns, lasting: ongoing, count } = activityTexts(language)
  const total = await activityCount(db, search)
  const text = (head: string, width: number, of: (row: Activity) => string): PageColumn<Activity> => ({
    title: head,
    width,
    draw: (row, box, { pdf }) => pdf.text(of(row), box.x, box.base, { size: FONT_SIZE }),
  })
  return pdfTable<Activity>({
    title,
    criteria: await criteriaOf(context, search),
    language,
    now,
    printedBy,
    number,
    issuer,
    columns: [
      text(columns.event, 150, (row) => eventName(row, language)),
      text(columns.user, 110, (row) => row.user.username),
      text(columns.site, 120, (row) => siteText(row, language)),
      text(columns.from, 110, ({ loginAt }) => (loginAt ? warsawTime(loginAt) : '–')),
      text(columns.to, 110, ({ logoutAt }) => (logoutAt ? warsawTime(logoutAt) : ongoing)),
      text(columns.ip, 90, ({ ip }) => ip ?? '–'),
    ],
    rows: activityRows(db, search, now),
    summary: () => [[count, numberFormat(language).format(total)]],
  })
}
