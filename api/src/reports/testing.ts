import { file } from '@rogatka/contract/reports.ts'
import { parse } from 'csv-parse/sync'
import { unzipSync } from 'fflate'
import { readXlsx } from 'hucre/xlsx'
import { extractText, getDocumentProxy } from 'unpdf'
import type { Client } from '../testing/test-api.ts'

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

type Node = { role: string; children: readonly (Node | { type: string; id: string })[]; alt?: string }
/** An element of a document's structure with its text, as a screen reader would find it. */
export type Tagged = { role: string; text: string; alt: string | undefined; children: Tagged[] }

/** The structure of a PDF as another program reads it, the pages one after the other; of so many last ones. */
export async function structureOf(pdf: Buffer, last = Number.POSITIVE_INFINITY): Promise<Tagged[]> {
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
      const read = (node: Node): Tagged => {
        const elements = node.children.filter((child): child is Node => 'role' in child)
        const own = node.children.flatMap((child) => ('id' in child ? (texts.get(child.id) ?? []) : []))
        return {
          role: node.role,
          text: own.join(' ').replace(/\s+/g, ' ').trim(),
          alt: node.alt,
          children: elements.map(read),
        }
      }
      return pruned(read((await page.getStructTree()) as unknown as Node))
    }),
  )
}

const says = ({ text, alt, children }: Tagged): boolean => text !== '' || alt !== undefined || children.some(says)

/** Without what the page has no content of; empty cells stay in their row. */
const pruned = (node: Tagged): Tagged => ({
  ...node,
  children: node.role === 'TR' ? node.children : node.children.filter(says).map(pruned),
})

/** All elements of these roles, wherever they are. */
export const tagged = (nodes: readonly Tagged[], ...roles: string[]): Tagged[] =>
  nodes.flatMap((node) => [...(roles.includes(node.role) ? [node] : []), ...tagged(node.children, ...roles)])
