import type { Right } from '@rogatka/contract/access.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import type { z } from 'zod'
import type { Pool } from '../core/database.ts'
import type { Look } from '../core/look.ts'
import type { Session } from '../core/sessions.ts'
import { warsawStamp } from '../core/warsaw.ts'

/** User and time of a report, printed in it. */
export type ReportContext = {
  /** For reading only: it may be a replica. */
  db: Pool
  session: Session
  now: Date
  language: Language
  /** First name, last name and username. */
  printedBy: string
  /** Printed in the report and stored in the audit log. */
  number: string
  /** Owner of the portal. */
  issuer: string
  /** Aborts when the client disconnects. */
  signal: AbortSignal
}

/** A file generated while it is read; generation ends when the reader stops. */
export type ReportFile = { name: string; content: AsyncIterable<Uint8Array> }

export type FileLook = Omit<Look, 'kind'> | null

/**
 * A kind of report: its parameters, rights and generator. The request is stored in wire form, so that it survives a
 * restart and is available in every process.
 */
export type ReportKind<S extends z.ZodType = z.ZodType> = {
  name: string
  /** Any of these rights suffices. */
  access: readonly Right[]
  query: S
  /** What the file shows of vehicles, for the access trail; null: neither plates nor sharp images. */
  shows: (context: ReportContext, query: z.output<S>) => Promise<FileLook> | FileLook
  /** Whether the file needs a purpose also with up to 100 plates; by default if it answers a search by plate. */
  needsPurpose?: (query: z.output<S>, look: FileLook) => boolean
  create: (context: ReportContext, query: z.output<S>) => Promise<ReportFile>
}

/** Infers the type of the query from its schema. */
export const reportKind = <S extends z.ZodType>(kind: ReportKind<S>): ReportKind<S> => kind

/** archive_list_20_10_2026_10_15_24.csv, in Warsaw time. */
export const stampedName = (name: string, now: Date, ending: string): string => `${name}_${warsawStamp(now)}.${ending}`

const TYPES: Record<string, string> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
}

/** The content type of a file name. */
export const contentTypeOf = (name: string): string => TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
