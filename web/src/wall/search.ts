import { oneOf } from '../core/urlParams.ts'

export const columnCounts = [2, 3, 4] as const
export type ColumnCount = (typeof columnCounts)[number]

/** URL parameter of the wall screen: its number of columns; `auto` without a number. */
export type WallSearch = { wall?: 'auto' | ColumnCount | undefined }

export const readWallSearch = ({ wall }: Record<string, unknown>): WallSearch => ({
  wall: wall === undefined ? undefined : (oneOf(columnCounts, wall) ?? 'auto'),
})
