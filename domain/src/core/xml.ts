// biome-ignore lint/suspicious/noControlCharactersInRegex: what has none of these is XML as it is
const HARMLESS = /^[^\x00-\x08\x0b-\x1f&<>"\ud800-\udfff\ufffe\uffff]*$/

/** Escapes text for XML and drops control characters except tab and line feed. */
export const escapeXml = (text: string): string => (HARMLESS.test(text) ? text : escapeSpecial(text))

const escapeSpecial = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that XML forbids
    .replace(/[\x00-\x08\x0b-\x1f\ufffe\uffff]/g, '')
    .replace(/[&<>"]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char] ?? char)
