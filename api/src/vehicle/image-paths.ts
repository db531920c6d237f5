import { daysBetween, type Interval, monthOf, startOf } from '../core/partitions.ts'
import type { PassageKey } from '../core/passage.ts'
import type { ImageRecord } from './record.ts'

/** The folders of the pictures of a stretch, and with it the whole folder of a month of which nothing is left. */
export function foldersOfImages({ from, to }: Interval): string[] {
  const last = new Date(to.getTime() - 1)
  const days = daysBetween(from, last).map((day) => day.toISOString().slice(0, 10))
  const folders = days.map((day) => {
    const isOver = startOf(day.slice(0, 7), 1) <= to
    return `images/${isOver ? day.slice(0, 7) : day.slice(0, 7).concat('/', day.slice(8))}`
  })
  return [...new Set(folders)]
}

/** Where the bytes of a picture lie. The digest is in the name, so that the row always points at what it describes. */
export function pathOfImage(
  { locationId, createdAt, id }: PassageKey,
  { type, sha256 }: Omit<ImageRecord, 'size'>,
): string {
  const [day, hour] = [createdAt.toISOString().slice(8, 10), createdAt.toISOString().slice(11, 13)]
  const name = `${id}-${createdAt.getTime()}-${type}-${sha256.slice(0, 16)}.jpg`
  return `images/${monthOf(createdAt)}/${day}/${hour}/${locationId}/${name}`
}
