import type { Right } from '@rogatka/contract/access.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import type { z } from 'zod'
import type { Pool } from '../core/database.ts'
import type { Session } from '../core/sessions.ts'
import { warsawStamp } from '../core/warsaw.ts'

/** Who fetches a report and when; both are printed in it. */
export type ReportContext = {
  db: Pool
  session: Session
  now: Date
  language: Language
  /** First and last name with the username. */
  printedBy: string
  /** Printed in it, and in the audit log. */
  number: string
  /** Whose portal it is. */
  issuer: string
}

/** A file that comes into being while it is read; whoever stops reading ends its making. */
export type ReportFile = { name: string; content: AsyncIterable<Uint8Array> }

/**
 * A kind of report: what an order of it must say, whose right it needs, and how its file is made. The order is kept
 * as the schema's wire form, so it survives a restart and reaches another process.
 */
export type ReportKind<S extends z.ZodType = z.ZodType> = {
  name: string
  /** Any one of them is enough. */
  access: readonly Right[]
  query: S
  make: (given: ReportContext, query: z.output<S>) => Promise<ReportFile>
}

/** Binds the type of the query to its schema. */
export const reportKind = <S extends z.ZodType>(kind: ReportKind<S>): ReportKind<S> => kind

/** archive_list_20_10_2026_10_15_24.csv, by the clock of Warsaw. */
export const stampedName = (name: string, now: Date, ending: string): string => `${name}_${warsawStamp(now)}.${ending}`

const TYPES: Record<string, string> = {
  csv: 'text/csv; charset=utf-8',
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
}

/** The content type that the ending of a file's name asks for. */
export const contentTypeOf = (name: string): string => TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
