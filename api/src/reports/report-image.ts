import sharp from 'sharp'

/** A JPEG and its size in px. */
export type ReportImage = { bytes: Buffer; width: number; height: number }

/** The image, upright, scaled down to a maximum height; null if it is invalid. */
export async function fitToHeight(bytes: Buffer, height: number): Promise<ReportImage | null> {
  try {
    const { data, info } = await sharp(bytes)
      .autoOrient()
      .resize({ height, withoutEnlargement: true })
      .jpeg({ quality: 75 })
      .toBuffer({ resolveWithObject: true })
    return { bytes: data, width: info.width, height: info.height }
  } catch {
    return null
  }
}
