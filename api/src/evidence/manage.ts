import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Pool } from '../core/database.ts'
import { lastSchedule } from '../core/job-schedule.ts'
import { openFiles } from '../core/open-files.ts'
import { verifyAnchorStamps, verifyAnchors, verifyCopies } from './anchors.ts'
import { readAuthorities } from './certificate-store.ts'
import { chains } from './chains.ts'
import { describeLink, describePassage } from './describe.ts'
import { protectDatabase, releaseDatabase } from './protect.ts'
import { delayFault, sealingDelay } from './sealing-delay.ts'
import { verifyFile } from './verify-file.ts'
import { verifyChain } from './verify-log.ts'
import { keptSince, type PassageVerification, verifyPassages } from './verify-passages.ts'
import { findLostVisit } from './verify-visits.ts'

type Options = Record<string, string | undefined>

/** Options of these commands. */
export const evidenceOptions = ['anchors', 'ca', 'chain', 'file', 'from', 'tsa-ca']

/** The chains of stations, beside those of the logs. */
const PASSAGES = 'passages'

const numberOption = z.coerce.number().int().positive()
const timeOption = z.iso.datetime().transform((text) => new Date(text))

/** A time; null: absent. @throws if it is another text */
const parseTime = (text: string | undefined): Date | null => (text === undefined ? null : timeOption.parse(text))

/** A number in a chain, or a time; null: absent. @throws if it is another text */
const parseFrom = (text: string | undefined) =>
  text === undefined ? null : z.union([numberOption, timeOption]).parse(text)

async function verifyLog(db: Pool, options: Options, now: Date, config: Config): Promise<void> {
  const { anchors, chain: name, from } = options
  const names = [...chains.map((chain) => chain.name), PASSAGES]
  if (name !== undefined && !names.includes(name)) throw new Error(`--chain: one of ${names.join(', ')} is needed`)
  for (const chain of chains) {
    if (name !== undefined && chain.name !== name) continue
    const { links, expired, head, broken, waiting } = await verifyChain(db, chain, parseFrom(from), now)
    if (broken) {
      console.log(`${chain.name}: ${describeLink(broken)}`)
      process.exitCode = 1
    } else {
      console.log(`${chain.name}: ${links} links hold, ${waiting} lines wait for their seal`)
      if (expired > 0) console.log(`${chain.name}: ${expired} of them without their lines, whose retention has ended`)
      if (head) console.log(`${chain.name}: ends with link ${head.seq}, ${head.hash.toString('hex')}`)
    }
  }
  if (name === undefined || name === 'visits') await printLostVisit(db, parseFrom(from), now)
  // A number is one of a log.
  if (name === PASSAGES || (name === undefined && !numberOption.safeParse(from).success))
    await printPassages(db, { now, from: parseTime(from), kept: keptSince(now, config), files: null })
  await printAnchors(db, anchors)
  await printStamps(db, config, now)
  await printDelay(db)
}

/** Prints whether sealing is behind the jobs of the portal: it does not go on while that is stopped, or in a restored copy. */
async function printDelay(db: Pool): Promise<void> {
  const scheduledAt = await lastSchedule(db)
  const fault = scheduledAt && delayFault(await sealingDelay(db, scheduledAt))
  if (!fault) return
  console.log(`sealing: ${fault}`)
  process.exitCode = 1
}

/** Prints which visit lacks its end. `from`: a number of the log has no time, so that all visits are checked. */
async function printLostVisit(db: Pool, from: Date | number | null, now: Date): Promise<void> {
  const lost = await findLostVisit(db, from instanceof Date ? from : null, now)
  if (!lost) return
  console.log(`visits: ${describeLink(lost)}`)
  process.exitCode = 1
}

/** Compares the chains with the stored anchors, and with copies of anchors in a folder. */
async function printAnchors(db: Pool, folder: string | undefined): Promise<void> {
  const fault = await verifyAnchors(db)
  console.log(fault === null ? 'anchors: all hold' : `anchors: ${fault}`)
  const verified = folder === undefined ? null : await verifyCopies(db, folder)
  if (verified) {
    console.log(verified.fault === null ? `copies: ${verified.copies} anchors hold` : `copies: ${verified.fault}`)
    for (const name of verified.incomplete) console.log(`copies: ${name} is incomplete: it was not written to its end`)
  }
  if (fault !== null || verified?.fault) process.exitCode = 1
}

/** Prints how many anchors have a time stamp; nothing without an authority, as none can be verified. */
async function printStamps(db: Pool, { stamps: settings }: Config, now: Date): Promise<void> {
  if (!settings) return
  const { valid, pending, without, latest, fault } = await verifyAnchorStamps(db, await readAuthorities(settings), now)
  if (fault !== null) {
    console.log(`stamps: ${fault}`)
    process.exitCode = 1
  }
  const last = latest ? `, the last one of anchor ${latest.number}, ${latest.stampedAt.toISOString()}` : ''
  console.log(`stamps: ${valid} anchors have a valid one${last}; ${pending} wait for one, ${without} have none`)
}

async function printPassages(db: Pool, verification: PassageVerification): Promise<void> {
  const { seals, items, broken } = await verifyPassages(db, verification)
  if (!broken) {
    console.log(`passages: ${seals} seals of ${items} vehicles and images hold`)
    return
  }
  console.log(`passages: ${describePassage(broken)}`)
  process.exitCode = 1
}

/** Runs `verify evidence --file F`, which needs no database. Returns false for any other command. */
export async function verifyWithoutDatabase(command: string, options: Options, now: Date): Promise<boolean> {
  const { file, ca, 'tsa-ca': tsaCa } = options
  if (command !== 'verify evidence' || file === undefined) return false
  const { lines, holds } = await verifyFile({ file, ca, tsaCa }, now)
  for (const line of lines) console.log(line)
  if (!holds) process.exitCode = 1
  return true
}

export const evidenceCommands = {
  'database protect': async (db: Pool) => console.log(await protectDatabase(db, process.env.DATABASE_ADMIN_URL)),
  'database release': async (db: Pool) => console.log(await releaseDatabase(db, process.env.DATABASE_ADMIN_URL)),
  'verify-log': verifyLog,
  'verify evidence': (db: Pool, { from }: Options, now: Date, config: Config) =>
    printPassages(db, { now, from: parseTime(from), kept: keptSince(now, config), files: openFiles(config) }),
}
