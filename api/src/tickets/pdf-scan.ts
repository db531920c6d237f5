import { promisify } from 'node:util'
import { inflate as inflateWithCallback } from 'node:zlib'
import { createSemaphore } from '../core/semaphore.ts'
import { createYielder } from '../reports/public-api.ts'

const inflate = promisify(inflateWithCallback)

/** Names of automatic actions and embedded files. */
const ACTIVE_NAMES = new Set(['JavaScript', 'JS', 'Launch', 'EmbeddedFile', 'EmbeddedFiles', 'RichMedia', 'XFA'])
/** Typical documents inflate to a few MB in all object streams; more is refused. */
const MAX_INFLATED_BYTES = 16 * 1024 * 1024
/** Minimum cost of an object stream, which limits their number. */
const MIN_STREAM_COST_BYTES = 1_024
/** Objects refer to each other rather than nest: few levels are common. */
const MAX_DEPTH = 128
/** Tokens kept per dictionary value; those of object streams are shorter. */
const MAX_VALUE_TOKENS = 16
/** The longest active name with every letter escaped, with a margin. */
const MAX_NAME_LENGTH = 64
/** Tokens read between yields. */
const TOKENS_PER_YIELD = 512
/** Each byte belongs to one object; more passes mean overlapping objects. */
const MAX_PASSES = 4

/** The PDF has active or unreadable content. */
class HarmfulContent extends Error {}

type Token = { kind: 'name' | 'open' | 'close' | 'word' | 'string'; text: string; end: number }

/** `tokens`: number read; `maybeYield`: yields to the event loop. */
type Scanner = { text: string; budget: number; tokens: number; maybeYield: ReturnType<typeof createYielder> }

const createScanner = (text: string, budget: number): Scanner => ({
  text,
  budget,
  tokens: 0,
  maybeYield: createYielder(),
})

/**
 * Counts characters read.
 * @throws HarmfulContent if objects overlap
 */
function spendBudget(scanner: Scanner, characters: number): void {
  scanner.budget -= characters
  if (scanner.budget < 0) throw new HarmfulContent('objects overlap')
}

const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13 && code !== 11) || code === 0
const isDelimiter = (character: string) => '()<>[]{}/%'.includes(character)

/** The end of a literal string; its parentheses nest and may be escaped. */
function endOfString(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === '(') depth++
    else if (character === ')' && --depth === 0) return at + 1
  }
  return text.length
}

function endOfWord(text: string, from: number): number {
  let at = from
  while (at < text.length && !isSpace(text.charCodeAt(at)) && !isDelimiter(text[at] as string)) at++
  return at
}

/** The next token, without comments and the content of strings; null at the end. */
function nextToken(scanner: Scanner, from: number): Token | null {
  const { text } = scanner
  let at = from
  while (at < text.length) {
    const begin = at
    const character = text[at] as string
    let token: Token | null = null
    if (isSpace(text.charCodeAt(at))) at++
    else if (character === '%') {
      while (at < text.length && text[at] !== '\r' && text[at] !== '\n') at++
    } else if (character === '(') {
      at = endOfString(text, at)
      token = { kind: 'string', text: '', end: at }
    } else if (text.startsWith('<<', at) || text.startsWith('>>', at)) {
      at += 2
      token = { kind: character === '<' ? 'open' : 'close', text: character, end: at }
    } else if (character === '<') {
      const end = text.indexOf('>', at)
      at = end < 0 ? text.length : end + 1
      token = { kind: 'string', text: '', end: at }
    } else if (character === '[' || character === '{') token = { kind: 'open', text: character, end: ++at }
    else if (character === ']' || character === '}') token = { kind: 'close', text: character, end: ++at }
    else if (character === '/') {
      at = endOfWord(text, at + 1)
      const name = at - begin > MAX_NAME_LENGTH ? '' : unescapeName(text.slice(begin + 1, at))
      token = { kind: 'name', text: name, end: at }
    } else if (isDelimiter(character)) at++
    else {
      at = endOfWord(text, at)
      token = { kind: 'word', text: text.slice(begin, Math.min(at, begin + MAX_NAME_LENGTH)), end: at }
    }
    spendBudget(scanner, at - begin)
    if (token) return token
  }
  return null
}

/** `J#61vaScript` is `JavaScript`. */
const unescapeName = (name: string): string =>
  name.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Keys that describe an object stream; others are not kept. */
const STREAM_KEYS = new Set(['Type', 'First', 'N', 'Length', 'Filter', 'DecodeParms', 'DP'])

/** The values of these keys, each up to `MAX_VALUE_TOKENS` + 1 tokens. */
type Entries = Map<string, Token[]>

/**
 * Reads one object until its brackets close; keeps only what describes an object stream.
 * @throws HarmfulContent at an active name, or if brackets nest too deeply
 */
async function readObject(scanner: Scanner, from: number): Promise<{ entries: Entries; end: number }> {
  const entries: Entries = new Map()
  let value: Token[] | null = null
  let hasKey = false
  let [at, depth] = [from, 0]
  for (;;) {
    if (scanner.tokens++ % TOKENS_PER_YIELD === 0) await scanner.maybeYield()
    const token = nextToken(scanner, at)
    if (!token || (token.kind === 'word' && /^(endobj|stream|endstream|startxref)$/.test(token.text))) break
    at = token.end
    if (token.kind === 'name' && ACTIVE_NAMES.has(token.text)) throw new HarmfulContent(token.text)
    // A name is a key, unless a key is waiting for its value.
    if (depth === 1 && token.kind === 'name' && !hasKey) {
      value = STREAM_KEYS.has(token.text) ? [] : null
      if (value) entries.set(token.text, value)
      hasKey = true
    } else if (depth > 1 || (depth === 1 && token.kind !== 'close')) {
      if (value && value.length <= MAX_VALUE_TOKENS) value.push(token)
      // The remaining tokens of a reference are added until the next name.
      if (depth === 1) hasKey = false
    }
    if (token.kind === 'open' && ++depth > MAX_DEPTH) throw new HarmfulContent('brackets nest too deep')
    if (token.kind === 'close') depth--
    if (depth <= 0) break
  }
  return { entries, end: at }
}

