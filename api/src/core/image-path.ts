import type { PassageKey } from './passage.ts'

/** The path of an image file. It contains the digest, so that the row always matches the file. */
export function imagePath(
  { locationId, createdAt, id }: PassageKey,
  { type, sha256 }: { type: number; sha256: string },
  suffix = '',
): string {
  const time = createdAt.toISOString()
  const [month, day, hour] = [time.slice(0, 7), time.slice(8, 10), time.slice(11, 13)]
  const name = `${id}-${createdAt.getTime()}-${type}-${sha256.slice(0, 16)}${suffix}.jpg`
  return `images/${month}/${day}/${hour}/${locationId}/${name}`
}
