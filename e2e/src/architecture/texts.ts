import { exists, importsOf, targetOf } from './imports.ts'
import { textOf } from './tree.ts'

const PAGES = 'web/src/pages.tsx'
/** Texts that every page loads. */
const ALWAYS = ['core', 'ui', 'errors']

/** Web pages, with the features whose texts they load and their entry files. */
export const pages = (): { name: string; loads: string[]; files: string[] }[] =>
  textOf(PAGES)
    .split('export const ')
    .slice(1)
    .map((text) => ({
      name: /^\w+/.exec(text)?.[0] ?? '',
      loads: [...(/\[([^\]]*)\]/.exec(text)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(([, feature = '']) => feature),
      files: [...text.matchAll(/import\('\.\/([^']+)'\)/g)].map(([, file]) => `web/src/${file}`),
    }))

const PART = /lazyPart\('(\w+)', \(\) => import\('([^']+)'\), \{\s*features: \[([^\]]*)\]/g

/** Parts of a file that load their own texts: name, those features, and the file of the part. */
export const lazyPartsOf = (path: string): { name: string; loads: string[]; files: string[] }[] =>
  [...textOf(path).matchAll(PART)].map(([, name = '', specifier = '', features = '']) => ({
    name,
    loads: [...features.matchAll(/'(\w+)'/g)].map(([, feature = '']) => feature),
    files: [targetOf({ from: path, specifier }) ?? ''],
  }))

/** Features whose texts these files and their imports use. */
export function textsOf(files: readonly string[]): string[] {
  const seen = new Set<string>()
  const walk = (file: string, usedNames: string[] | null) => {
    if (!/^web\/.*\.tsx?$/.test(file) || !exists(file)) return
    // Of a public API only the imported names are loaded.
    for (const entry of importsOf(file).filter(({ reExport }) => reExport))
      if (!usedNames || !entry.names || entry.names.some((name) => usedNames.includes(name)))
        walk(targetOf(entry) ?? '', entry.names ?? null)
    if (seen.has(file)) return
    seen.add(file)
    const parts = lazyPartsOf(file).flatMap(({ files }) => files)
    for (const entry of importsOf(file).filter(({ reExport }) => !reExport)) {
      const target = targetOf(entry) ?? ''
      if (!parts.includes(target)) walk(target, entry.names ?? null)
    }
  }
  for (const file of files) walk(file, null)
  const textFeatures = [...seen].flatMap((file) =>
    [...textOf(file).matchAll(/useTranslation\('(\w+)'\)|\bt\(['`](\w+):/g)].map(
      ([, feature, other]) => feature ?? other ?? '',
    ),
  )
  return [...new Set(textFeatures)].filter((feature) => !ALWAYS.includes(feature)).sort()
}
