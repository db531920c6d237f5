import { createHash } from 'node:crypto'
import { type ImageType, imageTypes, type Vehicle } from '@rogatka/contract/vehicle.ts'
import type { Files } from '../core/files.ts'
import { blurImage } from '../core/image-scaler.ts'
import { interpolate, numberFormat } from '../core/text.ts'
import { INK, MARGIN, type PdfDocument, reportTexts } from '../reports/public-api.ts'
import { pathOfImage } from './image-paths.ts'
import { evidenceTexts } from './texts.ts'

/** A picture as it lies in the store now. */
export type EvidenceImage = {
  number: number
  type: ImageType
  /** Of the picture as it was received, in hex. */
  recorded: string
  /** Null: the file is not there. */
  file: { bytes: Buffer; sha256: string } | null
  /** What is shown is not what was received: plate and cabin are blurred. */
  anonymised: boolean
}

/** Fetches the pictures of a passage and hashes them anew: what was recorded is no proof of what lies there. */
export async function loadEvidenceImages(
  { id, createdAt, location, images = [] }: Vehicle,
  files: Files,
  anonymised: boolean,
): Promise<EvidenceImage[]> {
  const key = { id, createdAt, locationId: location.id }
  return Promise.all(
    images.map(async ({ number, type, sha256: recorded = '' }) => {
      const received = await files.get(pathOfImage(key, { type: imageTypes.indexOf(type) + 1, sha256: recorded }))
      const bytes = received && anonymised ? await blurImage(received) : received
      const file = bytes && { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
      return { number, type, recorded, file, anonymised }
    }),
  )
}

/** What a picture is called in a folder. */
export const nameOfExhibit = ({ number, type }: EvidenceImage): string => `${number}_${type}.jpg`

/** A point is 1/72 inch: a pixel larger than 2 of them shows nothing more. */
export const MAX_ENLARGEMENT = 2
const CAPTION = 42
const TITLE = 30

/** The pictures in full, two on a page, each with its hash. */
export function drawExhibits(pdf: PdfDocument, exhibits: readonly EvidenceImage[], ofVehicle: string): void {
  const { images: words } = evidenceTexts(pdf.language)
  const height = (pdf.bottom - MARGIN - TITLE) / 2
  for (const [at, exhibit] of exhibits.entries()) {
    if (at % 2 === 0) {
      pdf.newPage()
      pdf.text(words.title, MARGIN, MARGIN + 10, { face: 'strong', size: 11 })
      pdf.text(ofVehicle, pdf.width - MARGIN, MARGIN + 10, { color: INK.quiet, align: 'right' })
    }
    drawExhibit(pdf, exhibit, MARGIN + TITLE + (at % 2) * height, height - 12)
  }
}

function drawExhibit(pdf: PdfDocument, exhibit: EvidenceImage, y: number, height: number): void {
  const { images: words } = evidenceTexts(pdf.language)
  const { number, type, file, recorded, anonymised } = exhibit
  const room = { width: pdf.width - 2 * MARGIN, height: height - CAPTION }
  const picture = file && pdf.openImage(file.bytes)
  let below = y + 12
  if (picture) {
    const scale = Math.min(MAX_ENLARGEMENT, room.width / picture.width, room.height / picture.height)
    pdf.image(picture, MARGIN, y, picture.width * scale, picture.height * scale)
    below = y + picture.height * scale + 12
  } else pdf.text(words.lost, MARGIN, below, { color: INK.red })

  const bytes = file ? `, ${numberFormat(pdf.language).format(file.bytes.length)} B` : ''
  pdf.text(`${number}. ${reportTexts(pdf.language).images[type]}${bytes}`, MARGIN, below, {
    face: 'strong',
    size: 9,
  })
  pdf.text(`SHA-256  ${anonymised ? recorded : (file?.sha256 ?? recorded)}`, MARGIN, below + 12, { size: 7.5 })
  if (!file) return
  if (anonymised) {
    pdf.text(words.anonymised, MARGIN, below + 22, { size: 7, color: INK.quiet })
    return
  }
  const same = file.sha256 === recorded
  const said = same ? words.same : interpolate(words.changed, { sha256: recorded })
  pdf.text(said, MARGIN, below + 22, { size: 7, color: same ? INK.quiet : INK.red })
}
