/** Codes of characters in the text of a record. */
const [QUOTE, COMMA] = [34, 44]

/**
 * The fields of a PostgreSQL record as text, `(1,"a b",,"")`; null is an empty text. PostgreSQL quotes a field if it
 * is empty or contains a quote, a backslash, a bracket, a comma or white space, and then doubles quotes and backslashes.
 */
export function parseRecord(record: string): string[] {
  const fields: string[] = []
  const end = record.length - 1
  for (let at = 1; at <= end; at++) {
    const start = at
    if (record.charCodeAt(at) !== QUOTE) {
      while (at < end && record.charCodeAt(at) !== COMMA) at++
      fields.push(record.slice(start, at))
      continue
    }
    let isEscaped = false
    for (at = record.indexOf('"', start + 1); record.charCodeAt(at + 1) === QUOTE; at = record.indexOf('"', at + 2))
      isEscaped = true
    const text = record.slice(start + 1, at)
    fields.push(isEscaped || text.includes('\\') ? text.replace(/(["\\])\1/g, '$1') : text)
    at++
  }
  return fields
}
