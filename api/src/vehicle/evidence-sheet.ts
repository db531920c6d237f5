import type { LaneCertificate } from '@rogatka/contract/certificates.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import type { SheetHeading } from '@rogatka/domain/certificates/validity.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { warsawClock, warsawDate, warsawTime } from '../core/warsaw.ts'
import type { DocumentSignature } from '../evidence/public-api.ts'
import {
  categoryName,
  createPdfDocument,
  createPlatePainter,
  INK,
  MARGIN,
  type PdfDocument,
  reportTexts,
  violationsOf,
} from '../reports/public-api.ts'
import { drawAxles } from './evidence-axles.ts'
import { drawClosing } from './evidence-closing.ts'
import { drawEvidenceImages, type EvidenceImage, MAX_ENLARGEMENT } from './evidence-images.ts'
import { drawMeasures } from './evidence-measures.ts'
import { drawProfile } from './evidence-profile.ts'
import { startBlock } from './page-break.ts'
import { evidenceTexts } from './texts.ts'

export type SheetOptions = {
  vehicle: Vehicle
  evidenceImages: readonly EvidenceImage[]
  language: Language
  printedBy: string
  issuer: string
  now: Date
  overloadBasis: 'minimum' | 'measured'
  imageRetentionDays: number
  buildCode: string
  /** Source of the limits at that station and time; null if there are none. */
  law: string | null
  /** What the measurement may be used for, by purpose and certificates of the lane at that time. */
  heading: SheetHeading<Pick<LaneCertificate, 'number' | 'authority' | 'validUntil'>>
  /** Draws the weights of an inspection below y, and returns the y below them; null without one. */
  drawInspection: ((pdf: PdfDocument, y: number) => number) | null
  signature: DocumentSignature
}

const PLATE_HEIGHT = 44
const IMAGE_SIZE = { width: 232, height: 131 }

/** The evidence sheet of one vehicle as PDF: all data, the axles, and every image with its hash. */
export async function evidenceSheet(options: SheetOptions): Promise<Buffer> {
  const { vehicle, evidenceImages, language } = options
  const texts = evidenceTexts(language)
  const { plateLpr: plate, nationality } = vehicle
  const title = plate ? `${texts.title} ${displayPlate(plate, nationality)}` : texts.title
  const heading = headingText(options.heading, language)
  const pdf = await createPdfDocument({ ...options, title, note: heading, signer: options.signature.signer })
  const plates = createPlatePainter(pdf, reportTexts(language)['unreadable-plate'])
  await plates.prepare([{ plate, nationality }])

  pdf.newPage()
  pdf.element('H1', () => pdf.text(texts.title, MARGIN, MARGIN + 10, { face: 'strong', size: 14 }))
  const availableWidth = pdf.width - 2 * MARGIN - pdf.widthOf(texts.title, 'strong', 14) - 20
  pdf.text(pdf.fit(heading, availableWidth, 'strong', 8.5), pdf.width - MARGIN, MARGIN + 10, {
    face: 'strong',
    size: 8.5,
    color: options.heading.kind === 'uncertified' ? INK.red : INK.secondary,
    align: 'right',
  })
  pdf.element('P', () => plates.paint({ plate, nationality }, MARGIN, MARGIN + 22, PLATE_HEIGHT))
  drawInstant(pdf, vehicle)
  let y = drawViolations(pdf, vehicle, MARGIN + 22 + PLATE_HEIGHT + 18)
  y = Math.max(drawFacts(pdf, factsOf(vehicle, language), y), drawFront(pdf, options, y)) + 10
  y = drawMeasures(pdf, vehicle, options.overloadBasis, y) + 10
  y = drawAxles(pdf, vehicle, startBlock(pdf, 230, y)) + 6
  if (options.drawInspection) y = options.drawInspection(pdf, y) + 6
  y = drawCatalogue(pdf, vehicle, y)
  if (vehicle.shapeSamples?.length) y = drawProfile(pdf, vehicle, startBlock(pdf, 82, y))
  drawClosing(pdf, { ...options, statements: options.signature.lines }, y)

  drawEvidenceImages(
    pdf,
    evidenceImages,
    [plate && displayPlate(plate, nationality), warsawTime(vehicle.createdAt)].filter(Boolean).join(', '),
  )
  return options.signature.sign(Buffer.concat([...pdf.finish()]))
}

/** Printed in the head and at the foot of every page. */
function headingText(heading: SheetOptions['heading'], language: Language): string {
  const { certificate: texts } = evidenceTexts(language)
  if (heading.kind === 'preselection') return texts.preselection
  if (heading.kind === 'uncertified') return texts.uncertified
  const { number, authority, validUntil } = heading.certificate
  const day = validUntil.split('-').reverse().join('.')
  return evidenceTexts.format(language, 'certificate.certified', { number, authority, day })
}

function drawInstant(pdf: PdfDocument, { createdAt, location }: Vehicle): void {
  const right = pdf.width - MARGIN
  const clock = warsawClock(createdAt).toISOString()
  pdf.text(`${warsawDate(createdAt)}  ${clock.slice(11, 19)}`, right, MARGIN + 42, {
    face: 'sign',
    size: 24,
    align: 'right',
  })
  const utc = `${createdAt.toISOString().slice(0, 23).replace('T', ' ')} UTC`
  pdf.text(utc, right, MARGIN + 54, { color: INK.secondary, align: 'right' })
  pdf.text(location.shortName, right, MARGIN + 66, { face: 'strong', size: 9, align: 'right' })
}

