import type { Inspection, InspectionOutcome } from '@rogatka/contract/inspections.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import { imageTypes } from '@rogatka/contract/vehicle.ts'
import { shiftEnd } from '@rogatka/domain/inspections/shift.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { z } from 'zod'
import { isAnonymised } from '../core/anonymity.ts'
import type { Database } from '../core/database.ts'
import type { Files } from '../core/files.ts'
import { scalePhoto } from '../core/image-scaler.ts'
import { shownOf } from '../core/look.ts'
import type { PassageKey } from '../core/passage.ts'
import type { Session } from '../core/sessions.ts'
import { numberFormat } from '../core/text.ts'
import { warsawTime } from '../core/warsaw.ts'
import type { DocumentSigner } from '../evidence/public-api.ts'
import {
  categoryName,
  createPdfDocument,
  createPlatePainter,
  INK,
  inOneBatch,
  MARGIN,
  type PdfDocument,
  reportKind,
  reportTexts,
} from '../reports/public-api.ts'
import { type Comparison, comparisonHeight, drawComparison } from './comparison-table.ts'
import { copiedImagePath, photoPath, vehicleOf } from './copy.ts'
import { imagesOfInspections, photosOfInspections } from './file-queries.ts'
import { withSteps } from './history.ts'
import { inspectionById } from './queries.ts'
import { requireVisible } from './steps.ts'
import { inspectionTexts } from './texts.ts'
import { weighedInspectionOf } from './vehicle-queries.ts'
import { maskFor, numberOf, plateOf, toInspection } from './view.ts'

const PLATE_HEIGHT = 36
const LABEL_WIDTH = 130
const LINE = 12
const SIGNATURE = { width: 220, height: 60 }
/** Photos per page, and maximum points per pixel. */
const PHOTOS_PER_PAGE = 2
const MAX_ENLARGEMENT = 2
/** Longer side of a photo in px: 215 dpi on the page. */
const PHOTO_SIDE = 1_600

export type InspectionReport = ReturnType<typeof inspectionReport>

/** The record of one inspection, to be signed by officer and driver. */
export const inspectionReport = (files: Files, shiftStarts: readonly string[], documents: DocumentSigner) =>
  reportKind({
    name: 'inspection',
    access: ['Inspections', 'InspectionReview'],
    query: z.object({ id: z.int() }),
    shows: async ({ db, session, now }, { id }) => {
      const row = requireVisible(await inspectionById(db, id), session, now)
      const vehicle = vehicleOf(row)
      return { results: 1, shown: shownOf([plateOf(row).plateLpr]), ...(vehicle && { vehicle }) }
    },
    create: async (context, { id }) => {
      const { db, session, now, language } = context
      const row = requireVisible(await inspectionById(db, id), session, now)
      const inspection = maskFor(session, await withSteps(db, row, await toInspection(db, row)))
      const title = `${inspectionTexts(language).title} ${inspection.number}`
      const refusal = isAnonymised(session) ? 'anonymised' : undefined
      const signature = documents.begin({ language, now, refusal })
      const pdf = await createPdfDocument({ ...context, title, signer: signature.signer })
      await drawRecord(pdf, inspection, { shiftStarts, wasAnnounced: row.wasAnnounced, signed: signature.lines })
      for (const [index, { path, caption }] of (await listImages(db, inspection, language)).entries()) {
        const stored = await files.get(path)
        drawPhoto(pdf, stored && (await scalePhoto(stored, PHOTO_SIDE)), index, caption)
      }
      return {
        name: `${inspection.number.replaceAll('/', '_')}.pdf`,
        content: inOneBatch(await signature.sign(Buffer.concat([...pdf.finish()]))),
      }
    },
  })

/** The images of the measurement, then the photos, as far as they are shown, with their digests. */
async function listImages(db: Database, { id, wim, photos }: Inspection, language: Language) {
  const names = reportTexts(language).images
  const shownImages = new Set(wim?.images.map(({ type }) => type))
  const shownPhotos = new Set(photos.map(({ number }) => number))
  const images = (await imagesOfInspections(db, [id])).map((image) => ({ ...image, name: imageTypes[image.type - 1] }))
  return [
    ...images.flatMap(({ name, ...image }) =>
      name && shownImages.has(name)
        ? { path: copiedImagePath(id, image), caption: `WIM, ${names[name]}. ${image.sha256}` }
        : [],
    ),
    ...(await photosOfInspections(db, [id]))
      .filter(({ number }) => shownPhotos.has(number))
      .map(({ number, sha256 }) => ({ path: photoPath(id, sha256), caption: `${number}. ${sha256}` })),
  ]
}

