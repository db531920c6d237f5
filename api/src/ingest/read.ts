import { MAX_VEHICLES } from '@rogatka/contract/ingest.ts'
import { elementsOf, isTooDeep } from '../core/json-depth.ts'
import { Refusal } from '../core/refusal.ts'

/** Characters kept of values nested too deeply; the quarantine stores fewer. */
const MAX_UNPARSED_LENGTH = 1_000

/** One vehicle of a batch as received; `unreadable` if its line is not JSON. */
export type BatchItem = { index: number; value: unknown; unreadable: boolean }

/**
 * Parses a body: a JSON array, or with `application/x-ndjson` one JSON value per line. A line that is not JSON, like
 * the last of a broken connection, is rejected alone.
 * @throws 400 if nothing is readable
 */
export function readBatch(body: Buffer | undefined, contentType: string | undefined): BatchItem[] {
  const text = textOf(body)
  const items = contentType?.startsWith('application/x-ndjson') ? readLines(text) : readArray(text)
  if (items.length > 0 && items.every(({ unreadable }) => unreadable)) throw new Refusal('not-a-measurement-list', 400)
  return items
}

function textOf(body: Buffer | undefined): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new Refusal('not-a-measurement-list', 400)
  }
}

function readArray(text: string): BatchItem[] {
  if (isTooDeep(text)) return readElements(text)
  const list = tryParse(text)
  if (!Array.isArray(list)) throw new Refusal('not-a-measurement-list', 400)
  refuseTooMany(list.length)
  return list.map((value, index) => ({ index, value, unreadable: false }))
}

/** A list with elements nested too deeply to parse: these are kept as text, the others are parsed. */
function readElements(text: string): BatchItem[] {
  const elements = elementsOf(text)
  if (!elements) throw new Refusal('not-a-measurement-list', 400)
  refuseTooMany(elements.length)
  return elements.map((element, index) => {
    if (isTooDeep(element)) return { index, value: element.slice(0, MAX_UNPARSED_LENGTH), unreadable: false }
    const value = tryParse(element)
    if (value === undefined) throw new Refusal('not-a-measurement-list', 400)
    return { index, value, unreadable: false }
  })
}

function readLines(text: string): BatchItem[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  refuseTooMany(lines.length)
  return lines.map((line, index) => {
    const value = isTooDeep(line) ? undefined : tryParse(line)
    return value === undefined ? { index, value: line, unreadable: true } : { index, value, unreadable: false }
  })
}

function refuseTooMany(count: number): void {
  if (count > MAX_VEHICLES) throw new Refusal('too-many-vehicles', 413)
}

/** Undefined if the text is not JSON. */
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
