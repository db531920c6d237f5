import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'vite'
import { root, textOf } from './tree.ts'

/** `names`: the imported or re-exported names; null: all, or unknown. */
export type Import = { from: string; specifier: string; reExport: boolean; names?: string[] | null }

/** All imports of a file, including types, dynamic imports of a constant, and re-exports. */
export function importsOf(path: string): Import[] {
  const text = textOf(path)
  const { module, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const found: Import[] = module.staticImports.map(({ moduleRequest, entries }) => {
    const names = entries.map(({ importName }) => importName.name)
    return {
      from: path,
      specifier: moduleRequest.value,
      reExport: false,
      names: names.length > 0 && names.every((name) => name !== null) ? (names as string[]) : null,
    }
  })
  for (const { moduleRequest } of module.dynamicImports) {
    const argument = text.slice(moduleRequest.start, moduleRequest.end)
    const fixed = /^(['"`])([^$]*)\1$/.exec(argument)?.[2]
    if (fixed !== undefined) found.push({ from: path, specifier: fixed, reExport: false })
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, exportName } of entries) {
      const names = typeof exportName.name === 'string' ? [exportName.name] : null
      if (moduleRequest) found.push({ from: path, specifier: moduleRequest.value, reExport: true, names })
    }
  }
  return found
}

/** The file of the repository that an import names, whether or not it exists; null for packages and built-ins. */
export function targetOf({ from, specifier }: Pick<Import, 'from' | 'specifier'>): string | null {
  const bare = specifier.replace(/\?.*$/, '')
  if (bare.startsWith('.')) return posix.join(posix.dirname(from), bare)
  const workspace = /^@rogatka\/([^/]+)\/(.+)$/.exec(bare)
  return workspace ? `${workspace[1]}/src/${workspace[2]}` : null
}

/** The package that an import names: `@mantine/core/styles.css` → `@mantine/core`. Null for files and built-ins. */
export function packageOf({ specifier }: Pick<Import, 'specifier'>): string | null {
  if (/^(\.|node:|virtual:)/.test(specifier)) return null
  return /^(@[^/]+\/[^/]+|[^/]+)/.exec(specifier)?.[0] ?? null
}

/** The first import cycle, as a list that begins and ends with the same file; null without one. */
export function importCycle(graph: Map<string, string[]>): string[] | null {
  const done = new Set<string>()
  const path: string[] = []
  const walk = (file: string): string[] | null => {
    if (done.has(file)) return null
    const start = path.indexOf(file)
    if (start >= 0) return [...path.slice(start), file]
    path.push(file)
    for (const next of graph.get(file) ?? []) {
      const cycle = walk(next)
      if (cycle) return cycle
    }
    path.pop()
    done.add(file)
    return null
  }
  for (const file of graph.keys()) {
    const cycle = walk(file)
    if (cycle) return cycle
  }
  return null
}

export const exists = (path: string): boolean => existsSync(join(root, path))
