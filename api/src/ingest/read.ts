import { MAX_VEHICLES } from '@rogatka/contract/ingest.ts'
import { elementsOf, isTooDeep } from '../core/json-depth.ts'
import { Refusal } from '../core/refusal.ts'

/** Of what cannot be parsed; the quarantine keeps less. */
const TEXT_KEPT = 1_000

/** One vehicle of a batch as it came; `unreadable` where a line is not JSON. */
export type BatchItem = { index: number; value: unknown; unreadable: boolean }

/**
 * The vehicles of a body: a JSON array, or with `application/x-ndjson` one JSON value a line. A line that is not JSON
 * (the last of a broken connection) is told apart, so that its neighbours live; a body of nothing else is refused.
 */
export function readBatch(body: Buffer | undefined, contentType: string | undefined): BatchItem[] {
  const text = textOf(body)
  const sent = contentType?.startsWith('application/x-ndjson') ? readLines(text) : readArray(text)
  if (sent.length > 0 && sent.every(({ unreadable }) => unreadable)) throw new Refusal('not-a-measurement-list', 400)
  return sent
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
  const list = parsed(text)
  if (!Array.isArray(list)) throw new Refusal('not-a-measurement-list', 400)
  refuseTooMany(list.length)
  return list.map((value, index) => ({ index, value, unreadable: false }))
}

/** A list with elements nested too deep to be parsed: these are kept as text, so that their neighbours live. */
function readElements(text: string): BatchItem[] {
  const elements = elementsOf(text)
  if (!elements) throw new Refusal('not-a-measurement-list', 400)
  refuseTooMany(elements.length)
  return elements.map((element, index) => {
    if (isTooDeep(element)) return { index, value: element.slice(0, TEXT_KEPT), unreadable: false }
    const value = parsed(element)
    if (value === undefined) throw new Refusal('not-a-measurement-list', 400)
    return { index, value, unreadable: false }
  })
}

function readLines(text: string): BatchItem[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  refuseTooMany(lines.length)
  return lines.map((line, index) => {
    const value = isTooDeep(line) ? undefined : parsed(line)
    return value === undefined ? { index, value: line, unreadable: true } : { index, value, unreadable: false }
  })
}

function refuseTooMany(count: number): void {
  if (count > MAX_VEHICLES) throw new Refusal('too-many-vehicles', 413)
}

/** Undefined where the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
