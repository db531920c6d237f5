import { hash } from 'node:crypto'
import type { ErrorCode } from '@rogatka/contract/errors.ts'
import type { ImportOptions } from '@rogatka/contract/imports.ts'
import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { dateOf } from '@rogatka/domain/core/warsaw.ts'
import { isLive } from '@rogatka/domain/current/live.ts'
import { type ClockJumps, createHourCounter, createZone, resolveLocal } from '@rogatka/domain/imports/clock.ts'
import { createParser } from '@rogatka/domain/imports/parser.ts'
import { createRepeatCounter, sequenceFrom, sequenceText } from '@rogatka/domain/imports/sequence.ts'
import { cutText, type FileVehicle, type RowRefusal } from '@rogatka/domain/imports/vehicle.ts'
import { derive } from '@rogatka/domain/ingest/derive.ts'
import type { Config } from '../config.ts'
import { isTooDeep } from '../core/json-depth.ts'
import { type StationRules, type VehicleOfStation, validateBatch } from '../ingest/public-api.ts'

/** Where a row belongs: station and lane as in the file, and those of the portal, null if it is assigned to none. */
type Origin = { station: string; lane: string; locationId: number | null; laneNumber: number | null }

/** A vehicle that may be stored, with the line of its row. */
export type RowVehicle = VehicleOfStation &
  Origin & {
    locationId: number
    laneNumber: number
    line: number
    text: string
    /** Its day in Polish time; `isOld`: the day began before the retention. */
    day: string
    isOld: boolean
    /** It has a gross weight, which is not stored without axle loads. */
    isGrossOnly: boolean
  }
/** A refused row; its errors are those of the quarantine. */
export type RefusedRow = Origin & {
  line: number
  text: string
  code: ErrorCode
  path: string | null
  value: string | null
}
export type ImportRows = {
  vehicles: RowVehicle[]
  refused: RefusedRow[]
  /** Rows whose time came twice, with no sign of which was meant. */
  ambiguous: number
}

export type RowContext = {
  options: ImportOptions
  jumps: ClockJumps
  /** The rules of a station; undefined if there is none with this number. */
  rulesOf: (locationId: number) => StationRules | undefined
  config: Pick<Config, 'retentionDays' | 'overloadBasis'>
  now: Date
}

/** Older rows are refused: the two digits of a year in W records begin here. */
const EARLIEST = Date.UTC(1980, 0, 1)

/** Lanes of records without another assignment: only those of the direction that the portal itself writes. */
const OWN_W_LANE = /^1-([1-9])$/

/**
 * Reads the rows of a file: all its lines in their order, in parts of any size. A line that is null was too long. Everything
 * that it remembers comes from earlier rows alone, so a run that continues reads the same vehicles.
 */
export function createRowReader(context: RowContext): (lines: readonly (string | null)[], first: number) => ImportRows {
  const { options, jumps, now, config } = context
  const parse = createParser(options)
  const zone = createZone(options.timeZone)
  const indexInHour = createHourCounter()
  const repeatsOf = createRepeatCounter()
  const assign = createAssignment(context)
  const isJson = options.format === 'jsonl'
  const lastOldDay = dateOf(new Date(now.getTime() - config.retentionDays * DAY_MS - 1))
  const maxDays = Math.max(config.retentionDays, (now.getTime() - EARLIEST) / DAY_MS)

  const readOne = (text: string, line: number, rows: ImportRows): void => {
    const row = isJson && isTooDeep(text) ? { refusal: invalidRow } : parse(text)
    if (row === null) return
    const { station = '', lane = '' } = 'vehicle' in row ? row.vehicle : row
    const origin = { station, lane, ...assign(station, lane) }
    const refuse = ({ code, path, value }: RowRefusal) =>
      rows.refused.push({ line, text, ...origin, code, path, value })
    if (!('vehicle' in row)) return void refuse(row.refusal)
    const { vehicle } = row
    const time = vehicle.isLocal
      ? resolveLocal(zone, jumps, { station, local: vehicle.at, line })
      : { at: vehicle.at, isAmbiguous: false }
    if (!time) return void refuse({ code: 'time-does-not-exist', path: 'createdAt', value: localText(vehicle.at) })
    const { locationId, laneNumber } = origin
    const rules = locationId === null ? undefined : context.rulesOf(locationId)
    if (locationId === null || laneNumber === null || !rules)
      return void refuse({ code: 'lane-not-assigned', path: 'laneNumber', value: `${station} · ${lane}` })
    // Counted for assigned lanes only: bad files may have any number of others.
    const at = vehicle.isHour ? time.at + indexInHour(station, lane, time.at) : time.at
    const { station: stationRules, limitsAt } = rules
    const value = toMeasurement(vehicle, { locationId, laneNumber, createdAt: new Date(at) }, repeatsOf)
    const { candidates, rejected } = validateBatch(
      [{ index: line, value, unreadable: false }],
      stationRules,
      now,
      maxDays,
    )
    const [candidate] = candidates
    if (!candidate) {
      const [error] = rejected.flatMap(({ errors }) => errors)
      const path = error?.path ?? null
      return void refuse({ code: error?.code ?? 'invalid-value', path, value: valueAt(value, path) })
    }
    const { measured, digest } = candidate
    const evaluated = options.accuracy === 'none' ? withoutClasses(stationRules) : stationRules
    const derived = derive(measured, evaluated, limitsAt(measured.createdAt), config.overloadBasis)
    if (isLive({ createdAt: measured.createdAt, checkpointTime: derived.checkpointTime }, now, now))
      return void refuse({ code: 'vehicle-still-live', path: 'createdAt', value: measured.createdAt.toISOString() })
    if (time.isAmbiguous) rows.ambiguous++
    const day = dateOf(measured.createdAt)
    const isGrossOnly = vehicle.gross !== null && vehicle.loads.length === 0
    rows.vehicles.push({
      measured,
      derived,
      digest,
      ...origin,
      locationId,
      laneNumber,
      hourOnly: vehicle.isHour,
      line,
      text,
      day,
      isOld: day <= lastOldDay,
      isGrossOnly,
    })
  }

  return (lines, first) => {
    const rows: ImportRows = { vehicles: [], refused: [], ambiguous: 0 }
    for (const [index, text] of lines.entries()) {
      if (text === null) rows.refused.push({ ...NO_ORIGIN, line: first + index, text: '', ...longLine })
      else readOne(text, first + index, rows)
    }
    return rows
  }
}

