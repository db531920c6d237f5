import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { file } from '@rogatka/contract/reports.ts'
import { parse } from 'csv-parse/sync'
import { unzipSync } from 'fflate'
import { readXlsx } from 'hucre/xlsx'
import { extractText, getDocumentProxy, extractImages as imagesOfPage } from 'unpdf'
import type { Client } from '../testing/test-api.ts'

/** Fetches the file of a link. */
export const fetchReport = (user: Client, { link }: { link: string }) =>
  user.call(file, { params: { token: link.replace('/reports/', '') } })

/** The text of each page, extracted by an independent library. */
export async function extractPages(pdf: Buffer): Promise<string[]> {
  const { text } = await extractText(new Uint8Array(pdf))
  return text
}

/** The decoded images of a page, from 1. */
export const extractImages = (pdf: Buffer, page: number) => imagesOfPage(new Uint8Array(pdf), page)

export const unzipFiles = (zip: Buffer): Record<string, Buffer> =>
  Object.fromEntries(Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, Buffer.from(bytes)]))

export async function readSheets(xlsx: Buffer) {
  const { sheets } = await readXlsx(xlsx)
  return sheets
}

/** The rows of a CSV, header first. */
export const parseCsv = (csv: Buffer): string[][] => parse(csv, { bom: true, delimiter: ';', recordDelimiter: '\r\n' })

export async function collectBytes(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const part of parts) all.push(part)
  return Buffer.concat(all)
}

type Node = { role: string; children: readonly (Node | { type: string; id: string })[]; alt?: string }
/** A structure element with its text, as a screen reader finds it. */
export type StructureElement = { role: string; text: string; alt: string | undefined; children: StructureElement[] }

/** The structure of a PDF, read by an independent library, page by page; optionally of the last pages only. */
export async function readStructure(pdf: Buffer, last = Number.POSITIVE_INFINITY): Promise<StructureElement[]> {
  const document = await getDocumentProxy(new Uint8Array(pdf))
  const pages = Array.from({ length: document.numPages }, (_, index) => index + 1).slice(-last)
  return Promise.all(
    pages.map(async (number) => {
      const page = await document.getPage(number)
      const texts = new Map<string, string>()
      const open: string[] = []
      for (const item of (await page.getTextContent({ includeMarkedContent: true })).items) {
        if ('str' in item) {
          const id = open.at(-1) ?? ''
          texts.set(id, [texts.get(id), item.str].filter(Boolean).join(' '))
        } else if (item.type === 'endMarkedContent') open.pop()
        else open.push(item.id ?? '')
      }
      const read = (node: Node): StructureElement => {
        const elements = node.children.filter((child): child is Node => 'role' in child)
        const own = node.children.flatMap((child) => ('id' in child ? (texts.get(child.id) ?? []) : []))
        return {
          role: node.role,
          text: own.join(' ').replace(/\s+/g, ' ').trim(),
          alt: node.alt,
          children: elements.map(read),
        }
      }
      return withoutEmpty(read((await page.getStructTree()) as unknown as Node))
    }),
  )
}

const hasContent = ({ text, alt, children }: StructureElement): boolean =>
  text !== '' || alt !== undefined || children.some(hasContent)

/** Without elements without content on the page, except empty cells. */
const withoutEmpty = (node: StructureElement): StructureElement => ({
  ...node,
  children: node.role === 'TR' ? node.children : node.children.filter(hasContent).map(withoutEmpty),
})

/** All elements of these roles, at any depth. */
export const elementsByRole = (nodes: readonly StructureElement[], ...roles: string[]): StructureElement[] =>
  nodes.flatMap((node) => [...(roles.includes(node.role) ? [node] : []), ...elementsByRole(node.children, ...roles)])

/**
 * Rows of a query of Parquet files, read by DuckDB, an independent program. Files by their path, as in a ZIP; in the query
 * `files` is the table of them all.
 */
export async function queryParquet(files: Record<string, Buffer>, query: string): Promise<Record<string, unknown>[]> {
  const { DuckDBConnection } = await import('@duckdb/node-api')
  const folder = await mkdtemp(join(tmpdir(), 'rogatka-parquet-'))
  const duckdb = await DuckDBConnection.create()
  try {
    for (const [name, bytes] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), bytes)
    }
    await duckdb.run(`create view files as from read_parquet('${folder}/**', hive_partitioning = false)`)
    return (await duckdb.runAndReadAll(query)).getRowObjectsJS()
  } finally {
    duckdb.closeSync()
    await rm(folder, { recursive: true })
  }
}
