import { MISSING_ELEMENT, UNCLOSED_ARRAY } from '@rogatka/domain/imports/jsonLines.ts'

/* A JSON array of vehicles, also on a single line, read element by element as if each were a line. */

const [TAB, LF, CR, SPACE] = [9, 10, 13, 32]
const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

const isSpace = (byte: number) => byte === SPACE || byte === LF || byte === CR || byte === TAB

/** Whether a file begins with an array of objects, or an empty one. */
export function isJsonArray(start: Buffer): boolean {
  let at = 0
  const next = () => {
    while (at < start.length && isSpace(start[at] as number)) at++
    return start[at++]
  }
  if (next() !== OPEN_ARRAY) return false
  const first = next()
  return first === OPEN_OBJECT || first === CLOSE_ARRAY
}

/**
 * Returns a function that takes the bytes of an array part by part and returns its complete elements, without their line
 * ends; with null the rest of a damaged file. Longer elements than `maxBytes` are null, and are not kept meanwhile. What
 * follows the array, an element that is missing between commas and a missing end are elements, too, so that they are refused.
 */
export function createArraySplitter(
  decode: (bytes: Buffer) => string,
  maxBytes: number,
): (part: Buffer | null) => (string | null)[] {
  let kept: Buffer[] = []
  let length = 0
  let depth = 0
  let isEnded = false
  let isText = false
  let isEscaped = false
  let isBlank = true
  let isFirst = true

  function keep(bytes: Buffer): void {
    length += bytes.length
    // A view would keep the whole part in memory.
    if (length <= maxBytes) kept.push(Buffer.from(bytes))
    else kept = []
  }

  function takeElement(): string | null {
    const text = isBlank
      ? MISSING_ELEMENT
      : length > maxBytes
        ? null
        : decode(Buffer.concat(kept))
            .replace(/[\r\n]\s*/g, ' ')
            .trim()
    kept = []
    length = 0
    isBlank = true
    isFirst = false
    return text
  }

  function takeRest(): (string | null)[] {
    if (isEnded && isBlank) return []
    // An element that is cut off is refused itself.
    const isComplete = !isEnded && !isBlank && depth === 1
    return [takeElement(), ...(isComplete ? [UNCLOSED_ARRAY] : [])]
  }

  return (part) => {
    if (part === null) return takeRest()
    const elements: (string | null)[] = []
    let start = 0
    const cut = (end: number) => {
      keep(part.subarray(start, end))
      elements.push(takeElement())
      start = end + 1
    }
    for (let at = 0; at < part.length; at++) {
      const byte = part[at] as number
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) isText = false
        continue
      }
      if (isSpace(byte)) continue
      if (depth === 0 && !isEnded) {
        // The bracket before the first element.
        depth = 1
        start = at + 1
        continue
      }
      if (byte === COMMA && depth === 1) {
        cut(at)
        continue
      }
      if (byte === CLOSE_ARRAY && depth === 1) {
        if (isFirst && isBlank) start = at + 1
        else cut(at)
        depth = 0
        isEnded = true
        continue
      }
      isBlank = false
      if (isEnded) continue
      if (byte === QUOTE) isText = true
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth = Math.max(1, depth - 1)
    }
    keep(part.subarray(start))
    return elements
  }
}
