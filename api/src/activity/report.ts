import type { Activity, AuditEntry } from '@rogatka/contract/activity.ts'
import { eventTypes } from '@rogatka/contract/activity.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import { instant } from '@rogatka/contract/wire.ts'
import { z } from 'zod'
import { anonymiseAuditFor } from '../core/anonymity.ts'
import { numberFormat } from '../core/text.ts'
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

const wording: Record<Language, typeof pl> = { pl, en, lt, de, ro }

const historyOrder = z.object({
  dateTimeStart: instant,
  dateTimeEnd: instant,
  userId: z.int().optional(),
  eventTypes: z.array(z.int()).optional(),
})

/** The activity history of a range, as a document or a table. */
export const activityReport = reportKind({
  name: 'activity',
  access: ['UserManagement'],
  query: historyOrder.extend({ reportType: z.enum(['pdf', 'xlsx']) }),
  create: async (given, { reportType, ...search }) => {
    const name = stampedName('activity', given.now, reportType)
    return { name, content: await (reportType === 'pdf' ? asPdf : asXlsx)(given, search) }
  },
})

/** What one user did, in a folder: the history as a document and a table, and the changes that they made. */
export const userLogReport = reportKind({
  name: 'user-log',
  // Whose log may be ordered was decided when the link was made.
  access: [],
  query: historyOrder.required({ userId: true }),
  create: async (given, search): Promise<ReportFile> => {
    const { language, now, db, session } = given
    async function* changes(): AsyncGenerator<AuditEntry[]> {
      for await (const batch of auditRows(db, search)) yield batch.map((entry) => anonymiseAuditFor(session, entry))
    }
    async function* entries(): AsyncGenerator<ZipEntry> {
      yield { name: 'activity.pdf', content: await asPdf(given, search) }
      yield { name: 'activity.csv', content: csv(columnsOf(language), activityRows(db, search), language) }
      yield { name: 'changes.csv', content: csv(auditColumnsOf(language), changes(), language) }
    }
    return { name: stampedName('user_log', now, 'zip'), content: zip(entries(), now) }
  },
})

const eventName = ({ eventType }: Activity, language: Language): string => {
  const names: Record<string, string> = wording[language].eventNames
  return names[eventType] ?? String(eventType)
}

function placeOf({ location, vms, variant }: Activity, language: Language): string {
  return [location?.shortName, vms && nameOfSign(vms, language), variant].filter(Boolean).join(' · ')
}

/** A sign that is gone has but its number. */
const nameOfSign = ({ id, roadNumber, chainage }: NonNullable<Activity['vms']>, language: Language): string =>
  roadNumber ? `${roadNumber} ${chainage}` : wording[language].sign.replace('{{id}}', String(id))

function columnsOf(language: Language): Column<Activity>[] {
  const { columns } = wording[language]
  return [
    { title: columns.event, width: 30, value: (row) => eventName(row, language) },
    { title: columns.user, width: 20, value: (row) => row.user.username },
    { title: columns.place, width: 22, value: (row) => placeOf(row, language) },
    { title: columns.from, width: 19, value: (row) => row.loginAt },
    { title: columns.to, width: 19, value: (row) => row.logoutAt },
    { title: columns.ip, width: 18, value: (row) => row.ip },
  ]
}

function auditColumnsOf(language: Language): Column<AuditEntry>[] {
  const { columns } = wording[language]
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

/** What the report is of, for its head. */
async function criteriaOf({ db, language }: ReportContext, search: HistorySearch): Promise<[string, string][]> {
  const words = wording[language]
  const user = search.userId === undefined ? undefined : await userById(db, search.userId)
  const chosen = eventTypes.filter((type) => search.eventTypes?.includes(type))
  return [
    [words.range, `${warsawTime(search.dateTimeStart)} – ${warsawTime(search.dateTimeEnd)}`],
    [words.user, search.userId === undefined ? words.all : (user?.username ?? String(search.userId))],
    [words.events, chosen.length > 0 ? chosen.map((type) => words.eventNames[type]).join(', ') : words.allEvents],
  ]
}

async function asXlsx(given: ReportContext, search: HistorySearch): Promise<ReportFile['content']> {
  const { db, language, now, printedBy } = given
  const { title, sheet } = wording[language]
  const kit = reportTexts(language)
  const origin: [string, string][] = [
    [kit['printed-by'], printedBy],
    [kit['printed-at'], warsawTime(now)],
  ]
  const lines = [...(await criteriaOf(given, search)), ...origin]
  return xlsx({
    about: criteriaSheet(given, title, lines),
    sheet,
    columns: columnsOf(language),
    rows: activityRows(db, search),
  })
}

const SIZE = 8

async function asPdf(given: ReportContext, search: HistorySearch): Promise<ReportFile['content']> {
  const { db, language, now, printedBy, number, issuer } = given
  const { title, columns, lasting, count } = wording[language]
  const total = await activityCount(db, search)
  const text = (head: string, width: number, of: (row: Activity) => string): PageColumn<Activity> => ({
    title: head,
    width,
    draw: (row, box, { pdf }) => pdf.text(of(row), box.x, box.base, { size: SIZE }),
  })
  return pdfTable<Activity>({
    title,
    criteria: await criteriaOf(given, search),
    language,
    now,
    printedBy,
    number,
    issuer,
    columns: [
      text(columns.event, 150, (row) => eventName(row, language)),
      text(columns.user, 110, (row) => row.user.username),
      text(columns.place, 120, (row) => placeOf(row, language)),
      text(columns.from, 110, ({ loginAt }) => (loginAt ? warsawTime(loginAt) : '–')),
      text(columns.to, 110, ({ logoutAt }) => (logoutAt ? warsawTime(logoutAt) : lasting)),
      text(columns.ip, 90, ({ ip }) => ip ?? '–'),
    ],
    rows: activityRows(db, search),
    summary: () => [[count, numberFormat(language).format(total)]],
  })
}
