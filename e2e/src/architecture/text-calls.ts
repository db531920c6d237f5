import { parseSync } from 'vite'
import { PLURAL, placeholdersOf } from './languages.ts'

/** A call `t(key, values)` of the web client. */
export type TextCall = {
  /** `web/src/users/UserForm.tsx:12` */
  at: string
  /** Namespaces of a key without a prefix: the argument of `useTranslation`. */
  namespaces: readonly string[]
  /** Possible keys: a constant, both of `a ? b : c`, or a template with `*` for its expressions. */
  keys: string[]
  /** Names of the values; null: unknown. */
  values: string[] | null
}

export type Node = { type: string; start: number; [field: string]: unknown }
/** Namespaces of each translation function in scope. */
type Scope = ReadonlyMap<string, readonly string[]>

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

export const children = (node: Node): Node[] => Object.values(node).flat().filter(isNode)

const isIdentifier = (node: unknown, name?: string): node is Node & { name: string } =>
  isNode(node) && node.type === 'Identifier' && (name === undefined || node.name === name)

/** Constant, alternative and template keys of an expression; none if it is computed otherwise. */
function keysOf(node: Node): string[] {
  if (node.type === 'Literal' && typeof node.value === 'string') return [node.value]
  if (node.type === 'ConditionalExpression')
    return [...keysOf(node.consequent as Node), ...keysOf(node.alternate as Node)]
  if (node.type === 'TSAsExpression' || node.type === 'ParenthesizedExpression') return keysOf(node.expression as Node)
  if (node.type !== 'TemplateLiteral') return []
  return [(node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('*')]
}

/** Property names of an object literal; null with a spread, or if it is no literal. */
function valuesOf(node: Node | undefined): string[] | null {
  if (!node) return []
  if (node.type !== 'ObjectExpression') return null
  const properties = node.properties as Node[]
  return properties.every(({ type, key }) => type === 'Property' && isIdentifier(key))
    ? properties.map(({ key }) => (key as { name: string }).name)
    : null
}

/** Translation functions that a declaration `const { t } = useTranslation('users')` adds to its scope. */
function translationsOf(declarator: Node, namespacesOf: (argument: Node | undefined) => readonly string[]) {
  const { id, init } = declarator as unknown as { id: Node; init: Node | null }
  if (init?.type !== 'CallExpression' || !isIdentifier(init.callee, 'useTranslation')) return []
  const namespaces = namespacesOf((init.arguments as Node[])[0])
  return (id.properties as Node[]).flatMap(({ key, value }) =>
    isIdentifier(key, 't') && isIdentifier(value) ? [[value.name, namespaces] as const] : [],
  )
}

/**
 * Calls of translation functions in a source file. `featuresOf` returns the values of the property `feature` of a
 * component, whose texts it may use.
 */
export function textCallsOf(path: string, text: string, featuresOf: (component: string) => string[]): TextCall[] {
  const component = /(\w+)\.tsx?$/.exec(path)?.[1] ?? ''
  const namespacesOf = (argument: Node | undefined): readonly string[] =>
    !argument ? ['core'] : argument.type === 'Literal' ? [String(argument.value)] : featuresOf(component)
  const calls: TextCall[] = []
  const walk = (node: Node, scope: Scope) => {
    const declarators = node.type === 'BlockStatement' ? children(node).flatMap(children) : []
    const own = declarators
      .filter(({ type }) => type === 'VariableDeclarator')
      .flatMap((declarator) => translationsOf(declarator, namespacesOf))
    const inner: Scope = own.length > 0 ? new Map([...scope, ...own]) : scope
    const namespaces = isIdentifier(node.callee) && inner.get(node.callee.name)
    if (node.type === 'CallExpression' && namespaces) {
      const [key, values] = node.arguments as Node[]
      const at = `${path}:${text.slice(0, node.start).split('\n').length}`
      if (key) calls.push({ at, namespaces, keys: keysOf(key), values: valuesOf(values) })
    }
    for (const child of children(node)) walk(child, inner)
  }
  walk(parseSync(path, text).program as unknown as Node, new Map())
  return calls
}

/** Values of the property `feature` of JSX elements, by component. */
export const featuresIn = (text: string): [component: string, feature: string][] =>
  Array.from(text.matchAll(/<(\w+)\b(?:[^<>]|=>)*?\sfeature="(\w+)"/g), ([, component = '', feature = '']) => [
    component,
    feature,
  ])

/** Texts of a namespace in all languages: each key without its plural ending, with its placeholders. */
export function placeholdersByKey(texts: readonly ReadonlyMap<string, string>[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const [name, text] of texts.flatMap((language) => [...language])) {
    const key = name.replace(PLURAL, '')
    const placeholders = found.get(key) ?? new Set<string>()
    found.set(key, placeholders)
    for (const placeholder of placeholdersOf(text)) placeholders.add(placeholder)
    if (key !== name) placeholders.add('count')
  }
  return found
}

/** Keys of a call without a text, and placeholders without a value. Keys that begin with an expression are not checked. */
export function textCallErrors(
  { at, namespaces, keys, values }: TextCall,
  texts: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>,
): string[] {
  return keys.flatMap((name) => {
    const [, prefix, key = ''] = /^(?:(\w+):)?(.*)$/.exec(name) ?? []
    if (key.startsWith('*')) return []
    const pattern = new RegExp(`^${key.replaceAll('*', '.+')}$`)
    return (prefix ? [prefix] : namespaces).flatMap((namespace) => {
      const found = [...(texts.get(namespace) ?? [])].filter(([other]) => pattern.test(other))
      if (found.length === 0) return [`${at}: ${namespace}:${key} has no text`]
      return found.flatMap(([other, placeholders]) =>
        [...placeholders]
          .filter((placeholder) => values?.includes(placeholder) === false)
          .map((placeholder) => `${at}: ${namespace}:${other} has no value for ${placeholder}`),
      )
    })
  })
}
