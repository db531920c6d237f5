import { rename, rm } from 'node:fs/promises'
import type { ErrorCode } from '@rogatka/contract/errors.ts'
import type { ImportOptions } from '@rogatka/contract/imports.ts'
import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import { type ClockJumps, createJumpFinder, createZone } from '@rogatka/domain/imports/clock.ts'
import { createParser } from '@rogatka/domain/imports/parser.ts'
import type { ReservedConnection } from '../core/database.ts'
import { assertFreeSpace } from '../core/disk.ts'
import { vehicleKey } from '../core/passage.ts'
import { Refusal } from '../core/refusal.ts'
import { findStored, isStoredAs, keyOf } from '../ingest/public-api.ts'
import { csvCells } from '../reports/public-api.ts'
import { type ImportContext, LeaseLost, loadRules } from './context.ts'
import { createDaySorter, type SortedVehicles, toSequenceReused } from './days.ts'
import { openForWriting, refusedPath, unfinishedPath, uploadPath } from './folder.ts'
import { addKeys, createKeyTable, dropKeyTable } from './keys-queries.ts'
import { readLines } from './lines.ts'
import { filledHours, type ImportRow, recordTrial, recordTrialProgress, type StoredTrial } from './queries.ts'
import { createRowReader, type RefusedRow, type RowVehicle } from './rows.ts'

/** Lines that are read and compared at a time. */
const BATCH_LINES = 1_000
/** Lanes that a trial lists at most. */
const MAX_LANES = 1_000
/** Characters of a refused row in its report. */
const MAX_ROW_LENGTH = 1_000
/** Refused rows in its report: 1 GB at the most. */
const MAX_REPORTED = 1_000_000
/** Categories [8+1] of lorries, also with trailer, and buses. */
const HEAVY = [3, 8, 9, 5]

/**
 * Reads the whole file and counts what an import would store, without storing anything. Files with local times are read
 * twice: first for where the clocks of stations were set back.
 */
export async function runTrial(context: ImportContext, row: ImportRow, holder: string): Promise<void> {
  const report = unfinishedPath(context.config, row.id, holder)
  try {
    await tryRows(context, row, holder, report)
  } finally {
    await rm(report, { force: true })
  }
}

async function tryRows(context: ImportContext, row: ImportRow, holder: string, reportPath: string): Promise<void> {
  const { db, config, now } = context
  const path = uploadPath(config, row.id)
  const [jumps, days] = [{} as ClockJumps, createDaySorter()]
  const counts = createCounts(days.isReplaced)
  const report = createRefusedReport(reportPath)
  let error: ErrorCode | null = null
  const hasLocalTimes = row.options.format !== 'jsonl'
  const hasOnlyHours = row.options.format === 'w2013' || row.options.format === 'w2001'
  const progress = createProgress(context, row, holder, hasLocalTimes ? 2 : 1)
  const connection = await db.reserve()
  try {
    await dropKeyTable(connection)
    await createKeyTable(connection)
    if (hasLocalTimes) Object.assign(jumps, await findJumps(path, row.options, (bytes) => progress(0, bytes)))
    const readRows = createRowReader({
      options: row.options,
      jumps,
      rulesOf: await loadRules(db, now()),
      config,
      now: now(),
    })
    let line = 1
    for await (const part of readLines(path, row.options.encoding)) {
      for (let from = 0; from < part.lines.length; from += BATCH_LINES) {
        const lines = part.lines.slice(from, from + BATCH_LINES)
        const { vehicles, refused, ambiguous } = readRows(lines, line)
        line += lines.length
        const sorted = await days.sort(connection, vehicles)
        const compared = await compare(connection, sorted, hasOnlyHours)
        const all = [...refused, ...sorted.refused, ...compared.reused.map(toSequenceReused)].sort(
          (a, b) => a.line - b.line,
        )
        counts.add(compared, all, ambiguous)
        await report.add(all)
      }
      await progress(hasLocalTimes ? 1 : 0, part.bytes)
    }
  } catch (reason) {
    if (!(reason instanceof Refusal)) throw reason
    error = reason.message as ErrorCode
  } finally {
    await dropKeyTable(connection).catch(() => {})
    connection.release()
    await report.end()
  }
  const trial = counts.result()
  if (!error && trial.rows === 0) error = 'import-empty'
  await db.transaction(async (db) => {
    if (!(await recordTrial(db, row.id, holder, { trial, jumps, error }))) throw new LeaseLost()
    if (trial.refused > 0) await rename(reportPath, refusedPath(config, row.id))
    else await rm(refusedPath(config, row.id), { force: true })
  })
}

