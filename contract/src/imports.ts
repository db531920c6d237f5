import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { instant, pageQuery, queryId, requiredText } from './wire.ts'

/** Maximum size of an uploaded file, as sent: a compressed one may be larger when decompressed. */
export const MAX_IMPORT_BYTES = 500 * 1024 * 1024
/** Columns of a file, and stations with lanes that may be assigned. */
export const MAX_COLUMNS = 200
const MAX_ASSIGNMENTS = 1_000
export const MAX_MAPPINGS = 100

/**
 * File formats: FHWA TMG W records of 2013 and 2001, tables with a column mapping, and JSON lines as stations send them
 * (`POST /measurements`) with `locationId`.
 */
export const importFormats = ['w2013', 'w2001', 'csv', 'jsonl'] as const
export type ImportFormat = (typeof importFormats)[number]

export const importEncodings = ['utf-8', 'windows-1250', 'iso-8859-2'] as const
export type ImportEncoding = (typeof importEncodings)[number]

export const importSeparators = [';', ',', '\t', '|', ' '] as const
export const decimalSigns = ['.', ','] as const

/** Fields of a column; `load` and `gap` have the number of the axle, a gap that of its second axle. */
export const importFields = [
  'ignored',
  'station',
  'lane',
  'dateTime',
  'date',
  'time',
  'sequence',
  'speed',
  'length',
  'height',
  'class',
  'gross',
  'axles',
  'load',
  'gap',
  'plate',
  'nationality',
] as const
export type ImportField = (typeof importFields)[number]

const LENGTHS = ['cm', 'm', 'mm', '0.1 m', '0.1 ft'] as const
const LOADS = ['kg', 't', '100 kg', 'lb', '100 lb', 'kN'] as const

/** Units of each field that has some; the first one is the default. */
export const importUnits = {
  speed: ['km/h', '0.01 km/h', 'm/s', 'mph'],
  length: LENGTHS,
  height: LENGTHS,
  gap: LENGTHS,
  gross: LOADS,
  load: LOADS,
  /** TLS 8+1, the ten Swiss classes, FHWA classes. */
  class: ['8+1', 'swiss10', 'fhwa'],
  /** Order of the parts of a date, if it has no year first. */
  date: ['day-month', 'month-day'],
  dateTime: ['day-month', 'month-day'],
} as const satisfies Partial<Record<ImportField, readonly string[]>>
export type ImportUnit = (typeof importUnits)[keyof typeof importUnits][number]

const allUnits = [...new Set(Object.values(importUnits).flat())] as ImportUnit[]

const MAX_IMPORT_AXLES = 13

export const importColumn = z.object({
  /** Its heading, or its number from 1 if the file has no headings. */
  column: z.string().max(100),
  field: z.enum(importFields),
  unit: z.enum(allUnits).nullable(),
  /** For loads and gaps, from 1; gaps from 2. */
  axle: z.int().min(1).max(MAX_IMPORT_AXLES).nullable(),
})
export type ImportColumn = z.output<typeof importColumn>

/** Units of W records of 2001: 100 kg and 0.1 m, or 100 lb and 0.1 ft. */
export const wUnits = ['metric', 'us'] as const
export type WUnits = (typeof wUnits)[number]

/** An offset such as `+01:00`, or the name of a time zone, `Europe/Warsaw`. */
const timeZone = z.string().max(60).refine(isTimeZone, 'unknown-option')

function isTimeZone(name: string): boolean {
  if (/^[+-]\d\d:\d\d$/.test(name)) return Number(name.slice(1, 3)) <= 14 && Number(name.slice(4)) < 60
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}

const assignedLane = z.object({
  /** As in the file. */
  station: z.string(),
  lane: z.string(),
  /** Null: assigned to none. */
  locationId: z.int().nullable(),
  laneNumber: z.int().nullable(),
})