/**
 * Draws WIM against static loads of the latest weighed inspection of a vehicle, for its evidence sheet; without its number
 * for users of anonymised data.
 */
export async function inspectionBlock(db: Database, session: Session, key: PassageKey) {
  const row = await weighedInspectionOf(db, key)
  if (!row) return null
  const { wim, static: weighing } = await toInspection(db, row)
  if (!weighing) return null
  const number = isAnonymised(session) ? null : numberOf(row)
  return (pdf: PdfDocument, y: number) => drawBlock(pdf, { number, wim, weighing }, y)
}

const drawBlock = (pdf: PdfDocument, comparison: Comparison, y: number): number =>
  drawComparison(pdf, comparison, startBlock(pdf, comparisonHeight(comparison), y))

/** The y of the next block, on a new page if it does not fit. */
function startBlock(pdf: PdfDocument, height: number, y: number): number {
  if (y + height <= pdf.bottom) return y
  pdf.newPage()
  return MARGIN
}

/** `shiftStarts`: as configured. `wasAnnounced`: it was not opened by a take-over. `signed`: facts about its electronic signature. */
type RecordContext = { shiftStarts: readonly string[]; wasAnnounced: boolean; signed: readonly Fact[] }

async function drawRecord(pdf: PdfDocument, inspection: Inspection, context: RecordContext): Promise<void> {
  const { language } = pdf
  const texts = inspectionTexts(language)
  const { number, wim, static: weighing, results } = inspection
  const plate = { plate: inspection.plateLpr, nationality: inspection.nationality }
  const hasPlate = wim !== null || plate.plate !== null
  const plates = createPlatePainter(pdf, reportTexts(language)['unreadable-plate'])
  await plates.prepare([plate])
  pdf.newPage()
  pdf.element('H1', () => {
    pdf.text(texts.title, MARGIN, MARGIN + 10, { face: 'strong', size: 14 })
    pdf.text(number, pdf.width - MARGIN, MARGIN + 10, { face: 'sign', size: 16, align: 'right' })
  })
  if (hasPlate) pdf.element('P', () => plates.paint(plate, MARGIN, MARGIN + 22, PLATE_HEIGHT))
  const top = MARGIN + 22 + (hasPlate ? PLATE_HEIGHT + 18 : 10)
  let y = drawFacts(pdf, factsOf(pdf, inspection, context), top) + 8
  if (weighing) y = drawBlock(pdf, { number, wim, weighing }, y) + 8
  y = startBlock(pdf, 30 + results.length * LINE, y)
  pdf.element('H2', () => pdf.text(texts.results.title, MARGIN, y + 9, { face: 'strong', size: 10 }))
  y += 24
  const names = results.map((result) => `${result}. ${texts.results[result]}`)
  for (const name of names.length > 0 ? names : [texts.results.none]) {
    pdf.text(name, MARGIN, y, { face: 'strong' })
    y += LINE
  }
  y = drawFacts(pdf, [...findingsOf(pdf, inspection), ...context.signed], y + 4)
  drawSignatures(pdf, startBlock(pdf, SIGNATURE.height, y))
}

type Fact = [label: string, value: string | null]

function factsOf(pdf: PdfDocument, inspection: Inspection, { shiftStarts, wasAnnounced }: RecordContext): Fact[] {
  const { facts, selections, states } = inspectionTexts(pdf.language)
  const { wim, location, shift, officer, takenOverAt } = inspection
  const step = (taken: { at: Date; by: { username: string } | null } | null) =>
    taken && [warsawTime(taken.at), taken.by?.username].filter(Boolean).join(', ')
  const plate = inspection.plateLpr && displayPlate(inspection.plateLpr, inspection.nationality)
  const end = shiftEnd(shiftStarts, shift.start)
  return [
    [facts.state, states[inspection.state]],
    [
      facts.station,
      wim ? `${location.shortName}, ${wim.location.roadNumber}, ${wim.location.chainage}` : location.shortName,
    ],
    [facts.measured, wim && [warsawTime(wim.createdAt), plate].filter(Boolean).join(', ')],
    [facts.plate, wim ? null : [plate, inspection.nationality].filter(Boolean).join(', ')],
    [facts.category, inspection.ctg8p1 === null ? null : categoryName(inspection.ctg8p1, pdf.language)],
    [facts.selection, selections[inspection.selection]],
    ...(inspection.steps
      ? inspection.steps.map(({ step, at, by, reason, after }, index, steps): Fact => {
          // The results of the last closing are below.
          const isReopened = step === 'closed' && steps.slice(index).some((later) => later.step === 'reopened')
          const found = isReopened && after ? outcomeText(pdf, after) : null
          const taken = [warsawTime(at), by].filter(Boolean).join(', ')
          return [isReopened ? facts.closedEarlier : facts[step], [taken, reason, found].filter(Boolean).join(': ')]
        })
      : ([
          // One that was stopped at random was never announced: it was recorded and taken over at once.
          [facts.announced, wasAnnounced ? step(inspection.announced) : null],
          [facts.takenOver, takenOverAt && step({ at: takenOverAt, by: officer })],
          [facts.weighed, step(inspection.weighed)],
          [facts.closed, step(inspection.closed)],
          [facts.withdrawn, step(inspection.withdrawn)],
          [facts.passedBy, step(inspection.passedBy)],
          [facts.reopened, step(inspection.reopened)],
          [facts.reason, inspection.reason],
        ] satisfies Fact[])),
    [facts.shift, `${shift.day.split('-').reverse().join('.')}, ${shift.start}${end === null ? '' : `–${end}`}`],
  ]
}

