import { parseSync } from 'vite'
import { children, isNode, type Node } from './text-calls.ts'

/** How a source file refers to texts. */
export type TextUses = {
  /** String literals and, if texts are also read as objects, names of properties. */
  names: ReadonlySet<string>
  /** Templates with `*` for each expression, and `columns.*` for `columns[key]`. */
  patterns: ReadonlySet<string>
}

/** `columns` of `columns`, of `texts.columns` and of `texts['columns']`; null if it is computed. */
function nameOf(node: unknown): string | null {
  if (!isNode(node)) return null
  if (node.type === 'Identifier') return String(node.name)
  if (node.type === 'Literal') return String(node.value)
  if (node.type !== 'MemberExpression') return null
  return node.computed && isNode(node.property) && node.property.type !== 'Literal' ? null : nameOf(node.property)
}

/** Module specifiers and types refer to no text. */
const isIgnored = (type: string): boolean =>
  /^Import|^ExportAll/.test(type) || (type.startsWith('TS') && !/^TS(As|Satisfies|NonNull)/.test(type))

/** References of a source file. `readsObjects`: texts are read as `texts.title`, too, not only by key. */
export function textUsesOf(path: string, text: string, { readsObjects }: { readsObjects: boolean }): TextUses {
  const names = new Set<string>()
  const patterns = new Set<string>()
  const walk = (node: Node) => {
    const { type, value } = node
    if (isIgnored(type)) return
    if (type === 'Literal' && typeof value === 'string') names.add(value)
    if (type === 'TemplateLiteral')
      patterns.add((node.quasis as { value: { cooked: string } }[]).map((part) => part.value.cooked).join('*'))
    if (readsObjects && type === 'MemberExpression') {
      const [name, object] = [nameOf(node), nameOf(node.object)]
      if (name !== null) names.add(name)
      else if (object !== null) patterns.add(`${object}.*`)
    }
    if (readsObjects && type === 'ObjectPattern')
      for (const { key } of node.properties as Node[]) names.add(nameOf(key) ?? '')
    for (const child of children(node)) walk(child)
  }
  walk(parseSync(path, text).program as unknown as Node)
  return { names, patterns }
}

export const joinUses = (all: readonly TextUses[]): TextUses => ({
  names: new Set(all.flatMap(({ names }) => [...names])),
  patterns: new Set(all.flatMap(({ patterns }) => [...patterns])),
})

/** The references with the prefix of a namespace, without it. */
export function usesOfNamespace({ names, patterns }: TextUses, namespace: string): TextUses {
  const within = (keys: ReadonlySet<string>) =>
    new Set([...keys].flatMap((key) => (key.startsWith(`${namespace}:`) ? key.slice(namespace.length + 1) : [])))
  return { names: within(names), patterns: within(patterns) }
}

/** The values of the `*` of a pattern in a key; null if the pattern does not match. */
export function matchPattern(pattern: string, key: string): string[] | null {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '(.+)')
  return new RegExp(`^${escaped}$`).exec(key)?.slice(1) ?? null
}

/** Patterns that begin with a part of a key; others, such as `*-*` of a date, would match any key. */
const isKeyPattern = (pattern: string): boolean => /^[\w-]+(\.[\w-]+)*[-.]\*/.test(pattern)

/**
 * Keys of a namespace that no code uses. A pattern uses a key if the code has the value of each `*` as a word, such as
 * `speed` of `sort-speed`. Objects of texts have dotted keys; the code may name a key from any object on, or each object.
 */
export function unusedTexts(keys: readonly string[], { names, patterns }: TextUses, words: ReadonlySet<string>) {
  const keyPatterns = [...patterns].filter(isKeyPattern)
  const isUsed = (key: string) =>
    names.has(key) || keyPatterns.some((pattern) => matchPattern(pattern, key)?.every((value) => words.has(value)))
  return keys.filter((key) => {
    const parts = key.split('.')
    const ends = parts.slice(0, -1).map((_, at) => parts.slice(at).join('.'))
    const isEachUsed = parts.every((part, at) => isUsed(part) || (at > 0 && isUsed(`${parts[at - 1]}.${part}`)))
    return !ends.some(isUsed) && !isEachUsed
  })
}
