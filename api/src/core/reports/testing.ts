import { file } from '@rogatka/contract/reports.ts'
import { parse } from 'csv-parse/sync'
import { unzipSync } from 'fflate'
import { readXlsx } from 'hucre/xlsx'
import { extractText } from 'unpdf'
import type { Client } from '../testing.ts'

/** Fetches what a link stands for. */
export const fetchReport = (user: Client, { link }: { link: string }) =>
  user.call(file, { params: { token: link.replace('/reports/', '') } })

/** The text of each page, as a reader that knows nothing of us sees it. */
export async function pagesOf(pdf: Buffer): Promise<string[]> {
  const { text } = await extractText(new Uint8Array(pdf))
  return text
}

export const filesOf = (zip: Buffer): Record<string, Buffer> =>
  Object.fromEntries(Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, Buffer.from(bytes)]))

export async function sheetsOf(xlsx: Buffer) {
  const { sheets } = await readXlsx(xlsx)
  return sheets
}

/** The rows of a CSV, the head first. */
export const rowsOf = (csv: Buffer): string[][] => parse(csv, { bom: true, delimiter: ';', recordDelimiter: '\r\n' })

export async function collected(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const part of parts) all.push(part)
  return Buffer.concat(all)
}
