import { exists, importsOf, targetOf } from './imports.ts'
import { textOf } from './tree.ts'

const PAGES = 'web/src/pages.tsx'
/** The words that every page has. */
const ALWAYS = ['core', 'ui', 'errors']

/** The pages of the web floor, with the rooms whose words they load and the files that they begin with. */
export const pages = (): { name: string; loads: string[]; files: string[] }[] =>
  textOf(PAGES)
    .split('export const ')
    .slice(1)
    .map((text) => ({
      name: /^\w+/.exec(text)?.[0] ?? '',
      loads: [...(/\[([^\]]*)\]/.exec(text)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(([, room = '']) => room),
      files: [...text.matchAll(/import\('\.\/([^']+)'\)/g)].map(([, file]) => `web/src/${file}`),
    }))

/** The rooms whose words these files and all that they import ask for. */
export function textsOf(files: readonly string[]): string[] {
  const seen = new Set<string>()
  const walk = (file: string) => {
    if (seen.has(file) || !/^web\/.*\.tsx?$/.test(file) || !exists(file)) return
    seen.add(file)
    for (const it of importsOf(file)) walk(targetOf(it) ?? '')
  }
  files.forEach(walk)
  const asked = [...seen].flatMap((file) =>
    [...textOf(file).matchAll(/useTranslation\('(\w+)'\)|\bt\(['`](\w+):/g)].map(
      ([, room, other]) => room ?? other ?? '',
    ),
  )
  return [...new Set(asked)].filter((room) => !ALWAYS.includes(room)).sort()
}
