import { promisify } from 'node:util'
import { inflate as inflateWithCallback } from 'node:zlib'

const inflate = promisify(inflateWithCallback)

/** What a PDF does by itself when it is opened, or brings along. */
const ACTIVE_NAMES = new Set(['JavaScript', 'JS', 'Launch', 'EmbeddedFile', 'EmbeddedFiles', 'RichMedia', 'XFA'])
/** Object streams of a document inflate to a few MB; what inflates to more cannot be an honest attachment. */
const MAX_INFLATED_BYTES = 64 * 1024 * 1024
/** Each byte belongs to one object; a file built so that objects reach through each other ends here. */
const MAX_PASSES = 4

/** Why a PDF is not taken: it holds something active, or something that cannot be looked into. */
class NotHarmless extends Error {}

type Token = { kind: 'name' | 'open' | 'close' | 'word' | 'string'; text: string; end: number }

type Scanner = { text: string; budget: number }

const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13 && code !== 11) || code === 0
const isDelimiter = (sign: string) => '()<>[]{}/%'.includes(sign)

/** Behind a literal string, whose parentheses nest and may be escaped. */
function endOfString(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const sign = text[at]
    if (sign === '\\') at++
    else if (sign === '(') depth++
    else if (sign === ')' && --depth === 0) return at + 1
  }
  return text.length
}

function endOfWord(text: string, from: number): number {
  let at = from
  while (at < text.length && !isSpace(text.charCodeAt(at)) && !isDelimiter(text[at] as string)) at++
  return at
}

/** The next token; comments are passed over, and what strings say does not matter. Null at the end. */
function nextToken(scanner: Scanner, from: number): Token | null {
  const { text } = scanner
  let at = from
  while (at < text.length) {
    const begin = at
    const sign = text[at] as string
    let token: Token | null = null
    if (isSpace(text.charCodeAt(at))) at++
    else if (sign === '%') {
      while (at < text.length && text[at] !== '\r' && text[at] !== '\n') at++
    } else if (sign === '(') {
      at = endOfString(text, at)
      token = { kind: 'string', text: '', end: at }
    } else if (text.startsWith('<<', at) || text.startsWith('>>', at)) {
      at += 2
      token = { kind: sign === '<' ? 'open' : 'close', text: sign, end: at }
    } else if (sign === '<') {
      const end = text.indexOf('>', at)
      at = end < 0 ? text.length : end + 1
      token = { kind: 'string', text: '', end: at }
    } else if (sign === '[' || sign === '{') token = { kind: 'open', text: sign, end: ++at }
    else if (sign === ']' || sign === '}') token = { kind: 'close', text: sign, end: ++at }
    else if (sign === '/') {
      at = endOfWord(text, at + 1)
      token = { kind: 'name', text: unescapeName(text.slice(begin + 1, at)), end: at }
    } else if (isDelimiter(sign)) at++
    else {
      at = endOfWord(text, at)
      token = { kind: 'word', text: text.slice(begin, at), end: at }
    }
    scanner.budget -= at - begin
    if (scanner.budget < 0) throw new NotHarmless('objects overlap')
    if (token) return token
  }
  return null
}

/** `J#61vaScript` is `JavaScript`. */
const unescapeName = (name: string): string =>
  name.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Tokens of one object from its beginning to where its brackets close; throws at a name that is active. */
function readObject(scanner: Scanner, from: number): { tokens: Token[]; end: number } {
  const tokens: Token[] = []
  let [at, depth] = [from, 0]
  for (;;) {
    const token = nextToken(scanner, at)
    if (!token || (token.kind === 'word' && /^(endobj|stream|endstream|startxref)$/.test(token.text))) break
    at = token.end
    tokens.push(token)
    if (token.kind === 'name' && ACTIVE_NAMES.has(token.text)) throw new NotHarmless(token.text)
    if (token.kind === 'open') depth++
    if (token.kind === 'close') depth--
    if (depth <= 0) break
  }
  return { tokens, end: at }
}

/** How many tokens a value has: a bracket reaches to its end, a reference has three. */
function lengthOfValue(tokens: readonly Token[], from: number): number {
  if (tokens[from + 2]?.text === 'R' && tokens[from]?.kind === 'word' && tokens[from + 1]?.kind === 'word') return 3
  let depth = 0
  for (let at = from; at < tokens.length; at++) {
    if (tokens[at]?.kind === 'open') depth++
    if (tokens[at]?.kind === 'close') depth--
    if (depth <= 0) return at - from + 1
  }
  return tokens.length - from
}

