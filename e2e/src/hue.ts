import type { Page } from '@playwright/test'
import sharp from 'sharp'

/** Share of the pixels of a page with a hue: their channels differ by more than 40. */
export async function hueShare(page: Page): Promise<number> {
  const image = sharp(await page.screenshot()).removeAlpha()
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  let coloured = 0
  for (let at = 0; at < data.length; at += 3) {
    const channels = [data[at], data[at + 1], data[at + 2]] as number[]
    if (Math.max(...channels) - Math.min(...channels) > 40) coloured++
  }
  return coloured / (info.width * info.height)
}