function drawViolations(pdf: PdfDocument, vehicle: Vehicle, y: number): number {
  const { violations } = reportTexts(pdf.language)
  const names = violationsOf(vehicle).map((violation) => violations[violation])
  if (names.length === 0) {
    pdf.text(evidenceTexts(pdf.language)['no-violation'], MARGIN, y, { color: INK.secondary, size: 9 })
    return y + 12
  }
  let x = MARGIN
  for (const name of names) {
    const width = pdf.widthOf(name, 'strong', 10) + 26
    if (x + width > pdf.width - MARGIN) {
      x = MARGIN
      y += 18
    }
    // Violations have a triangle, so as not to depend on colour.
    const [left, base] = [x, y]
    pdf.ornament((page) => page.polygon([left, base], [left + 9, base], [left + 4.5, base - 8]).fill(INK.red))
    pdf.text(name, x + 14, y, { face: 'strong', size: 10, color: INK.red })
    x += width
  }
  return y + 12
}

type Fact = [label: string, value: string]

function factsOf(vehicle: Vehicle, language: Language): Fact[] {
  const { facts } = evidenceTexts(language)
  const { location, lane, checkpointTime } = vehicle
  const clock = (at: Date) => `${warsawTime(at)},${String(at.getUTCMilliseconds()).padStart(3, '0')}`
  return [
    [facts.station, location.name === location.shortName ? location.name : `${location.shortName}, ${location.name}`],
    [facts.road, `${location.roadNumber}, ${location.chainage}`],
    [facts.direction, location.direction],
    [facts.lane, String(lane.laneNumber)],
    [facts.accuracy, lane.accuracyClass?.name ?? facts['no-scale']],
    [facts.registered, clock(vehicle.createdAt)],
    [facts.checkpoint, checkpointTime ? warsawTime(checkpointTime) : '–'],
    [facts.ctg8p1, [vehicle.ctg8p1, categoryName(vehicle.ctg8p1, language)].filter(Boolean).join(' · ')],
    [facts.ctg323, vehicle.ctg323 === null ? '–' : String(vehicle.ctg323)],
    [facts.axles, vehicle.numberOfAxles === null ? '–' : String(vehicle.numberOfAxles)],
    [facts.id, String(vehicle.id)],
  ]
}

function drawFacts(pdf: PdfDocument, facts: readonly Fact[], top: number): number {
  const labels = 112
  const availableWidth = pdf.width - 2 * MARGIN - IMAGE_SIZE.width - 18 - labels
  let y = top + 9
  for (const [label, value] of facts) {
    pdf.element('P', () => {
      pdf.text(label, MARGIN, y, { color: INK.secondary })
      for (const line of pdf.wrap(value, availableWidth, 'strong')) {
        pdf.text(line, MARGIN + labels, y, { face: 'strong' })
        y += 12
      }
    })
  }
  return y
}

/** Draws the first available image, reduced; all follow in full size. */
function drawFront(
  pdf: PdfDocument,
  { vehicle, evidenceImages, now, imageRetentionDays }: SheetOptions,
  top: number,
): number {
  const { images: texts } = evidenceTexts(pdf.language)
  const x = pdf.width - MARGIN - IMAGE_SIZE.width
  const image = evidenceImages
    .map(({ type, file }) => ({ type, opened: file && pdf.openImage(file.bytes) }))
    .find(({ opened }) => opened !== null)
  if (image?.opened) {
    const { type, opened } = image
    const scale = Math.min(MAX_ENLARGEMENT, IMAGE_SIZE.width / opened.width, IMAGE_SIZE.height / opened.height)
    const alt = `${texts.title}: ${reportTexts(pdf.language).images[type]}`
    pdf.image(opened, x, top, opened.width * scale, opened.height * scale, alt)
    return top + opened.height * scale
  }
  const isOld = now.getTime() - vehicle.createdAt.getTime() > imageRetentionDays * DAY_MS
  const value = isOld ? evidenceTexts.format(pdf.language, 'images.expired', { count: imageRetentionDays }) : texts.none
  pdf.fill(x, top, IMAGE_SIZE.width, IMAGE_SIZE.height, INK.ground)
  pdf.element('P', () => {
    for (const [at, line] of pdf.wrap(value, IMAGE_SIZE.width - 30).entries()) {
      const y = top + IMAGE_SIZE.height / 2 + at * 11
      pdf.text(line, x + IMAGE_SIZE.width / 2, y, { color: INK.secondary, align: 'center' })
    }
  })
  return top + IMAGE_SIZE.height
}

function drawCatalogue(pdf: PdfDocument, { euro }: Vehicle, top: number): number {
  const { catalogue: texts } = evidenceTexts(pdf.language)
  const facts: [string, string | null | undefined][] = [
    [texts.make, [euro?.make, euro?.model].filter(Boolean).join(' ')],
    [texts.veh_type, euro?.veh_type],
    [texts.catalogue_number, euro?.catalogue_number],
    [texts.euro_norm, euro?.euro_norm],
    [texts.production_date, euro?.production_date?.split('-').reverse().join('.')],
    [texts.fuel_type, euro?.fuel_type],
  ]
  const present = facts.filter((fact): fact is Fact => Boolean(fact[1]))
  if (present.length === 0) return top
  const lines = Math.ceil(present.length / 2)
  const y = startBlock(pdf, 18 + lines * 12, top)
  pdf.element('H2', () => pdf.text(texts.title, MARGIN, y + 9, { face: 'strong', size: 10 }))
  const column = (pdf.width - 2 * MARGIN) / 2
  for (const [at, [label, value]] of present.entries()) {
    const [x, line] = [MARGIN + (at % 2) * column, y + 23 + Math.floor(at / 2) * 12]
    pdf.element('P', () => {
      pdf.text(label, x, line, { color: INK.secondary })
      pdf.text(pdf.fit(value, column - 116, 'strong'), x + 112, line, { face: 'strong' })
    })
  }
  return y + 26 + lines * 12
}