/** The keys of a dictionary with the tokens of their values. */
function entriesOf(tokens: readonly Token[]): Map<string, Token[]> {
  const entries = new Map<string, Token[]>()
  for (let at = 1; at < tokens.length - 1; ) {
    const key = tokens[at] as Token
    at++
    if (key.kind !== 'name') continue
    const length = lengthOfValue(tokens, at)
    entries.set(key.text, tokens.slice(at, at + length))
    at += length
  }
  return entries
}

/** A number that stands in the dictionary itself; null for a reference to one, and for anything else. */
const intOf = (value: readonly Token[] = []): number | null =>
  value.length === 1 && /^\+?\d+$/.test(value[0]?.text ?? '') ? Number(value[0]?.text) : null

type Entries = ReturnType<typeof entriesOf>

const holdsObjects = (entries: Entries): boolean => entries.has('First') || entries.get('Type')?.[0]?.text === 'ObjStm'

/** The content of an object stream. Whatever is packed in anything but zlib, or encrypted, cannot be looked into. */
async function contentOf(bytes: Buffer, entries: Entries, begin: number, left: number): Promise<string> {
  const filter = entries.get('Filter')
  if (!filter) {
    const length = intOf(entries.get('Length'))
    if (length === null) throw new NotHarmless('object stream without a length')
    const mark = bytes.indexOf('endstream', begin, 'latin1')
    return bytes.subarray(begin, Math.max(begin + length, mark < 0 ? bytes.length : mark)).toString('latin1')
  }
  const names = filter.filter(({ kind }) => kind === 'name' || kind === 'word').map(({ text }) => text)
  const parameters = [...(entries.get('DecodeParms') ?? []), ...(entries.get('DP') ?? [])]
  if (
    names.length !== 1 ||
    !/^(FlateDecode|Fl)$/.test(names[0] ?? '') ||
    parameters.some(({ kind }) => kind === 'name')
  )
    throw new NotHarmless('object stream in an unusual packing')
  try {
    // To the end of the file: zlib itself says where its data ends.
    return (await inflate(bytes.subarray(begin), { maxOutputLength: Math.max(1, left) })).toString('latin1')
  } catch {
    throw new NotHarmless('object stream that cannot be inflated')
  }
}

/** The objects of an object stream: pairs of number and place, then the objects. */
function scanPacked(text: string, entries: Entries): void {
  const [count, first] = [intOf(entries.get('N')), intOf(entries.get('First'))]
  if (count === null || first === null) throw new NotHarmless('object stream without a table')
  const scanner = { text, budget: MAX_PASSES * text.length + 1_024 }
  let at = 0
  for (let i = 0; i < count; i++) {
    const number = nextToken(scanner, at)
    const place = number && nextToken(scanner, number.end)
    if (!place || !/^\d+$/.test(place.text)) return
    at = place.end
    readObject(scanner, first + Number(place.text))
  }
}

async function scan(bytes: Buffer): Promise<void> {
  const text = bytes.toString('latin1')
  const scanner = { text, budget: MAX_PASSES * text.length }
  let left = MAX_INFLATED_BYTES
  // Every object is read from its own beginning, so that nothing before it, open strings or a false end of a stream,
  // can hide it. What is in streams is data: only those that hold objects are looked into.
  for (let at = text.indexOf('obj'); at >= 0; at = text.indexOf('obj', at + 3)) {
    if (text.slice(at - 3, at) === 'end') continue
    const { tokens, end } = readObject(scanner, at + 3)
    const begin = streamAt(text, end)
    const entries = entriesOf(tokens)
    if (begin === null || !holdsObjects(entries)) continue
    const content = await contentOf(bytes, entries, begin, left)
    left -= content.length
    scanPacked(content, entries)
  }
  for (let at = text.indexOf('trailer'); at >= 0; at = text.indexOf('trailer', at + 7)) readObject(scanner, at + 7)
}

/** Where the data of a stream begins; null where none follows. */
function streamAt(text: string, from: number): number | null {
  let at = from
  while (isSpace(text.charCodeAt(at)) || text[at] === '%') {
    if (text[at] !== '%') at++
    else while (at < text.length && text[at] !== '\r' && text[at] !== '\n') at++
  }
  if (!text.startsWith('stream', at)) return null
  at += 6
  if (text[at] === '\r') at++
  return text[at] === '\n' ? at + 1 : at
}

/** Whether nothing in a PDF runs by itself and no file rides in it, as far as its objects can be read. */
export async function isPdfHarmless(bytes: Buffer): Promise<boolean> {
  try {
    await scan(bytes)
    return true
  } catch (error) {
    if (error instanceof NotHarmless) return false
    throw error
  }
}
