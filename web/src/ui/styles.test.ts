import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const SOURCES = join(import.meta.dirname, '..')
const textOf = (path: string) => readFileSync(join(SOURCES, path), 'utf8')

/** Classes that a component uses and its style sheets do not define. */
function missingClasses(component: string): string[] {
  const code = textOf(component)
  return [...code.matchAll(/import (\w+) from '(\.[^']+\.module\.css)'/g)].flatMap(([, name, sheet]) => {
    const known = textOf(join(dirname(component), sheet ?? '')).matchAll(/\.([a-zA-Z][\w-]*)/g)
    const classes = new Set([...known].map(([, one]) => one))
    const used = [...code.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))].map(([, one]) => one ?? '')
    return used.filter((one) => !classes.has(one))
  })
}

test.each(globSync('**/*.tsx', { cwd: SOURCES }))('%s uses classes that its style sheet has', (component) => {
  expect(missingClasses(component)).toEqual([])
})

// Vite parses such a class again without its file, which makes every build warn. Components use both classes instead.
test.each(globSync('**/*.css', { cwd: SOURCES }))('%s composes no class of another style sheet', (sheet) => {
  expect(textOf(sheet)).not.toMatch(/composes:[^;]* from /)
})
