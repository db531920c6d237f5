import { createHash } from 'node:crypto'
import { type ImageType, imageTypes, type Vehicle } from '@rogatka/contract/vehicle.ts'
import type { Files } from '../core/files.ts'
import { imagePath } from '../core/image-path.ts'
import { blurImage } from '../core/image-scaler.ts'
import { numberFormat } from '../core/text.ts'
import { INK, MARGIN, type PdfDocument, reportTexts } from '../reports/public-api.ts'
import { evidenceTexts } from './texts.ts'

/** An image as stored now. */
export type EvidenceImage = {
  number: number
  type: ImageType
  /** SHA-256 of the image as received, in hexadecimal. */
  recorded: string
  /** Null if the file is missing, or cannot be blurred because it is damaged. */
  file: { bytes: Buffer; sha256: string } | null
  /** Plate and cabin are blurred. */
  anonymised: boolean
}

/** Loads the images of a vehicle and hashes them again: the recorded hash does not prove what is stored. */
export async function loadEvidenceImages(
  { id, createdAt, location, images = [] }: Vehicle,
  files: Files,
  anonymised: boolean,
): Promise<EvidenceImage[]> {
  const key = { id, createdAt, locationId: location.id }
  return Promise.all(
    images.map(async ({ number, type, sha256: recorded = '' }) => {
      const original = await files.get(imagePath(key, { type: imageTypes.indexOf(type) + 1, sha256: recorded }))
      const bytes = original && anonymised ? await blurImage(original) : original
      const file = bytes && { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
      return { number, type, recorded, file, anonymised }
    }),
  )
}

/** The file name of an image in a ZIP. */
export const evidenceImageName = ({ number, type }: EvidenceImage): string => `${number}_${type}.jpg`

/** Maximum points per pixel: larger shows no more detail. */
export const MAX_ENLARGEMENT = 2
const CAPTION = 42
const TITLE = 30

/** Draws the images in full size, two per page, with their hashes. */
export function drawEvidenceImages(pdf: PdfDocument, images: readonly EvidenceImage[], ofVehicle: string): void {
  const { images: texts } = evidenceTexts(pdf.language)
  const height = (pdf.bottom - MARGIN - TITLE) / 2
  for (const [at, image] of images.entries()) {
    if (at % 2 === 0) {
      pdf.newPage()
      const draw = () => {
        pdf.text(texts.title, MARGIN, MARGIN + 10, { face: 'strong', size: 11 })
        pdf.text(ofVehicle, pdf.width - MARGIN, MARGIN + 10, { color: INK.secondary, align: 'right' })
      }
      if (at === 0) pdf.element('H2', draw)
      else pdf.artifact(draw)
    }
    drawEvidenceImage(pdf, image, { y: MARGIN + TITLE + (at % 2) * height, height: height - 12, ofVehicle })
  }
}

function drawEvidenceImage(
  pdf: PdfDocument,
  image: EvidenceImage,
  { y, height, ofVehicle }: { y: number; height: number; ofVehicle: string },
): void {
  const { images: texts } = evidenceTexts(pdf.language)
  const { number, type, file, recorded, anonymised } = image
  const available = { width: pdf.width - 2 * MARGIN, height: height - CAPTION }
  const opened = file && pdf.openImage(file.bytes)
  let below = y + 12
  if (opened) {
    const scale = Math.min(MAX_ENLARGEMENT, available.width / opened.width, available.height / opened.height)
    const alt = `${reportTexts(pdf.language).images[type]}, ${ofVehicle}`
    pdf.image(opened, MARGIN, y, opened.width * scale, opened.height * scale, alt)
    below = y + opened.height * scale + 12
  } else pdf.text(texts.lost, MARGIN, below, { color: INK.red })

  const bytes = file ? `, ${numberFormat(pdf.language).format(file.bytes.length)} B` : ''
  pdf.text(`${number}. ${reportTexts(pdf.language).images[type]}${bytes}`, MARGIN, below, {
    face: 'strong',
    size: 9,
  })
  pdf.text(`SHA-256  ${anonymised ? recorded : (file?.sha256 ?? recorded)}`, MARGIN, below + 12, { size: 7.5 })
  if (!file) return
  if (anonymised) {
    pdf.text(texts.anonymised, MARGIN, below + 22, { size: 7, color: INK.secondary })
    return
  }
  const isSame = file.sha256 === recorded
  const text = isSame ? texts.same : evidenceTexts.format(pdf.language, 'images.changed', { sha256: recorded })
  pdf.text(text, MARGIN, below + 22, { size: 7, color: isSame ? INK.secondary : INK.red })
}