const amountText = (pdf: PdfDocument, grosze: number): string =>
  `${numberFormat(pdf.language, 2).format(grosze / 100)} PLN`

/** Results of a closing in words, with the amount. */
function outcomeText(pdf: PdfDocument, { results, fineAmount }: InspectionOutcome): string {
  const texts = inspectionTexts(pdf.language)
  const names = results.map((result) => texts.results[result])
  return [...names, fineAmount === null ? null : amountText(pdf, fineAmount)].filter(Boolean).join(', ')
}

function findingsOf(pdf: PdfDocument, inspection: Inspection): Fact[] {
  const { facts } = inspectionTexts(pdf.language)
  const { fineAmount, carrier, taxId, declaration, note } = inspection
  const zloty = fineAmount === null ? null : amountText(pdf, fineAmount)
  return [
    [facts.fine, zloty],
    [facts.carrier, carrier],
    [facts.taxId, taxId],
    [facts.declaration, declaration],
    [facts.note, note],
  ]
}

/** Draws facts that are known, with wrapped values; returns the y below. */
function drawFacts(pdf: PdfDocument, facts: readonly Fact[], top: number): number {
  const availableWidth = pdf.width - 2 * MARGIN - LABEL_WIDTH
  let y = top + 9
  for (const [label, value] of facts) {
    if (!value) continue
    const lines = value.split(/\r?\n/).flatMap((line) => pdf.wrap(line, availableWidth, 'text'))
    pdf.element('P', () => {
      for (const [index, line] of lines.entries()) {
        y = startBlock(pdf, LINE, y)
        if (index === 0) pdf.text(label, MARGIN, y, { color: INK.secondary })
        pdf.text(line, MARGIN + LABEL_WIDTH, y)
        y += LINE
      }
    })
  }
  return y
}

function drawSignatures(pdf: PdfDocument, top: number): void {
  const texts = inspectionTexts(pdf.language)
  const y = top + SIGNATURE.height - 14
  const right = pdf.width - MARGIN - SIGNATURE.width
  for (const [x, name] of [
    [MARGIN, texts['officer-signature']],
    [right, texts['driver-signature']],
  ] as const) {
    pdf.line(x, y, x + SIGNATURE.width, y, INK.text)
    pdf.text(name, x + SIGNATURE.width / 2, y + 10, { size: 7, color: INK.secondary, align: 'center' })
  }
}

/** Draws a photo, two per page, with its digest; says so if it cannot be shown. */
function drawPhoto(pdf: PdfDocument, bytes: Buffer | null, index: number, caption: string): void {
  const title = 30
  const height = (pdf.bottom - MARGIN - title) / PHOTOS_PER_PAGE
  if (index % PHOTOS_PER_PAGE === 0) {
    pdf.newPage()
    const draw = () => pdf.text(inspectionTexts(pdf.language).photos, MARGIN, MARGIN + 10, { face: 'strong', size: 11 })
    if (index === 0) pdf.element('H2', draw)
    else pdf.artifact(draw)
  }
  const y = MARGIN + title + (index % PHOTOS_PER_PAGE) * height
  const opened = bytes && pdf.openImage(bytes)
  let below = y
  if (opened) {
    const available = { width: pdf.width - 2 * MARGIN, height: height - 30 }
    const scale = Math.min(MAX_ENLARGEMENT, available.width / opened.width, available.height / opened.height)
    pdf.image(opened, MARGIN, y, opened.width * scale, opened.height * scale, caption)
    below += opened.height * scale
  } else {
    pdf.text(inspectionTexts(pdf.language)['photo-not-shown'], MARGIN, y + 12, { color: INK.red })
    below += 12
  }
  pdf.text(caption, MARGIN, below + 12, { size: 7.5, color: INK.secondary })
}