/** A direct number; null for a reference or anything else. */
const intOf = (value: readonly Token[] = []): number | null =>
  value.length === 1 && /^\+?\d+$/.test(value[0]?.text ?? '') ? Number(value[0]?.text) : null

const holdsObjects = (entries: Entries): boolean => entries.has('First') || entries.get('Type')?.[0]?.text === 'ObjStm'

/**
 * The content of an object stream.
 * @throws HarmfulContent if encoded other than with zlib, or encrypted
 */
async function contentOf(bytes: Buffer, entries: Entries, begin: number, remaining: number): Promise<string> {
  const filter = entries.get('Filter')
  if (!filter) {
    const length = intOf(entries.get('Length'))
    if (length === null) throw new HarmfulContent('object stream without a length')
    // Searched within the maximum length only.
    const reach = bytes.subarray(0, begin + Math.max(length, 0) + remaining)
    const mark = reach.indexOf('endstream', begin, 'latin1')
    return bytes.subarray(begin, Math.max(begin + length, mark < 0 ? reach.length : mark)).toString('latin1')
  }
  const parameters = [...(entries.get('DecodeParms') ?? []), ...(entries.get('DP') ?? [])]
  const names = filter.filter(({ kind }) => kind === 'name' || kind === 'word').map(({ text }) => text)
  if (
    filter.length > MAX_VALUE_TOKENS ||
    parameters.length > MAX_VALUE_TOKENS ||
    names.length !== 1 ||
    !/^(FlateDecode|Fl)$/.test(names[0] ?? '') ||
    parameters.some(({ kind }) => kind === 'name')
  )
    throw new HarmfulContent('object stream in an unusual packing')
  try {
    // Up to the end of the file: zlib data marks its own end.
    return (await inflate(bytes.subarray(begin), { maxOutputLength: remaining })).toString('latin1')
  } catch {
    throw new HarmfulContent('object stream that cannot be inflated')
  }
}

/** Scans the objects of an object stream: a table of number and offset, then the objects. */
async function scanPacked(text: string, entries: Entries): Promise<void> {
  const [count, first] = [intOf(entries.get('N')), intOf(entries.get('First'))]
  if (count === null || first === null) throw new HarmfulContent('object stream without a table')
  const scanner = createScanner(text, MAX_PASSES * text.length + 1_024)
  let at = 0
  for (let i = 0; i < count; i++) {
    const number = nextToken(scanner, at)
    const offset = number && nextToken(scanner, number.end)
    if (!offset || !/^\d+$/.test(offset.text)) return
    at = offset.end
    await readObject(scanner, first + Number(offset.text))
  }
}

async function scan(bytes: Buffer): Promise<void> {
  const text = bytes.toString('latin1')
  const scanner = createScanner(text, MAX_PASSES * text.length)
  let remaining = MAX_INFLATED_BYTES
  // Each object is read from its own start, so that nothing before it, like an open string or a false end of stream,
  // can hide it. Streams are data: only those with objects are inspected.
  for (let at = text.indexOf('obj'); at >= 0; at = text.indexOf('obj', at + 3)) {
    if (text.slice(at - 3, at) === 'end') continue
    const { entries, end } = await readObject(scanner, at + 3)
    if (!holdsObjects(entries)) continue
    const begin = streamAt(scanner, end)
    if (begin === null) continue
    const content = await contentOf(bytes, entries, begin, remaining)
    remaining -= Math.max(content.length, MIN_STREAM_COST_BYTES)
    if (remaining <= 0) throw new HarmfulContent('object streams that inflate to too much')
    await scanPacked(content, entries)
  }
  for (let at = text.indexOf('trailer'); at >= 0; at = text.indexOf('trailer', at + 7))
    await readObject(scanner, at + 7)
}

/** The start of a stream's data; null if no stream follows. */
function streamAt(scanner: Scanner, from: number): number | null {
  const { text } = scanner
  let at = from
  while (at < text.length && (isSpace(text.charCodeAt(at)) || text[at] === '%')) {
    if (text[at] !== '%') at++
    else while (at < text.length && text[at] !== '\r' && text[at] !== '\n') at++
  }
  spendBudget(scanner, at - from)
  if (!text.startsWith('stream', at)) return null
  at += 6
  if (text[at] === '\r') at++
  return text[at] === '\n' ? at + 1 : at
}

/** Scanning takes several times the memory of the file, so one at a time. */
const scanSemaphore = createSemaphore(1)

/**
 * Whether a PDF has no automatic actions and no embedded files, as far as its objects can be read. Time and memory are
 * limited by its size; yields to the event loop.
 */
export async function isPdfHarmless(bytes: Buffer): Promise<boolean> {
  const release = await scanSemaphore.acquire()
  try {
    await scan(bytes)
    return true
  } catch (error) {
    if (error instanceof HarmfulContent) return false
    throw error
  } finally {
    release?.()
  }
}