/** Records percents at most once a second. @throws `LeaseLost` */
function createProgress(
  { db, config, signal }: ImportContext,
  { id, fileSize }: ImportRow,
  holder: string,
  passes: number,
) {
  let recordedAt = performance.now()
  return async (pass: number, bytes: number): Promise<void> => {
    if (signal.aborted) throw new LeaseLost()
    if (performance.now() - recordedAt < 1_000) return
    recordedAt = performance.now()
    // Refused rows and the keys of a decompressed file may be many times its size.
    await assertFreeSpace(config.dataDir, config.diskReserve)
    const percent = Math.min(99, Math.floor((100 * (pass + bytes / Math.max(1, fileSize))) / passes))
    if (!(await recordTrialProgress(db, id, holder, percent))) throw new LeaseLost()
  }
}

async function findJumps(
  path: string,
  options: ImportOptions,
  onPart: (bytes: number) => Promise<void>,
): Promise<ClockJumps> {
  const [parse, finder] = [createParser(options), createJumpFinder(createZone(options.timeZone))]
  let line = 0
  for await (const part of readLines(path, options.encoding)) {
    for (const text of part.lines) {
      line++
      const row = text === null ? null : parse(text)
      if (row && 'vehicle' in row && row.vehicle.isLocal) finder.add(row.vehicle.station, row.vehicle.at, line)
    }
    await onPart(part.bytes)
  }
  return finder.jumps
}

type TrialComparison = {
  added: RowVehicle[]
  /** Added ones that are counted only. */
  counted: Set<RowVehicle>
  duplicates: RowVehicle[]
  reused: RowVehicle[]
  /** Added ones in hours of their lane that have vehicles, if only hours are known. */
  inFilledHours: number
}

/** Compares vehicles with stored ones and with earlier rows of the file, as storing them would. */
async function compare(
  db: ReservedConnection,
  sorted: SortedVehicles,
  hasOnlyHours: boolean,
): Promise<TrialComparison> {
  const counted = new Set(sorted.counted)
  const compared: TrialComparison = { added: [], counted, duplicates: [], reused: [], inFilledHours: 0 }
  const vehicles = [...sorted.stored, ...sorted.counted].sort((a, b) => a.line - b.line)
  if (vehicles.length === 0) return compared
  const stored = await findStored(db, sorted.stored)
  const firsts = new Map<string, RowVehicle>()
  for (const vehicle of vehicles) {
    const key = keyOf(vehicle)
    if (!stored.has(key) && !firsts.has(key)) firsts.set(key, vehicle)
  }
  const keys = [...firsts.values()].map(({ locationId, measured, derived, digest }) => ({
    locationId,
    createdAt: measured.createdAt,
    id: derived.id,
    digest,
  }))
  const earlier = keys.length > 0 ? await addKeys(db, keys) : new Map<string, Buffer>()
  for (const vehicle of vehicles) {
    const key = vehicleKey({ id: vehicle.derived.id, createdAt: vehicle.measured.createdAt })
    const before = stored.get(key)
    const first = earlier.get(key) ?? (firsts.get(key) === vehicle ? undefined : firsts.get(key)?.digest)
    if (before) compared[isStoredAs(before, vehicle) ? 'duplicates' : 'reused'].push(vehicle)
    else if (first) compared[first.equals(vehicle.digest) ? 'duplicates' : 'reused'].push(vehicle)
    else compared.added.push(vehicle)
  }
  if (hasOnlyHours)
    compared.inFilledHours = await countInFilledHours(
      db,
      compared.added.filter((vehicle) => !counted.has(vehicle)),
    )
  return compared
}

async function countInFilledHours(db: ReservedConnection, vehicles: readonly RowVehicle[]): Promise<number> {
  const hourOf = ({ measured }: RowVehicle) => Math.floor(measured.createdAt.getTime() / HOUR_MS) * HOUR_MS
  const keyOf = (vehicle: RowVehicle) => `${vehicle.locationId}|${vehicle.laneNumber}|${hourOf(vehicle)}`
  const hours = new Map(vehicles.map((vehicle) => [keyOf(vehicle), { ...vehicle, hour: new Date(hourOf(vehicle)) }]))
  if (hours.size === 0) return 0
  const filled = await filledHours(db, [...hours.values()])
  return vehicles.filter((vehicle) => filled.has(keyOf(vehicle))).length
}

