import { hash } from 'node:crypto'
import { type CanonicalValue, canonical, toCanonical } from '@rogatka/domain/evidence/canonical.ts'
import type { Database } from '../core/database.ts'
import type { LineKey } from '../core/log-queue.ts'
import { trailKeptSince } from '../core/trail-partitions.ts'
import {
  auditLines,
  auditPage,
  type LinePage,
  type LogLine,
  type SealedLine,
  trailLines,
  trailPage,
  unsealedAudit,
} from './line-queries.ts'

/** A log whose lines are chained. */
export type Chain = {
  /** As stored, and named on the command line. */
  name: string
  /** The lines of these keys, in any order; those that do not exist are missing. */
  lines: (db: Database, keys: readonly LineKey[]) => Promise<LogLine[]>
  /** The next lines, in an order that the table has an index for. */
  page: (db: Database, page: LinePage) => Promise<SealedLine[]>
  /**
   * Lines without a seal with an id in (from, until], by id; `until` null: all later ones. Absent: no version writes lines
   * without queuing them, so one that neither waits nor has a seal is forged.
   */
  unsealed?: (db: Database, range: { from: number; until: number | null; limit: number }) => Promise<LineKey[]>
  /** Older lines may have been removed; absent: none are. */
  keptSince?: (now: Date) => Date
}

const auditChain: Chain = { name: 'audit', lines: auditLines, page: auditPage, unsealed: unsealedAudit }
const accessChain: Chain = {
  name: 'access',
  lines: trailLines('access_trail'),
  page: trailPage('access', 'access_trail'),
  keptSince: trailKeptSince,
}
/** Ends of visits, whose ids are those of their lines. */
const visitChain: Chain = {
  name: 'visits',
  lines: trailLines('access_visit_end'),
  page: trailPage('visits', 'access_visit_end'),
  keptSince: trailKeptSince,
}

/** All chains of log lines. A further log is one more entry; its inserts call `queueLines`. */
export const chains: readonly Chain[] = [auditChain, accessChain, visitChain]

/** Before the first line: 64 zeros as hexadecimal digits. */
export const FIRST_HASH: Buffer = Buffer.alloc(32)

/** A line of a chain as text: canonical JSON of its fields that are not null, with its number in the chain. */
export function lineText(seq: number, { fields }: LogLine): string {
  const members: Record<string, CanonicalValue> = { seq }
  for (const [name, value] of Object.entries(fields)) if (value !== null) members[name] = toCanonical(value)
  return canonical(members)
}

/** As `printf '%s\n%s\n' previous text | sha256sum` computes it. */
export const chainHash = (previous: Buffer, text: string): Buffer =>
  hash('sha256', `${previous.toString('hex')}\n${text}\n`, 'buffer')
