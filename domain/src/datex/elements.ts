import { escapeXml } from '../core/xml.ts'

/* Elements of XML as text. A library would keep a tree of the whole document in memory. */

/** Longest text that DATEX II accepts in most fields (com:String). */
const MAX_TEXT = 1024

type Attributes = Readonly<Record<string, string | number>>

/** An element with XML as its content. `name` has its prefix. */
export const element = (name: string, ...content: readonly string[]): string => `<${name}>${content.join('')}</${name}>`

/** An element with attributes and XML as its content. */
export const attributed = (name: string, attributes: Attributes, ...content: readonly string[]): string =>
  `<${name}${attributesText(attributes)}>${content.join('')}</${name}>`

/** Elements with the same attributes: a function of their content. */
export const container = (name: string, attributes: Attributes): ((content: string) => string) => {
  const [start, end] = [`<${name}${attributesText(attributes)}>`, `</${name}>`]
  return (content) => start + content + end
}

/** An element with a text, which may be empty. */
export const text = (name: string, content: string): string =>
  `<${name}>${escapeXml(content.slice(0, MAX_TEXT))}</${name}>`

/** An element with a text or number; none for null or an empty text. */
export const value = (name: string, content: string | number | null | undefined): string => {
  if (content === null || content === undefined || content === '') return ''
  return typeof content === 'number' ? `<${name}>${decimal(content)}</${name}>` : text(name, content)
}

/** An element around XML that may be empty, and then is left out. */
export const wrapped = (name: string, ...content: readonly string[]): string => {
  const xml = content.join('')
  return xml && `<${name}>${xml}</${name}>`
}

/** The attributes of an opening tag. */
export const attributesText = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, content]) => ` ${name}="${escapeXml(String(content))}"`)
    .join('')

/** The shortest decimal, without an exponent. */
const decimal = (number: number): string => {
  const text = String(number)
  return text.includes('e') ? number.toFixed(9) : text
}

/** A time in UTC. */
export const time = (name: string, at: Date): string => `<${name}>${at.toISOString()}</${name}>`

/** A text in Polish (com:MultilingualString). */
export const polishText = (name: string, text: string): string =>
  wrapped(name, wrapped('com:values', value('com:value', text).replace('<com:value>', '<com:value lang="pl">')))
