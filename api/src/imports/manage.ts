import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ImportOptions, importOptions, wUnits } from '@rogatka/contract/imports.ts'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { auditWithoutSession } from '../core/audit.ts'
import type { Pool } from '../core/database.ts'
import type { ImportContext } from './context.ts'
import { cancel, type ImportActor, requireImport, startRun, uploadFile } from './imports.ts'
import { importPage, selectMappings } from './queries.ts'
import { toEntry } from './view.ts'
import { workOnImport } from './work.ts'

/* The commands of `npm run manage` for imports: those of the API, worked on by the command itself. */

type Options = Record<string, string | undefined>
type Command = (db: Pool, options: Options, now: Date, config: Config) => Promise<void>

const positiveInt = z.coerce.number().int().positive()
const MAX_LISTED = 100
/** How often the progress is printed, and looked at while another process works. */
const [PROGRESS_MS, POLL_MS] = [5_000, 500]

/** Options with a value on the command line. */
export const importCommandOptions = ['file', 'mapping', 'time-zone', 'accuracy', 'w-units', 'run']

const contextOf = (db: Pool, config: Config): ImportContext => ({
  db,
  config,
  now: () => new Date(),
  log: { error: (details, text) => console.error(text, details) },
  signal: new AbortController().signal,
})

const actorOf = (now: Date): ImportActor => ({
  userId: null,
  now,
  audit: (db, entry) => auditWithoutSession(db, { userId: null, ip: null, now }, entry),
})

const entryOf = async (db: Pool, id: number) => toEntry(await requireImport(db, id), 'en')

/** Works on an import until its trial or run has ended, in this process or another one; prints the progress. */
async function workUntilDone(db: Pool, config: Config, id: number): Promise<void> {
  const print = async () => {
    const { state, trialPercent, written, duplicates, refused, trial } = await entryOf(db, id)
    if (state === 'checking') console.log(`trial: ${trialPercent} %`)
    else if (state === 'running') console.log(`${written + duplicates + refused} of ${trial?.rows ?? 0} rows`)
  }
  const printing = setInterval(() => void print().catch(() => {}), PROGRESS_MS)
  try {
    for (;;) {
      await workOnImport(contextOf(db, config), id)
      const { state } = await entryOf(db, id)
      if (state !== 'checking' && state !== 'running') return
      await sleep(POLL_MS)
    }
  } finally {
    clearInterval(printing)
  }
}

async function printTrial(db: Pool, id: number): Promise<boolean> {
  const { trial, error, options } = await entryOf(db, id)
  console.log(`import ${id}: ${options.format}, ${options.encoding}, ${options.timeZone}`)
  if (error) console.log(error)
  if (!trial) return false
  const { rows, new: added, duplicates, refused, reasons, lanes, first, last, ambiguousTimes, figuresOnly } = trial
  console.log(`${rows} rows: ${added} to write, ${duplicates} already stored, ${refused} refused`)
  for (const { code, path, text, rows, firstLine, example } of reasons)
    console.log(
      `  ${rows} ${code}${path ? ` (${path})` : ''}: ${text} First in line ${firstLine}${example ? `: ${example}` : ''}`,
    )
  for (const { station, lane, locationId, laneNumber, new: count } of lanes)
    console.log(
      `  ${station} · ${lane} → ${locationId && laneNumber ? `station ${locationId}, lane ${laneNumber}` : 'not assigned'}: ${count}`,
    )
  if (first && last) console.log(`  ${first.toISOString()} to ${last.toISOString()}`)
  if (figuresOnly > 0)
    console.log(
      `  ${figuresOnly} older than the retention: only into the figures of ${trial.figureDays} days, ${trial.replacedDays} of them replaced`,
    )
  if (ambiguousTimes > 0) console.log(`  ${ambiguousTimes} rows of the double hour in autumn: winter time is assumed`)
  return error === null
}

async function runToEnd(db: Pool, config: Config, id: number, now: Date): Promise<void> {
  const { revision } = await requireImport(db, id)
  await startRun(db, id, revision, actorOf(now))
  await workUntilDone(db, config, id)
  const { state, written, figures, duplicates, refused, error } = await entryOf(db, id)
  const ofThem = figures > 0 ? ` (${figures} only into figures)` : ''
  console.log(`${state}: ${written} written${ofThem}, ${duplicates} already stored, ${refused} refused`)
  if (state === 'done') return
  if (error) console.log(error)
  process.exitCode = 1
}

/** The options that the command line sets. */
function changeOf(options: Options): (recognised: ImportOptions) => ImportOptions {
  const changes = z
    .object({
      'time-zone': importOptions.shape.timeZone.optional(),
      accuracy: importOptions.shape.accuracy.optional(),
      'w-units': z.enum(wUnits).optional(),
    })
    .parse(options)
  const { 'time-zone': timeZone, accuracy, 'w-units': units } = changes
  return (recognised) => ({
    ...recognised,
    ...(timeZone && { timeZone }),
    ...(accuracy && { accuracy }),
    ...(units && { wUnits: units }),
  })
}

export const importCommands: Record<string, Command> = {
  'import list': async (db) => {
    const { content } = await importPage(db, 1, MAX_LISTED)
    for (const row of content) {
      const { id, state, createdAt, fileName, written } = toEntry(row, 'en')
      console.log([id, state, createdAt.toISOString(), fileName, `${written} written`].join('\t'))
    }
  },

  'import run': async (db, { id }, now, config) => runToEnd(db, config, positiveInt.parse(id), now),

  'import cancel': async (db, { id }, now, config) => {
    await cancel(db, config, positiveInt.parse(id), actorOf(now))
    console.log('cancelled')
  },

  import: async (db, options, now, config) => {
    const path = z.string('--file is needed').parse(options.file)
    await stat(path)
    const mapping = options.mapping
      ? (await selectMappings(db)).find(({ name }) => name.toLowerCase() === options.mapping?.toLowerCase())
      : undefined
    if (options.mapping && !mapping) throw new Error(`Mapping ${options.mapping} not found`)
    const upload = {
      fileName: basename(path),
      source: createReadStream(path),
      mappingId: mapping?.id,
      change: changeOf(options),
    }
    const id = await uploadFile(db, config, upload, actorOf(now))
    await workUntilDone(db, config, id)
    const isImportable = await printTrial(db, id)
    if (!isImportable) process.exitCode = 1
    else if (options.run === 'yes') await runToEnd(db, config, id, now)
    else console.log(`nothing written; npm run manage -- import run --id ${id}`)
  },
}
