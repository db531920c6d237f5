import type { WUnits } from '@rogatka/contract/imports.ts'
import { fromFhwaClass, toFhwaClass } from './classes.ts'
import { fromPounds, fromTenthsOfFeet, toPounds, toTenthsOfFeet } from './units.ts'
import { MAX_AXLE_KG, type Row, refuse } from './vehicle.ts'

/*
 * Truck weight records (W) of the FHWA Traffic Monitoring Guide, in the layouts of 2013 and 2001: one vehicle a line, with
 * fixed columns. Times are local, of the hour that has begun.
 */

export const wLayouts = ['2013', '2001'] as const
export type WLayout = (typeof wLayouts)[number]

const MAX_AXLES = 13
/** 30 t. */
const MAX_AXLE_LB = 66_139
/** Allowed difference between the sum of the axles and the gross weight. */
const MAX_SUM_DIFFERENCE = { lb: 100, share: 0.005 }

/** A field: its first column, from 1, and its width. */
type Field = readonly [start: number, width: number]

type Layout = {
  columns: number
  yearDigits: 2 | 4
  time: Field
  class: Field
  gross: Field
  axles: Field
  /** Of axle 1 and the spacing behind it; those of the next axle are `step` columns further. */
  axle: Field
  spacing: Field
  step: number
}

const LAYOUTS: Record<WLayout, Layout> = {
  2013: {
    columns: 147,
    yearDigits: 4,
    time: [12, 10],
    class: [22, 2],
    gross: [27, 6],
    axles: [33, 2],
    axle: [35, 5],
    spacing: [40, 4],
    step: 9,
  },
  2001: {
    columns: 105,
    yearDigits: 2,
    time: [12, 8],
    class: [20, 2],
    gross: [25, 4],
    axles: [29, 2],
    axle: [31, 3],
    spacing: [34, 3],
    step: 6,
  },
}
const [STATION, DIRECTION, LANE] = [
  [4, 6],
  [10, 1],
  [11, 1],
] as const satisfies Field[]

/** Conversion of the weights and spacings of a record. */
type Conversion = {
  toKg: (value: number) => number
  fromKg: (kg: number) => number
  toCm: (value: number) => number
  fromCm: (cm: number) => number
  /** Pounds in one unit. */
  lb: number
}
const US: Conversion = {
  toKg: fromPounds,
  fromKg: toPounds,
  toCm: fromTenthsOfFeet,
  fromCm: toTenthsOfFeet,
  lb: 1,
}
const OLD_CONVERSIONS: Record<WUnits, Conversion> = {
  us: { ...US, toKg: (value) => fromPounds(value * 100), fromKg: (kg) => Math.round(toPounds(kg) / 100), lb: 100 },
  metric: {
    toKg: (value) => value * 100,
    fromKg: (kg) => Math.round(kg / 100),
    toCm: (value) => value * 10,
    fromCm: (cm) => Math.round(cm / 10),
    lb: toPounds(100),
  },
}
const conversionOf = (layout: WLayout, units: WUnits): Conversion => (layout === '2013' ? US : OLD_CONVERSIONS[units])

const textAt = (line: string, [start, width]: Field): string => line.slice(start - 1, start - 1 + width)

/** A number, filled with blanks or zeros; 0 if blank, NaN if it is none. */
function numberAt(line: string, field: Field): number {
  const text = textAt(line, field).trim()
  return /^\d*$/.test(text) ? Number(text) : Number.NaN
}

/** Local time of the hour begun, as ms of the same time in UTC; null if there is no such date. */
function parseHour(text: string, yearDigits: 2 | 4): number | null {
  if (!/^\d+$/.test(text) || text.length !== yearDigits + 6) return null
  const shortYear = Number(text.slice(0, yearDigits))
  const year = yearDigits === 4 ? shortYear : shortYear >= 80 ? 1900 + shortYear : 2000 + shortYear
  const [month = 0, day = 0, hour = 0] = [0, 2, 4].map((at) => Number(text.slice(yearDigits + at, yearDigits + at + 2)))
  const date = new Date(Date.UTC(year, month - 1, day, hour))
  const isDate = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24
  return isDate ? date.getTime() : null
}

/** The field of the axle with this index, from 0, by that of axle 1. */
const shifted = ([start, width]: Field, { step }: Layout, index: number): Field => [start + index * step, width]

/** Whether a line begins as a W record of the layout does, with digits where it has numbers. */
export function isWRecord(line: string, layout: WLayout): boolean {
  const { time, yearDigits, axles } = LAYOUTS[layout]
  const count = numberAt(line, axles)
  return line.startsWith('W') && parseHour(textAt(line, time), yearDigits) !== null && count >= 1 && count <= MAX_AXLES
}

