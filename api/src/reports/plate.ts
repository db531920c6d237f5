import { countryOf } from '@rogatka/domain/vehicle/country.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import sharp from 'sharp'
import { INK, type OpenedImage, type PdfDocument } from './pdf-document.ts'

type Plate = { plate: string | null; nationality: string | null }

/** Draws plates as plates: band, flag, country and number; one for each document. */
export type PlatePainter = ReturnType<typeof platePainter>

const drawn = new Map<string, Promise<Buffer>>()

/** The flag as a JPEG of 3 by 2; drawn once in the life of a process. */
function flagOf(iso: string): Promise<Buffer> {
  const known = drawn.get(iso)
  if (known) return known
  const flag = import('country-flag-icons/string/3x2').then((flags) =>
    sharp(Buffer.from(flags[iso as keyof typeof flags]), { density: 144 })
      .resize(120, 80)
      .flatten({ background: '#fff' })
      .jpeg()
      .toBuffer(),
  )
  drawn.set(iso, flag)
  return flag
}

export function platePainter(paper: PdfDocument, unreadable: string) {
  const flags = new Map<string, OpenedImage | null>()

  return {
    /** Fetches the flags that these plates need; before they are painted. */
    async prepare(plates: Iterable<Plate>): Promise<void> {
      for (const { nationality } of plates) {
        const iso = countryOf(nationality)?.iso
        if (iso && !flags.has(iso)) flags.set(iso, paper.openImage(await flagOf(iso)))
      }
    },

    /** From the upper left corner, as high as is said; answers the width. */
    paint({ plate, nationality }: Plate, x: number, y: number, height: number): number {
      const size = height * 0.78
      const base = y + height * 0.78
      if (!plate) {
        paper.text(unreadable, x, base, { size: Math.min(size, 8), color: INK.faint })
        return paper.widthOf(unreadable, 'text', Math.min(size, 8))
      }
      const text = displayPlate(plate, nationality)
      const code = nationality ?? '?'
      const [flagHeight, codeSize] = [height * 0.3, height * 0.38]
      const flagWidth = flagHeight * 1.5
      const band = Math.max(flagWidth, paper.widthOf(code, 'sign', codeSize)) + height * 0.22
      const number = paper.widthOf(text, 'sign', size)
      const width = band + number + height * 0.5
      const found = countryOf(nationality)

      paper.fill(x, y, width, height, INK.white, height * 0.13)
      paper.fill(x, y, band, height, found?.blueBand ? INK.band : INK.ground, height * 0.13)
      paper.frame(x, y, width, height, INK.text, height * 0.13, height * 0.045)
      const flag = found && flags.get(found.iso)
      const middle = x + band / 2
      if (flag) paper.image(flag, middle - flagWidth / 2, y + height * 0.14, flagWidth, flagHeight)
      const color = found?.blueBand ? INK.white : INK.text
      paper.text(code, middle, y + height * (flag ? 0.87 : 0.64), {
        face: 'sign',
        size: codeSize,
        color,
        align: 'center',
      })
      paper.text(text, x + band + height * 0.25, base, { face: 'sign', size })
      return width
    },
  }
}
