import type { Interval } from '@rogatka/domain/core/time.ts'
import { daysBetween, startOf } from '../core/partitions.ts'
import type { PassageKey } from '../core/passage.ts'
import type { ImageRecord } from './record.ts'

/** Identifies a stored image. */
export type ImageKey = PassageKey & Omit<ImageRecord, 'size'>

/** The image folders of an interval: by day, or by month if the whole month has ended. */
export function imageFolders({ from, to }: Interval): string[] {
  const last = new Date(to.getTime() - 1)
  const days = daysBetween(from, last).map((day) => day.toISOString().slice(0, 10))
  const folders = days.map((day) => {
    const hasEnded = startOf(day.slice(0, 7), 1) <= to
    return `images/${hasEnded ? day.slice(0, 7) : day.slice(0, 7).concat('/', day.slice(8))}`
  })
  return [...new Set(folders)]
}