const NO_ORIGIN: Origin = { station: '', lane: '', locationId: null, laneNumber: null }
const invalidRow: RowRefusal = { code: 'invalid-value', path: null, value: null }
const longLine: RowRefusal = { code: 'line-too-long', path: null, value: null }

const localText = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ')

/** The refused value, for the report; null for plates, and for what is no single value. */
function valueAt(value: object, path: string | null): string | null {
  if (path === null || path.startsWith('plateLpr')) return null
  const found = path.split('.').reduce<unknown>((of, key) => (of as Record<string, unknown> | undefined)?.[key], value)
  return typeof found === 'number' || typeof found === 'string' ? cutText(String(found), 60) : null
}

const withoutClassCache = new WeakMap<object, StationRules['station']>()

/** The station as if no lane had an accuracy class: then no overload is evaluated. */
function withoutClasses(station: StationRules['station']): StationRules['station'] {
  const found = withoutClassCache.get(station)
  if (found) return found
  const lanes = station.lanes.map((lane) => ({ ...lane, accuracyClass: null }))
  const without = { ...station, lanes }
  withoutClassCache.set(station, without)
  return without
}

/** Station and lane of the portal by those in the file. */
function createAssignment({ options, rulesOf }: RowContext) {
  type LaneAssignment = { locationId: number | null; laneNumber: number | null }
  const known = new Map<string, LaneAssignment>(
    options.assignments.map(({ station, lane, ...to }) => [`${station}|${lane}`, to]),
  )
  const isW = options.format === 'w2013' || options.format === 'w2001'

  const sameNumbers = (station: string, lane: string): LaneAssignment => {
    const number = isW ? (OWN_W_LANE.exec(lane)?.[1] ?? '') : lane
    const [locationId, laneNumber] = [station, number].map((text) => (/^\d{1,9}$/.test(text) ? Number(text) : null))
    const rules = locationId ? rulesOf(locationId) : undefined
    if (!rules || !locationId) return { locationId: null, laneNumber: null }
    const hasLane = rules.station.lanes.some((one) => one.laneNumber === laneNumber)
    return { locationId, laneNumber: hasLane ? (laneNumber ?? null) : null }
  }

  return (station: string, lane: string): LaneAssignment => {
    const key = `${station}|${lane}`
    const found = known.get(key)
    if (found) return found
    const assigned = sameNumbers(station, lane)
    // Bad files may have any number of them.
    if (known.size < 10_000) known.set(key, assigned)
    return assigned
  }
}

/** The measurement as a station would send it. Files have loads of axles, of which each side gets half. */
function toMeasurement(
  vehicle: FileVehicle,
  target: { locationId: number; laneNumber: number; createdAt: Date },
  repeatsOf: (text: string) => number,
): Partial<WireMeasurement> {
  const { laneNumber, createdAt } = target
  const text = vehicle.sequence === null ? sequenceText({ ...vehicle, ...target }) : undefined
  const sequence = text ? sequenceFrom(hash('sha256', `${text}|${repeatsOf(text)}`, 'buffer')) : vehicle.sequence
  const key = { sequence: sequence as number, createdAt: createdAt.toISOString(), laneNumber }
  if (vehicle.measurement) return { ...vehicle.measurement, ...key }
  const { speed, length, height, ctg8p1, loads, gaps, plate, nationality } = vehicle
  return {
    ...key,
    plateLpr: plate,
    nationality,
    speed,
    vehLength: length,
    vehHeight: height,
    ctg8p1,
    ...(loads.length > 0 && {
      axles: loads.map((load, index) => ({
        leftWeight: load === null ? null : Math.ceil(load / 2),
        rightWeight: load === null ? null : Math.floor(load / 2),
        gap: index === 0 ? 0 : (gaps[index - 1] ?? 0),
      })),
    }),
  }
}
