/** No request nests JSON this deep; parsing a million levels blocks the process for seconds. */
export const MAX_DEPTH = 32

const [QUOTE, BACKSLASH, COMMA] = [34, 92, 44]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]

/** Whether a JSON text is nested too deep, without parsing it. Any result for invalid JSON. */
export function isTooDeep(json: string): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfText(json, at)
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH) return true
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--
  }
  return false
}

/** The raw texts of the elements of a JSON array, without parsing them; null if it is no array or is not closed. */
export function elementsOf(json: string): string[] | null {
  const list = json.trim()
  if (!list.startsWith('[')) return null
  const elements: string[] = []
  let [depth, from] = [0, 1]
  for (let at = 0; at < list.length; at++) {
    const code = list.charCodeAt(at)
    if (code === QUOTE) at = endOfText(list, at)
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth++
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      if (--depth > 0) continue
      elements.push(list.slice(from, at))
      return at === list.length - 1 ? elements : null
    } else if (code === COMMA && depth === 1) {
      elements.push(list.slice(from, at))
      from = at + 1
    }
  }
  return null
}

/** Index of the closing quote of the string that starts at `from`, or the length of the text. */
function endOfText(json: string, from: number): number {
  for (let end = json.indexOf('"', from + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0
    while (json.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return json.length
}