function createCounts(isReplaced: ReturnType<typeof createDaySorter>['isReplaced']) {
  const total = { new: 0, duplicates: 0, refused: 0, ambiguousTimes: 0, grossOnly: 0, inFilledHours: 0, grossSum: 0 }
  const ofFigures = { figuresOnly: 0, figureDays: 0, replacedDays: 0 }
  const figureDays = new Set<string>()
  const reasons = new Map<string, StoredTrial['reasons'][number]>()
  const lanes = new Map<string, StoredTrial['lanes'][number]>()
  const classes = new Map<number, number>()
  const days = new Map<string, { vehicles: number; figuresOnly: number }>()
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const laneOf = ({ station, lane, locationId, laneNumber }: RefusedRow | RowVehicle) => {
    const key = `${station}|${lane}`
    const found = lanes.get(key)
    if (found) return found
    const added = { station, lane, locationId, laneNumber, new: 0, heavy: 0, refused: 0 }
    if (lanes.size < MAX_LANES && (station !== '' || lane !== '')) lanes.set(key, added)
    return added
  }
  const addToDay = ({ locationId, day }: RowVehicle, isCounted: boolean) => {
    const { vehicles, figuresOnly } = days.get(day) ?? { vehicles: 0, figuresOnly: 0 }
    days.set(day, { vehicles: vehicles + 1, figuresOnly: figuresOnly + (isCounted ? 1 : 0) })
    if (!isCounted) return
    ofFigures.figuresOnly++
    const key = `${locationId} ${day}`
    if (figureDays.has(key)) return
    figureDays.add(key)
    ofFigures.figureDays++
    if (isReplaced({ locationId, day })) ofFigures.replacedDays++
  }

  return {
    add: (
      { added, counted, duplicates, inFilledHours }: TrialComparison,
      refused: readonly RefusedRow[],
      ambiguous: number,
    ) => {
      total.duplicates += duplicates.length
      total.new += added.length
      total.refused += refused.length
      total.ambiguousTimes += ambiguous
      total.inFilledHours += inFilledHours
      // Lanes that have duplicates only are listed, too.
      for (const vehicle of duplicates) laneOf(vehicle)
      for (const vehicle of added) {
        const { measured, derived } = vehicle
        const lane = laneOf(vehicle)
        lane.new++
        if (vehicle.isGrossOnly) total.grossOnly++
        if (HEAVY.includes(derived.ctg8p1)) lane.heavy++
        classes.set(derived.ctg8p1, (classes.get(derived.ctg8p1) ?? 0) + 1)
        addToDay(vehicle, counted.has(vehicle))
        first = Math.min(first, measured.createdAt.getTime())
        last = Math.max(last, measured.createdAt.getTime())
        total.grossSum += derived.totalLoad ?? 0
      }
      for (const row of refused) {
        laneOf(row).refused++
        const { code, path, line, value } = row
        // Axles are one reason, whichever axle it is.
        const name = path?.startsWith('axles.') ? 'axles' : path
        const key = `${code}|${name}`
        const reason = reasons.get(key)
        if (reason) reason.rows++
        else reasons.set(key, { code, path: name, rows: 1, firstLine: line, example: value })
      }
    },
    result: (): StoredTrial => {
      const { new: added, duplicates, refused } = total
      return {
        ...{ rows: added + duplicates + refused, ...total, ...ofFigures },
        reasons: [...reasons.values()].sort((a, b) => b.rows - a.rows || a.firstLine - b.firstLine),
        lanes: [...lanes.values()].sort((a, b) => compareTexts(a.station, b.station) || compareTexts(a.lane, b.lane)),
        classes: [...classes].map(([ctg8p1, vehicles]) => ({ ctg8p1, vehicles })).sort((a, b) => a.ctg8p1 - b.ctg8p1),
        days: [...days].map(([day, counts]) => ({ day, ...counts })).sort((a, b) => compareTexts(a.day, b.day)),
        first: added > 0 ? new Date(first).toISOString() : null,
        last: added > 0 ? new Date(last).toISOString() : null,
      }
    },
  }
}

const compareTexts = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })

/** The CSV of the refused rows, which are added in the order of the file. */
function createRefusedReport(path: string) {
  const { text: cell } = csvCells('en')
  const file = openForWriting(path)
  const failed = new Promise<never>((_, reject) => file.once('error', reject))
  failed.catch(() => {})
  file.write('\ufeffline;code;field;value;row\r\n')
  let count = 0
  return {
    add: async (rows: readonly RefusedRow[]): Promise<void> => {
      const reported = rows.slice(0, Math.max(0, MAX_REPORTED - count))
      count += rows.length
      if (reported.length === 0) return
      const lines = reported.map(({ line, code, path: field, value, text }) =>
        [String(line), code, field ?? '', cell(value ?? ''), cell(text.slice(0, MAX_ROW_LENGTH))].join(';'),
      )
      const hasRoom = file.write(`${lines.join('\r\n')}\r\n`)
      if (!hasRoom) await Promise.race([new Promise((resolve) => file.once('drain', resolve)), failed])
    },
    end: () => {
      if (count > MAX_REPORTED) file.write(`;;;;and ${count - MAX_REPORTED} more rows\r\n`)
      return Promise.race([new Promise<void>((resolve) => file.end(resolve)), failed])
    },
  }
}
