import { readFile, writeFile } from 'node:fs/promises'
import { cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import type { Bench, Table } from './bench.ts'

const DOCUMENT = join(import.meta.dirname, '../../docs/benchmarks.md')

/** The result of a benchmark as a section of the document: summary, goal, tables and machine. */
export function sectionOf(name: string, { summary, goal }: Bench, tables: readonly Table[], isQuick: boolean): string {
  return [
    `## ${name}`,
    `${summary}${/[.:]$/.test(summary) ? '' : '.'}`,
    ...(goal ? [`**Goal:** ${goal}.`] : []),
    ...tables.flatMap((table) => [
      markdownOf(table),
      ...(table.notes?.length ? [table.notes.map((note) => `- ${note}`).join('\n')] : []),
    ]),
    `*${machine()}${isQuick ? ', quick' : ''}*`,
  ].join('\n\n')
}

/** Replaces the section of the same name, or appends it. Text outside of sections is kept. */
export async function writeSection(name: string, section: string): Promise<void> {
  const [begin, end] = [`<!-- ${name}: written by the bench -->`, `<!-- end of ${name} -->`]
  const text = await readFile(DOCUMENT, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  const whole = `${begin}\n${section}\n${end}`
  const written =
    from < 0 ? `${text.trimEnd()}\n\n${whole}\n` : text.slice(0, from) + whole + text.slice(to + end.length)
  await writeFile(DOCUMENT, written)
}

function markdownOf({ head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

/** The table as plain text, for the terminal. */
export function formatTable({ head, rows, notes = [] }: Table): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length)))
  const line = (cells: readonly string[]) =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ')
  return [line(head), ...rows.map(line), ...notes].join('\n')
}

function machine(): string {
  const [processor] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const date = new Date().toISOString().slice(0, 10)
  return `${date}, ${cpus().length} × ${processor?.model.trim() || process.arch}, ${memory} GB, ${type()} ${release()}, Node ${process.version}`
}
