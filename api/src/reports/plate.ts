import { countryOf } from '@rogatka/domain/vehicle/country.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import sharp from 'sharp'
import { INK, type OpenedImage, type PdfDocument } from './pdf-document.ts'

type Plate = { plate: string | null; nationality: string | null }

/** Draws number plates: band, flag, country code and number. One per document. */
export type PlatePainter = ReturnType<typeof createPlatePainter>

const flagImages = new Map<string, Promise<Buffer>>()

/** The flag as a JPEG of 3 by 2, rendered once per process. */
function renderFlag(iso: string): Promise<Buffer> {
  const cached = flagImages.get(iso)
  if (cached) return cached
  const flag = import('country-flag-icons/string/3x2').then((flags) =>
    sharp(Buffer.from(flags[iso as keyof typeof flags]), { density: 144 })
      .resize(120, 80)
      .flatten({ background: '#fff' })
      .jpeg()
      .toBuffer(),
  )
  flagImages.set(iso, flag)
  return flag
}

export function createPlatePainter(pdf: PdfDocument, unreadable: string) {
  const flags = new Map<string, OpenedImage | null>()

  return {
    /** Loads the flags of these plates; call it before `paint`. */
    async prepare(plates: Iterable<Plate>): Promise<void> {
      for (const { nationality } of plates) {
        const iso = countryOf(nationality)?.iso
        if (iso && !flags.has(iso)) flags.set(iso, pdf.openImage(await renderFlag(iso)))
      }
    },

    /** Draws a plate at its top left corner; returns its width. */
    paint({ plate, nationality }: Plate, x: number, y: number, height: number): number {
      const size = height * 0.78
      const base = y + height * 0.78
      if (!plate) {
        pdf.text(unreadable, x, base, { size: Math.min(size, 8), color: INK.faint })
        return pdf.widthOf(unreadable, 'text', Math.min(size, 8))
      }
      const text = displayPlate(plate, nationality)
      const code = nationality ?? '?'
      const [flagHeight, codeSize] = [height * 0.3, height * 0.38]
      const flagWidth = flagHeight * 1.5
      const band = Math.max(flagWidth, pdf.widthOf(code, 'sign', codeSize)) + height * 0.22
      const number = pdf.widthOf(text, 'sign', size)
      const width = band + number + height * 0.5
      const country = countryOf(nationality)

      pdf.fill(x, y, width, height, INK.white, height * 0.13)
      pdf.fill(x, y, band, height, country?.blueBand ? INK.band : INK.ground, height * 0.13)
      pdf.frame(x, y, width, height, INK.text, height * 0.13, height * 0.045)
      const flag = country && flags.get(country.iso)
      const middle = x + band / 2
      if (flag) pdf.image(flag, middle - flagWidth / 2, y + height * 0.14, flagWidth, flagHeight)
      const color = country?.blueBand ? INK.white : INK.text
      pdf.text(code, middle, y + height * (flag ? 0.87 : 0.64), {
        face: 'sign',
        size: codeSize,
        color,
        align: 'center',
      })
      pdf.text(text, x + band + height * 0.25, base, { face: 'sign', size })
      return width
    },
  }
}