const options = z.object({
  format: z.enum(importFormats),
  encoding: z.enum(importEncodings),
  timeZone,
  wUnits: z.enum(wUnits),
  separator: z.enum(importSeparators),
  decimalSign: z.enum(decimalSigns),
  hasHeadings: z.boolean(),
  columns: z.array(importColumn).max(MAX_COLUMNS),
  /** Whether overloads are evaluated with the accuracy class of the lane, or not at all. */
  accuracy: z.enum(['none', 'lane']),
  /**
   * Station and lane of the portal for those in the file; texts as in the file. Null: their rows are refused. Without an
   * entry the station and lane with the same numbers are meant.
   */
  assignments: z
    .array(
      assignedLane.extend({
        station: z.string().max(100),
        lane: z.string().max(100),
        locationId: z.int().positive().nullable(),
        laneNumber: z.int().min(1).max(99).nullable(),
      }),
    )
    .max(MAX_ASSIGNMENTS),
})
export const importOptions = options
/** As stored: limits of requests do not apply, as no entry of a list may make the whole list unreadable. */
const storedOptions = options.extend({
  timeZone: z.string(),
  columns: z.array(importColumn.extend({ column: z.string(), axle: z.int().nullable() })),
  assignments: z.array(assignedLane),
})
export type ImportOptions = z.output<typeof importOptions>

/** Checking: waiting for its trial, or in it. Checked: can be run. Running: waiting or run. A failed run can be continued. */
export const importStates = ['checking', 'checked', 'running', 'done', 'cancelled', 'failed'] as const
export type ImportState = (typeof importStates)[number]

/** Rows refused for one reason, with the first one. `path` names the value, null: the row. */
const refusedRows = z.object({
  code: z.string(),
  path: z.string().nullable(),
  /** In the caller's language. */
  text: z.string(),
  rows: z.int(),
  firstLine: z.int(),
  /** The value that was refused, or null. */
  example: z.string().nullable(),
})
export type RefusedRows = z.output<typeof refusedRows>

const importLane = assignedLane.extend({
  new: z.int(),
  /** Of the new ones: lorries, also with trailer, and buses. */
  heavy: z.int(),
  refused: z.int(),
})

/** Result of a trial: new + duplicates + refused = rows. */
export const importTrial = z.object({
  rows: z.int(),
  new: z.int(),
  duplicates: z.int(),
  refused: z.int(),
  reasons: z.array(refusedRows),
  /** The first 1,000 by station and lane; none in lists. */
  lanes: z.array(importLane),
  /** Of the new ones; 0: not classified. */
  classes: z.array(z.object({ ctg8p1: z.int(), vehicles: z.int() })),
  /** Days of the new ones in Polish time, with those that go only into figures; none in lists. */
  days: z.array(z.object({ day: z.string(), vehicles: z.int(), figuresOnly: z.int() })),
  /** Time of the first and the last new one; null without one. */
  first: instant.nullable(),
  last: instant.nullable(),
  /** Sum of the gross weights of the new ones, kg. */
  grossSum: z.int(),
  /** Rows of the hour that comes twice in autumn, in files without a jump back: winter time was assumed. */
  ambiguousTimes: z.int(),
  /** New ones with a gross weight but no axle loads: stored as not weighed. */
  grossOnly: z.int(),
  /**
   * Of files that have only the hour (W records), new ones in hours of lanes that already have vehicles: a corrected file may
   * store those of the earlier one again.
   */
  inFilledHours: z.int(),
  /** New ones of days older than the retention: they are not stored, but counted in the figures, by whole days. */
  figuresOnly: z.int(),
  /** Days of stations of these, and those of them whose figures, of an earlier import, are replaced. */
  figureDays: z.int(),
  replacedDays: z.int(),
})
export type ImportTrial = z.output<typeof importTrial>
export type WireImportTrial = z.input<typeof importTrial>

export const importEntry = z.object({
  id: z.int(),
  state: z.enum(importStates),
  fileName: z.string(),
  /** In bytes, as sent. */
  fileSize: z.int(),
  /** SHA-256 of the file as sent, in hexadecimal. */
  sha256: z.string(),
  options: storedOptions,
  createdAt: instant,
  /** Null: by a command. */
  createdBy: z.string().nullable(),
  /** Null before the trial has ended; of a file refused midway it has the rows read until then. */
  trial: importTrial.nullable(),
  /** Percent of the file that the trial has read. */
  trialPercent: z.int(),
  /** Of the run. */
  written: z.int(),
  duplicates: z.int(),
  refused: z.int(),
  /** Of the written ones, those that are only in the figures. */
  figures: z.int(),
  /** Read, but not written yet: rows whose days are counted once the file is read. */
  collected: z.int(),
  startedAt: instant.nullable(),
  finishedAt: instant.nullable(),
  /** Why the file was refused or the run has failed, in the caller's language. */
  error: z.string().nullable(),
})
export type ImportEntry = z.output<typeof importEntry>
export type WireImportEntry = z.input<typeof importEntry>

