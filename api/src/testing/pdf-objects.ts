/* A small reader of PDF objects (ISO 32000-1, 7.3 and 7.5), for tests: independent of the library that writes them. */

/** A name keeps its slash, a string its parentheses; a reference is `12 R`. A stream is its dictionary. */
export type PdfValue = string | number | boolean | null | PdfValue[] | PdfDictionary
export type PdfDictionary = { [key: string]: PdfValue }

const SPACE = /[\0\t\n\f\r ]/
const DELIMITER = /[\0\t\n\f\r ()<>[\]{}/%]/

function parse(text: string, from: number): [PdfValue, number] {
  let at = from
  const skip = () => {
    while (at < text.length && SPACE.test(text.charAt(at))) at++
  }
  const word = () => {
    const start = at++
    while (at < text.length && !DELIMITER.test(text.charAt(at))) at++
    return text.slice(start, at)
  }
  const string = () => {
    const start = at
    let depth = 0
    do {
      const char = text.charAt(at++)
      if (char === '\\') at++
      else if (char === '(') depth++
      else if (char === ')') depth--
    } while (depth > 0)
    return text.slice(start, at)
  }
  const value = (): PdfValue => {
    skip()
    if (text.startsWith('<<', at)) {
      at += 2
      const dictionary: PdfDictionary = {}
      for (skip(); !text.startsWith('>>', at); skip()) {
        const key = word()
        dictionary[key] = value()
      }
      at += 2
      return dictionary
    }
    const char = text.charAt(at)
    if (char === '[') {
      at++
      const values: PdfValue[] = []
      for (skip(); text.charAt(at) !== ']'; skip()) values.push(value())
      at++
      return values
    }
    if (char === '(') return string()
    if (char === '<') {
      const start = at
      at = text.indexOf('>', at) + 1
      return text.slice(start, at)
    }
    if (char === '/') return word()
    const reference = /^(\d+)\s+\d+\s+R(?![A-Za-z])/.exec(text.slice(at, at + 30))
    if (reference) {
      at += reference[0].length
      return `${reference[1]} R`
    }
    const token = word()
    if (token === 'true' || token === 'false') return token === 'true'
    if (token === 'null') return null
    const number = Number(token)
    if (Number.isNaN(number)) throw new Error(`No PDF object: ${token} at ${at}`)
    return number
  }
  return [value(), at]
}

export type PdfObjects = {
  root: PdfDictionary
  /** All objects by number, streams as their dictionaries. */
  all: ReadonlyMap<number, PdfValue>
  /** A value, or the object that it refers to. */
  resolve: (value: PdfValue | undefined) => PdfValue
  /** The same as a dictionary; empty if it is none. */
  dictionary: (value: PdfValue | undefined) => PdfDictionary
  /** The same as an array; a single value is an array of one, a missing one of none. */
  array: (value: PdfValue | undefined) => PdfValue[]
}

/** Reads the objects in the cross-reference table. */
export function readPdfObjects(pdf: Buffer): PdfObjects {
  const text = pdf.toString('latin1')
  const table = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1])
  const trailerAt = text.indexOf('trailer', table)
  const all = new Map<number, PdfValue>()
  for (const [, offset] of text.slice(table, trailerAt).matchAll(/(\d{10}) \d{5} n/g)) {
    const start = Number(offset)
    const header = /^(\d+) 0 obj\s/.exec(text.slice(start, start + 30))
    if (!header) throw new Error(`No object at ${start}`)
    all.set(Number(header[1]), parse(text, start + header[0].length)[0])
  }
  const resolve = (value: PdfValue | undefined): PdfValue => {
    const number = typeof value === 'string' && /^(\d+) R$/.exec(value)?.[1]
    return number ? resolve(all.get(Number(number))) : (value ?? null)
  }
  const isDictionary = (value: PdfValue): value is PdfDictionary =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  const dictionary = (value: PdfValue | undefined): PdfDictionary => {
    const resolved = resolve(value)
    return isDictionary(resolved) ? resolved : {}
  }
  const array = (value: PdfValue | undefined): PdfValue[] => {
    const resolved = resolve(value)
    if (Array.isArray(resolved)) return resolved
    return value === undefined || value === null ? [] : [value]
  }
  const trailer = dictionary(parse(text, trailerAt + 'trailer'.length)[0])
  return { root: dictionary(trailer['/Root']), all, resolve, dictionary, array }
}
