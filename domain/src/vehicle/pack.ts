import type { DerivedAxle, DerivedGroup } from './derived.ts'

/*
 * Axles and groups as flat lists of integers, for int[] columns. Unmeasured weights are -1, missing limits 0, overloads
 * in tenths of a percent.
 */

/** type, left, right, gap, limit, overload */
const AXLE_INTS = 6
/** first axle, number of axles, load, limit, overload */
const GROUP_INTS = 5

const tenths = (percent: number): number => Math.round(percent * 10)

const rows = (flat: readonly number[], width: number): number[][] =>
  Array.from({ length: Math.floor(flat.length / width) }, (_, row) => flat.slice(row * width, (row + 1) * width))

const AXLE_FIELDS = { left: 2, right: 3, gap: 4 } as const

/** Position of an axle's value in the flat list, from 1 as in PostgreSQL. */
export const axleFieldIndex = (axle: number, value: keyof typeof AXLE_FIELDS): number =>
  AXLE_INTS * (axle - 1) + AXLE_FIELDS[value]

export const packAxles = (axles: readonly DerivedAxle[]): number[] =>
  axles.flatMap(({ type, leftWeight, rightWeight, gap, limit, overload }) => [
    type,
    leftWeight ?? -1,
    rightWeight ?? -1,
    gap,
    limit ?? 0,
    tenths(overload),
  ])

export const unpackAxles = (flat: readonly number[]): DerivedAxle[] =>
  rows(flat, AXLE_INTS).map(([type = 0, left = 0, right = 0, gap = 0, limit = 0, overload = 0]) => ({
    type,
    leftWeight: left < 0 ? null : left,
    rightWeight: right < 0 ? null : right,
    totalLoad: Math.max(0, left) + Math.max(0, right),
    gap,
    limit: limit || null,
    overload: overload / 10,
  }))

/** Axle fields of lists: selecting only them makes rows of long reports several times faster. */
export function loadsAndGaps(flat: readonly number[]): Pick<DerivedAxle, 'totalLoad' | 'gap'>[] {
  const axles = []
  for (let at = 0; at + AXLE_INTS <= flat.length; at += AXLE_INTS) {
    const [left, right, gap] = [flat[at + 1] ?? 0, flat[at + 2] ?? 0, flat[at + 3] ?? 0]
    axles.push({ totalLoad: Math.max(0, left) + Math.max(0, right), gap })
  }
  return axles
}

export const packGroups = (groups: readonly DerivedGroup[]): number[] =>
  groups.flatMap(({ axles, totalLoad, limit, overload }) => [
    axles[0] ?? 0,
    axles.length,
    totalLoad,
    limit ?? 0,
    tenths(overload),
  ])

export const unpackGroups = (flat: readonly number[]): DerivedGroup[] =>
  rows(flat, GROUP_INTS).map(([first = 0, count = 0, totalLoad = 0, limit = 0, overload = 0]) => ({
    axles: Array.from({ length: count }, (_, index) => first + index),
    totalLoad,
    limit: limit || null,
    overload: overload / 10,
  }))

/** Height profile as bytes: two per sample, little-endian. */
export const packShape = (samples: readonly number[]): Uint8Array => {
  const bytes = new DataView(new ArrayBuffer(samples.length * 2))
  samples.forEach((sample, index) => {
    bytes.setUint16(index * 2, sample, true)
  })
  return new Uint8Array(bytes.buffer)
}

export const unpackShape = (bytes: Uint8Array): number[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: bytes.length >> 1 }, (_, index) => view.getUint16(index * 2, true))
}