/** With how its file was recognised. */
export const importDetail = importEntry.extend({
  /** Columns of the file with the first values; empty for other formats than tables. */
  columns: z.array(z.object({ column: z.string(), samples: z.array(z.string()) })),
  /** Headings, or lines, that were recognised, of all that were read. */
  recognised: z.object({ known: z.int(), total: z.int() }),
  /** The file is still there, so it can be tried or run. */
  hasFile: z.boolean(),
  hasRefusedFile: z.boolean(),
  /** Increases with each change of the options; must be sent with a run or another change (optimistic locking). */
  revision: z.int(),
})
export type ImportDetail = z.output<typeof importDetail>
export type WireImportDetail = z.input<typeof importDetail>

export const importMapping = z.object({
  id: z.int(),
  name: z.string(),
  options: storedOptions,
  createdBy: z.string().nullable(),
})
export type ImportMapping = z.output<typeof importMapping>

const byId = z.object({ id: queryId })
const seen = z.object({ revision: queryId })

export const upload = endpoint({
  method: 'POST',
  path: '/imports',
  access: 'Exchange',
  summary:
    'Uploads a file of vehicles, up to 500 MB, also compressed (gz), as the body; recognises its format and tries it without writing anything',
  query: z.object({ fileName: requiredText(200), mappingId: queryId.optional() }),
  raw: 'file',
  response: importDetail,
  looks: 'each',
  shows: 'imports',
})

export const list = endpoint({
  method: 'GET',
  path: '/imports',
  access: 'Exchange',
  summary: 'Lists imports, newest first; their trials without lanes and days',
  query: pageQuery,
  response: z.object({ content: z.array(importEntry), totalCount: z.int() }),
})

export const detail = endpoint({
  method: 'GET',
  path: '/imports/:id',
  access: 'Exchange',
  summary: 'Returns an import with the result of its trial and its progress',
  params: byId,
  response: importDetail,
  looks: 'visit',
  shows: 'imports',
})

export const changeOptions = endpoint({
  method: 'PUT',
  path: '/imports/:id/options',
  access: 'Exchange',
  summary: 'Changes how a file is read, and tries it again',
  params: byId,
  query: seen,
  body: options,
  response: importDetail,
  looks: 'each',
  shows: 'imports',
})

export const run = endpoint({
  method: 'POST',
  path: '/imports/:id/run',
  access: 'Exchange',
  summary: 'Imports a tried file in the background; continues a run that was interrupted',
  params: byId,
  query: seen,
  response: importDetail,
  looks: 'each',
  shows: 'imports',
})

export const cancel = endpoint({
  method: 'POST',
  path: '/imports/:id/cancel',
  access: 'Exchange',
  summary: 'Ends a trial or a run, and deletes the file; what was imported stays',
  params: byId,
  response: importDetail,
  looks: 'each',
  shows: 'imports',
})

export const refusedFile = endpoint({
  method: 'GET',
  path: '/imports/:id/refused',
  access: 'Exchange',
  summary: 'Returns all refused rows of the trial as CSV: line number, code, value and row',
  params: byId,
  binary: 'application/octet-stream',
  looks: 'file',
})

export const mappings = endpoint({
  method: 'GET',
  path: '/import-mappings',
  access: 'Exchange',
  summary: 'Lists saved mappings by name',
  response: z.array(importMapping),
})

export const saveMapping = endpoint({
  method: 'POST',
  path: '/import-mappings',
  access: 'Exchange',
  summary: 'Saves how a file is read under a name; replaces the mapping of that name',
  body: z.object({ name: requiredText(60), options }),
  response: importMapping,
})

export const removeMapping = endpoint({
  method: 'DELETE',
  path: '/import-mappings/:id',
  access: 'Exchange',
  summary: 'Deletes a saved mapping',
  params: byId,
})
