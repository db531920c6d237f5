import type { ErrorCode } from '@rogatka/contract/errors.ts'

/** A vehicle as read from a file. Loads in kg, lengths in cm, speed in km/h; null: not measured. */
export type FileVehicle = {
  /** As in the file. */
  station: string
  lane: string
  /** An instant, or the ms of its local time as if that were in UTC. */
  at: number
  isLocal: boolean
  /** Hours alone are known: vehicles of an hour differ by ms (`createHourCounter`). */
  isHour: boolean
  /** Given by the station; null: to be derived (sequence.ts). */
  sequence: number | null
  speed: number | null
  length: number | null
  height: number | null
  /** Category [8+1]; 0: not classified. */
  ctg8p1: number
  gross: number | null
  loads: (number | null)[]
  /** One less than loads, from axle 1 to 2; null: not measured. */
  gaps: (number | null)[]
  plate: string | null
  nationality: string | null
  /** The measurement of a JSON line as it is; replaces speed and all below. */
  measurement?: Record<string, unknown>
}

/** Why a row is not a vehicle; `path` names the value, `value` is what was read. */
export type RowRefusal = { code: ErrorCode; path: string | null; value: string | null }

/** A row with its vehicle or the reason of its refusal, and with its station and lane where they were read. */
export type Row = { vehicle: FileVehicle } | { refusal: RowRefusal; station?: string; lane?: string }

/** A text of the file, cut, without NUL and halves of characters: as it can be stored, and assigned. */
export const cutText = (text: string, length: number): string =>
  text.slice(0, length).toWellFormed().replaceAll('\0', '\uFFFD')

export const refuse = (
  code: ErrorCode,
  path: string | null = null,
  value: string | number | null = null,
  origin: { station?: string; lane?: string } = {},
): Row => ({ refusal: { code, path, value: value === null ? null : cutText(String(value), 60) }, ...origin })

/** 30 t, the heaviest axle that a scale may have seen. */
export const MAX_AXLE_KG = 30_000