/** Reads a record. Its lane is that of the file with the direction before it: `1-2`. */
export function parseWRecord(line: string, layout: WLayout, units: WUnits): Row {
  const columns = LAYOUTS[layout]
  const conversion = conversionOf(layout, units)
  const station = textAt(line, STATION)
    .toWellFormed()
    .trim()
    .replace(/^0+(?=.)/, '')
  const lane = `${textAt(line, DIRECTION).trim()}-${textAt(line, LANE).trim()}`.toWellFormed()
  const origin = { station, lane }
  const reject = (...[code, path, value]: Parameters<typeof refuse>) => refuse(code, path, value, origin)

  if (!line.startsWith('W')) return refuse('not-a-vehicle', null, line.slice(0, 1))
  if (line.length < columns.axle[0] - 1) return reject('line-incomplete', null, line.length)
  const vehicleClass = textAt(line, columns.class).trim()
  if (/^[md]$/i.test(vehicleClass)) return reject('not-a-vehicle', 'class', vehicleClass)
  const hour = textAt(line, columns.time)
  const at = parseHour(hour, columns.yearDigits)
  if (at === null) return reject('invalid-date', 'createdAt', hour)
  const count = numberAt(line, columns.axles)
  if (!(count >= 1 && count <= MAX_AXLES)) return reject('axle-count-invalid', 'axles', textAt(line, columns.axles))
  const [lastStart, lastWidth] = shifted(columns.axle, columns, count - 1)
  if (line.length < lastStart + lastWidth - 1) return reject('line-incomplete', null, line.length)

  const loads: number[] = []
  const gaps: number[] = []
  for (let index = 0; index < count; index++) {
    const load = numberAt(line, shifted(columns.axle, columns, index))
    const gap = index < count - 1 ? numberAt(line, shifted(columns.spacing, columns, index)) : 0
    if (Number.isNaN(load + gap)) return reject('invalid-number', `axles.${index}`, line.slice(columns.axle[0] - 1))
    if (load * conversion.lb > MAX_AXLE_LB) return reject('axle-too-heavy', `axles.${index}`, load)
    loads.push(load)
    if (index < count - 1) gaps.push(gap)
  }
  const gross = numberAt(line, columns.gross)
  const [sum, fhwa] = [loads.reduce((total, load) => total + load, 0), numberAt(line, columns.class)]
  if (Number.isNaN(gross + fhwa)) return reject('invalid-number', 'gross', textAt(line, columns.gross))
  // Units of 100 are rounded, each by up to a half.
  const rounding = conversion.lb > 1 ? ((count + 1) * conversion.lb) / 2 : 0
  const tolerance = Math.max(MAX_SUM_DIFFERENCE.lb, gross * conversion.lb * MAX_SUM_DIFFERENCE.share, rounding)
  if (Math.abs(sum - gross) * conversion.lb > tolerance) return reject('gross-differs', 'gross', `${gross}, ${sum}`)
  return {
    vehicle: {
      ...origin,
      at,
      isLocal: true,
      isHour: true,
      sequence: null,
      speed: null,
      length: null,
      height: null,
      ctg8p1: fromFhwaClass(fhwa),
      gross: conversion.toKg(gross),
      loads: loads.map(conversion.toKg),
      gaps: gaps.map((gap) => (gap === 0 ? null : conversion.toCm(gap))),
      plate: null,
      nationality: null,
    },
  }
}

/** A vehicle to be written. `local`: ms of its local time in UTC. Loads of axles in kg, gaps in cm to the axle before. */
export type WVehicle = {
  locationId: number
  laneNumber: number
  local: number
  ctg8p1: number
  totalLoad: number
  axles: readonly { totalLoad: number; gap: number }[]
}

/** All that our stations measure in one direction. */
const WRITTEN_DIRECTION = 1

/** Whether a record can hold the vehicle: weighed, 1 to 13 axles of up to 30 t, numbers of station and lane that fit. */
export const fitsWRecord = ({ locationId, laneNumber, totalLoad, axles }: WVehicle): boolean =>
  locationId < 1_000_000 &&
  laneNumber <= 9 &&
  totalLoad > 0 &&
  axles.length >= 1 &&
  axles.length <= MAX_AXLES &&
  axles.every(({ totalLoad }) => totalLoad > 0 && totalLoad <= MAX_AXLE_KG)

const digits = (value: number, width: number) => String(Math.min(value, 10 ** width - 1)).padStart(width, '0')

/** The record of a vehicle that fits, without a line end; numbers are filled with zeros, unused columns with blanks. */
export function formatWRecord(vehicle: WVehicle, layout: WLayout, units: WUnits): string {
  const { columns, yearDigits, time, gross, axles: axleCount, axle, spacing, class: classField } = LAYOUTS[layout]
  const conversion = conversionOf(layout, units)
  const { locationId, laneNumber, local, ctg8p1, totalLoad, axles } = vehicle
  const hour = new Date(local)
    .toISOString()
    .replace(/\D/g, '')
    .slice(0, 10)
    .slice(4 - yearDigits)
  const open = ' '.repeat(gross[0] - classField[0] - classField[1])
  let line = `W00${digits(locationId, STATION[1])}${WRITTEN_DIRECTION}${laneNumber}${digits(Number(hour), time[1])}`
  line += `${digits(toFhwaClass(ctg8p1, axles.length), classField[1])}${open}`
  line += `${digits(conversion.fromKg(totalLoad), gross[1])}${digits(axles.length, axleCount[1])}`
  for (const [index, { totalLoad, gap }] of axles.entries()) {
    if (index > 0) line += digits(conversion.fromCm(gap), spacing[1])
    line += digits(conversion.fromKg(totalLoad), axle[1])
  }
  return line.padEnd(columns)
}
