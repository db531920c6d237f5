import type { Purpose } from '@rogatka/contract/looks.ts'
import type { TrailEntry, TrailFilters } from '@rogatka/contract/trail.ts'
import { numberFormat } from '../core/text.ts'
import { warsawTime } from '../core/warsaw.ts'
import type { DocumentSigner, TrailPackager, TrailPart } from '../evidence/public-api.ts'
import { integrityOf, trailPart } from '../evidence/public-api.ts'
import {
  type DrawTools,
  FIRST_BASELINE,
  inOneBatch,
  type PageColumn,
  pdfTable,
  type ReportContext,
  zip,
} from '../reports/public-api.ts'
import { trailTexts } from './texts.ts'

/** In points. */
const LINE_HEIGHT = 9
const FONT_SIZE = 7.5

export type TrailEvidence = { documents: DocumentSigner; packager: TrailPackager }

/** A question to the trail: its plates are those of `search`. */
export type TrailQuestion = Omit<TrailFilters, 'search'> & { plates: readonly string[] }

/**
 * The evidence of an answer of the trail: a signed sheet with question, answer and the state of the chains, the lines of the
 * range, and how anybody checks them with public programs.
 */
export async function* trailEvidence(
  context: ReportContext,
  question: TrailQuestion,
  entries: readonly TrailEntry[],
  { documents, packager }: TrailEvidence,
): AsyncGenerator<Uint8Array> {
  const { db, now, language, issuer } = context
  const part = await trailPart(db, { from: question.dateTimeStart, to: question.dateTimeEnd })
  const { signer, lines, sign } = documents.begin({ language, now })
  const state = await describeState(context, part)
  const pages = pdfTable<TrailEntry>({
    ...context,
    signer,
    title: trailTexts(language).evidence.title,
    criteria: criteriaOf(context, question, entries),
    ...tableOf(context, part),
    rows: inOneBatch(entries),
    summary: () => [...state, ...lines],
  })
  const drawn: Buffer[] = []
  for await (const page of pages) drawn.push(page)
  const sheet = await sign(Buffer.concat(drawn))
  yield* zip(await packager(db, { ...part, sheet, language, issuer, now }), now)
}

function criteriaOf(
  { language }: ReportContext,
  { dateTimeStart, dateTimeEnd, plates, userId, systemId, kinds, purpose }: TrailQuestion,
  entries: readonly TrailEntry[],
): [string, string][] {
  const { range, columns, kinds: kindNames, purposes, evidence } = trailTexts(language)
  const who = entries.map(({ user, system }) => (userId === undefined ? system : user)).find((one) => one)
  const id = userId ?? systemId
  return [
    [range, `${warsawTime(dateTimeStart)} – ${warsawTime(dateTimeEnd)}`],
    [columns.plates, plates.length > 0 ? plates.join(', ') : evidence.any],
    [columns.who, id === undefined ? evidence.any : (who?.name ?? String(id))],
    [columns.kind, kinds?.length ? kinds.map((kind) => kindNames[kind]).join(', ') : evidence.any],
    [columns.purpose, purpose ? purposes[purpose] : evidence.any],
    [evidence.count, numberFormat(language).format(entries.length)],
  ]
}

/** What is known of the chains, and which part of them the package has. */
async function describeState(
  { db, now, language }: ReportContext,
  { parts, anchor }: TrailPart,
): Promise<[string, string][]> {
  const { evidence } = trailTexts(language)
  const format = (name: 'checked' | 'last' | 'anchored' | 'lines', values: Record<string, string>) =>
    trailTexts.format(language, `evidence.${name}`, values)
  const { check, head } = await integrityOf(db, now)
  const verdict = !check
    ? evidence.unchecked
    : `${check.fault === null ? evidence.intact : `${evidence.broken}: ${check.fault}`}. ${format('checked', { at: warsawTime(check.endedAt) })}`
  return [
    [evidence.chain, verdict],
    ...(head ? [[evidence.head, format('last', { seq: String(head.seq), hash: head.hash })] as [string, string]] : []),
    [evidence.anchor, anchor ? format('anchored', { number: String(anchor.number) }) : evidence.none],
    ...parts.map(({ name, first, last }): [string, string] => [
      name,
      format('lines', { first: String(first), last: String(last) }),
    ]),
    [evidence.check, evidence['check-how']],
  ]
}

function tableOf({ language }: ReportContext, { numberOf }: TrailPart) {
  const { columns, kinds, purposes, evidence } = trailTexts(language)
  const purposeOf = (purpose: Purpose | null) => (purpose ? purposes[purpose] : '–')
  const cells: { title: string; width: number; of: (entry: TrailEntry) => string }[] = [
    { title: evidence.number, width: 50, of: ({ id }) => String(numberOf(id) ?? '–') },
    { title: columns.at, width: 92, of: ({ at }) => warsawTime(at) },
    { title: columns.endedAt, width: 92, of: ({ visit }) => (visit?.endedAt ? warsawTime(visit.endedAt) : '–') },
    {
      title: columns.who,
      width: 96,
      of: ({ user, system, device, webhook, role }) =>
        [(user ?? system ?? device ?? webhook)?.name ?? '–', ...(role ? [`(${role})`] : [])].join(' '),
    },
    { title: columns.ip, width: 70, of: ({ ip }) => ip ?? '–' },
    { title: columns.kind, width: 80, of: ({ kind }) => kinds[kind] },
    { title: columns.plates, width: 80, of: ({ plates }) => (plates?.length ? plates.join(', ') : '–') },
    { title: columns.purpose, width: 84, of: ({ purpose }) => purposeOf(purpose) },
    { title: columns.reference, width: 84, of: ({ reference, note }) => reference ?? note ?? '–' },
    { title: columns.shown, width: 50, of: ({ shown }) => numberFormat(language).format(shown) },
  ]
  const linesOf = (text: string, width: number, { pdf }: DrawTools) => pdf.wrap(text, width, 'text', FONT_SIZE)
  return {
    columns: cells.map(
      ({ title, width, of }): PageColumn<TrailEntry> => ({
        title,
        width,
        draw: (entry, box, tools) => {
          for (const [at, line] of linesOf(of(entry), box.width, tools).entries())
            tools.pdf.text(line, box.x, box.base + at * LINE_HEIGHT, { size: FONT_SIZE })
        },
      }),
    ),
    rowHeight: (entry: TrailEntry, widths: readonly number[], tools: DrawTools) =>
      Math.max(...cells.map(({ of }, at) => linesOf(of(entry), widths[at] ?? 0, tools).length)) * LINE_HEIGHT +
      FIRST_BASELINE -
      3,
  }
}
